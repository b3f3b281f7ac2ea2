import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { describeWithSqlite } from "../support/sqlite.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");
const SAMPLE = resolve(import.meta.dirname, "../../config/sample");

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "memd-doctor-"));
  cpSync(SAMPLE, join(home, "sessions"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const adHoc = () => ["--memory", join(home, "memory"), "--sessions", join(home, "sessions")];
const state = (...parts: string[]) => join(home, ".local", "state", "memd", ...parts);

function memd(args: readonly string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [MEMD, ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TZ: "UTC", ...env },
    cwd: home,
    encoding: "utf8",
  });
}

describeWithSqlite("memd doctor", () => {
  it("finds a broken installation, mends what is safe, names the rest, and its mending can be undone", () => {
    expect(memd(["doctor", ...adHoc()])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Nothing is wrong."),
    });
    memd(["dream", "--now", ...adHoc()]);
    const index = join(home, "memory", "MEMORY.md");
    const before = `${readFileSync(index, "utf8")}- [Gone](gone.md) — nowhere\n`;
    appendFileSync(index, "- [Gone](gone.md) — nowhere\n");
    writeFileSync(join(home, "memory", ".consolidate-lock"), "not a pid\n\0\0");
    chmodSync(state(), 0o755);
    const sick = memd(["doctor", ...adHoc()]);
    expect(sick.status).toBe(78);
    for (const text of ["gone.md", ".consolidate-lock", "chmod 700", "3 things are wrong."])
      expect(sick.stdout).toContain(text);
    const mended = memd(["doctor", "--repair", "--json", ...adHoc()]);
    expect(mended.status).toBe(0);
    const checks: { code: string; ok: boolean; repaired: boolean }[] = JSON.parse(mended.stdout).checks;
    expect(
      checks
        .filter(({ repaired }) => repaired)
        .map(({ code }) => code)
        .sort(),
    ).toEqual(["index-dead-pointer", "stamp-garbage", "state-not-private"]);
    expect(checks.every(({ ok }) => ok)).toBe(true);
    expect(memd(["doctor", ...adHoc()]).status).toBe(0);
    expect(memd(["undo", "last", ...adHoc()]).status).toBe(0);
    expect(readFileSync(index, "utf8")).toBe(before);
  });

  it("goes on where the configuration is not valid, and says at which line", () => {
    mkdirSync(join(home, ".config", "memd"), { recursive: true });
    writeFileSync(join(home, ".config", "memd", "config.yaml"), "gates:\n  minHour: 3\n");
    const { status, stdout } = memd(["doctor", ...adHoc()]);
    expect(status).toBe(78);
    expect(stdout).toContain("config.yaml:2: gates.minHour: unknown key; did you mean gates.minHours?");
    expect(stdout).toContain("SQLite loads");
  });

  it("says that there is nothing to dream over in an empty home", () => {
    const { status, stdout } = memd(["doctor"]);
    expect(status).toBe(78);
    expect(stdout).toContain("no agent's sessions were found");
  });

  it("never shows a key", () => {
    const { stdout } = memd(["config"], {
      ANTHROPIC_API_KEY: "sk-ant-0123456789",
      ANTHROPIC_BASE_URL: "https://ana:pass0123456789@example.com/?token=0123456789",
    });
    expect(stdout).toContain("ANTHROPIC_API_KEY");
    expect(stdout + memd(["doctor"], { ANTHROPIC_API_KEY: "sk-ant-0123456789" }).stdout).not.toContain("0123456789");
  });

  it("refuses what it does not know", () => {
    expect(memd(["doctor", "--repiar"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Did you mean --repair?"),
    });
    expect(memd(["doctor", "--store", "nope"]).status).toBe(2);
    expect(memd(["config", "chek"]).status).toBe(2);
  });
});
