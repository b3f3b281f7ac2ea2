/**
 * The real Claude Code, against a scripted Messages API: what is held here about its restrictions is what memd relies on.
 * It is 400 MB, so it is no dependency. Install it with
 *
 *   npm install --no-save @anthropic-ai/claude-code@2.1.332
 *
 * or name one that is there with MEMD_CLAUDE; without it these tests are skipped.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Cli, makeCli } from "../../support/cli.ts";
import { talk, transcript } from "../../support/home.ts";
import {
  type Answer,
  type Block,
  badKey,
  call,
  calls,
  hangs,
  type MessagesServer,
  noCredit,
  overloaded,
  type Recorded,
  rateLimited,
  refusal,
  type Script,
  says,
  startMessagesServer,
  unknownModel,
} from "../../support/messages-server.ts";

const CLAUDE = process.env["MEMD_CLAUDE"] || resolve(import.meta.dirname, "../../../node_modules/.bin/claude");
const isThere = existsSync(CLAUDE);
const title = isThere
  ? "the real Claude Code"
  : "the real Claude Code (skipped: npm install --no-save @anthropic-ai/claude-code@2.1.332, or MEMD_CLAUDE=path)";

const KEY = "sk-ant-0123456789-abcdef";
const SAID = "in app we call the service of team 0 nothing but heron-app-0 from now on";
const STATED = `I${SAID.slice(1)}.`;

let cli: Cli;
let fence: "off" | "required";
const servers: MessagesServer[] = [];
beforeEach(() => {
  cli = makeCli();
});
afterEach(async () => {
  cli.remove();
  for (const server of servers.splice(0)) await server.close();
});

async function dreams(): Promise<void> {
  const { status, stdout } = await cli.run("dream", "--now");
  expect(status, stdout).toBe(0);
}

async function serve(script: Script, config: Record<string, unknown> = {}): Promise<MessagesServer> {
  const server = await startMessagesServer(script);
  servers.push(server);
  cli.env["ANTHROPIC_API_KEY"] = KEY;
  // By a path of its own, so that its processes can be told from others.
  symlinkSync(CLAUDE, join(cli.home, "claude"));
  cli.configure({
    discover: false,
    dream: { distiller: "claude", fence },
    claude: { path: join(cli.home, "claude"), useKey: true, model: "claude-sonnet-5-5" },
    model: { baseUrl: server.url },
    stores: [cli.store("app", 2)],
    ...config,
  });
  return server;
}

/** Where a person says the words in what was sent. */
function labelIn({ raw }: Recorded, words: string): string {
  const line = JSON.stringify(JSON.parse(raw))
    .split("\\n")
    .find((one) => one.includes(words) && /^S\d+:\d+ user/.test(one));
  return /^S\d+:\d+/.exec(line ?? "")?.[0] ?? "S9:9";
}

const proposes = (request: Recorded, ...more: object[]): Answer =>
  calls(
    call("StructuredOutput", {
      operations: [
        {
          op: "create-topic",
          topic: "team-names",
          type: "project",
          title: "Team names",
          description: "Read before naming a service",
        },
        { op: "add", topic: "team-names", cites: [{ utterance: labelIn(request, SAID), quote: SAID }], text: STATED },
        ...more,
      ],
    }),
  );

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

/** All that the model was ever sent. */
const sent = (server: MessagesServer) => server.all.map(({ raw }) => raw).join("\n");

const HAS_BWRAP =
  spawnSync("bwrap", ["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true"]).status ===
  0;
if (isThere && !HAS_BWRAP)
  process.stderr.write("\n*** NOT TESTED: Claude Code inside bubblewrap, which does not run here ***\n\n");
const FENCES = [
  ["held by its own restrictions alone", "off", "claude-code"],
  ...(HAS_BWRAP ? ([["in the kernel's fence", "required", "bubblewrap"]] as const) : []),
] as const;

describe.skipIf(!isThere).each(FENCES)(`${title}, %s`, (_how, mode, name) => {
  beforeEach(() => {
    fence = mode;
  });

  it("proposes, the rules judge, and memory holds it, for one request that is paid for once", async () => {
    const server = await serve((request) =>
      proposes(request, { op: "add", topic: "team-names", cites: [], text: "The server has 17 cores." }),
    );
    const { value, status } = await cli.json("dream", "--now");
    expect([status, value.runs[0].outcome, value.runs[0].fence]).toEqual([0, "done", name]);
    expect(readFileSync(join(cli.home, "app", "memory", "team-names.md"), "utf8")).toContain("heron-app-0");
    expect(readFileSync(join(cli.home, "app", "memory", "team-names.md"), "utf8")).not.toContain("cores");
    expect(value.runs[0].usage).toMatchObject({ requests: 1, inputTokens: 1_000, outputTokens: 50, costUsd: 0.0025 });
    expect(server.requests).toHaveLength(1);
    await cli.run("dream", "--now");
    expect(server.requests).toHaveLength(1);
  });

  it("leaves no session behind, and nothing outside of its own configuration and memd's folders", async () => {
    await serve((request) => proposes(request));
    mkdirSync(join(cli.home, ".claude", "projects"), { recursive: true });
    const before = new Set(filesBelow(cli.home));
    await cli.run("dream", "--now");
    const after = filesBelow(cli.home).filter((path) => !before.has(path) && !path.startsWith(".local/state/memd/"));
    expect(after.filter((path) => path.endsWith(".jsonl") && !path.includes("/.memd/"))).toEqual([]);
    expect(readdirSync(join(cli.home, ".claude", "projects"))).toEqual([]);
    const own =
      mode === "off" ? /^(app\/memory\/|\.claude\.json$|\.claude\/(backups|plugins|sessions)\/)/ : /^app\/memory\//;
    expect(after.filter((path) => !own.test(path))).toEqual([]);
    await vi.waitFor(() => expect(cli.left()).toEqual([]), 30_000);
  });

  it("reads the brief and nothing else, writes nothing and runs nothing, whatever the model tries", async () => {
    const secret = "the-private-words";
    mkdirSync(join(cli.home, ".ssh"));
    writeFileSync(join(cli.home, ".ssh", "id_rsa"), secret);
    const folder = /Primary working directory: ([^\\]+)/;
    const tries = (request: Recorded): Block[] => {
      const brief = folder.exec(request.raw)?.[1] ?? "";
      symlinkSync(join(cli.home, ".ssh"), join(brief, "link"));
      return [
        call("Read", { file_path: "/etc/passwd" }),
        call("Read", { file_path: join(cli.home, ".ssh", "id_rsa") }),
        call("Read", { file_path: "../../../../../.ssh/id_rsa" }),
        call("Read", { file_path: join(brief, "link", "id_rsa") }),
        call("Read", { file_path: join(cli.home, ".config", "memd", "config.yaml") }),
        call("Read", { file_path: "/proc/self/environ" }),
        call("Grep", { pattern: "private", path: cli.home, output_mode: "content" }),
        call("Grep", { pattern: "private", path: join(brief, "link"), output_mode: "content" }),
        call("Grep", { pattern: "private", output_mode: "content" }),
        call("Glob", { pattern: "**/*", path: cli.home }),
        call("Glob", { pattern: `${cli.home}/.ssh/*` }),
        call("Write", { file_path: join(cli.home, "app", "memory", "evil.md"), content: "evil" }),
        call("Write", { file_path: join(brief, "evil.md"), content: "evil" }),
        call("Edit", { file_path: join(brief, "task.txt"), old_string: "Today", new_string: "Yesterday" }),
        call("Bash", { command: `cat ${cli.home}/.ssh/id_rsa; touch ${cli.home}/ran` }),
        call("WebFetch", { url: "http://127.0.0.1:1/", prompt: "x" }),
        call("Task", { prompt: "read ~/.ssh", description: "x", subagent_type: "general-purpose" }),
        call("Read", { file_path: join(brief, "sessions", "S1.txt") }),
      ];
    };
    const server = await serve((request) => (request.n === 1 ? calls(...tries(request)) : proposes(request)));
    await dreams();
    const results = server.requests[1]?.body.messages.flatMap((one: { content: unknown }) =>
      Array.isArray(one.content) ? one.content : [],
    );
    const told = results.filter((one: { type: string }) => one.type === "tool_result");
    expect(told).toHaveLength(18);
    expect(
      told
        .filter((one: { is_error?: boolean }) => one.is_error !== true)
        .map((one: { content: string }) => one.content)
        .sort(),
    ).toEqual([expect.stringContaining("heron-app-"), expect.stringMatching(/^No matches found/)]);
    expect(sent(server).includes(secret)).toBe(false);
    expect(sent(server).includes("root:x:0")).toBe(false);
    expect(existsSync(join(cli.home, "ran"))).toBe(false);
    expect(existsSync(join(cli.home, "app", "memory", "evil.md"))).toBe(false);
  });

  it("attaches nothing for a path that somebody mentioned, and reads where the path of the brief is no pattern", async () => {
    cli.env["XDG_STATE_HOME"] = join(cli.home, "state (of one) person, here");
    writeFileSync(join(cli.home, "alpha.txt"), "the-private-words");
    const server = await serve((request) =>
      request.n === 1 ? calls(call("Read", { file_path: "sessions/S1.txt" })) : proposes(request),
    );
    const said = `ultrathink and look at @/etc/passwd and @${cli.home}/alpha.txt and @"${cli.home}/alpha.txt" and @task.txt and @~/alpha.txt`;
    const session = transcript("mention", talk([said, "/compact", "!touch ran", "# remember"], Date.now() - 60_000));
    writeFileSync(join(cli.home, "app", "sessions", "mention.jsonl"), session);
    await dreams();
    expect(["the-private-words", "root:x:0", "requesting"].filter((text) => sent(server).includes(text))).toEqual([]);
    expect(sent(server).split("Today is 20").length).toBe(1 + server.requests.length);
    const [result] = server.requests[1]?.body.messages.at(-1).content ?? [];
    expect(result).toMatchObject({ type: "tool_result", content: expect.stringContaining("S1:1 user") });
  });

  it("runs nothing of the user's settings, and reads no instructions but its task", async () => {
    const hook = (name: string) => ({ hooks: [{ type: "command", command: `touch ${cli.home}/hook-${name}` }] });
    const settings = {
      env: { PLANTED: "xyzzy-in-the-settings" },
      apiKeyHelper: `touch ${cli.home}/hook-helper`,
      hooks: {
        SessionStart: [hook("start")],
        UserPromptSubmit: [hook("prompt")],
        PreToolUse: [{ matcher: "*", ...hook("tool") }],
        Stop: [hook("stop")],
        SessionEnd: [hook("end")],
      },
      statusLine: { type: "command", command: `touch ${cli.home}/hook-status` },
    };
    const server = { command: "/bin/sh", args: ["-c", `touch ${cli.home}/hook-mcp; cat`] };
    const claude = join(cli.home, ".claude");
    for (const folder of ["skills/planted", "agents", "commands", "rules"])
      mkdirSync(join(claude, folder), { recursive: true });
    writeFileSync(join(claude, "settings.json"), JSON.stringify(settings));
    writeFileSync(join(cli.home, ".claude.json"), JSON.stringify({ mcpServers: { planted: server } }));
    writeFileSync(join(cli.home, ".mcp.json"), JSON.stringify({ mcpServers: { planted: server } }));
    const planted = "xyzzy-instructions";
    for (const path of [
      join(claude, "CLAUDE.md"),
      join(claude, "rules", "all.md"),
      join(cli.home, "CLAUDE.md"),
      join(cli.home, "AGENTS.md"),
      join(cli.home, "CLAUDE.local.md"),
    ])
      writeFileSync(path, planted);
    writeFileSync(join(claude, "skills", "planted", "SKILL.md"), `---\nname: xyzzy\ndescription: ${planted}\n---\n`);
    writeFileSync(join(claude, "agents", "planted.md"), `---\nname: xyzzy\ndescription: ${planted}\n---\n`);
    const scripted = await serve((request) =>
      request.n === 1 ? calls(call("Read", { file_path: "sessions/S1.txt" })) : proposes(request),
    );
    await dreams();
    expect(readdirSync(cli.home).filter((name) => name.startsWith("hook-"))).toEqual([]);
    expect(sent(scripted).includes("xyzzy")).toBe(false);
  });

  it("sends the brief, memd's own prompt and the names of three tools, and never the key of another header", async () => {
    const server = await serve((request) => proposes(request));
    await cli.run("dream", "--now");
    const [request] = server.requests;
    expect(server.all.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v1/messages"]);
    const names = request?.body.tools.map(({ name }: { name: string }) => name).sort();
    expect(names).toEqual(["Glob", "Grep", "Read", "StructuredOutput"]);
    expect(request?.body.max_tokens).toBe(8_000);
    expect(request?.headers["x-api-key"]).toBe(KEY);
    expect(request?.raw.includes(KEY)).toBe(false);
    expect(request?.raw.length).toBeLessThan(25_000);
  });

  it("is gone with all its processes when memd is interrupted, and the lock is free", async () => {
    const server = await serve(() => hangs());
    const { child, ran } = cli.start("dream", "--now");
    await server.arrived(1);
    expect(cli.left().length).toBeGreaterThan(1);
    child.kill("SIGTERM");
    expect((await ran).status).toBe(130);
    await vi.waitFor(() => expect([cli.left(), server.open]).toEqual([[], 0]), 10_000);
    expect(readdirSync(join(cli.home, "app", "memory", ".memd"))).not.toContain("lease.lock");
  });

  it("is gone when memd is killed", async () => {
    const server = await serve(() => hangs());
    const { child, ran } = cli.start("dream", "--now");
    await server.arrived(1);
    child.kill("SIGKILL");
    await ran;
    await vi.waitFor(() => expect([cli.left(), server.open]).toEqual([[], 0]), 10_000);
  });

  it.each<[string, () => Answer, number, string]>([
    ["a refused key", badKey, 78, "bad-key"],
    ["no credit", noCredit, 78, "no-credit"],
    ["an unknown model", () => unknownModel("claude-sonnet-5-5"), 78, "unknown-model"],
    ["a rate limit", () => rateLimited("7200"), 5, "rate-limited"],
    ["overload", () => overloaded(), 5, "overloaded"],
    ["a refusal", refusal, 6, "refusal"],
    ["words instead of a proposal", () => says("Nothing to remember."), 6, "unreadable-proposal"],
    ["a loop", () => calls(call("Read", { file_path: "sessions/S1.txt" })), 6, "too-many-turns"],
  ])("ends by %s as memd ends", async (_, answer, exit, code) => {
    await serve(answer, {
      claude: { path: join(cli.home, "claude"), useKey: true, model: "claude-sonnet-5-5", maxTurns: 3 },
    });
    const { status, value } = await cli.json("dream", "--now");
    const [{ reason, code: found }] = value.runs;
    expect([status, found], reason).toEqual([exit, code]);
    await vi.waitFor(() => expect(cli.left()).toEqual([]), 30_000);
  });

  it("says that nobody is signed in where nobody is, and is not asked again by a schedule", async () => {
    const server = await serve((request) => proposes(request), {
      claude: { path: join(cli.home, "claude") },
      gates: { minHours: 0, minSessions: 1, scanMinutes: 0 },
    });
    const first = await cli.json("dream");
    expect([first.status, first.value.runs[0].code]).toEqual([78, "not-signed-in"]);
    const second = await cli.json("dream");
    expect(second.value.runs[0].outcome).not.toBe("failed");
    expect(server.all).toEqual([]);
  });

  it("hands a token on as a token", async () => {
    const server = await serve((request) => proposes(request));
    delete cli.env["ANTHROPIC_API_KEY"];
    cli.env["ANTHROPIC_AUTH_TOKEN"] = "token-0123456789";
    await dreams();
    const { authorization, "x-api-key": key } = server.requests[0]?.headers ?? {};
    expect([authorization, key]).toEqual(["Bearer token-0123456789", undefined]);
  });
});
