/** Sessions as each client writes them, of any size, in the proportions that were measured on real ones: most bytes hold no words. */
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { openclaw } from "../sources/openclaw-world.ts";
import { opencode } from "../sources/opencode-world.ts";
import { writeTranscript } from "./transcripts.ts";

type Json = Record<string, unknown>;

const CWD = "/home/sam/app";
const PROSE = 'Run "pnpm check" first,\n\tthen look at <b>src/cart.ts</b>: 金额统一用整数分存储. ';

/** English, Chinese and what JSON escapes. @param bytes about so many */
const prose = (bytes: number): string => PROSE.repeat(Math.ceil(bytes / Buffer.byteLength(PROSE)));
const time = (n: number) => new Date(1_772_000_000_000 + n * 1_000).toISOString();

/** Writes records until the file is that large. @param next the records of one exchange */
function fill(path: string, megabytes: number, next: (exchange: number) => readonly Json[]): void {
  fs.mkdirSync(dirname(path), { recursive: true });
  const fd = fs.openSync(path, "w");
  for (let n = 0, written = 0; written < megabytes * 1_048_576; n++)
    written += fs.writeSync(
      fd,
      next(n)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(""),
    );
  fs.closeSync(fd);
}

function codex(path: string, megabytes: number): void {
  let ordinal = 0;
  const record = (type: string, payload: Json): Json => ({
    timestamp: time(ordinal),
    ordinal: ordinal++,
    type,
    payload,
  });
  const item = (body: Json) =>
    record("event_msg", { type: "item_completed", thread_id: "01a22a98-8173", turn_id: "01a22a98-82c6", item: body });
  const said = (role: string, bytes: number) =>
    record("response_item", {
      type: "message",
      id: `msg_${ordinal}`,
      role,
      content: [{ type: "input_text", text: prose(bytes) }],
    });
  fill(path, megabytes, (n) => [
    ...(n === 0
      ? [
          record("session_meta", {
            id: "01a22a98-8173",
            cwd: CWD,
            source: "cli",
            thread_source: "user",
            base: prose(21_000),
          }),
        ]
      : []),
    record("turn_context", { turn_id: "01a22a98-82c6", cwd: CWD, policy: prose(400) }),
    record("event_msg", { type: "thread_settings_applied", settings: prose(450) }),
    said("user", 350),
    item({
      type: "UserMessage",
      id: `u${n}`,
      content: [{ type: "text", text: `${n} ${prose(300)}`, text_elements: [] }],
    }),
    record("event_msg", { type: "token_count", info: prose(600) }),
    item({
      type: "CommandExecution",
      id: `c${n}`,
      command: ["/bin/bash", "-lc", "pnpm check"],
      cwd: `file://${CWD}`,
      aggregated_output: prose(3_200),
      exit_code: 0,
    }),
    record("response_item", { type: "function_call_output", call_id: `c${n}`, output: prose(1_100) }),
    record("token_usage_record", { thread_id: "01a22a98-8173", usage: prose(650) }),
    said("assistant", 900),
    item({ type: "AgentMessage", id: `a${n}`, content: [{ type: "Text", text: `${n} ${prose(300)}` }] }),
    record("event_msg", { type: "token_count", info: prose(600) }),
    ...(n % 4 === 0 ? [record("world_state", { full: true, state: prose(3_000) })] : []),
  ]);
}

function gemini(path: string, megabytes: number): void {
  const answer = (n: number) => ({
    functionResponse: { id: `c${n}`, name: "run_shell_command", response: { output: prose(900) } },
  });
  fill(path, megabytes, (n) => [
    ...(n === 0
      ? [{ sessionId: "5a4d1f0e", projectHash: "x", startTime: time(0), lastUpdated: time(0), kind: "main" }]
      : []),
    { id: `u${n}`, timestamp: time(n), type: "user", content: [{ text: `${n} ${prose(300)}` }] },
    { $set: { lastUpdated: time(n) } },
    {
      id: `g${n}`,
      timestamp: time(n),
      type: "gemini",
      content: prose(500),
      thoughts: [],
      model: "gemini-2.5-pro",
      toolCalls: [{ id: `c${n}`, name: "run_shell_command", args: { command: "pnpm check" }, result: [answer(n)] }],
    },
    { id: `r${n}`, timestamp: time(n), type: "user", content: [answer(n)] },
    { $set: { messages: [{ id: `u${n}`, timestamp: time(n), type: "user", content: [{ text: prose(12_000) }] }] } },
    { id: `h${n}`, timestamp: time(n), type: "gemini", content: prose(600), thoughts: [] },
  ]);
}

function qwen(path: string, megabytes: number): void {
  let count = 0;
  let parent: string | null = null;
  const record = (type: string, provenance: string, body: Json): Json => {
    const uuid = `${String(++count).padStart(8, "0")}-4000-8000`;
    const made = {
      uuid,
      parentUuid: parent,
      sessionId: "e48532fc",
      timestamp: time(count),
      type,
      provenance,
      cwd: CWD,
      version: "0.24.4",
      gitBranch: "main",
      ...body,
    };
    parent = uuid;
    return made;
  };
  const telemetry = () =>
    record("system", "system", { subtype: "ui_telemetry", systemPayload: { uiEvent: { response_text: prose(600) } } });
  fill(path, megabytes, (n) => [
    record("user", "real_user", { message: { role: "user", parts: [{ text: `${n} ${prose(250)}` }] } }),
    record("system", "system", { subtype: "attribution_snapshot", systemPayload: { snapshot: prose(250) } }),
    telemetry(),
    record("assistant", "assistant_output", {
      message: {
        role: "model",
        parts: [{ text: prose(300) }, { functionCall: { id: `c${n}`, name: "sh", args: { command: "pnpm check" } } }],
      },
    }),
    record("tool_result", "tool_result", {
      message: {
        role: "user",
        parts: [{ functionResponse: { id: `c${n}`, name: "sh", response: { output: prose(1_300) } } }],
      },
      toolCallResult: { callId: `c${n}`, status: "success", resultDisplay: prose(1_300) },
    }),
    telemetry(),
    record("assistant", "assistant_output", { message: { role: "model", parts: [{ text: prose(400) }] } }),
    telemetry(),
  ]);
}

/** pi's entries, which OpenClaw's events have the form of. */
function piEntries(n: number): readonly Json[] {
  const usage = { input: 1364, output: 46, cacheRead: 0, totalTokens: 1410, cost: { input: 0, output: 0, total: 0 } };
  const message = (body: Json): Json => ({ type: "message", message: body });
  const agent = (content: readonly Json[]) =>
    message({ role: "assistant", content, api: "messages", provider: "p", model: "m", usage, stopReason: "stop" });
  return [
    message({ role: "user", content: [{ type: "text", text: `${n} ${prose(250)}` }] }),
    agent([
      { type: "text", text: prose(300) },
      { type: "toolCall", id: `c${n}`, name: "bash", arguments: { command: "pnpm check" } },
    ]),
    message({
      role: "toolResult",
      toolCallId: `c${n}`,
      toolName: "bash",
      content: [{ type: "text", text: prose(2_800) }],
      isError: false,
    }),
    agent([{ type: "text", text: prose(500) }]),
  ];
}

function pi(path: string, megabytes: number): void {
  let count = 0;
  let parent: string | null = null;
  const place = ({ type, ...body }: Json): Json => {
    const made = { type, id: String(++count).padStart(8, "0"), parentId: parent, timestamp: time(count), ...body };
    parent = made.id;
    return made;
  };
  fill(path, megabytes, (n) => [
    ...(n === 0 ? [{ type: "session", version: 3, id: "01a20df6", timestamp: time(0), cwd: CWD }] : []),
    ...[
      ...(n % 5 === 0 ? [{ type: "message", message: { role: "system", content: prose(5_000) } }] : []),
      ...piEntries(n),
    ].map(place),
  ]);
}

/** So many sessions share a database. */
const SESSION_MEGABYTES = 4;

/** Bytes of one exchange below, about. */
const EXCHANGE_BYTES = 4_600;

function inSessions(
  megabytes: number,
  begin: (session: string) => void,
  exchange: (session: string, n: number) => void,
): void {
  const exchanges = Math.ceil((megabytes * 1_048_576) / EXCHANGE_BYTES);
  const each = Math.ceil((SESSION_MEGABYTES * 1_048_576) / EXCHANGE_BYTES);
  for (let n = 0; n < exchanges; n++) {
    const session = `ses_${Math.floor(n / each) + 1}`;
    if (n % each === 0) begin(session);
    exchange(session, n);
  }
}

function opencodeDatabase(path: string, megabytes: number): void {
  const client = opencode(path);
  client.db.exec("BEGIN");
  inSessions(
    megabytes,
    (session) => client.session({ id: session, directory: CWD }),
    (session, n) => {
      client.user(`${n} ${prose(250)}`, session);
      const state = { status: "completed", input: { command: "pnpm check" }, output: prose(2_800), title: "check" };
      client.answer(
        [
          { type: "step-start", snapshot: "0123456789abcdef" },
          { type: "text", text: prose(300) },
          { type: "tool", tool: "bash", callID: `c${n}`, state },
          {
            type: "step-finish",
            reason: "tool-calls",
            tokens: { input: 1_364, output: 46, cache: { read: 0, write: 0 } },
          },
          { type: "text", text: prose(500) },
        ],
        { modelID: "m", providerID: "p", path: { cwd: CWD, root: CWD } },
        session,
      );
    },
  );
  client.db.exec("COMMIT");
  client.close();
}

function openclawDatabase(path: string, megabytes: number): void {
  const client = openclaw(path);
  client.db.exec("BEGIN");
  inSessions(
    megabytes,
    (session) => client.window({ id: session, key: `agent:main:${session}`, cwd: CWD }),
    (session, n) => {
      for (const entry of piEntries(n)) {
        const { role } = entry.message as Json;
        client.event(entry, { session, isCompressed: role === "toolResult" });
      }
    },
  );
  client.db.exec("COMMIT");
  client.close();
}

export interface ClientFile {
  readonly client: string;
  /** Path below a scratch folder. */
  readonly path: string;
  write(path: string, megabytes: number): void;
  /** Of a database: the query whose texts a plain loop parses. */
  readonly query?: string;
}

const ROLLOUT = "rollout-2026-11-24T09-00-00-01a22a98-8173-7f10-8233-19880c89c732.jsonl";

export const CLIENT_FILES: readonly ClientFile[] = [
  { client: "claude-code", path: ".claude/projects/app/one.jsonl", write: writeClaude },
  { client: "codex", path: join(".codex/sessions/2026/11/24", ROLLOUT), write: codex },
  { client: "gemini-cli", path: ".gemini/tmp/app/chats/session-2026-11-24T09-00-5a4d1f0e.jsonl", write: gemini },
  { client: "qwen-code", path: ".qwen/projects/app/chats/e48532fc.jsonl", write: qwen },
  { client: "pi", path: ".pi/agent/sessions/--app--/2026-11-24T09-00-00-000Z_01a20df6.jsonl", write: pi },
  {
    client: "opencode",
    path: ".local/share/opencode/opencode.db",
    write: opencodeDatabase,
    query:
      "SELECT p.data FROM message m JOIN part p ON p.message_id = m.id ORDER BY m.session_id, m.time_created, m.id, p.id",
  },
  {
    client: "openclaw",
    path: ".openclaw/agents/main/agent/openclaw-agent.sqlite",
    write: openclawDatabase,
    query: "SELECT event_json, event_zstd FROM transcript_events ORDER BY session_id, seq",
  },
];

function writeClaude(path: string, megabytes: number): void {
  fs.mkdirSync(dirname(path), { recursive: true });
  writeTranscript(path, megabytes);
}
