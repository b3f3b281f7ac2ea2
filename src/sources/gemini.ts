/**
 * Gemini CLI's chats (0.61.0 and before): a log of messages that are written again as they grow, and of patches. A `$set` of the
 * whole list is what the model is shown, written anew at each start and after each compression: nobody said it again.
 */
import { basename, dirname, join } from "node:path";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { sha256 } from "../base/ids.ts";
import { isRecord } from "../base/json.ts";
import type { TranscriptSource } from "../ports.ts";
import { agentText, openCalls, partsOf, personText, toolResults } from "./jsonl/parts.ts";
import { jsonlSource, type LongOutput, type Pass, type Reading, type RecordFormat, recordsIn } from "./jsonl/source.ts";
import { isFull, newTalk, type Said, type Spot, say, timeOf, wordsOf } from "./jsonl/talk.ts";
import { toolLabel } from "./jsonl/tools.ts";
import type { Named } from "./jsonl/walk.ts";

type Json = Record<string, unknown>;

const CLIENT = "gemini-cli";
/** `session-2026-11-24T14-30-509265e7.jsonl`: the first digits of the session's id stand at its end. */
const CHAT = /^session-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-)?(.+)\.jsonl$/;
/** Versions before 0.3x rewrote one JSON document at each message: it has no lines to stop at. */
const OLD_CHAT = /^session-\d{4}-\d\d-\d\dT\d\d-\d\d-(.+)\.json$/;
const ARCHIVED = /\.jsonl[.~-]|\.(?:bak|deleted|old|orig|tmp|backup)\.jsonl$/;
/** A sub-agent's chat lies in a folder named by the session that started it. */
const SUBAGENT = /\/chats\/[^/]+\/[^/]+$/;

const START = '{"id":"';
const PATCH = Buffer.from('{"$set":');

/** People name their files `session-1.jsonl` too; only the date is the client's. */
const OWN_NAME = /^session-\d{4}-\d\d-\d\dT\d\d-\d\d-.+\.jsonl$/;

export function isGeminiPath(path: string): boolean {
  return OWN_NAME.test(basename(path)) || OLD_CHAT.test(basename(path)) || /\/\.gemini\/.*\.jsonl/.test(path);
}

function nameOf(path: string): Named | null {
  const name = basename(path);
  const old = OLD_CHAT.exec(name)?.[1];
  if (old !== undefined) return { session: old, drop: "old-format" };
  if (!name.includes(".jsonl")) return null;
  const session = CHAT.exec(name)?.[1] ?? name.replace(/\.jsonl$/, "");
  if (ARCHIVED.test(name)) return { session, drop: "archived-copy" };
  return { session, drop: SUBAGENT.test(path) ? "subagent" : null };
}

function isMessage({ id, type, content }: Json): boolean {
  return typeof id === "string" && content !== undefined && (type === "user" || type === "gemini");
}

function isGeminiRecord(record: Json): boolean {
  if (typeof record.sessionId === "string" && typeof record.projectHash === "string") return true;
  return isMessage(record) || isRecord(record.$set) || typeof record.$rewindTo === "string";
}

const OUTPUT: LongOutput = {
  isOutput: (head) => head.includes('"content":[{"functionResponse"'),
  once: '","timestamp":"',
};

export const GEMINI: RecordFormat = {
  client: CLIENT,
  nameOf,
  start: START,
  isRecord: isGeminiRecord,
  output: OUTPUT,
  begin,
};

export function geminiSource(files: Files): TranscriptSource {
  return jsonlSource(files, GEMINI);
}

interface Chat {
  session: string | null;
  isSubagent: boolean;
  /** sha256 of the project's path. */
  hash: string | null;
  /** The path as the preamble names it. */
  named: string | null;
  /** A message was written on its own line: lists that follow only repeat. */
  isTold: boolean;
}

function begin({ files, file, before }: Pass): Reading {
  const [talk, calls] = [newTalk(), openCalls()];
  const chat: Chat = { session: null, isSubagent: false, hash: null, named: null, isTold: before.head !== "" };
  for (const record of recordsIn(before.head.split("\n", 2).join("\n"))) learn(chat, record);
  const tell = (message: Json, spot: Spot) => {
    for (const { speaker, text } of hear(message, calls)) {
      const record = speaker === "tool" ? null : String(message.id);
      say(talk, { spot, speaker, text, at: timeOf(message.timestamp), record, cwd: null });
    }
  };
  return {
    skips: (line) =>
      chat.isTold && line.subarray(0, PATCH.length).equals(PATCH) && line.subarray(-2).toString("latin1") === "}}",
    take(record, spot) {
      learn(chat, record);
      if (typeof record.$rewindTo === "string") talk.said.splice(indexOf(talk.said, record.$rewindTo));
      const isOwn = isMessage(record);
      // A list before the first message is a chat that was written over in whole.
      for (const message of isOwn ? [record] : chat.isTold ? [] : listIn(record)) tell(message, spot);
      if (isOwn && record.type === "user" && talk.said.length > 0) chat.isTold = true;
    },
    isFull: () => isFull(talk),
    finish() {
      if (chat.isSubagent) return { words: [], drop: "subagent" };
      const words = wordsOf(talk.said, { client: CLIENT, file, session: chat.session });
      if (words.length === 0) return { words, drop: "no-user-words" };
      const cwd = projectOf(files, file.path, chat);
      return { words: words.map((item) => ({ ...item, cwd })), drop: null };
    },
  };
}

/** Header and preamble; both stand at the start. */
function learn(chat: Chat, record: Json): void {
  const { sessionId, projectHash, kind } = record;
  if (typeof sessionId === "string" && typeof projectHash === "string") {
    chat.session ??= sessionId;
    chat.hash ??= projectHash;
    if (kind === "subagent") chat.isSubagent = true;
  }
  if (chat.named !== null) return;
  const [first] = listIn(record);
  const text = partsOf(first?.content)
    .map((part) => part.text)
    .find((part) => typeof part === "string");
  if (typeof text === "string")
    chat.named =
      FOLDER.exec(text)
        ?.slice(1)
        .find((path) => path !== undefined) ?? null;
}

const FOLDER =
  /\*\*Workspace Directories:\*\*\n\s*- (\/[^\n]{0,4096})|I'm currently working in the directory: (\/[^\n]{0,4096})/;

function listIn({ $set, messages }: Json): Json[] {
  const list = isRecord($set) ? $set.messages : messages;
  return Array.isArray(list) ? list.filter(isRecord).filter(isMessage) : [];
}

/** Where the message of that id begins; nothing goes for an id that is not here. */
function indexOf(said: readonly Said[], id: string): number {
  const index = said.findIndex(({ record }) => record === id);
  return index < 0 ? said.length : index;
}

function* hear(
  message: Json,
  calls: ReturnType<typeof openCalls>,
): Generator<{ speaker: Said["speaker"] & ("user" | "assistant" | "tool"); text: string }> {
  const parts = partsOf(message.content);
  if (message.type === "gemini") {
    const made = Array.isArray(message.toolCalls) ? message.toolCalls.filter(isRecord) : [];
    calls.note(made.map(({ id, name, args }) => [id, toolLabel(name, args)]));
    yield { speaker: "assistant", text: agentText(parts) };
    return;
  }
  for (const text of toolResults(parts, calls.labelOf)) yield { speaker: "tool", text };
  yield { speaker: "user", text: personText(parts, partsOf(message.displayContent)) };
}

const MAX_PATH_BYTES = 4_096;

/** The project's folder: the file that the client keeps beside the chats, else the preamble's if the hash agrees with it. */
function projectOf(files: Files, path: string, { hash, named }: Chat): string | null {
  const marked = projectFileOf(files, path);
  if (marked !== null) return marked;
  return named !== null && (hash === null || sha256(named) === hash) ? named : null;
}

/** The path in the file that the client keeps beside the folder of a project's chats; null where there is none. */
export function projectFileOf(files: Files, chat: string): string | null {
  const marked = readShort(files, join(dirname(dirname(chat)), ".project_root"));
  return marked?.startsWith("/") ? marked : null;
}

function readShort(files: Files, path: string): string | null {
  try {
    const stat = files.lstat(path);
    return stat?.kind === "file" && stat.size <= MAX_PATH_BYTES ? files.read(path).toString("utf8").trim() : null;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}
