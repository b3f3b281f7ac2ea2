import { join } from "node:path";
import { expect, it } from "vitest";
import { NOTHING_SPENT } from "../../src/gate/budget.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { opened, report, scratch } from "./samples.ts";

const DAY = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 10, 29, 23); // in Berlin
const RANGES = {
  day: { from: MIDNIGHT, to: MIDNIGHT + DAY },
  month: { from: MIDNIGHT - 29 * DAY, to: MIDNIGHT + DAY },
};
const usage = (tokens: number, costUsd: number) => ({
  requests: 1,
  inputTokens: tokens - 3,
  cachedTokens: 2,
  outputTokens: 1,
  costUsd,
});

describeWithSqlite("spend", () => {
  it("is summed over all stores, by the day and month of the caller", async () => {
    const path = join(scratch(), "ledger.db");
    const ledger = await opened(path);
    expect(ledger.spend(RANGES)).toEqual(NOTHING_SPENT);
    const spends = [
      { at: MIDNIGHT - 1, store: "app", usage: usage(100, 0.5) },
      { at: MIDNIGHT, store: "app", usage: usage(10, 0.25) },
      { at: MIDNIGHT + 5, store: "site", usage: usage(20, 0.125) },
      { at: MIDNIGHT + DAY, store: "site", usage: usage(1_000, 9) },
    ];
    for (const spend of spends) ledger.addSpend({ run: "r", ...spend });
    const expected = { dayTokens: 30, dayUsd: 0.375, monthTokens: 130, monthUsd: 0.875 };
    expect(ledger.spend(RANGES)).toEqual(expected);
    expect((await opened(path)).spend(RANGES)).toEqual(expected);
  });
});

describeWithSqlite("the cache of extractions", () => {
  it("gives back what was put in, and nothing else", async () => {
    const ledger = await opened();
    ledger.cachePut("a", "one", 1);
    ledger.cachePut("a", "two", 2);
    expect([ledger.cacheGet("a", 3), ledger.cacheGet("b", 3)]).toEqual(["two", null]);
    ledger.cachePut("big", "x".repeat(1_000_001), 3);
    expect(ledger.cacheGet("big", 3)).toBeNull();
  });

  it("is trimmed by age and by size, the longest unused first", async () => {
    const ledger = await opened();
    const now = 100 * DAY;
    for (const [index, key] of ["old", "a", "b", "c"].entries()) ledger.cachePut(key, "x".repeat(10), index * 40 * DAY);
    ledger.cacheGet("a", now);
    ledger.trim({ days: 730, bytes: 1e9, cacheDays: 90, cacheBytes: 25 }, now);
    expect(["old", "a", "b", "c"].map((key) => ledger.cacheGet(key, now) !== null)).toEqual([false, true, false, true]);
  });
});

describeWithSqlite("trimming", () => {
  it("drops old runs and spend, and keeps the rest", async () => {
    const ledger = await opened();
    ledger.recordRun(report("20261101T120000000-aaaaaa"));
    ledger.recordRun(report("20261130T120000000-bbbbbb"));
    ledger.trim({ days: 10, bytes: 1e9, cacheDays: 10, cacheBytes: 0 }, Date.UTC(2026, 11, 1));
    expect(ledger.history({}).map(({ id }) => id)).toEqual(["20261130T120000000-bbbbbb"]);
  });

  it("never drops spend of a month that still counts", async () => {
    const ledger = await opened();
    ledger.addSpend({ at: MIDNIGHT - 20 * DAY, run: "r", store: "app", usage: usage(10, 1) });
    ledger.trim({ days: 1, bytes: 1e9, cacheDays: 1, cacheBytes: 0 }, MIDNIGHT);
    expect(ledger.spend(RANGES).monthUsd).toBe(1);
  });
});
