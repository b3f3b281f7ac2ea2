import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { parseInput } from "../../src/commands/command.ts";
import type { Context } from "../../src/commands/context.ts";
import { forgetCommand } from "../../src/commands/forget.ts";
import { platformPaths } from "../../src/config/paths.ts";
import { manualClock } from "../support/home.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "memd-ask-"));
  mkdirSync(join(home, "memory"));
  const topic = "---\nname: doors\ndescription: doors\ntype: project\n---\n\n- The side door sticks in winter.\n";
  writeFileSync(join(home, "memory", "doors.md"), topic);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Runs `memd forget` at a terminal at which somebody answers. */
async function forgetAt(terminal: (question: string) => Promise<string>, ...more: readonly string[]) {
  const printed = { out: [] as string[], err: [] as string[] };
  const env = { HOME: home };
  const context: Context = {
    env,
    paths: platformPaths(env, "linux", home),
    platform: "linux",
    cwd: home,
    files: nodeFiles,
    clock: manualClock(),
    random: (bytes) => Buffer.alloc(bytes, 7),
    stdout: { write: (text) => void printed.out.push(text), terminal: false },
    stderr: { write: (text) => void printed.err.push(text), terminal: false },
    ask: terminal,
    signal: new AbortController().signal,
    version: "0",
    pid: process.pid,
  };
  const argv = ["side door", "--memory", join(home, "memory"), ...more];
  const status = await forgetCommand.run(context, parseInput(forgetCommand, argv));
  return { status, out: printed.out.join(""), err: printed.err.join("") };
}

const stands = () => existsSync(join(home, "memory", "doors.md"));

describe("memd forget at a terminal", () => {
  it.each(["n", "", "nein", "yess"])("answered %j changes nothing", async (answer) => {
    const { status, out } = await forgetAt(async () => answer);
    expect({ status, stands: stands() }).toEqual({ status: 0, stands: true });
    expect(out).toContain("The side door sticks in winter.");
    expect(out).toContain("Nothing was changed.");
  });

  it.each(["y", "Yes", " YES "])(
    "answered %j forgets what was listed, and says that it is for good",
    async (answer) => {
      const asked: string[] = [];
      const { status, out } = await forgetAt(async (question) => {
        asked.push(question);
        return answer;
      });
      expect({ status, stands: stands() }).toEqual({ status: 0, stands: false });
      expect(asked.join()).toContain("cannot be undone");
      expect(out).toContain("Forgotten: 1 statement");
    },
  );

  it("does not ask with --yes, and with --json keeps the list off stdout", async () => {
    const { status, out, err } = await forgetAt(async () => Promise.reject(new Error("asked")), "--yes", "--json");
    expect({ status, entries: JSON.parse(out).entries }).toEqual({ status: 0, entries: 1 });
    expect(err).toContain("The side door sticks");
  });
});
