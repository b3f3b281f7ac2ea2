/** Transcripts as Claude Code 2.1 writes them, in the proportions measured on real sessions: three quarters of the bytes hold no words. */
import * as fs from "node:fs";

let records = 0;
let parent: string | null = null;

function nextId(): string {
  return `00000000-0000-4000-8000-${String(++records).padStart(12, "0")}`;
}

/** A record of the tree. A user record names its type before its message, the others behind it; a tool's second output comes last. */
export function record(type: string, body: object, more: object = {}): string {
  const uuid = nextId();
  const head = { parentUuid: parent, isSidechain: false };
  const tail = {
    uuid,
    timestamp: new Date(1_772_000_000_000 + records * 1_000).toISOString(),
    ...more,
    userType: "external",
    entrypoint: "cli",
    cwd: "/home/sam/app",
    sessionId: "s",
    version: "2.1.332",
    gitBranch: "main",
  };
  parent = uuid;
  return JSON.stringify(type === "user" ? { ...head, type, ...body, ...tail } : { ...head, ...body, type, ...tail });
}

const PROSE = 'Run "pnpm check" first,\n\tthen look at <b>src/cart.ts</b>: 金额统一用整数分存储. ';

/** English, Chinese and what JSON escapes. @param bytes about so many */
function prose(bytes: number): string {
  return PROSE.repeat(Math.ceil(bytes / Buffer.byteLength(PROSE)));
}

/** A record without a place in the tree. */
const side = (type: string, bytes: number) =>
  JSON.stringify({ type, sessionId: "s", message: { role: "user", content: prose(bytes) } });

const mark = (type: string) => JSON.stringify({ type, sessionId: "00000000-0000-4000-8000-000000000000", value: "x" });

const USAGE = { input_tokens: 12_486, cache_read_input_tokens: 0, output_tokens: 84, service_tier: "standard" };

const answer = (block: object) =>
  record("assistant", {
    message: { id: `msg_${records}`, type: "message", role: "assistant", content: [block], usage: USAGE },
  });

/** One exchange: a question, an answer with a tool call, and all that the client notes beside them. */
function exchange(): string[] {
  const result = prose(4_500);
  const call = `toolu_${records}`;
  return [
    record("user", { message: { role: "user", content: prose(300) } }),
    record("attachment", { attachment: { type: "prompt_snapshot", systemPrompt: [prose(56_000)] } }),
    record("attachment", { attachment: { type: "skill_listing", content: prose(7_000) } }),
    side("api-request-shape", 36_000),
    side("api-request-blob", 12_000),
    answer({ type: "text", text: prose(900) }),
    answer({ type: "tool_use", id: call, name: "Bash", input: { command: "pnpm check" } }),
    record(
      "user",
      { message: { role: "user", content: [{ type: "tool_result", tool_use_id: call, content: result }] } },
      { toolUseResult: { stdout: result }, sourceToolAssistantUUID: parent },
    ),
    ...Array.from({ length: 4 }, () => [
      record("user", { message: { role: "user", content: prose(300) } }),
      answer({ type: "text", text: prose(900) }),
    ]).flat(),
    record("system", { subtype: "turn_duration", durationMs: 1 }),
    side("last-prompt", 200),
    ...[
      "mode",
      "permission-mode",
      "atis-latch",
      "tools-used",
      "file-history-snapshot",
      "api-request",
      "cost-state",
    ].map(mark),
  ];
}

/** Writes a transcript of that size and returns its path. */
export function writeTranscript(path: string, megabytes: number): string {
  parent = null;
  const fd = fs.openSync(path, "w");
  for (let written = 0; written < megabytes * 1_048_576; ) written += fs.writeSync(fd, `${exchange().join("\n")}\n`);
  fs.closeSync(fd);
  return path;
}

/** Three records, of which the middle one is a tool's output of that size. */
export function writeLongLine(path: string, megabytes: number): string {
  parent = null;
  const result = { type: "tool_result", tool_use_id: "t", content: "Q".repeat(megabytes * 1_048_576) };
  const lines = [exchange()[0], record("user", { message: { role: "user", content: [result] } }), exchange()[0]];
  fs.writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}
