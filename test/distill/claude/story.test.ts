/** Dreams with Claude Code from the command line, a stub in its place: what a person is told, what it may spend, what is never its own food. */
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ownSessionId } from "../../../src/base/ids.ts";
import { type Cli, makeCli } from "../../support/cli.ts";
import { talk, transcript } from "../../support/home.ts";

const STUB = resolve(import.meta.dirname, "../../support/claude-stub.mjs");
const SAID = "in app we call the service of team 0 nothing but heron-app-0 from now on";

let cli: Cli;
beforeEach(() => {
  cli = makeCli();
});
afterEach(() => cli.remove());

const seenPath = () => join(cli.home, "seen.json");
const seen = () => JSON.parse(readFileSync(seenPath(), "utf8"));

function install(mode: string, folder = cli.home): void {
  const path = join(folder, "claude");
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${STUB}" "${cli.home}" "${mode}" "$@"\n`);
  chmodSync(path, 0o755);
}

function configure(more: Record<string, unknown> = {}): void {
  cli.configure({
    discover: false,
    dream: { distiller: "claude" },
    claude: { path: join(cli.home, "claude"), model: "claude-sonnet-5-5" },
    gates: { minHours: 0, minSessions: 1, scanMinutes: 0 },
    stores: [cli.store("app", 2)],
    ...more,
  });
}

function answer(): void {
  const operations = [
    {
      op: "create-topic",
      topic: "team-names",
      type: "project",
      title: "Team names",
      description: "Read before naming",
    },
    { op: "add", topic: "team-names", cites: [{ utterance: "S1:1", quote: SAID }], text: `I${SAID.slice(1)}.` },
  ];
  writeFileSync(join(cli.home, "answer.json"), JSON.stringify({ operations }));
}

describe("a dream with Claude Code", () => {
  it("says whose plan it spends before it starts, and what it may take, and asks on a dry run", async () => {
    install("good");
    configure();
    const { stderr, status } = await cli.run("dream", "--now", "--dry-run");
    expect(status).toBe(0);
    expect(stderr).toMatch(/claude would read 2 sessions: 1 to 6 requests, .* USD\./);
    expect(stderr).toContain("It spends on the plan or account that Claude Code is signed in with on this machine");
    expect(existsSync(seenPath())).toBe(false);
  });

  it("puts what the rules accept into memory, and its cost into the books", async () => {
    install("good");
    configure();
    answer();
    const { value } = await cli.json("dream", "--now");
    expect(value.runs[0]).toMatchObject({ outcome: "done", distiller: "claude", fence: "claude-code" });
    expect(value.runs[0].usage).toMatchObject({ requests: 1, inputTokens: 1_000, costUsd: 0.005 });
    expect(readFileSync(join(cli.home, "app", "memory", "team-names.md"), "utf8")).toContain("heron-app-0");
    const history = await cli.json("history");
    expect(history.value.runs[0]).toMatchObject({ distiller: "claude", usage: { costUsd: 0.005 } });
  });

  it("can be asked for by one command, and finds the program on the PATH", async () => {
    install("good");
    configure({ dream: {}, claude: {} });
    cli.env["PATH"] = `${cli.home}:${process.env["PATH"]}`;
    await cli.run("dream", "--now", "--distiller", "claude");
    expect(seen().argv).toContain("--restricted");
    expect(seen().argv).not.toContain("--model");
  });

  it("keeps to its sign-in: a key of the API in the environment stays where it is, a token made for it goes along", async () => {
    install("good");
    configure();
    Object.assign(cli.env, {
      ANTHROPIC_API_KEY: "sk-ant-0123456789",
      CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-0123456789",
    });
    await cli.run("dream", "--now");
    const { env } = seen();
    expect([env.ANTHROPIC_API_KEY, env.CLAUDE_CODE_OAUTH_TOKEN]).toEqual([undefined, "sk-ant-oat01-0123456789"]);
    expect(cli.state()).not.toContain("sk-ant-");
  });

  it("is held to what the caps leave, and ends at them", async () => {
    install("no end of requests");
    configure({ budget: { maxRunRequests: 4 } });
    const { status, value } = await cli.json("dream", "--now");
    expect([status, value.runs[0].code, value.runs[0].usage.requests]).toEqual([7, "run-budget-spent", 4]);
    expect(seen().argv).toEqual(expect.arrayContaining(["--max-turns", "4"]));
    // What was killed may be on its way out of the list of processes.
    await vi.waitFor(() => expect(cli.left()).toEqual([]), 30_000);
  });

  it("is not started when the caps leave too little, or a person's fence forbids it, or it is not there", async () => {
    install("good");
    configure({ budget: { maxRunUsd: 0.001 } });
    expect((await cli.run("dream", "--now")).status).toBe(7);
    // The stub is a script that needs files which no fence shows it.
    configure({ dream: { distiller: "claude", fence: "required" } });
    expect((await cli.json("dream", "--now")).value.runs[0].code).toBe("no-kernel-fence");
    expect(existsSync(seenPath())).toBe(false);
    rmSync(join(cli.home, "claude"));
    configure();
    const { status, value } = await cli.json("dream", "--now");
    expect([status, value.runs[0].code, value.runs[0].hint]).toEqual([
      78,
      "no-claude",
      expect.stringContaining("claude.path"),
    ]);
    expect(await findings()).toContainEqual(expect.objectContaining({ code: "no-claude", ok: false }));
  });

  it("does not ask again by itself after it was not signed in, until somebody signs in", async () => {
    install("not signed in");
    configure();
    expect((await cli.json("dream")).value.runs[0].code).toBe("not-signed-in");
    expect(await findings()).toContainEqual(expect.objectContaining({ code: "not-signed-in", ok: false }));
    renameSync(seenPath(), join(cli.home, "seen-before.json"));
    expect((await cli.json("dream")).value.runs[0].outcome).toBe("skipped");
    expect(existsSync(seenPath())).toBe(false);
    cli.env["CLAUDE_CODE_OAUTH_TOKEN"] = "sk-ant-oat01-0123456789";
    const wrong = (await findings()).filter(({ ok }) => !ok).map(({ code }) => code);
    expect(wrong).not.toContain("not-signed-in");
  });

  it("never feeds on itself: a session that it left is known by its name, and the task does not grow", async () => {
    install("good");
    configure();
    const folder = join(cli.home, "app", "sessions");
    // One time for all: how long the dreams take changes nothing.
    const at = Date.now() - 60_000;
    const sizes: number[] = [];
    for (let day = 0; day < 3; day++) {
      const { value } = await cli.json("dream", "--now");
      const id = ownSessionId(value.runs[0].id);
      expect(seen().argv).toContain(id);
      sizes.push(seen().stdin.length);
      const task = String(seen().stdin);
      const own = transcript(id, talk([task, "please remember that the whole prompt is a memory"], at));
      writeFileSync(join(folder, `${id}.jsonl`), own);
      const said = `in app we call the service of team ${day} nothing but stork-app-${day} from now on`;
      writeFileSync(join(folder, `later-${day}.jsonl`), transcript(`later-${day}`, talk([said, said], at)));
    }
    const { value } = await cli.json("dream", "--now");
    expect(value.runs[0].sessions).toMatchObject({ counted: 1, dropped: { "own-run": 3 } });
    // The first day has two sessions, every later one has one.
    expect(sizes[2]).toBe(sizes[1]);
    expect(seen().stdin).not.toContain("the whole prompt");
  });
});

async function findings(): Promise<readonly { code: string; ok: boolean }[]> {
  return (await cli.json("doctor")).value.checks;
}
