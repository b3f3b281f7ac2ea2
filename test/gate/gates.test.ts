import { describe, expect, it } from "vitest";
import {
  type Amounts,
  type BudgetFacts,
  budgetGate,
  type Caps,
  NOTHING,
  NOTHING_SPENT,
} from "../../src/gate/budget.ts";
import { coolDown, coolDownGate, type Failure } from "../../src/gate/cool-down.ts";
import { decides, type GateFacts, type GateLimits, judgeGates } from "../../src/gate/judge.ts";
import { sessionsGate } from "../../src/gate/sessions.ts";
import { throttleGate } from "../../src/gate/throttle.ts";
import { NO_BACKLOG, timeGate, WAITS } from "../../src/gate/time.ts";
import { DAY, HOUR, MINUTE, type Verdict } from "../../src/gate/verdict.ts";

const NOW = Date.UTC(2026, 10, 30, 12);

/** `open`, or when to ask again, in minutes from now. */
function answer(verdict: Verdict): string {
  if (verdict.open) return "open";
  return verdict.opensAt === null ? verdict.reason : `${verdict.reason} for ${(verdict.opensAt - NOW) / MINUTE} min`;
}

describe("time gate", () => {
  const left = { left: 3, oldestUnread: NOW - 2 * DAY };
  const expiring = { left: 0, oldestUnread: NOW - 21 * DAY };
  const almost = { left: 0, oldestUnread: NOW - 21 * DAY + 1 };
  it.each([
    ["never consolidated", 0, NO_BACKLOG, "open"],
    ["an hour ago", NOW - HOUR, NO_BACKLOG, "too-soon for 1380 min"],
    ["a day ago less a millisecond", NOW - DAY + 60_000, NO_BACKLOG, "too-soon for 1 min"],
    ["a day ago", NOW - DAY, NO_BACKLOG, "open"],
    ["a week asleep", NOW - 7 * DAY, NO_BACKLOG, "open"],
    ["an hour ago, words left over", NOW - HOUR, left, "open"],
    ["half an hour ago, words left over", NOW - HOUR / 2, left, "too-soon for 30 min"],
    ["an hour ago, a session about to be deleted", NOW - HOUR, expiring, "open"],
    ["half an hour ago, a session about to be deleted", NOW - HOUR / 2, expiring, "too-soon for 30 min"],
    ["an hour ago, a session not quite so old", NOW - HOUR, almost, "too-soon for 1380 min"],
    ["a minute in the future", NOW + MINUTE, NO_BACKLOG, "too-soon for 1441 min"],
    ["a month in the future, since the clock was set back", NOW + 30 * DAY, NO_BACKLOG, "open"],
  ])("%s", (_, stamp, backlog, expected) => {
    expect(answer(timeGate({ stamp, backlog }, NOW))).toBe(expected);
  });

  it("a backlog never makes a store wait longer than its own interval", () => {
    expect(timeGate({ stamp: NOW - MINUTE, backlog: left }, NOW, { ...WAITS, interval: MINUTE }).open).toBe(true);
  });
});

describe("cool-down gate", () => {
  const failure = (parts: Partial<Failure>): Failure => ({
    count: 1,
    at: NOW,
    rejected: false,
    notBefore: null,
    ...parts,
  });
  it.each([
    ["no failure", null, "open"],
    ["just failed", failure({}), "failed-recently for 10 min"],
    ["failed ten minutes ago", failure({ at: NOW - 10 * MINUTE }), "open"],
    ["failed three times", failure({ count: 3 }), "failed-recently for 40 min"],
    ["failed a thousand times", failure({ count: 1_000 }), "failed-recently for 1440 min"],
    ["refused work", failure({ rejected: true }), "failed-recently for 60 min"],
    ["asked to wait two hours", failure({ notBefore: NOW + 2 * HOUR }), "failed-recently for 120 min"],
    ["asked to wait a minute", failure({ notBefore: NOW + MINUTE }), "failed-recently for 10 min"],
    ["asked to wait a year", failure({ notBefore: NOW + 365 * DAY }), "failed-recently for 1440 min"],
    ["failed in the future, since the clock was set back", failure({ at: NOW + DAY }), "open"],
  ])("%s", (_, given, expected) => {
    expect(answer(coolDownGate(given, NOW))).toBe(expected);
  });

  it("doubles from ten minutes to a day", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map((count) => coolDown(count) / MINUTE)).toEqual([
      10, 20, 40, 80, 160, 320, 640, 1280, 1440,
    ]);
  });
});

const NO_CAPS = { usd: null, tokens: null, requests: null, minutes: null };

describe("budget gate", () => {
  const caps: Caps = {
    run: NO_CAPS,
    day: { usd: 1, tokens: 2_000_000, requests: 500, minutes: 120 },
    month: { ...NO_CAPS, usd: 10 },
  };
  type Part = Partial<Amounts>;
  const facts = (spent: { day?: Part; month?: Part }, paid = true): BudgetFacts => ({
    paid,
    spent: { run: NOTHING, day: { ...NOTHING, ...spent.day }, month: { ...NOTHING, ...spent.month } },
    dayEnds: NOW + 12 * HOUR,
    monthEnds: NOW + 36 * HOUR,
    broken: null,
  });
  const broken = { reason: "bad-key", detail: "the endpoint refused the key", until: NOW + 24 * HOUR };
  it.each([
    ["nothing spent", facts({}), "open"],
    ["almost a day's money", facts({ day: { usd: 0.99 } }), "open"],
    ["a day's money", facts({ day: { usd: 1 } }), "day-budget-spent for 720 min"],
    ["a day's tokens", facts({ day: { tokens: 2_000_001 } }), "day-budget-spent for 720 min"],
    ["a day's requests", facts({ day: { requests: 500 } }), "day-budget-spent for 720 min"],
    ["a day's wall time", facts({ day: { minutes: 120.5 } }), "day-budget-spent for 720 min"],
    ["a month's money", facts({ day: { usd: 2 }, month: { usd: 10.01 } }), "month-budget-spent for 2160 min"],
    ["no cap on a month's tokens", facts({ month: { tokens: 1e12 } }), "open"],
    ["a distiller that costs nothing", facts({ day: { usd: 100 } }, false), "open"],
    ["a key that was refused", { ...facts({}), broken }, "bad-key for 1440 min"],
    ["a key that was refused, of no distiller in use", { ...facts({}, false), broken }, "open"],
  ])("%s", (_, given, expected) => {
    expect(answer(budgetGate(given, caps))).toBe(expected);
  });

  it("a cap of nothing means that nothing is ever spent", () => {
    expect(budgetGate(facts({}), { ...caps, day: { ...caps.day, usd: 0 } }).open).toBe(false);
  });

  it("names the figures", () => {
    expect(budgetGate(facts({ day: { usd: 1.23456 } }), caps)).toMatchObject({ detail: "1.2346 of 1 USD today" });
  });
});

describe("throttle gate", () => {
  it.each([
    ["never scanned", null, "open"],
    ["scanned now", NOW, "scanned-recently for 10 min"],
    ["scanned nine minutes ago", NOW - 9 * MINUTE, "scanned-recently for 1 min"],
    ["scanned ten minutes ago", NOW - 10 * MINUTE, "open"],
    ["scanned in the future, since the clock was set back", NOW + HOUR, "open"],
  ])("%s", (_, lastScan, expected) => {
    expect(answer(throttleGate(lastScan, NOW))).toBe(expected);
  });
});

describe("sessions gate", () => {
  const SESSIONS = { sessions: 5, expiringAfter: 21 * DAY };
  it.each([
    ["two of five", 2, NO_BACKLOG, "too-few-sessions"],
    ["five of five", 5, NO_BACKLOG, "open"],
    ["never scanned", null, NO_BACKLOG, "never-scanned"],
    ["one, and words left over from the last dream", 1, { left: 1, oldestUnread: NOW }, "open"],
    ["one, about to be deleted", 1, { left: 0, oldestUnread: NOW - 22 * DAY }, "open"],
  ])("%s", (_, counted, backlog, expected) => {
    expect(answer(sessionsGate({ counted, backlog }, NOW, SESSIONS))).toBe(expected);
  });

  it("says how many there are and how many it takes", () => {
    expect(sessionsGate({ counted: 2, backlog: NO_BACKLOG }, NOW, SESSIONS)).toMatchObject({
      detail: "2 of 5 sessions",
    });
  });
});

describe("all gates together", () => {
  const limits: GateLimits = {
    ...WAITS,
    scanInterval: 10 * MINUTE,
    sessions: 5,
    caps: { run: NO_CAPS, day: { ...NO_CAPS, usd: 1 }, month: NO_CAPS },
  };
  const closed: GateFacts = {
    stamp: NOW,
    backlog: NO_BACKLOG,
    failure: { count: 1, at: NOW, rejected: false, notBefore: null },
    budget: {
      paid: true,
      spent: { ...NOTHING_SPENT, day: { ...NOTHING, usd: 1 } },
      dayEnds: NOW + 1,
      monthEnds: NOW + 1,
      broken: null,
    },
    lastScan: NOW,
    counted: 0,
  };
  const ready: GateFacts = {
    ...closed,
    stamp: 0,
    failure: null,
    budget: { ...closed.budget, spent: NOTHING_SPENT },
    lastScan: null,
    counted: 5,
  };

  it("every closed gate is reported, and the cheapest decides", () => {
    const verdicts = judgeGates(closed, NOW, limits);
    expect(verdicts.map(({ gate, open }) => [gate, open])).toEqual([
      ["time", false],
      ["cool-down", false],
      ["budget", false],
      ["throttle", false],
      ["sessions", false],
    ]);
    expect(decides(verdicts)).toBe(verdicts[0]);
    expect(decides(judgeGates(ready, NOW, limits))).toBeNull();
  });

  it("asking for a dream at once passes by all of them but the budget", () => {
    expect(decides(judgeGates(closed, NOW, limits), true)).toMatchObject({ gate: "budget" });
    expect(decides(judgeGates({ ...closed, budget: ready.budget }, NOW, limits), true)).toBeNull();
  });
});
