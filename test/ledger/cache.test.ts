import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { cacheFiles } from "../../src/ledger/cache-files.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { opened, report, scratch } from "./samples.ts";

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

describe("extractions that were paid for without a database", () => {
  const folderOf = () => cacheFiles(nodeFiles, scratch(), () => `t${++serial}`);
  let serial = 0;

  it("are kept, each under its own key", () => {
    const cache = folderOf();
    expect(cache.get("a", 1)).toBeNull();
    cache.put("a", "one");
    cache.put("a", "two");
    cache.put("b", "x".repeat(1_000_001));
    expect([cache.get("a", 1), cache.get("b", 1)]).toEqual(["two", null]);
  });

  it("are forgotten with what they say, and trimmed by age and size", () => {
    const cache = folderOf();
    for (const [index, key] of ["old", "a", "b", "c"].entries()) {
      cache.put(key, `${key} says ${"x".repeat(100)}`);
      cache.get(key, index * 40 * DAY);
    }
    expect(cache.forget((value) => value?.startsWith("c says") ?? false)).toBe(1);
    cache.trim({ cacheDays: 90, cacheBytes: 250 }, 100 * DAY);
    expect(["old", "a", "b", "c"].map((key) => cache.get(key, 100 * DAY) !== null)).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it("are no values where a file is damaged", () => {
    const state = scratch();
    const cache = cacheFiles(nodeFiles, state, () => `t${++serial}`);
    cache.put("a", "one");
    const [name = ""] = readdirSync(join(state, "cache"));
    for (const damage of ["", "[]", '{"key":"b","value":"one"}', '{"key":"a","value":1}']) {
      writeFileSync(join(state, "cache", name), damage);
      expect(cache.get("a", 1)).toBeNull();
    }
  });
});

describeWithSqlite("the next database that works", () => {
  it("takes over what was paid for without one", async () => {
    const path = join(scratch(), "ledger.db");
    const cache = cacheFiles(nodeFiles, dirname(path), () => "t");
    cache.put("a", "one");
    const ledger = await opened(path);
    expect(ledger.cacheGet("a", 3)).toBe("one");
    expect(readdirSync(join(dirname(path), "cache"))).toEqual([]);
  });
});
