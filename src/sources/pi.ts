/** pi's transcripts (versions 1 to 3 of the format): a header that names the folder, then a tree of entries by id and parent. */
import { basename } from "node:path";
import type { Files } from "../base/files.ts";
import { isRecord } from "../base/json.ts";
import type { TranscriptSource } from "../ports.ts";
import { type NodeKind, type RecordTree, recordTree } from "./claude-code/tree.ts";
import { withoutElements } from "./jsonl/elements.ts";
import { type OpenCalls, openCalls } from "./jsonl/parts.ts";
import { jsonlSource, type LongOutput, type Pass, type Reading, type RecordFormat, recordsIn } from "./jsonl/source.ts";
import { isFull, newTalk, type Spot, say, type Talk, timeOf, wordsOf } from "./jsonl/talk.ts";
import { toolLabel, toolText } from "./jsonl/tools.ts";
import type { Named } from "./jsonl/walk.ts";

type Json = Record<string, unknown>;

const CLIENT = "pi";
/** `2026-11-24T14-30-03-877Z_<uuid>.jsonl` */
const OWN_NAME = /^\d{4}-\d\d-\d\dT[\d-]+Z_([0-9a-f-]{8,})\.jsonl/;
const ARCHIVED = /\.jsonl[.~-]|\.(?:bak|deleted|old|orig|tmp|backup)\.jsonl$/;
const START = '{"type":"';

/** Elements that pi puts into a message for the person: a skill that they called, a file that they named. */
const INSERTED = ["skill", "file"];

export function isPiPath(path: string): boolean {
  return OWN_NAME.test(basename(path)) || /\/\.pi\/.*\.jsonl/.test(path);
}

function nameOf(path: string): Named | null {
  const name = basename(path);
  if (!name.includes(".jsonl")) return null;
  const session = OWN_NAME.exec(name)?.[1] ?? name.replace(/\.jsonl$/, "");
  return { session, drop: ARCHIVED.test(name) ? "archived-copy" : null };
}

function isPiRecord(record: Json): boolean {
  const { type, id, parentId, message, cwd } = record;
  if (type === "session") return typeof id === "string" && typeof cwd === "string";
  if (type !== "message") return typeof id === "string" && parentId !== undefined && typeof type === "string";
  return isRecord(message) && typeof message.role === "string" && record.uuid === undefined;
}

const ONCE = '"parentId":';
const OUTPUT: LongOutput = { isOutput: (head) => head.includes('"role":"toolResult"'), once: ONCE };

/** Id and parent stand within this, and a message's role. */
const HEAD_BYTES = 256;
/** Entries that have a place in the tree and no words: settings, system prompts, whatever an extension kept. */
const WORDLESS =
  /^\{"type":"((?:model_change|thinking_level_change|custom|label|session_info|compaction|branch_summary)(?=")|message(?=.{0,160}"message":\{"role":"system"))","id":"([^"\\]{1,64})","parentId":(?:null|"([^"\\]{1,64})"),/;

export const PI: RecordFormat = { client: CLIENT, nameOf, start: START, isRecord: isPiRecord, output: OUTPUT, begin };

export function piSource(files: Files): TranscriptSource {
  return jsonlSource(files, PI);
}

/** What one pass over a transcript gathers. */
interface Chat {
  readonly talk: Talk;
  readonly tree: RecordTree;
  readonly calls: OpenCalls;
  /** From the header. */
  session: string | null;
  cwd: string | null;
}

function begin({ file, before }: Pass): Reading {
  const chat: Chat = { talk: newTalk(), tree: recordTree(), calls: openCalls(), session: null, cwd: null };
  for (const record of recordsIn(before.head.split("\n", 1)[0] ?? "")) readHeader(chat, record);
  return {
    skips(line) {
      const [, type, id, parent] = WORDLESS.exec(line.toString("latin1", 0, HEAD_BYTES)) ?? [];
      if (id === undefined || type === undefined || line.indexOf(ONCE, HEAD_BYTES) >= 0) return false;
      const kind = type === "message" ? "message" : "other";
      chat.tree.add({ id, parent: parent ?? null, kind, seq: 0 });
      return true;
    },
    take(record, spot) {
      readHeader(chat, record);
      if (record.type !== "session" && typeof record.type === "string") takeEntry(chat, record, spot);
    },
    isFull: () => isFull(chat.talk),
    finish() {
      const withdrawn = chat.tree.withdrawn();
      const live = chat.talk.said.filter(({ mark }) => mark < 0 || !withdrawn(mark));
      const words = wordsOf(live, { client: CLIENT, file, session: chat.session });
      return { words, drop: words.length > 0 ? null : "no-user-words" };
    },
  };
}

function readHeader(chat: Chat, { type, id, cwd }: Json): void {
  if (type !== "session" || chat.session !== null) return;
  if (typeof id === "string" && id !== "") chat.session = id;
  if (typeof cwd === "string" && cwd !== "") chat.cwd = cwd;
}

function takeEntry(chat: Chat, entry: Json, spot: Spot): void {
  const { type, id, timestamp } = entry;
  const message = type === "message" && isRecord(entry.message) ? entry.message : {};
  const { role } = message;
  const text = role === "user" ? userText(message.content) : role === "assistant" ? textOf(message.content) : "";
  const kind = role === "user" && text !== "" ? "turn" : type === "message" ? "message" : "other";
  const mark = place(chat, entry, kind, spot.line);
  const at = timeOf(timestamp) ?? timeOf(message.timestamp);
  const { talk, calls, cwd } = chat;
  const record = typeof id === "string" ? id : null;
  if (role === "assistant") calls.note(callsIn(message.content));
  if (text !== "" && (role === "user" || role === "assistant"))
    say(talk, { spot, speaker: role, text, at, record, cwd, headless: false, mark });
  if (role === "toolResult" || role === "bashExecution")
    say(talk, {
      spot,
      speaker: "tool",
      text: resultText(message, calls.labelOf),
      at,
      record: null,
      cwd,
      headless: false,
      mark,
    });
}

/** Node in the tree; -1 for an entry of version 1, which has no ids. */
function place(chat: Chat, { id, parentId }: Json, kind: NodeKind, seq: number): number {
  if (typeof id !== "string" || !(parentId === null || typeof parentId === "string")) return -1;
  return chat.tree.add({ id, parent: parentId, kind, seq, session: chat.session ?? "" }).node;
}

function blocksOf(content: unknown): Json[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function textOf(content: unknown): string {
  return blocksOf(content)
    .flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
    .join("\n")
    .trim();
}

function userText(content: unknown): string {
  return withoutElements(textOf(content), INSERTED);
}

function callsIn(content: unknown): [unknown, string][] {
  return blocksOf(content).flatMap((block): [unknown, string][] =>
    block.type === "toolCall" ? [[block.id, toolLabel(block.name, block.arguments)]] : [],
  );
}

/** A shell line that the person ran (`!command`) is machine output too: it supports no memory. */
function resultText(message: Json, labelOf: (id: unknown) => string | undefined): string {
  if (message.role === "bashExecution") return toolText(toolLabel("bash", message), message.output);
  const label = labelOf(message.toolCallId) ?? toolLabel(message.toolName, null);
  return toolText(label, textOf(message.content));
}
