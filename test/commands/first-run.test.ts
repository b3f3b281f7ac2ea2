/** `npm run dream` from a clone: over what this machine has, and over the bundled sample only where it has nothing. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CLIENTS } from "../support/clients.ts";
import { DAY, START } from "../support/home.ts";

const SCRIPT = resolve(import.meta.dirname, "../../scripts/dream.mjs");

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "memd-first-")));
  mkdirSync(join(home, "tmp"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function dream(...args: string[]) {
  const env = { PATH: process.env.PATH ?? "", HOME: home, TZ: "UTC", TMPDIR: join(home, "tmp") };
  return spawnSync(process.execPath, [SCRIPT, ...args], { env, cwd: home, encoding: "utf8" });
}

it("reads the sessions of whichever agent there is", () => {
  CLIENTS["codex"]?.({ home, cwd: "/srv/app", texts: ["Always use pnpm here, never npm."], at: START - DAY });
  const { stdout, stderr, status } = dream("--dry-run", "--json");
  expect([status, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout).runs).toMatchObject([{ store: "app", outcome: "dry-run", sessions: { read: 1 } }]);
});

it("goes by the configuration where there is one", () => {
  mkdirSync(join(home, ".config/memd"), { recursive: true });
  mkdirSync(join(home, "logs"));
  writeFileSync(join(home, "logs/2026-03-01.md"), "- Remember: the staging server is called heron.\n");
  const stores = `stores:\n  - name: notes\n    memory: ${home}/memory\n    logs: [${home}/logs]\n`;
  writeFileSync(join(home, ".config/memd/config.yaml"), stores);
  expect(JSON.parse(dream("--dry-run", "--json").stdout).runs).toMatchObject([{ store: "notes" }]);
});

it("shows the sample where there is nothing, and leaves nothing behind in the home folder", () => {
  const { stdout, stderr } = dream();
  expect(stderr).toContain("bundled sample");
  expect(stdout).toContain("MinIO");
  expect(readdirSync(home)).toEqual(["tmp"]);
});
