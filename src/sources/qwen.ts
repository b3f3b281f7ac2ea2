/**
 * Qwen Code's transcripts (0.24.4 and before): a tree of records by `parentUuid` as Claude Code writes it, messages in parts as
 * Gemini CLI writes them. The client says itself where a record came from: only `real_user` is a person's.
 */
import { basename } from "node:path";
import type { Files } from "../base/files.ts";
import { isRecord } from "../base/json.ts";
import type { TranscriptSource } from "../ports.ts";
import { recordTree } from "./claude-code/tree.ts";
import { agentText, openCalls, partsOf, personText, toolCalls, toolResults } from "./jsonl/parts.ts";
import { jsonlSource, type Pass, type Reading, type RecordFormat } from "./jsonl/source.ts";
import { isFull, newTalk, say, timeOf, wordsOf } from "./jsonl/talk.ts";
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

export const QWEN: RecordFormat = { client: CLIENT, nameOf, start: START, isRecord: isQwenRecord, begin };

export function qwenSource(files: Files): TranscriptSource {
  return jsonlSource(files, QWEN);
}

function begin({ file }: Pass): Reading {
  const [talk, tree, calls] = [newTalk(), recordTree(), openCalls()];
  let session: string | null = null;
  let side = 0;
  const place = (record: Json, kind: "turn" | "message" | "other", seq: number): number => {
    const { uuid, parentUuid, sessionId } = record;
    if (typeof uuid !== "string" || !(parentUuid === null || typeof parentUuid === "string")) return -1;
    return tree.add({ id: uuid, parent: parentUuid, kind, seq, session: String(sessionId ?? "") }).node;
  };
  return {
    skips(line) {
      const head = line.toString("latin1", 0, HEAD_BYTES);
      const found = SYSTEM.test(head) ? PLACE.exec(head) : null;
      if (!found || line.indexOf(START, 1) >= 0) return false;
      tree.add({ id: found[1] ?? "", parent: found[2] ?? null, kind: "other", seq: 0 });
      return true;
    },
    take(record, spot) {
      if (record.isSidechain === true || typeof record.agentId === "string") {
        side++;
        return;
      }
      if (typeof record.sessionId === "string") session ??= record.sessionId;
      const speaker = speakerOf(record);
      const parts = partsOf(isRecord(record.message) ? record.message.parts : null);
      const text = speaker === "user" ? userText(record, parts) : speaker === "assistant" ? agentText(parts) : "";
      const isTurn = speaker === "user" && text !== "";
      const mark = place(record, isTurn ? "turn" : speaker === null ? "other" : "message", spot.line);
      const said = { spot, at: timeOf(record.timestamp), cwd: folderOf(record), mark };
      if (speaker === "assistant") calls.note(toolCalls(parts));
      if (text !== "" && speaker !== null) say(talk, { ...said, speaker, text, record: String(record.uuid) });
      if (speaker === "tool")
        for (const output of toolResults(parts, calls.labelOf))
          say(talk, { ...said, speaker, text: output, record: null });
    },
    isFull: () => isFull(talk),
    finish() {
      const withdrawn = tree.withdrawn();
      const words = wordsOf(
        talk.said.filter(({ mark }) => mark < 0 || !withdrawn(mark)),
        { client: CLIENT, file, session },
      );
      return {
        words,
        drop: words.length > 0 ? null : side > 0 && talk.said.length === 0 ? "subagent" : "no-user-words",
      };
    },
  };
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
  return typeof payload === "string" && payload !== "" ? personText([{ text: payload }]) : personText(parts);
}

function folderOf({ cwd }: Json): string | null {
  return typeof cwd === "string" && cwd !== "" ? cwd : null;
}
