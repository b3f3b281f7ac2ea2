/**
 * OpenClaw's sessions: since 2026.7 an SQLite database per agent, before that a JSONL file per session. Both hold the same events, in the
 * form of pi's entries.
 */
import type { Files } from "../base/files.ts";
import { isRecord } from "../base/json.ts";
import type { TranscriptFile, TranscriptSource } from "../ports.ts";
import { nodeUnzstd, type Unzstd } from "./codex/unpacked.ts";
import { type DatabaseFormat, databaseSource } from "./database/source.ts";
import { jsonlSource, type Pass, type Reading, type RecordFormat } from "./jsonl/source.ts";
import { eventsOf } from "./openclaw/events.ts";
import { personText } from "./openclaw/text.ts";
import { windowsOf } from "./openclaw/windows.ts";
import { PI } from "./pi.ts";

const CLIENT = "openclaw";
const DATABASE_NAME = "openclaw-agent.sqlite";
const DATABASE = /\/openclaw-agent\.sqlite(?:#|$)/;
const SESSIONS = /\/agents\/[^/]+\/sessions\/([^/]+)$/;
/** Copies: `x.jsonl.deleted.2026-03-14T…`, `x.jsonl.reset.…`, `x.checkpoint.<id>.jsonl`; and what a run did rather than said. */
const OTHER = /\.jsonl[.~-]|\.(?:checkpoint\.[\w-]+|trajectory|bak|deleted|reset)\.jsonl$/;

export function isOpenclawPath(path: string): boolean {
  return DATABASE.test(path) || (SESSIONS.test(path) && path.includes(".jsonl"));
}

function nameOf(path: string): { session: string; drop: string | null } | null {
  const name = SESSIONS.exec(path)?.[1];
  if (!name?.includes(".jsonl")) return null;
  return { session: name.replace(/\.jsonl$/, ""), drop: OTHER.test(name) ? "archived-copy" : null };
}

export const OPENCLAW: RecordFormat = { ...PI, client: CLIENT, nameOf, begin: (pass) => begin(pass, false) };

/** @param unzstd unpacks zstd; null where Node cannot, and a person's compressed words then wait, with a notice */
export function openclawSource(files: Files, unzstd: Unzstd | null = nodeUnzstd()): TranscriptSource {
  const database = databaseSource(files, tables(files, unzstd));
  const jsonl = jsonlSource(files, OPENCLAW);
  const of = (file: TranscriptFile) => (file.container === undefined ? jsonl : database);
  return {
    client: CLIENT,
    *list(root) {
      yield* database.list(root);
      yield* jsonl.list(root);
    },
    read: (file, from, signal) => of(file).read(file, from, signal),
    cursorAt: (file, offset, lines) => of(file).cursorAt(file, offset, lines),
  };
}

function tables(files: Files, unzstd: Unzstd | null): DatabaseFormat {
  return {
    client: CLIENT,
    name: unzstd === null ? `${CLIENT}, packed` : CLIENT,
    hasName: (name) => name === DATABASE_NAME,
    sessions: (db) => windowsOf(db, unzstd !== null),
    begin(db, file) {
      const { session } = file;
      const pass = (head: string) => ({ files, file, before: { head, tail: "" } });
      return eventsOf(db, { session, unzstd, begin: (head, isShared) => begin(pass(head), isShared) });
    },
  };
}

function begin(pass: Pass, isShared: boolean): Reading {
  const reading = PI.begin(pass);
  return {
    ...reading,
    take: (record, spot) => reading.take(inOwnWords(record, isShared), spot),
    finish() {
      const finished = reading.finish();
      return { ...finished, words: finished.words.map((words) => ({ ...words, client: CLIENT })) };
    },
  };
}

/** The event with nothing but a person's words in a user message. */
function inOwnWords(event: Record<string, unknown>, isShared: boolean): Record<string, unknown> {
  const { message } = event;
  if (!isRecord(message) || message.role !== "user") return event;
  return { ...event, message: { ...message, content: personText(message, isShared) } };
}
