/** What the event log and the store's state tell of how stores fare, over days. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemdError } from "../../src/base/errors.ts";
import { nodeFiles } from "../../src/base/files.ts";
import { eventsAfter } from "../../src/ledger/event-reader.ts";
import { loadStoreState } from "../../src/ledger/store-state.ts";
import type { Distiller } from "../../src/ports.ts";
import { faultyFiles, systemError } from "../support/faulty-files.ts";
import { DAY, HOUR, type Home, makeHome, START, talk } from "../support/home.ts";

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

const stateRoot = () => join(home.root, "state", "memd");
const events = () => [...eventsAfter(nodeFiles, stateRoot(), 0)];
const told = () =>
  events().map(({ event, step, gate, code, open }) =>
    [event, step ?? code ?? gate ?? open].filter((part) => part !== undefined && part !== null).join(" "),
  );
const check = (changes = {}) => home.dream({ now: false, cause: "cron" }, changes);
const current = () => loadStoreState(nodeFiles, home.state);
const say = (count: number, at: number) => {
  for (let i = 0; i < count; i++)
    home.session(`s${at}-${i}`, talk([`Remember: box ${i} of day ${at} is called heron${i}.`], at + i));
};

/** The transcripts' folder is shut: what chmod 000 is to anyone but root. */
const shut = () =>
  faultyFiles(nodeFiles, {
    before: ({ verb, path }) => {
      if (verb === "list" && path.startsWith(home.sessions)) throw systemError("EACCES", verb, path);
    },
  });

const failing: Distiller = {
  name: "extractive",
  distill: async () => {
    throw new MemdError({
      code: "overloaded",
      family: "unavailable",
      message: "the endpoint is overloaded",
      hint: "Wait.",
    });
  },
};

describe("the event log of a dream", () => {
  it("tells its steps, what it changed, and how it ended, in order", async () => {
    say(5, START - DAY);
    const { report } = await check();
    expect(told()).toEqual([
      "gate true",
      "dream-began",
      "dream-step collect",
      "dream-step digest",
      "dream-step distill",
      "dream-step validate",
      "dream-step apply",
      "memory-changed",
      "dream-ended",
      "gate time",
    ]);
    expect(events().at(-2)).toMatchObject({
      run: report.id,
      outcome: "done",
      reason: null,
      sessions: { seen: 5, read: 5, left: 0 },
      operations: { accepted: report.operations.accepted },
    });
    expect(JSON.stringify(events())).not.toContain("heron");
  });

  it("tells of a gate when its verdict changes, not each time that it is asked", async () => {
    say(2, START - DAY);
    for (let i = 0; i < 6; i++) {
      await check();
      home.clock.move(20 * 60_000);
    }
    expect(told()).toEqual(["gate sessions"]);
    say(5, START);
    await check();
    await check();
    await check();
    expect(told().filter((line) => line.startsWith("gate"))).toEqual(["gate sessions", "gate true", "gate time"]);
  });

  it("tells the end of a dream that had begun and did nothing after all", async () => {
    say(1, START - DAY);
    const range = { low: 1, high: 1 };
    const estimate = { sessions: 1, cached: 0, requests: range, tokens: range, usd: null, unpriced: [], prices: "" };
    const asking: Distiller = { ...failing, estimate: async () => ({ distiller: "anthropic", ...estimate }) };
    const { exit } = await home.dream({ consent: async () => false }, { distiller: asking });
    expect(exit).toBe(3);
    expect(told()).toEqual(["dream-began", "dream-step collect", "dream-step digest", "dream-ended"]);
    expect(events().at(-1)).toMatchObject({ outcome: "skipped", reason: "not-confirmed", usage: { requests: 0 } });
  });

  it("says nothing of a dry run, and leaves no file", async () => {
    say(5, START - DAY);
    await home.dream({ now: true, dryRun: true });
    expect(existsSync(join(stateRoot(), "events.jsonl"))).toBe(false);
  });

  it("tells of a condition when it comes and when it goes", async () => {
    say(1, START - DAY);
    await home.dream({}, { files: shut() });
    await home.dream({}, { files: shut() });
    await home.dream();
    expect(told().filter((line) => line.startsWith("condition"))).toEqual([
      "condition-raised no-permission",
      "condition-cleared no-permission",
    ]);
  });

  it("never fails a dream, and is a condition of its own", async () => {
    say(1, START - DAY);
    const files = faultyFiles(nodeFiles, {
      before: ({ verb, path }) => {
        if (verb === "append" && path.endsWith("events.jsonl")) throw systemError("ENOSPC", verb, path);
      },
    });
    const { report } = await home.dream({}, { files });
    expect(report.outcome).toBe("done");
    expect(current().conditions.map(({ code }) => code)).toEqual(["events-unwritable"]);
  });
});

it("a closed gate is a closed gate where the state cannot be written: the verdict is noted by a later check", async () => {
  say(5, START - DAY);
  await check();
  home.clock.move(25 * HOUR);
  const files = faultyFiles(nodeFiles, {
    before: ({ verb, path }) => {
      if (verb === "create" && path.includes("state.json")) throw systemError("ENOSPC", verb, path);
    },
  });
  const { exit, report } = await home.dream({ now: false, cause: "cron" }, { files });
  expect([exit, report.outcome]).toEqual([5, "failed"]);
  home.clock.move(-20 * HOUR);
  expect((await home.dream({ now: false, cause: "cron" }, { files })).exit).toBe(3);
});

describe("attempt, success and change", () => {
  it("are three times: a dream that found nothing succeeds and changes nothing, one that failed only tried", async () => {
    say(1, START - DAY);
    await home.dream();
    const changed = current().lastRun?.at ?? "";
    home.clock.move(HOUR);
    await home.dream();
    const quiet = current().lastRun?.at ?? "";
    home.clock.move(HOUR);
    await home.dream({}, { files: shut() });
    expect(current()).toMatchObject({ lastChangedAt: changed, lastSuccessAt: quiet, lastRun: { outcome: "failed" } });
    expect(new Set([changed, quiet, current().lastRun?.at]).size).toBe(3);
  });

  it("sessions that cannot be read are not 0 sessions: since when is told, and forgotten once they can", async () => {
    say(3, START - DAY);
    await check();
    home.clock.move(HOUR);
    await home.dream({}, { files: shut() });
    expect(current()).toMatchObject({ unreadableSince: "2026-11-30T09:00:00.000Z", lastScan: { seen: 3 } });
    home.clock.move(HOUR);
    await home.dream({}, { files: shut() });
    expect(current().unreadableSince).toBe("2026-11-30T09:00:00.000Z");
    await home.dream();
    expect(current().unreadableSince).toBeNull();
  });
});

describe("a dream that is due for two days", () => {
  const codes = () => current().conditions.map(({ code }) => code);
  const days = async (count: number, changes = {}) => {
    for (let hour = 0; hour < count * 24; hour += 2) {
      home.clock.move(2 * HOUR);
      await check(changes);
    }
  };

  it("is a condition while every run fails, and none after one that succeeds", async () => {
    say(5, START - DAY);
    await check({ distiller: failing });
    await days(1, { distiller: failing });
    expect(codes()).toEqual(["overloaded"]);
    await days(3, { distiller: failing });
    expect(codes()).toEqual(["overloaded", "overdue"]);
    expect(current().conditions.at(-1)?.message).toMatch(
      /due for \d days and none succeeded: the last \d+ runs failed \(overloaded\)/,
    );
    expect(told().filter((line) => line.includes("overdue"))).toEqual(["condition-raised overdue"]);
    await days(2);
    expect(codes()).toEqual([]);
    expect(told().filter((line) => line.includes("overdue"))).toEqual([
      "condition-raised overdue",
      "condition-cleared overdue",
    ]);
  });

  it("is one too where the sessions cannot even be counted", async () => {
    say(1, START - DAY);
    await check({ files: shut() });
    await days(4, { files: shut() });
    expect(codes()).toEqual(["no-permission", "overdue"]);
  });

  it("is none where too little was said", async () => {
    say(2, START - DAY);
    await days(5);
    expect([codes(), current().dueSince]).toEqual([[], null]);
  });
});
