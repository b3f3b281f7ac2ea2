import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { loadUndoRecord, undoableRuns } from "../../src/steps/undo-records.ts";
import { readArchive } from "../../src/store/archive.ts";
import { surplus } from "../../src/store/surplus.ts";
import { faultyFiles } from "../support/faulty-files.ts";
import { DAY, type Home, makeHome, START, talk } from "../support/home.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { inWorld, statements } from "./world.ts";

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

const state = () => join(home.root, "state", "memd");

/** Two runs: one that remembers, and one a week later that revises, so that something lies in the archive. */
async function past(): Promise<void> {
  home.session("a", talk(["Remember: the queue limit of the importer is 300 jobs."], START - DAY));
  await home.dream();
  home.clock.move(7 * DAY);
  home.session(
    "b",
    talk(
      ["Correction: the queue limit of the importer is 500 jobs, not 300 jobs. Please fix your notes."],
      home.clock.now() - DAY,
    ),
  );
  await home.dream();
}

/** One more run, in which something is new, so many days later. */
async function later(days: number, config: unknown = null): Promise<void> {
  home.clock.move(days * DAY);
  home.session(
    `later-${home.clock.now()}`,
    talk([`Remember: the beacon of day ${days} is called lamp${days}.`], home.clock.now() - DAY),
  );
  await home.dream({}, { config });
}

const history = () => inWorld(home, async (world) => (await world.ledger()).history({ limit: 100 }));

describeWithSqlite("what is kept of the past", () => {
  it("stays as long as the configuration says, and goes at the end of the next run after that", async () => {
    await past();
    expect(readArchive(home.world().place).length).toBeGreaterThan(0);
    const config = { retention: { archiveDays: 30, undoDays: 20, ledgerDays: 10 } };
    await later(5, config);
    expect([
      readArchive(home.world().place).length > 0,
      undoableRuns(nodeFiles, home.state).length,
      (await history()).length,
    ]).toEqual([true, 3, 2]);
    await later(20, config);
    expect([
      readArchive(home.world().place).length > 0,
      undoableRuns(nodeFiles, home.state).length,
      (await history()).length,
    ]).toEqual([true, 2, 1]);
    // The newest file of the archive stays whatever its age: another correction makes a newer one.
    home.session(
      "c",
      talk(["Correction: the queue limit of the importer is 700 jobs, not 500 jobs."], home.clock.now() + 29 * DAY),
    );
    await later(31, config);
    expect(
      readArchive(home.world().place)
        .map(({ text }) => text)
        .join(),
    ).not.toContain("300 jobs");
    expect(statements(home).join()).toContain("700 jobs");
  });

  it("with the defaults still knows a year-old run, its texts, and how to take it back", async () => {
    await past();
    const [first] = undoableRuns(nodeFiles, home.state);
    await later(365);
    expect(loadUndoRecord(nodeFiles, home.state, first ?? "")).not.toBeNull();
    expect(readArchive(home.world().place).length).toBeGreaterThan(0);
    expect((await history()).length).toBe(3);
  });

  it("briefs and logs go by age and by size, the oldest first", async () => {
    const at = (days: number) => new Date(home.clock.now() - days * DAY);
    const brief = (days: number, bytes: number) => {
      const name = `${at(days)
        .toISOString()
        .replace(/[-:.Z]/g, "")}-aaaaaa`;
      mkdirSync(join(state(), "briefs", name, "sessions"), { recursive: true });
      writeFileSync(join(state(), "briefs", name, "sessions", "S1.txt"), "x".repeat(bytes));
      return name;
    };
    const kept = brief(1, 400_000);
    for (const [days, bytes] of [
      [2, 700_000],
      [3, 1],
      [9, 1],
    ] as const)
      brief(days, bytes);
    mkdirSync(join(state(), "logs"), { recursive: true });
    for (const [name, days] of [
      ["new.log", 3],
      ["old.log", 40],
    ] as const) {
      writeFileSync(join(state(), "logs", name), "x");
      utimesSync(join(state(), "logs", name), at(days), at(days));
    }
    await later(1, { retention: { briefMegabytes: 1 } });
    expect(readdirSync(join(state(), "briefs"))).toEqual([kept]);
    expect(readdirSync(join(state(), "logs"))).toEqual(["new.log"]);
  });

  it("the ledger gives its oldest runs when it grows beyond its size, and stays below it", async () => {
    await past();
    await inWorld(home, async (world) => {
      const ledger = await world.ledger();
      const [run] = ledger.history({ limit: 1 });
      const found = ledger.find(run?.id ?? "");
      if (found.state !== "found") throw new Error("no run");
      for (let i = 0; i < 40; i++) {
        const startedAt = new Date(START - (50 - i) * DAY).toISOString();
        ledger.recordRun({
          ...found.run,
          id: `old-${String(i).padStart(2, "0")}`,
          startedAt,
          changes: Array.from({ length: 20 }, (_, n) => ({
            operation: "add",
            topic: "t",
            before: null,
            after: `${i}-${n} ${"word ".repeat(400)}`,
            reason: "said",
            citations: [],
          })),
        });
      }
    });
    await later(1, { retention: { ledgerMegabytes: 1 } });
    const ids = (await history()).map(({ id }) => id);
    expect(ids).not.toContain("old-00");
    expect(ids).toContain("old-39");
    expect(statSync(join(state(), "ledger.db")).size).toBeLessThan(2 * 1_048_576);
  });

  it("that cannot be trimmed is a condition and fails no run", async () => {
    await past();
    const folder = join(home.state, "undo");
    home.clock.move(40 * DAY);
    home.session("c", talk(["Bugs are tracked in the Linear project ORBIT."], home.clock.now() - DAY));
    const files = faultyFiles(nodeFiles, {
      before: ({ verb, path }) => {
        if (verb === "unlink" && path.startsWith(folder) && !path.includes(".memd-tmp-"))
          throw Object.assign(new Error("EACCES: no"), { code: "EACCES" });
      },
    });
    const { report } = await home.dream({}, { files, config: { retention: { undoDays: 1 } } });
    expect(report.outcome).toBe("done");
    expect(
      home
        .world()
        .state.current()
        .conditions.map(({ code }) => code),
    ).toContain("retention-failed");
    expect(existsSync(folder)).toBe(true);
  });
});

describe("a cap", () => {
  const item = (path: string, at: number, bytes = 1) => ({ path, at, bytes });
  it.each([
    ["nothing", [], { since: 0, bytes: 0 }, []],
    ["by age", [item("a", 1), item("b", 5), item("c", 9)], { since: 5, bytes: 99 }, ["a"]],
    ["by size, oldest first", [item("c", 9, 4), item("a", 1, 4), item("b", 5, 4)], { since: 0, bytes: 8 }, ["a"]],
    ["never the newest", [item("a", 1, 50)], { since: 9, bytes: 1 }, []],
  ] as const)("takes away %s", (_, items, cap, gone) => {
    expect(surplus(items, cap)).toEqual(gone);
  });
});
