import { describe, expect, it } from "vitest";
import { type BatchFacts, batchGate, nextLook } from "../../src/gate/batch.ts";
import { FREE } from "../../src/gate/budget.ts";
import { firstClosed, type GateFacts, judgeGates } from "../../src/gate/judge.ts";
import { NO_BACKLOG } from "../../src/gate/time.ts";
import { HOUR, MINUTE } from "../../src/gate/verdict.ts";

const NOW = Date.parse("2026-11-30T08:00:00.000Z");
const batch = (lookAt: number): BatchFacts => ({ since: NOW - HOUR, parts: 12, lookAt });

describe("a batch that waits", () => {
  it("keeps its gate closed until it is looked at", () => {
    expect(batchGate(batch(NOW + 10 * MINUTE), NOW)).toEqual({
      gate: "batch",
      open: false,
      reason: "batch-waiting",
      detail: "parts of sessions that are read at the batch price: 12, sent 2026-11-30T07:00:00.000Z",
      opensAt: NOW + 10 * MINUTE,
    });
  });

  it.each<[string, BatchFacts | null]>([
    ["there is none", null],
    ["its time has come", batch(NOW)],
    ["the clock was set back by days", batch(NOW + 48 * HOUR)],
  ])("does not when %s", (_, facts) => {
    expect(batchGate(facts, NOW)).toEqual({ gate: "batch", open: true });
  });

  it.each([
    ["just now", 0, 10 * MINUTE],
    ["twenty minutes ago", 20 * MINUTE, 10 * MINUTE],
    ["two hours ago", 2 * HOUR, 30 * MINUTE],
    ["a day ago", 24 * HOUR, HOUR],
    ["in the future", -24 * HOUR, 10 * MINUTE],
  ])("that was sent %s is looked at as often as is worth it", (_, age, wait) => {
    expect(nextLook(NOW - age, NOW, 10 * MINUTE)).toBe(NOW + wait);
  });

  it("is looked at no oftener than stores are scanned, and some forty times in its day at most", () => {
    expect(nextLook(NOW, NOW, 4 * HOUR)).toBe(NOW + 4 * HOUR);
    let looks = 0;
    for (let at = NOW; at < NOW + 25 * HOUR; at = nextLook(NOW, at, 10 * MINUTE)) looks += 1;
    expect(looks).toBeLessThan(42);
  });
});

describe("the gates of a store with a batch", () => {
  const facts: GateFacts = {
    stamp: 0,
    backlog: NO_BACKLOG,
    failure: null,
    budget: FREE,
    lastScan: null,
    counted: 9,
    batch: batch(NOW + MINUTE),
  };
  const none = { usd: null, tokens: null, requests: null, minutes: null };
  const caps = { run: none, day: none, month: none };
  const limits = { interval: HOUR, backlogInterval: HOUR, expiringAfter: HOUR, sessions: 5, scanInterval: 0, caps };

  it("name it, and only then", () => {
    const names = (all: GateFacts) => judgeGates(all, NOW, limits).map(({ gate }) => gate);
    expect(names(facts)).toEqual(["time", "cool-down", "batch", "budget", "throttle", "sessions"]);
    expect(names({ ...facts, batch: null })).toEqual(["time", "cool-down", "budget", "throttle", "sessions"]);
  });

  it("wait for it, unless a person asks at once", () => {
    const how = { now: NOW, scanned: false };
    expect(firstClosed(facts, limits, { ...how, asked: false })).toMatchObject({ gate: "batch" });
    expect(firstClosed(facts, limits, { ...how, asked: true })).toBeNull();
  });
});
