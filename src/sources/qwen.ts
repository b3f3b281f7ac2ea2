/**
 * Qwen Code's transcripts (0.24.4 and before): a tree of records by `parentUuid` as Claude Code writes it, messages in parts as
 * Gemini CLI writes them. The client says itself where a record came from: only `real_user` is a person's.
 */
import { basename } from "node:path";
import type { Files } from "../base/files.ts";
import { isRecord } from "../base/json.ts";
import type { TranscriptSource } from "../ports.ts";
import { type NodeKind, type RecordTree, recordTree } from "./claude-code/tree.ts";
import { agentText, type OpenCalls, openCalls, partsOf, personText, toolCalls, toolResults } from "./jsonl/parts.ts";
import { jsonlSource, type LongOutput, type Pass, type Reading, type RecordFormat } from "./jsonl/source.ts";
import { isFull, newTalk, type Spot, say, type Talk, timeOf, wordsOf } from "./jsonl/talk.ts";
import type { Named } from "./jsonl/walk.ts";

type Json = Record<string, unknown>;

const CLIENT = "qwen-code";
const TRANSCRIPT = /^(?!agent-)(.+)\.jsonl$/;
const ARCHIVED = /\.jsonl[.~-]|\.(?:bak|deleted|old|orig|tmp|backup)\.jsonl$/;

/** The types of records stand within this: ids and a time come before. */
const HEAD_BYTES = 320;
const SYSTEM = /"type":"system"/;
const PLACE = /^\{"uuid":"([^"\\]{1,128})","parentUuid":(?:null|"([^"\\]{1,128})")/;
const START = '{"uuid":"';

/** Qwen Code's folder is `projects/<encoded path>/chats`; a sub-agent's records lie in a folder beside it. */
function nameOf(path: string): Named | null {
  const name = basename(path);
  if (!name.includes(".jsonl") || name === "usage_record.jsonl") return null;
  const session = TRANSCRIPT.exec(name)?.[1] ?? name;
  if (ARCHIVED.test(name)) return { session, drop: "archived-copy" };
  return { session, drop: /\/subagents?\//.test(path) || name.startsWith("agent-") ? "subagent" : null };
}

/** True for a path that no other client has. */
export function isQwenPath(path: string): boolean {
  return /\/\.qwen\/.*\.jsonl/.test(path);
}

function isQwenRecord(record: Json): boolean {
  if (typeof record.uuid !== "string" || typeof record.type !== "string") return false;
  if (typeof record.provenance === "string") return true;
  return (isRecord(record.message) && Array.isArray(record.message.parts)) || isRecord(record.systemPayload);
}

const OUTPUT: LongOutput = { isOutput: (head) => head.includes('"type":"tool_result"'), once: '"parentUuid":' };

export const QWEN: RecordFormat = {
  client: CLIENT,
  nameOf,
  start: START,
  isRecord: isQwenRecord,
  output: OUTPUT,
  begin,
};

export function qwenSource(files: Files): TranscriptSource {
  return jsonlSource(files, QWEN);
}

/** What one pass over a transcript gathers. */
interface Chat {
  readonly talk: Talk;
  readonly tree: RecordTree;
  readonly calls: OpenCalls;
  session: string | null;
  /** Records of sub-agents. */
  side: number;
}

function begin({ file }: Pass): Reading {
  const chat: Chat = { talk: newTalk(), tree: recordTree(), calls: openCalls(), session: null, side: 0 };
  return {
    skips(line) {
      const head = line.toString("latin1", 0, HEAD_BYTES);
      const found = SYSTEM.test(head) ? PLACE.exec(head) : null;
      if (!found || line.indexOf(START, 1) >= 0) return false;
      chat.tree.add({ id: found[1] ?? "", parent: found[2] ?? null, kind: "other", seq: 0 });
      return true;
    },
    take: (record, spot) => takeRecord(chat, record, spot),
    isFull: () => isFull(chat.talk),
    finish() {
      const { talk, tree, session, side } = chat;
      const withdrawn = tree.withdrawn();
      const live = talk.said.filter(({ mark }) => mark < 0 || !withdrawn(mark));
      const words = wordsOf(live, { client: CLIENT, file, session });
      if (words.length > 0) return { words, drop: null };
      return { words, drop: side > 0 && talk.said.length === 0 ? "subagent" : "no-user-words" };
    },
  };
}

function takeRecord(chat: Chat, record: Json, spot: Spot): void {
  if (record.isSidechain === true || typeof record.agentId === "string") {
    chat.side++;
    return;
  }
  if (typeof record.sessionId === "string") chat.session ??= record.sessionId;
  const speaker = speakerOf(record);
  const parts = partsOf(isRecord(record.message) ? record.message.parts : null);
  const text = speaker === "user" ? userText(record, parts) : speaker === "assistant" ? agentText(parts) : "";
  const kind = speaker === null ? "other" : speaker === "user" && text !== "" ? "turn" : "message";
  const mark = place(chat, record, kind, spot.line);
  const at = timeOf(record.timestamp);
  const cwd = textOrNull(record.cwd);
  const { talk, calls } = chat;
  if (speaker === "assistant") calls.note(toolCalls(parts));
  if (text !== "" && speaker !== null)
    say(talk, { spot, speaker, text, at, record: textOrNull(record.uuid), cwd, headless: false, mark });
  if (speaker === "tool")
    for (const output of toolResults(parts, calls.labelOf))
      say(talk, { spot, speaker, text: output, at, record: null, cwd, headless: false, mark });
}

/** Node in the tree; -1 for a record outside of any. */
function place(chat: Chat, { uuid, parentUuid, sessionId }: Json, kind: NodeKind, seq: number): number {
  if (typeof uuid !== "string" || !(parentUuid === null || typeof parentUuid === "string")) return -1;
  return chat.tree.add({ id: uuid, parent: parentUuid, kind, seq, session: textOrNull(sessionId) ?? "" }).node;
}

/** Versions before the mark are told by their type. */
function speakerOf({ type, provenance, subtype }: Json): "user" | "assistant" | "tool" | null {
  if (type === "tool_result") return "tool";
  if (type === "assistant") return "assistant";
  if (type !== "user" || (provenance !== undefined && provenance !== "real_user")) return null;
  return typeof subtype === "string" && /notification|cron|hook|teammate/.test(subtype) ? null : "user";
}

/** What the person typed, where the client kept it beside what it sent to the model. */
function userText(record: Json, parts: readonly Json[]): string {
  const payload = isRecord(record.systemPayload) ? record.systemPayload.displayText : undefined;
  return personText(parts, typeof payload === "string" && payload !== "" ? [{ text: payload }] : []);
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
