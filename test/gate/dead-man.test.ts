import { describe, expect, it } from "vitest";
import { FREE } from "../../src/gate/budget.ts";
import { dueSince, isOverdue } from "../../src/gate/dead-man.ts";
import type { GateFacts, GateLimits } from "../../src/gate/judge.ts";
import { NO_BACKLOG, WAITS } from "../../src/gate/time.ts";
import { DAY, HOUR } from "../../src/gate/verdict.ts";

const NOW = Date.UTC(2026, 10, 30, 8);
const none = { usd: null, tokens: null, requests: null, minutes: null };
const LIMITS: GateLimits = {
  ...WAITS,
  scanInterval: 600_000,
  sessions: 5,
  caps: { run: none, day: none, month: none },
};

const FACTS: GateFacts = {
  stamp: NOW - 5 * DAY,
  backlog: NO_BACKLOG,
  failure: null,
  budget: FREE,
  lastScan: NOW - 3 * DAY,
  counted: 6,
};

const due = (facts: Partial<GateFacts>, noted: number | null = null) =>
  dueSince({ ...FACTS, ...facts }, noted, { now: NOW, limits: LIMITS });

describe("a dream is due since", () => {
  it.each<[string, Partial<GateFacts>, number | null, number | null]>([
    ["the check that found it so", {}, NOW - 4 * DAY, NOW - 4 * DAY],
    ["the scan that counted enough, where nothing has checked", {}, null, NOW - 3 * DAY],
    [
      "the opening of the time gate, where enough was said before",
      { stamp: NOW - 4 * DAY, lastScan: NOW - 3.5 * DAY },
      null,
      NOW - 3 * DAY,
    ],
    ["the first scan of a store that never dreamt", { stamp: 0 }, null, NOW - 3 * DAY],
    ["never: too few sessions", { counted: 4 }, null, null],
    ["never: nobody has counted", { counted: null, lastScan: null }, null, null],
    ["never: too soon", { stamp: NOW - HOUR, lastScan: NOW - HOUR / 2 }, null, null],
    ["never: consolidated after the check, by somebody else", { stamp: NOW - 2 * DAY }, NOW - 4 * DAY, null],
    ["never: a note from the future", { counted: 0 }, NOW + DAY, null],
    [
      "the check, also while it cools down from a failure",
      { failure: { count: 3, at: NOW, rejected: false, notBefore: null } },
      NOW - 4 * DAY,
      NOW - 4 * DAY,
    ],
  ])("%s", (_, facts, noted, expected) => expect(due(facts, noted)).toBe(expected));

  it("two days ago is overdue, a minute less is not", () => {
    expect([isOverdue(NOW - 2 * DAY, NOW), isOverdue(NOW - 2 * DAY + 60_000, NOW), isOverdue(null, NOW)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
