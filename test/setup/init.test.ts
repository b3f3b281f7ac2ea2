/** A first look at a machine, with the built program. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { readYamlFile } from "../../src/base/yaml.ts";
import { parseInput } from "../../src/commands/command.ts";
import { initCommand } from "../../src/commands/init.ts";
import { checkConfig } from "../../src/config/check.ts";
import { platformPaths } from "../../src/config/paths.ts";
import { starterConfig } from "../../src/setup/starter.ts";
import { CLIENTS } from "../support/clients.ts";
import { DAY, manualClock, photograph, talk, transcript } from "../support/home.ts";
import { describeWithSqlite } from "../support/sqlite.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "memd-init-test-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const config = () => join(home, ".config", "memd", "config.yaml");

function memd(args: readonly string[], more: Record<string, string> = {}) {
  const scratch = join(home, "tmp");
  mkdirSync(scratch, { recursive: true });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TZ: "UTC", TMPDIR: scratch, ...more };
  return spawnSync(process.execPath, [MEMD, "init", ...args], { env, cwd: home, encoding: "utf8" });
}

function claude(name: string, said: readonly string[], at = Date.now() - DAY): void {
  const folder = join(home, "code", name);
  mkdirSync(join(folder, ".git"), { recursive: true });
  const sessions = join(home, ".claude", "projects", folder.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(sessions, { recursive: true });
  writeFileSync(join(sessions, `${name}.jsonl`), transcript(name, talk(said, at), folder));
}

function gemini(name: string, said: string): void {
  const chats = join(home, ".gemini", "tmp", name, "chats");
  mkdirSync(chats, { recursive: true });
  writeFileSync(join(dirname(chats), ".project_root"), join(home, "code", name));
  const at = new Date(Date.now() - DAY).toISOString();
  const lines = [
    {
      sessionId: "5a4d1f0e-0000-4000-8000-000000000001",
      projectHash: "x",
      startTime: at,
      lastUpdated: at,
      kind: "main",
    },
    { id: "m1", timestamp: at, type: "user", content: [{ text: said }] },
    { id: "m2", timestamp: at, type: "gemini", content: "Understood." },
  ];
  writeFileSync(
    join(chats, "session-2026-11-29T08-00-5a4d1f0e.jsonl"),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
}

const seen = () => {
  const files = photograph(home);
  return {
    files,
    names: readdirSync(home)
      .filter((name) => name !== "tmp")
      .sort(),
  };
};

describe("memd init on a machine with agents", () => {
  beforeEach(() => {
    claude("app", ["Bugs are tracked in the Linear project ORBIT.", "We decided that releases happen on Tuesdays."]);
    claude("old", ["Always answer in English."], Date.now() - 300 * DAY);
    gemini("app", "Deploys go through the Jenkins job release-app.");
  });

  it("shows agents, projects, memories and a first dream, and writes nothing without a yes", () => {
    const before = seen();
    const { status, stdout } = memd([]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/claude-code {2}2 sessions/);
    expect(stdout).toMatch(/gemini-cli {2}1 session /);
    expect(stdout).toMatch(/app {2}claude-code, gemini-cli, 2 sessions/);
    expect(stdout.indexOf("  app ")).toBeLessThan(stdout.indexOf("  old "));
    expect(stdout).toContain("to be made in ~/.claude/projects/");
    expect(stdout).toContain("A first dream over app would remember this, without a model");
    expect(stdout).toContain("ORBIT");
    expect(stdout).toContain("memd init --yes writes");
    expect(stdout).toContain("memd service install");
    expect(memd(["--dry-run", "--yes"]).stdout).not.toContain("Wrote");
    expect(seen()).toEqual(before);
  });

  it("tells the same as one JSON document", () => {
    const { status, stdout } = memd(["--json"]);
    expect(status).toBe(0);
    const value = JSON.parse(stdout);
    expect(
      value.agents.map(({ client, sessions }: { client: string; sessions: number }) => [client, sessions]),
    ).toEqual([
      ["claude-code", 2],
      ["gemini-cli", 1],
    ]);
    expect(value.stores[0]).toEqual({
      name: "app",
      project: join(home, "code", "app"),
      memory: expect.stringMatching(/\.claude\/projects\/.*-code-app\/memory$/),
      exists: false,
      clients: ["claude-code", "gemini-cli"],
      sessions: 2,
      newestTurnAt: expect.stringMatching(/Z$/),
    });
    expect(value.preview).toMatchObject({ store: "app", outcome: "dry-run" });
    expect(value.preview.changes.length).toBeGreaterThan(0);
    expect(value.config).toEqual({ file: config(), exists: false, diff: null, written: false, backup: null });
    expect(existsSync(config())).toBe(false);
  });

  it("writes a private, valid configuration that changes nothing, and leaves one that is there alone", () => {
    expect(JSON.parse(memd(["--yes", "--json"]).stdout).config.written).toBe(true);
    expect(statSync(config()).mode & 0o777).toBe(0o600);
    const text = readFileSync(config(), "utf8");
    expect(text).toContain(`app: ${join(home, "code", "app")}`);
    expect(readYamlFile(text)).toMatchObject({ value: null, faults: [] });
    writeFileSync(config(), "gates:\n  minHours: 3\n");
    const { stdout, status } = memd(["--yes"]);
    expect(status).toBe(0);
    expect(stdout).toContain("stays as it is");
    expect(readFileSync(config(), "utf8")).toBe("gates:\n  minHours: 3\n");
  });

  it("replaces one with --force: shows the difference, keeps the old one, follows a link to it", () => {
    const real = join(home, "dotfiles", "memd.yaml");
    mkdirSync(dirname(real));
    mkdirSync(dirname(config()), { recursive: true });
    writeFileSync(real, "gates:\n  minHours: 3\n");
    chmodSync(real, 0o644);
    symlinkSync(real, config());
    const shown = memd(["--force"]);
    expect(shown.stdout).toContain("-  minHours: 3");
    expect(readFileSync(real, "utf8")).toContain("minHours: 3");
    const { config: plan } = JSON.parse(memd(["--force", "--yes", "--json"]).stdout);
    expect(plan).toMatchObject({ written: true, file: real });
    expect(readFileSync(plan.backup, "utf8")).toBe("gates:\n  minHours: 3\n");
    expect(readFileSync(config(), "utf8")).toContain("#gates:");
    expect(memd(["--force", "--yes"]).stdout).not.toContain("Wrote");
  });

  it("names what is wrong with a configuration before anything else", () => {
    mkdirSync(dirname(config()), { recursive: true });
    writeFileSync(config(), "gates:\n  minHour: 3\n");
    expect(memd([])).toMatchObject({ status: 78, stderr: expect.stringContaining("did you mean gates.minHours?") });
    expect(memd(["--force", "--yes"]).status).toBe(0);
    expect(readFileSync(config(), "utf8")).toContain("#gates:");
  });

  it("writes the file that MEMD_CONFIG names and that is not there yet", () => {
    const named = join(home, "here.yaml");
    expect(memd(["--yes"], { MEMD_CONFIG: named }).status).toBe(0);
    expect(existsSync(named)).toBe(true);
  });

  it("leaves out what was forgotten, and shows what the next dream would add where memd has dreamt before", () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [MEMD, ...args], {
        env: { PATH: process.env["PATH"] ?? "", HOME: home, TZ: "UTC" },
        cwd: home,
      });
    run("dream", "--now", "--store", "app");
    run("forget", "ORBIT", "--yes");
    const preview = JSON.parse(memd(["--json"]).stdout).preview;
    expect(JSON.stringify(preview.changes)).not.toContain("ORBIT");
  });
});

describeWithSqlite("memd init where every client has worked on one project", () => {
  it("finds them all, and one memory for them", () => {
    const cwd = join(home, "code", "app");
    mkdirSync(join(cwd, ".git"), { recursive: true });
    for (const tell of Object.values(CLIENTS))
      tell({ home, cwd, texts: ["Bugs are tracked in the Linear project ORBIT."], at: Date.now() - DAY });
    const before = seen();
    const value = JSON.parse(memd(["--json"]).stdout);
    const found = value.agents.map(({ client }: { client: string }) => client);
    expect(found).toEqual(Object.keys(CLIENTS).sort());
    expect(value.stores).toHaveLength(1);
    expect(value.stores[0]).toMatchObject({ name: "app", clients: found });
    const kept = value.preview.changes.filter(({ after }: { after: string | null }) => after?.includes("ORBIT"));
    expect(kept).toHaveLength(1);
    expect(new Set(kept[0].citations.map(({ client }: { client: string }) => client))).toEqual(new Set(found));
    expect(seen()).toEqual(before);
  });
});

describe("memd init elsewhere", () => {
  it("says that there is nothing, and what to do, on an empty machine", () => {
    const { status, stdout } = memd([]);
    expect(status).toBe(0);
    expect(stdout).toContain("No agent's sessions were found");
    expect(stdout).toContain("--memory DIR --sessions DIR");
    expect(JSON.parse(memd(["--json"]).stdout)).toMatchObject({ agents: [], stores: [], preview: null });
  });

  it("looks at the folders that flags name", () => {
    mkdirSync(join(home, "sessions"));
    writeFileSync(
      join(home, "sessions", "a.jsonl"),
      transcript("a", talk(["Bugs are tracked in the Linear project ORBIT."], Date.now() - DAY)),
    );
    const { stdout } = memd(["--memory", "memory", "--sessions", "sessions"]);
    expect(stdout).toContain("ORBIT");
    expect(existsSync(join(home, "memory"))).toBe(false);
  });

  it.each([
    ["y", true],
    ["yes", true],
    ["", false],
    ["no", false],
  ])("asks on a terminal: %j", async (answer, written) => {
    const asked: string[] = [];
    const out: string[] = [];
    const output = { write: (text: string) => void out.push(text), terminal: false };
    const context = {
      env: { TMPDIR: home },
      paths: platformPaths({}, "linux", home),
      platform: "linux",
      cwd: home,
      files: nodeFiles,
      clock: manualClock(),
      random: (bytes: number) => new Uint8Array(bytes),
      stdout: output,
      stderr: output,
      ask: async (question: string) => {
        asked.push(question);
        return answer;
      },
      signal: new AbortController().signal,
      version: "0",
      pid: 1,
    };
    expect(await initCommand.run(context, parseInput(initCommand, []))).toBe(0);
    expect(asked).toEqual([`Write ${config()}? [y/N] `]);
    expect(existsSync(config())).toBe(written);
    expect(out.join("")).toContain(written ? "Wrote" : "Nothing was written");
  });
});

describe("the configuration that init writes", () => {
  it("is valid with every key set free", () => {
    const free = starterConfig([]).replace(/^( *)#(?! )/gm, "$1");
    const read = readYamlFile(free);
    expect(read.faults).toEqual([]);
    expect(checkConfig(read.value).problems).toEqual([]);
    expect(checkConfig(read.value).values.keys).toEqual(checkConfig(null).values.keys);
  });
});
