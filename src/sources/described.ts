/**
 * Transcripts of a client that memd does not know: one JSON record per line, one file per session, of which the configuration says what
 * stands where. Nothing is guessed: a record whose speaker is none of the listed values says nothing.
 */
import { basename } from "node:path";
import type { Files } from "../base/files.ts";
import { isRecord } from "../base/json.ts";
import type { Description, TranscriptSource } from "../ports.ts";
import { withoutElements } from "./jsonl/elements.ts";
import { type Before, jsonlSource, type Pass, type Reading, type RecordFormat, recordsIn } from "./jsonl/source.ts";
import { isFull, newTalk, type Saying, type Spot, say, type Talk, wordsOf } from "./jsonl/talk.ts";
import type { Named } from "./jsonl/walk.ts";

type Json = Record<string, unknown>;

const ARCHIVED = /\.jsonl[.~-]|\.(?:bak|deleted|old|orig|tmp|backup)\.jsonl$/;
/** What programs put among a person's words, whoever wrote the program. */
const INSERTED = ["system-reminder", "environment_context"];

export function describedSource(files: Files, description: Description): TranscriptSource {
  return jsonlSource(files, describedFormat(description));
}

export function describedFormat(description: Description): RecordFormat {
  return {
    client: description.name,
    nameOf,
    start: '{"',
    isRecord: (record) => speakerOf(description, record) !== null && valueAt(record, description.text) !== undefined,
    begin: (pass) => begin(description, pass),
  };
}

function nameOf(path: string): Named | null {
  const name = basename(path);
  if (!name.includes(".jsonl")) return null;
  return { session: name.replace(/\.jsonl$/, ""), drop: ARCHIVED.test(name) ? "archived-copy" : null };
}

/** What one pass over a transcript gathers. */
interface Chat {
  readonly talk: Talk;
  session: string | null;
  /** A record without one was said where the one before it was. */
  cwd: string | null;
}

function begin(description: Description, { file, before }: Pass): Reading {
  const chat: Chat = { talk: newTalk(), session: null, cwd: null };
  lookBack(description, chat, before);
  return {
    skips: () => false,
    take: (record, spot) => take(description, chat, { record, spot }),
    isFull: () => isFull(chat.talk),
    finish() {
      const words = wordsOf(chat.talk.said, { client: description.name, file, session: chat.session });
      return { words, drop: words.length > 0 ? null : "no-user-words" };
    },
  };
}

/** Session and folder may stand in the first record alone. */
function lookBack(description: Description, chat: Chat, { head, tail }: Before): void {
  if (head === "") return;
  for (const record of recordsIn(head)) learn(description, chat, record);
  if (tail !== head) for (const record of recordsIn(tail)) learn(description, chat, record);
}

function learn({ session, cwd }: Description, chat: Chat, record: Json): void {
  chat.session ??= session === null ? null : textOrNull(valueAt(record, session));
  chat.cwd = (cwd === null ? null : textOrNull(valueAt(record, cwd))) ?? chat.cwd;
}

function take(description: Description, chat: Chat, { record, spot }: { record: Json; spot: Spot }): void {
  learn(description, chat, record);
  const speaker = speakerOf(description, record);
  if (speaker === null) return;
  const { id, time } = description;
  const text = textIn(valueAt(record, description.text));
  say(chat.talk, {
    spot,
    speaker,
    text: speaker === "user" ? withoutElements(text, INSERTED) : text,
    at: time === null ? null : timeIn(valueAt(record, time)),
    record: id === null ? null : idOf(valueAt(record, id)),
    cwd: chat.cwd,
  });
}

function speakerOf({ speaker, user, assistant, tool }: Description, record: Json): Saying["speaker"] | null {
  const value = valueAt(record, speaker);
  if (typeof value !== "string") return null;
  if (user.includes(value)) return "user";
  if (assistant.includes(value)) return "assistant";
  return tool.includes(value) ? "tool" : null;
}

/** Undefined where the path leads nowhere. Only a record's own fields are followed. */
function valueAt(record: Json, path: string): unknown {
  let value: unknown = record;
  for (const part of path.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = Array.isArray(value) ? value : [value];
  return parts
    .flatMap((part: unknown) => {
      if (typeof part === "string") return [part];
      return isRecord(part) && typeof part.text === "string" ? [part.text] : [];
    })
    .join("\n");
}

/** 1973 in milliseconds, the year 5138 in seconds: numbers below are seconds. */
const FIRST_MS = 100_000_000_000;

function timeIn(value: unknown): number | null {
  const number = typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number === "number") return Number.isFinite(number) ? Math.round(toMs(number)) : null;
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

const toMs = (value: number) => (Math.abs(value) < FIRST_MS ? value * 1_000 : value);

const textOrNull = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
const idOf = (value: unknown) => (typeof value === "number" ? String(value) : textOrNull(value));

/** Working directories that the first and last records of a transcript name. @param text its start, or its end */
export function describedFolders({ cwd }: Description, text: string): string[] {
  if (cwd === null) return [];
  return [...new Set(recordsIn(text).flatMap((record) => textOrNull(valueAt(record, cwd)) ?? []))];
}
