/** The queries over opencode's tables. */
import { isRecord, parseJson } from "../../base/json.ts";
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
  const rules = parseJson(row.permission ?? "null");
  const revert = parseJson(row.revert ?? "null");
  return {
    directory: row.directory,
    isHeadless:
      Array.isArray(rules) &&
      rules.some((rule) => isRecord(rule) && rule.permission === "question" && rule.action === "deny"),
    revertedTo: isRecord(revert) && typeof revert.messageID === "string" ? revert.messageID : null,
  };
}

/** A message's place in its session: ordered by time, then by id, which begins with a time as well. */
export interface Key {
  readonly at: number;
  readonly id: string;
}

export const FIRST: Key = { at: Number.MIN_SAFE_INTEGER, id: "" };

/** Where settled messages end. */
export interface Bound extends Key {
  readonly isIncluded: boolean;
}

const NOTHING: Bound = { ...FIRST, isIncluded: false };

const LAST_ANSWER = `
  SELECT time_created AS at, id, coalesce(json_extract(data, '$.time.completed'), json_extract(data, '$.error')) IS NOT NULL AS done
  FROM message WHERE session_id = ? AND CASE WHEN json_valid(data) THEN json_extract(data, '$.role') END = 'assistant'
  ORDER BY time_created DESC, id DESC LIMIT 1`;

/**
 * What of a session is settled: all up to the last answer, and that one when the model has ended it. What a person sent after it may
 * still be in the making, part by part. @param reverted where the words that were taken back begin
 */
export function settled(db: Database, session: string, reverted: string | null): Bound {
  const last = db.prepare<[string], Key & { done: number }>(LAST_ANSWER).get(session);
  const answered = last === undefined ? NOTHING : { at: last.at, id: last.id, isIncluded: last.done === 1 };
  const cut = db.prepare<[string | null], Key>("SELECT time_created AS at, id FROM message WHERE id = ?").get(reverted);
  const isCutBefore = cut !== undefined && (cut.at < answered.at || (cut.at === answered.at && cut.id <= answered.id));
  return isCutBefore ? { ...cut, isIncluded: false } : answered;
}

const KEY_AT =
  "SELECT time_created AS at, id FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT 1 OFFSET ?";

/** The message before a place, counted from the first one; null when there are fewer. */
export function keyBefore(db: Database, session: string, offset: number): Key | null {
  if (offset === 0) return FIRST;
  return db.prepare<[string, number], Key>(KEY_AT).get(session, offset - 1) ?? null;
}

/** The first message's id and that of the one before a place: no other history has both. Null when there are fewer. */
export function placeOf(db: Database, session: string, offset: number): string | null {
  if (offset === 0) return "";
  const [first, last] = [keyBefore(db, session, 1), keyBefore(db, session, offset)];
  return first === null || last === null ? null : `${first.id}\n${last.id}`;
}

const AFTER = "SELECT 1 FROM message WHERE session_id = ? AND (time_created, id) > (?, ?) LIMIT 1";

export function hasMessagesAfter(db: Database, session: string, { at, id }: Key): boolean {
  return db.prepare(AFTER).get(session, at, id) !== undefined;
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

const MESSAGES = (until: "<" | "<=") => `
  SELECT id, time_created AS at, octet_length(data) AS bytes, ${slimmed(LARGE_MESSAGE)} AS data
  FROM message WHERE session_id = ? AND (time_created, id) > (?, ?) AND (time_created, id) ${until} (?, ?)
  ORDER BY time_created, id LIMIT ?`;
const PARTS = `SELECT id, octet_length(data) AS bytes, ${slimmed(LARGE_PART)} AS data FROM part WHERE message_id = ? ORDER BY id`;

export interface Row {
  readonly id: string;
  /** Null when it is no JSON object, or too large. */
  readonly data: Record<string, unknown> | null;
  readonly bytes: number;
}

export interface Message extends Row, Key {
  readonly parts: readonly Row[];
}

interface Raw {
  readonly id: string;
  readonly bytes: number;
  readonly data: string | null;
}

/** Reads messages of a session in their order, each with its parts, up to a bound. */
export function messageReader(db: Database, session: string, until: Bound): (after: Key, limit: number) => Message[] {
  const messages = db.prepare<[string, number, string, number, string, number], Raw & Key>(
    MESSAGES(until.isIncluded ? "<=" : "<"),
  );
  const parts = db.prepare<[string], Raw>(PARTS);
  return (after, limit) =>
    messages.all(session, after.at, after.id, until.at, until.id, limit).map((message) => {
      return { ...rowOf(message), at: message.at, parts: parts.all(message.id).map(rowOf) };
    });
}

function rowOf({ id, bytes, data }: Raw): Row {
  const value = data === null ? undefined : parseJson(data);
  return { id, bytes, data: isRecord(value) ? value : null };
}
