import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type DriverOf from "better-sqlite3";
import { expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { openDatabase, openReadOnly } from "../../src/base/sqlite.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { summaryOf } from "../../src/ledger/report.ts";
import { describeWithSqlite, hasSqlite } from "../support/sqlite.ts";
import { change, ledgerWorld, opened, refusal, report, scratch } from "./samples.ts";

// Loaded only where it loads: without it these stories are skipped, and the file must still be read.
const Driver = (hasSqlite ? createRequire(import.meta.url)("better-sqlite3") : null) as typeof DriverOf;

const RUN = "20261129T120000000-aaaaaa";
const LATER = "20261130T120000000-bbbbbb";
const DAY = 86_400_000;
const AT = Date.UTC(2026, 10, 30, 12);
/** Fixed bytes that look random. */
const NOISE = Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7_919 + 13) % 251));

const DAMAGED: [string, (path: string) => void][] = [
  ["text", (path) => writeFileSync(path, "this is not a database\n".repeat(100))],
  ["noise", (path) => writeFileSync(path, NOISE)],
  [
    "noise with noise beside it",
    (path) => {
      for (const suffix of ["", "-wal", "-shm"]) writeFileSync(path + suffix, NOISE);
    },
  ],
  [
    "another program's good database",
    (path) => {
      nodeFiles.unlink(path);
      const theirs = new Driver(path);
      theirs.exec("CREATE TABLE runs (x); PRAGMA user_version = 1");
      theirs.close();
    },
  ],
  [
    "a page in the middle of a good one",
    (path) => {
      const bytes = readFileSync(path);
      NOISE.copy(bytes, 4_096, 0, 8_192);
      writeFileSync(path, bytes);
    },
  ],
];

describeWithSqlite("a damaged ledger", () => {
  it.each(DAMAGED)("is moved aside and begun anew from what the files tell (%s)", async (_, damage) => {
    const path = join(scratch(), "ledger.db");
    const first = await openLedger(ledgerWorld(), path);
    first.recordRun(report(RUN));
    first.close();
    damage(path);
    const last = report(LATER, { changes: [change("- Uses pnpm.")] });
    const ledger = await opened(path, ledgerWorld({ lastRuns: () => [last] }));
    expect(ledger.condition).toMatchObject({ code: "ledger-rebuilt" });
    expect(readdirSync(join(path, "..")).some((name) => name.startsWith("ledger.db.damaged-"))).toBe(true);
    expect(ledger.history({})).toEqual([summaryOf(last)]);
    ledger.recordRun(report(RUN));
    expect(ledger.history({})).toHaveLength(2);
  });

  it("of zero bytes is simply a new one", async () => {
    const path = join(scratch(), "ledger.db");
    writeFileSync(path, "");
    const ledger = await opened(path, ledgerWorld({ lastRuns: () => [report(RUN)] }));
    expect(ledger.condition).toBeNull();
    expect(ledger.history({})).toEqual([summaryOf(report(RUN))]);
  });

  it("of zero bytes with noise beside it is a new one too", async () => {
    const path = join(scratch(), "ledger.db");
    for (const suffix of ["-wal", "-shm"]) writeFileSync(path + suffix, NOISE);
    writeFileSync(path, "");
    const ledger = await opened(path);
    ledger.recordRun(report(RUN));
    expect(ledger.history({})).toHaveLength(1);
  });
});

describeWithSqlite("a ledger that cannot be used", () => {
  /** A folder stands where the database should be. */
  function blocked(): string {
    const path = join(scratch(), "ledger.db");
    mkdirSync(join(path, "full"), { recursive: true });
    return path;
  }

  it("is a condition with a hint, and the files answer", async () => {
    const last = report(RUN, { changes: [change("- Uses pnpm.")], rejected: [refusal("tabs, please")] });
    const ledger = await opened(blocked(), ledgerWorld({ lastRuns: () => [last] }));
    expect(ledger.condition).toMatchObject({ code: "database-unusable", hint: expect.any(String) });
    expect(ledger.find("last")).toEqual({ state: "found", run: last });
    expect(ledger.find("20261129", "app")).toEqual({ state: "found", run: last });
    expect(ledger.find("20261129", "site")).toEqual({ state: "none" });
    expect(ledger.changesOf(RUN)).toEqual(last.changes);
    expect(ledger.changesMatching("PNPM")).toHaveLength(1);
    expect(ledger.refusedMatching("tabs")).toMatchObject([{ rule: "quote-not-found" }]);
    ledger.cachePut("k", "v", AT);
    expect(ledger.cacheGet("k", AT)).toBe("v");
    ledger.trim({ days: 1, bytes: 1e9, cacheDays: 1, cacheBytes: 1 }, AT);
  });

  it("keeps runs, and the next one that works takes them over once", async () => {
    const path = blocked();
    const without = await opened(path);
    without.recordRun(report(RUN));
    without.recordRun(report(LATER, { store: "site" }));
    expect(without.history({}).map(({ id }) => id)).toEqual([LATER, RUN]);
    expect(without.history({ stores: ["app"], limit: 5 }).map(({ id }) => id)).toEqual([RUN]);
    expect(without.find("2026")).toEqual({ state: "ambiguous", ids: [LATER, RUN] });
    nodeFiles.rmdir(join(path, "full"));
    nodeFiles.rmdir(path);
    for (let start = 0; start < 2; start++) {
      const ledger = await opened(path);
      expect(ledger.history({}).map(({ id }) => id)).toEqual([LATER, RUN]);
    }
    expect(readdirSync(join(path, "..")).filter((name) => name.startsWith("ledger-pending"))).toEqual([]);
  });

  it("forgets what it keeps", async () => {
    const path = blocked();
    const ledger = await opened(path);
    ledger.recordRun(report(RUN, { changes: [change("- Quetzalcoatl.")] }));
    expect(ledger.forget(["quetzalcoatl"])).toEqual({ rows: 1, erased: true });
    expect(ledger.changesOf(RUN)).toEqual([]);
    expect(readFileSync(join(path, "../ledger-pending.jsonl"), "utf8")).not.toMatch(/quetzal/i);
  });

  it("passes over a line that a crash cut short", async () => {
    const path = blocked();
    const ledger = await opened(path);
    ledger.recordRun(report(RUN));
    nodeFiles.append(join(path, "../ledger-pending.jsonl"), '{"kind":"run","report":{"id":"x\n[]\nnull\n', 0o600);
    ledger.recordRun(report(LATER));
    expect(ledger.history({}).map(({ id }) => id)).toEqual([LATER, RUN]);
  });

  it("because another program writes takes the run to a file and says so, until it is free", async () => {
    const path = join(scratch(), "ledger.db");
    const ledger = await opened(path);
    const other = new Driver(path);
    other.exec("BEGIN EXCLUSIVE");
    ledger.recordRun(report(RUN));
    expect(ledger.condition).toMatchObject({ code: "ledger-busy" });
    other.exec("COMMIT");
    other.close();
    expect(ledger.history({})).toEqual([summaryOf(report(RUN))]);
    expect(ledger.condition).toBeNull();
  });

  it("was made by a newer memd: it stays as it is", async () => {
    const path = join(scratch(), "ledger.db");
    (await openLedger(ledgerWorld(), path)).close();
    const newer = new Driver(path);
    newer.pragma("user_version = 99");
    newer.close();
    expect((await opened(path)).condition).toMatchObject({ code: "database-unusable", message: /newer memd/ });
    expect(existsSync(path)).toBe(true);
  });
});

describeWithSqlite("the ledger's file", () => {
  it("is readable by its owner only, and its folder is made", async () => {
    const path = join(scratch(), "state", "memd", "ledger.db");
    const ledger = await opened(path);
    ledger.recordRun(report(RUN));
    for (const name of readdirSync(join(path, ".."))) {
      expect([name, statSync(join(path, "..", name)).mode & 0o077]).toEqual([name, 0]);
    }
  });

  it("is brought from an older schema to this one in one step", async () => {
    const path = join(scratch(), "some.db");
    const one = "CREATE TABLE a (x) STRICT";
    const open = (migrations: readonly string[]) => openDatabase(nodeFiles, { path, migrations, token: "t" });
    const first = await open(["CREATE TABLE a (x INTEGER) STRICT"]);
    if (first.state === "open") first.db.close();
    const broken = await open(["", "CREATE TABLE b (y INTEGER) STRICT; CREATE TABLE a (x INTEGER)"]);
    expect(broken).toMatchObject({ state: "missing", code: "database-unusable" });
    const second = await open([one, "CREATE TABLE b (y INTEGER) STRICT"]);
    expect(second).toMatchObject({ state: "open", movedTo: null });
    if (second.state !== "open") return;
    expect(second.db.pragma("user_version", { simple: true })).toBe(2);
    second.db.close();
  });
});

describeWithSqlite("another program's database", () => {
  it("is read and never changed; what is none is a value", async () => {
    const folder = scratch();
    const path = join(folder, "theirs.db");
    const theirs = new Driver(path);
    theirs.exec("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
    theirs.close();
    chmodSync(path, 0o400);
    const read = await openReadOnly(path);
    if (read.state !== "open") throw new Error(read.message);
    expect(read.db.prepare("SELECT x FROM t").all()).toEqual([{ x: 1 }]);
    expect(() => read.db.exec("DELETE FROM t")).toThrow(/readonly/);
    read.db.close();
    expect(readdirSync(folder)).toEqual(["theirs.db"]);

    writeFileSync(join(folder, "text.db"), "hello ".repeat(1_000));
    for (const name of ["text.db", "none.db"]) {
      expect(await openReadOnly(join(folder, name))).toMatchObject({ state: "missing", code: "database-unusable" });
    }
    expect(readdirSync(folder).sort()).toEqual(["text.db", "theirs.db"]);
  });
});
