import { expect, it } from "vitest";
import { describeWithSqlite } from "../support/sqlite.ts";
import { opened, report } from "./samples.ts";

const DAY = 86_400_000;

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
  it("drops old runs and keeps the rest", async () => {
    const ledger = await opened();
    ledger.recordRun(report("20261101T120000000-aaaaaa"));
    ledger.recordRun(report("20261130T120000000-bbbbbb"));
    ledger.trim({ days: 10, bytes: 1e9, cacheDays: 10, cacheBytes: 0 }, Date.UTC(2026, 11, 1));
    expect(ledger.history({}).map(({ id }) => id)).toEqual(["20261130T120000000-bbbbbb"]);
  });
});
