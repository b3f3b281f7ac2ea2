import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A folder of its own, so that Node finds no better-sqlite3 but the one that a test puts there. */
const folder = mkdtempSync(join(tmpdir(), "memd-no-sqlite-"));
const script = join(folder, "child.mjs");

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "child.ts")],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["better-sqlite3"],
    logLevel: "error",
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(installed: { version: string; code: string } | null): unknown {
  const home = join(folder, "node_modules/better-sqlite3");
  rmSync(home, { recursive: true, force: true });
  if (installed) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), JSON.stringify({ version: installed.version, main: "index.js" }));
    writeFileSync(join(home, "index.js"), installed.code);
  }
  const state = mkdtempSync(join(folder, "state-"));
  const child = spawnSync(process.execPath, [script, join(state, "ledger.db")], { encoding: "utf8" });
  return child.status === 0 ? JSON.parse(child.stdout) : child.stderr;
}

describe("without SQLite", () => {
  const dlopen = "Error: The module was compiled against a different Node.js version using NODE_MODULE_VERSION 127";
  it.each([
    ["it is not installed", null],
    [
      "its native part was made for another Node",
      {
        version: "12.11.1",
        code: `module.exports = class { constructor() { throw new Error(${JSON.stringify(dlopen)}) } }`,
      },
    ],
    ["its code is damaged", { version: "12.11.1", code: "\u007fELF not at all" }],
    ["it is a version that kills Node 20", { version: "13.2.0", code: "process.abort()" }],
  ])("%s: a condition says how to mend it, and runs are kept", (_, installed) => {
    expect(run(installed)).toEqual({
      code: "no-sqlite",
      hint: expect.stringContaining("npm rebuild better-sqlite3"),
      runs: ["20261130T120000000-aaaaaa"],
    });
  });
});
