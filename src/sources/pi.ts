/** pi's transcripts (versions 1 to 3 of the format): a header that names the folder, then a tree of entries by id and parent. */
import { basename } from "node:path";
import type { Files } from "../base/files.ts";
import { isRecord } from "../base/json.ts";
import type { TranscriptSource } from "../ports.ts";
import { recordTree } from "./claude-code/tree.ts";
import { withoutElements } from "./jsonl/elements.ts";
import { openCalls } from "./jsonl/parts.ts";
import { jsonlSource, type Pass, type Reading, type RecordFormat, recordsIn } from "./jsonl/source.ts";
import { isFull, newTalk, say, timeOf, wordsOf } from "./jsonl/talk.ts";
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

export const PI: RecordFormat = { client: CLIENT, nameOf, start: START, isRecord: isPiRecord, begin };

export function piSource(files: Files): TranscriptSource {
  return jsonlSource(files, PI);
}

interface Header {
  session: string | null;
  cwd: string | null;
}

function begin({ file, before }: Pass): Reading {
  const [talk, tree, calls] = [newTalk(), recordTree(), openCalls()];
  const header: Header = { session: null, cwd: null };
  for (const record of recordsIn(before.head.split("\n", 1)[0] ?? "")) readHeader(header, record);
  return {
    skips: () => false,
    take(record, spot) {
      readHeader(header, record);
      const { type, id, parentId, timestamp } = record;
      if (type === "session" || typeof type !== "string") return;
      const message = type === "message" && isRecord(record.message) ? record.message : {};
      const { role } = message;
      const text = role === "user" ? userText(message.content) : role === "assistant" ? textOf(message.content) : "";
      const isTurn = role === "user" && text !== "";
      const kind = isTurn ? "turn" : type === "message" ? "message" : "other";
      const mark =
        typeof id === "string" && (parentId === null || typeof parentId === "string")
          ? tree.add({ id, parent: parentId, kind, seq: spot.line, session: header.session ?? "" }).node
          : -1;
      const said = { spot, at: timeOf(timestamp) ?? timeOf(message.timestamp), cwd: header.cwd, mark };
      const name = typeof id === "string" ? id : null;
      if (role === "assistant") calls.note(callsIn(message.content));
      if (text !== "" && (role === "user" || role === "assistant"))
        say(talk, { ...said, speaker: role, text, record: name });
      if (role === "toolResult" || role === "bashExecution")
        say(talk, { ...said, speaker: "tool", text: resultText(message, calls.labelOf), record: null });
    },
    isFull: () => isFull(talk),
    finish() {
      const withdrawn = tree.withdrawn();
      const live = talk.said.filter(({ mark }) => mark < 0 || !withdrawn(mark));
      const words = wordsOf(live, { client: CLIENT, file, session: header.session });
      return { words, drop: words.length > 0 ? null : "no-user-words" };
    },
  };
}

function readHeader(header: Header, { type, id, cwd }: Json): void {
  if (type !== "session" || header.session !== null) return;
  if (typeof id === "string" && id !== "") header.session = id;
  if (typeof cwd === "string" && cwd !== "") header.cwd = cwd;
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
