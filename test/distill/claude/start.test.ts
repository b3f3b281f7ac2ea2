/** How Claude Code is started: what it is told, what it inherits, and what is left when it is over. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isOwnSession, ownSessionId } from "../../../src/base/ids.ts";
import { emptyBrief, isGone } from "../world.ts";
import { briefOf, type ClaudeWorld, makeClaudeWorld } from "./world.ts";

let world: ClaudeWorld;
beforeEach(() => {
  world = makeClaudeWorld();
});
afterEach(() => world.remove());

const ADD = {
  op: "add",
  topic: "release",
  cites: [{ utterance: "S1:1", quote: "we deploy on Fridays only" }],
  text: "We deploy on Fridays only.",
};

describe("Claude Code", () => {
  it("proposes, and what it spent is told", async () => {
    world.answer({ operations: [ADD] });
    const { distilled, error } = await world.run("good");
    expect(error).toBeNull();
    expect(distilled?.proposal.operations).toMatchObject([{ ...ADD, unconfirmed: false }]);
    expect(distilled?.fence).toBe("claude-code");
    expect(distilled?.usage).toMatchObject({ requests: 1, inputTokens: 1_000, outputTokens: 50, costUsd: 0.005 });
  });

  it("is restricted to reading its brief, without settings, tools of others, or a session on disk", async () => {
    await world.run("good");
    const { argv, cwd } = world.seen();
    const given = (name: string) => argv[argv.indexOf(name) + 1];
    expect(cwd).toBe(world.folder);
    expect(argv).toEqual(
      expect.arrayContaining(["--print", "--no-session-persistence", "--restricted", "--strict-mcp-config"]),
    );
    expect(argv).not.toContain("--model");
    expect(Object.fromEntries(FLAGS.map((name) => [name, given(name)]))).toEqual({
      "--tools": "Read,Grep,Glob",
      "--allowedTools": "Read(./**)",
      "--permission-mode": "dontAsk",
      "--permission-prompts": "none",
      "--setting-sources": "",
      "--session-id": ownSessionId("20261130T080000000-abcdef"),
      "--max-turns": "30",
      "--max-budget-usd": "0.5",
    });
    expect(JSON.parse(given("--settings") ?? "")).toMatchObject({ disableAllHooks: true, autoMemoryEnabled: false });
    expect(JSON.parse(given("--json-schema") ?? "")).toMatchObject({ type: "object", required: ["operations"] });
  });

  it("is asked for the model, and held to the turns and the money, that the configuration and the caps leave", async () => {
    await world.run("good", { settings: { model: "sonnet", left: { usd: 0.125, requests: 7 } } });
    const { argv } = world.seen();
    expect(argv.slice(-6)).toEqual(["--max-turns", "7", "--max-budget-usd", "0.125", "--model", "sonnet"]);
  });

  it("reads people's words from its standard input and from files, never from arguments that others see", async () => {
    const said = "The staging password rotates on the first Monday.";
    await world.run("good", { job: { brief: briefOf(said) } });
    const { argv, stdin, env } = world.seen();
    expect(stdin).toContain(said);
    expect(readFileSync(join(world.folder, "sessions", "S1.txt"), "utf8")).toContain(said);
    expect(JSON.stringify([argv, env])).not.toContain("Monday");
  });

  it("inherits nothing but what finds its sign-in", async () => {
    const names = ["NOTIFY_SOCKET", "CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "NODE_OPTIONS", "ANTHROPIC_API_KEY"];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = "";
    try {
      await world.run("good");
    } finally {
      names.forEach((name, i) => {
        if (before[i] === undefined) delete process.env[name];
        else process.env[name] = before[i];
      });
    }
    const shell = ["PWD", "OLDPWD", "SHLVL", "_"];
    expect(
      Object.keys(world.seen().env)
        .filter((name) => !shell.includes(name))
        .sort(),
    ).toEqual([
      "CLAUDE_CODE_DISABLE_ATTACHMENTS",
      "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
      "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS",
      "CLAUDE_CODE_DISABLE_CLAUDE_MDS",
      "CLAUDE_CODE_DISABLE_FILE_MENTIONS",
      "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
      "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
      "CLAUDE_CODE_MAX_RETRIES",
      "CLAUDE_CODE_SKIP_PROMPT_HISTORY",
      "CLAUDE_CODE_TMPDIR",
      "DISABLE_AUTOUPDATER",
      "HOME",
      "LANG",
      "PATH",
    ]);
  });

  it("is shown the brief alone, in files that no agent takes for instructions", async () => {
    const memory = { topics: [], index: "# Memory\n", others: [] };
    const context = [{ file: "/p/CLAUDE.md", text: "Use tabs." }];
    await world.run("good", { job: { brief: { ...briefOf("Hello there."), memory, context } } });
    const files = readdirSync(world.folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.map(({ name }) => name).sort()).toEqual(["1-CLAUDE.txt", "MEMORY.txt", "S1.txt", "task.txt"]);
    expect(files.map((one) => statSync(join(one.parentPath, one.name)).mode & 0o777)).toEqual([384, 384, 384, 384]);
  });

  it("is not started when nobody said anything", async () => {
    const { distilled, pid, reserved } = await world.run("good", { job: { brief: emptyBrief("app") } });
    expect([distilled?.proposal.operations, pid, reserved]).toEqual([[], 0, []]);
  });

  it("works under a session id that memd knows again wherever it stands", () => {
    const id = ownSessionId("20261130T080000000-abcdef");
    expect(id).toMatch(/^6d656d64-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isOwnSession(id)).toBe(true);
    expect(ownSessionId("20261130T080000000-abcdee")).not.toBe(id);
    expect(["6d656d64-1111-4222-8333-444444444444", "one", ""].filter(isOwnSession)).toEqual([]);
  });

  it("has its words on stderr taken for nothing", async () => {
    expect((await world.run("words on stderr")).error).toBeNull();
  });

  it("takes with it what it started, also what does not listen to signals", async () => {
    const { error, pid } = await world.run("leaves a child behind");
    expect(error).toBeNull();
    expect(existsSync(join(world.root, "child.pid"))).toBe(true);
    // Whoever adopts it has to take note first.
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), 10_000);
  });
});

const FLAGS = [
  "--tools",
  "--allowedTools",
  "--permission-mode",
  "--permission-prompts",
  "--setting-sources",
  "--session-id",
  "--max-turns",
  "--max-budget-usd",
];
