/** The queries over opencode's tables. */
import { isRecord } from "../../base/json.ts";
import type { Database } from "../../base/sqlite.ts";
import { columnsOf } from "../database/columns.ts";

export interface Session {
  readonly directory: string;
  /** Made by `opencode run`, which cannot ask questions. */
  readonly isHeadless: boolean;
  /** The message from which on the person took everything back, for as long as they may still change their mind. */
  readonly revertedTo: string | null;
}

/** Null when the session is gone. Older versions lack some columns. */
export function sessionOf(db: Database, id: string): Session | null {
  const columns = columnsOf(db, "session");
  const optional = (name: string) => (columns.has(name) ? name : `NULL AS ${name}`);
  const row = db
    .prepare<[string], { directory: string; permission: string | null; revert: string | null }>(
      `SELECT directory, ${optional("permission")}, ${optional("revert")} FROM session WHERE id = ?`,
    )
    .get(id);
  if (row === undefined) return null;
  const rules = parsed(row.permission);
  const revert = parsed(row.revert);
  return {
    directory: row.directory,
    isHeadless:
      Array.isArray(rules) &&
      rules.some((rule) => isRecord(rule) && rule.permission === "question" && rule.action === "deny"),
    revertedTo: isRecord(revert) && typeof revert.messageID === "string" ? revert.messageID : null,
  };
}

/** Undefined for what is no JSON. */
function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A message is one place in its session: ordered by time, then by id, which begins with a time as well. */
const BEFORE = "SELECT count(*) FROM message WHERE session_id = ? AND (time_created, id) < (?, ?)";
const TOTAL = "SELECT count(*) FROM message WHERE session_id = ?";
const TIME_OF = "SELECT time_created FROM message WHERE id = ?";
const LAST_ANSWER = `
  SELECT time_created AS at, id, coalesce(json_extract(data, '$.time.completed'), json_extract(data, '$.error')) IS NOT NULL AS done
  FROM message WHERE session_id = ? AND CASE WHEN json_valid(data) THEN json_extract(data, '$.role') END = 'assistant'
  ORDER BY time_created DESC, id DESC LIMIT 1`;

/**
 * How many messages of a session are settled: all up to the last answer, and that one when the model has ended it. What a person
 * sent after it may still be in the making, part by part. @param reverted where the words that were taken back begin
 */
export function settled(db: Database, session: string, reverted: string | null): { stop: number; total: number } {
  const before = db.prepare<[string, number, string], number>(BEFORE).pluck();
  const total = db.prepare<[string], number>(TOTAL).pluck().get(session) ?? 0;
  const last = db.prepare<[string], { at: number; id: string; done: number }>(LAST_ANSWER).get(session);
  const answered = last === undefined ? 0 : (before.get(session, last.at, last.id) ?? 0) + last.done;
  if (reverted === null) return { stop: answered, total };
  const cut = db.prepare<[string], number>(TIME_OF).pluck().get(reverted);
  if (cut === undefined) return { stop: answered, total };
  return { stop: Math.min(answered, before.get(session, cut, reverted) ?? 0), total };
}

const ID_AT = "SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT 1 OFFSET ?";

/** The first message's id and that of the one before a place: no other history has both. Null when there are fewer. */
export function placeOf(db: Database, session: string, offset: number): string | null {
  if (offset === 0) return "";
  const idAt = db.prepare<[string, number], string>(ID_AT).pluck();
  const [first, last] = [idAt.get(session, 0), idAt.get(session, offset - 1)];
  return first === undefined || last === undefined ? null : `${first}\n${last}`;
}

/**
 * Rows up to this size are parsed here, five times as fast as SQLite takes them apart. Of a larger one SQLite makes a small one, so that
 * attached files, diffs and whole outputs are never decoded.
 */
const SMALL_BYTES = 32_768;
/** A larger row is passed over, and counted. */
const MAX_BYTES = 16_777_216;
const WRITE_CHARS = 65_536;
const OUTPUT_CHARS = 600;

const field = (path: string) => `json_extract(data, '$.${path}')`;
const slimmed = (large: string) =>
  `CASE WHEN octet_length(data) <= ${SMALL_BYTES} THEN data WHEN octet_length(data) <= ${MAX_BYTES} AND json_valid(data) THEN ${large} END`;

/** Arguments that name a call, and what an agent writes. */
const KEPT = ["command", "filePath", "path", "pattern", "url", "query", "description"];
const INPUT = [
  ...KEPT.map((name) => `'${name}', substr(${field(`state.input.${name}`)}, 1, 4096)`),
  ...["content", "newString"].map((name) => `'${name}', substr(${field(`state.input.${name}`)}, 1, ${WRITE_CHARS})`),
].join(", ");
const LARGE_PART = `CASE ${field("type")}
    WHEN 'text' THEN json_object('type', 'text', 'text', ${field("text")}, 'synthetic', ${field("synthetic")}, 'ignored', ${field("ignored")})
    WHEN 'tool' THEN json_object('type', 'tool', 'tool', ${field("tool")}, 'state', json_object('input', json_object(${INPUT}),
      'output', substr(${field("state.output")}, 1, ${OUTPUT_CHARS}), 'error', substr(${field("state.error")}, 1, ${OUTPUT_CHARS})))
    ELSE json_object('type', ${field("type")}) END`;
const LARGE_MESSAGE = `json_object('role', ${field("role")}, 'time', json_object('created', ${field("time.created")}),
    'summary', json(CASE json_type(data, '$.summary') WHEN 'true' THEN 'true' ELSE 'null' END))`;

const MESSAGES = `
  SELECT id, octet_length(data) AS bytes, ${slimmed(LARGE_MESSAGE)} AS data
  FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT ? OFFSET ?`;
const PARTS = `SELECT id, octet_length(data) AS bytes, ${slimmed(LARGE_PART)} AS data FROM part WHERE message_id = ? ORDER BY id`;

export interface Row {
  readonly id: string;
  /** Null when it is no JSON object, or too large. */
  readonly data: Record<string, unknown> | null;
  readonly bytes: number;
}

export interface Message extends Row {
  readonly parts: readonly Row[];
}

interface Raw {
  readonly id: string;
  readonly bytes: number;
  readonly data: string | null;
}

/** Reads messages of a session in their order, each with its parts. */
export function messageReader(db: Database, session: string): (page: { offset: number; limit: number }) => Message[] {
  const messages = db.prepare<[string, number, number], Raw>(MESSAGES);
  const parts = db.prepare<[string], Raw>(PARTS);
  return ({ offset, limit }) =>
    messages
      .all(session, limit, offset)
      .map((message) => ({ ...rowOf(message), parts: parts.all(message.id).map(rowOf) }));
}

function rowOf({ id, bytes, data }: Raw): Row {
  const value = data === null ? undefined : parsed(data);
  return { id, bytes, data: isRecord(value) ? value : null };
}
