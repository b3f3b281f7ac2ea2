import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { forgetInLastRun, loadLastRun, saveLastRun } from "../../src/ledger/last-run.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { change, opened, refusal, report, scratch } from "./samples.ts";

const RUN = "20261130T120000000-cccccc";
const LATER = "20261130T130000000-dddddd";
const SECRET = "Quetzalcoatl lives at number seven";
const QUOTE = "note that Quetzalcoatl lives at number seven, upstairs";

function bytesOf(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("\n")
    .toLowerCase();
}

describeWithSqlite("forgetting", () => {
  it("leaves no byte of the text, nor of what supported it, in any file of the ledger", async () => {
    const folder = scratch();
    const ledger = await opened(join(folder, "ledger.db"));
    const keep = change("- Uses pnpm.", "we use pnpm here, always");
    ledger.recordRun(
      report(RUN, {
        changes: [change(`- ${SECRET}. [created: 2026-11-30]`, QUOTE), keep],
        rejected: [refusal("quetzalcoatl\nlives AT number seven"), refusal("harmless")],
        hint: `said: ${SECRET}`,
      }),
    );
    ledger.recordRun(report(LATER, { changes: [change("- Somebody lives upstairs.", QUOTE)] }));
    ledger.cachePut("k", JSON.stringify({ text: `a "quoted" line\n${QUOTE}` }), 1);
    ledger.cachePut("k2", "other", 1);
    expect(bytesOf(folder)).toContain("quetzalcoatl");

    const { rows, erased } = ledger.forget([SECRET.toUpperCase()]);

    expect({ rows, erased }).toEqual({ rows: 5, erased: true });
    expect(bytesOf(folder)).not.toContain("quetzalcoatl");
    expect(ledger.changesMatching("Quetzalcoatl")).toEqual([]);
    expect(ledger.changesOf(RUN)).toEqual([keep]);
    expect(ledger.changesMatching("pnpm")).toHaveLength(1);
    expect(ledger.refusedMatching("harmless")).toHaveLength(1);
    expect([ledger.cacheGet("k", 2), ledger.cacheGet("k2", 2)]).toEqual([null, "other"]);
  });

  it("a Chinese sentence is gone too, although the index holds it character by character", async () => {
    const folder = scratch();
    const ledger = await opened(join(folder, "ledger.db"));
    ledger.recordRun(report(RUN, { changes: [change("- 王小明住在北京。", "记住，王小明住在北京")] }));
    ledger.forget(["王小明住在北京。"]);
    for (const character of "王明")
      expect(bytesOf(folder)).not.toContain(Buffer.from(character).toString("latin1").toLowerCase());
  });

  it("finds nothing where there is nothing, and an empty text forgets nothing", async () => {
    const ledger = await opened();
    ledger.recordRun(report(RUN, { changes: [change("- Uses pnpm.")] }));
    expect(ledger.forget(["no such thing", "", "  "])).toEqual({ rows: 0, erased: true });
    expect(ledger.changesOf(RUN)).toHaveLength(1);
  });

  it("says so when another program keeps the old bytes in the file", async () => {
    const path = join(scratch(), "ledger.db");
    const ledger = await opened(path);
    ledger.recordRun(report(RUN, { changes: [change(`- ${SECRET}.`)] }));
    const { default: Driver } = await import("better-sqlite3");
    const reader = new Driver(path);
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM runs").get();
    expect(ledger.forget([SECRET])).toMatchObject({ erased: false });
    expect(ledger.changesOf(RUN)).toEqual([]);
    reader.close();
  });
});

describe("the last run of a store", () => {
  it("is kept as a file of its own", () => {
    const folder = join(scratch(), "stores", "app");
    expect(loadLastRun(nodeFiles, folder)).toBeNull();
    const run = report(RUN, { changes: [change("- Uses pnpm.")], rejected: [refusal("no")] });
    saveLastRun(nodeFiles, folder, run);
    expect(loadLastRun(nodeFiles, folder)).toEqual(run);
  });

  it.each(["", "{", "[]", '{"id":1}', "\0"])("is none when the file is damaged (%j)", (body) => {
    const folder = scratch();
    nodeFiles.create(join(folder, "last-run.json"), body, 0o600);
    expect(loadLastRun(nodeFiles, folder)).toBeNull();
  });

  it("forgets as the ledger does", () => {
    const folder = scratch();
    const keep = change("- Uses pnpm.", "we use pnpm");
    saveLastRun(
      nodeFiles,
      folder,
      report(RUN, { changes: [change(`- ${SECRET}`), keep], rejected: [refusal(SECRET)] }),
    );
    expect(forgetInLastRun(nodeFiles, folder, [SECRET])).toBe(true);
    expect(forgetInLastRun(nodeFiles, folder, [SECRET])).toBe(false);
    expect(loadLastRun(nodeFiles, folder)).toEqual(report(RUN, { changes: [keep] }));
  });
});
