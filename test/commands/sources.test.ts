/** What feeds a store, as people and scripts see it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "memd-sources-"));
  const lines = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
  put("mixed/session-2026-03-02T09-00-ge.jsonl", lines({ sessionId: "ge", projectHash: "0", kind: "main" }));
  const said = {
    id: "m1",
    timestamp: "2026-03-01T09:00:00.000Z",
    type: "user",
    content: [{ text: "Use pnpm, always." }],
  };
  put("mixed/session-2026-03-01T09-00-gf.jsonl", lines({ sessionId: "gf", projectHash: "0", kind: "main" }, said));
  put("mixed/rollout-2026-03-02T09-00-00-c0.jsonl.bak", "");
  put("mixed/odd.jsonl", '{"role":"user"}\n');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

function memd(...args: string[]) {
  return memdWith({}, ...args);
}

function memdWith(more: Record<string, string>, ...args: string[]) {
  const env = { PATH: process.env.PATH ?? "", HOME: home, TZ: "UTC", ...more };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MEMD, ...args], { env, cwd: home, encoding: "utf8" });
  return { status, stdout, stderr };
}

const store = () => ["--memory", join(home, "memory"), "--sessions", join(home, "mixed")];

describe("memd sources", () => {
  it("lists each client in a folder with its counts and its newest turn, stubs passed over", () => {
    const { status, stdout } = memd("sources", "--json", ...store());
    expect(status).toBe(0);
    const { sources } = JSON.parse(stdout);
    expect(sources.map(({ client, files, sessions }: Record<string, unknown>) => [client, files, sessions])).toEqual([
      ["claude-code", 2, 1],
      ["gemini-cli", 2, 2],
    ]);
    expect(sources[1]).toEqual({
      store: expect.any(String),
      folder: join(home, "mixed"),
      client: "gemini-cli",
      files: 2,
      sessions: 2,
      dropped: {},
      newestTurnAt: "2026-03-01T09:00:00.000Z",
      problems: [],
    });
    expect(sources[0]).toMatchObject({ dropped: { "archived-copy": 1 }, newestTurnAt: null });
  });

  it("names a folder that is not there as a problem", () => {
    const { status, stdout } = memd("sources", "--memory", join(home, "memory"), "--sessions", join(home, "nowhere"));
    expect(status).toBe(0);
    expect(stdout).toContain("no transcripts");
    expect(stdout).toContain(`there is no folder ${join(home, "nowhere")}`);
  });
});

describe("--format", () => {
  it("reads a folder as one client's", () => {
    const { status, stdout } = memd("dream", "--now", "--dry-run", "--json", "--format", "gemini", ...store());
    expect(status).toBe(0);
    expect(JSON.parse(stdout).runs[0]).toMatchObject({ outcome: "dry-run", sessions: { read: 1 } });
  });

  it("refuses a name that is none with those that are, and a name without a folder", () => {
    const unknown = memd("dream", "--now", "--format", "cursor", ...store());
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toContain('there is no format "cursor"');
    expect(unknown.stderr).toContain("claude-code, codex, gemini-cli, qwen-code, pi");
    expect(memd("dream", "--format", "codex", "--memory", join(home, "memory")).status).toBe(2);
  });

  it("lists what it finds where nothing can be written down", () => {
    put("shut", "");
    const { status, stdout } = memdWith({ XDG_STATE_HOME: join(home, "shut/state") }, "sources", "--json");
    expect([status, JSON.parse(stdout)]).toEqual([0, { sources: [] }]);
  });
});
