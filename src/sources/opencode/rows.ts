/** The queries over opencode's tables. What a message does not need (attached files, diffs, whole outputs) never leaves SQLite. */
import { isRecord } from "../../base/json.ts";
import type { Database } from "../../base/sqlite.ts";
import type { FileWrite } from "../../ports.ts";
import { toolLabel } from "../jsonl/tools.ts";

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  session: ["id", "parent_id", "directory", "time_updated"],
  message: ["id", "session_id", "time_created", "time_updated", "data"],
  part: ["id", "message_id", "data"],
};

export function columnsOf(db: Database, table: string): ReadonlySet<string> {
  return new Set(db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table));
}

/** Whether every table and column that is read is there. */
export function hasTables(db: Database): boolean {
  return Object.entries(NEEDED).every(([table, columns]) => {
    const present = columnsOf(db, table);
    return columns.every((column) => present.has(column));
  });
}

export interface Session {
  readonly directory: string;
  /** Made by `opencode run`, which cannot ask questions. */
  readonly isHeadless: boolean;
  /** The message from which on the person took everything back, for as long as they may still change their mind. */
  readonly revertedTo: string | null;
}

/** Null when the session is gone. @param columns of the table; older versions lack some */
export function sessionOf(db: Database, id: string, columns: ReadonlySet<string>): Session | null {
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
  const total =
    db.prepare<[string], number>("SELECT count(*) FROM message WHERE session_id = ?").pluck().get(session) ?? 0;
  const last = db.prepare<[string], { at: number; id: string; done: number }>(LAST_ANSWER).get(session);
  const answered = last === undefined ? 0 : (before.get(session, last.at, last.id) ?? 0) + last.done;
  const cut =
    reverted === null
      ? undefined
      : db.prepare<[string], number>("SELECT time_created FROM message WHERE id = ?").pluck().get(reverted);
  if (reverted === null || cut === undefined) return { stop: answered, total };
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

export interface Part {
  readonly id: string;
  readonly kind: "text" | "tool";
  /** Of a tool, the beginning of its output. */
  readonly text: string;
  /** A text that the client wrote, or one that it shows and does not send. */
  readonly isMachine: boolean;
  /** `bash(ls)`; "" for a text. */
  readonly label: string;
  readonly write: FileWrite | null;
}

export interface Message {
  readonly role: "user" | "assistant" | null;
  /** Epoch ms. */
  readonly createdAt: number | null;
  /** What a compaction made of everything before it. */
  readonly isSummary: boolean;
  readonly parts: readonly Part[];
  readonly bytes: number;
  /** It, or a part of it, is no JSON. */
  readonly isBad: boolean;
}

/** Longest text that is handed over whole; of a longer one head and tail, of which more is cut later. */
const TEXT_CHARS = 40_000;
const HEAD_CHARS = 30_000;
const WRITE_CHARS = 65_536;
const OUTPUT_CHARS = 600;
/** Arguments by which a call is known again. */
const ARGUMENTS = ["command", "filePath", "path", "pattern", "url", "query", "description"];

const PAGE = `
  WITH page AS MATERIALIZED (
    SELECT id, time_created FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT ? OFFSET ?
  ), said AS MATERIALIZED (
    SELECT m.id, m.time_created AS place, octet_length(m.data) AS bytes,
      CASE WHEN json_valid(m.data) THEN json_extract(m.data, '$.role') END AS role,
      CASE WHEN json_valid(m.data) THEN json_extract(m.data, '$.time.created') END AS created,
      CASE WHEN json_valid(m.data) THEN json_type(m.data, '$.summary') = 'true' END AS summary
    FROM page JOIN message m ON m.id = page.id
  ), piece AS (
    SELECT said.id AS message, place, role, coalesce(created, place) AS created, summary, said.bytes, p.id AS part, p.data,
      octet_length(p.data) AS size, CASE WHEN json_valid(p.data) THEN json_extract(p.data, '$.type') END AS kind
    FROM said LEFT JOIN part p ON p.message_id = said.id
  )
  SELECT message, role, created, summary, bytes, part, size, kind,
    CASE kind WHEN 'text' THEN json_extract(data, '$.text')
      WHEN 'tool' THEN substr(coalesce(json_extract(data, '$.state.output'), json_extract(data, '$.state.error')), 1, ${OUTPUT_CHARS}) END AS text,
    CASE kind WHEN 'text' THEN coalesce(json_extract(data, '$.synthetic'), 0) OR coalesce(json_extract(data, '$.ignored'), 0) END AS machine,
    CASE kind WHEN 'tool' THEN json_extract(data, '$.tool') END AS tool,
    CASE kind WHEN 'tool' THEN json_extract(data, ${ARGUMENTS.map((name) => `'$.state.input.${name}'`).join(", ")}) END AS arguments,
    CASE WHEN kind = 'tool' AND json_extract(data, '$.tool') IN ('write', 'edit') AND json_extract(data, '$.state.input.filePath') LIKE '%.md'
      THEN substr(coalesce(json_extract(data, '$.state.input.content'), json_extract(data, '$.state.input.newString')), 1, ${WRITE_CHARS}) END AS written
  FROM piece ORDER BY place, message, part`;

interface Row {
  readonly message: string;
  readonly role: unknown;
  readonly created: unknown;
  readonly summary: number | null;
  readonly bytes: number;
  readonly part: string | null;
  readonly size: number | null;
  readonly kind: string | null;
  readonly text: unknown;
  readonly machine: number | null;
  readonly tool: unknown;
  readonly arguments: string | null;
  readonly written: unknown;
}

/** The next messages with their parts, all of one moment. */
export function messagesFrom(db: Database, page: { session: string; offset: number; limit: number }): Message[] {
  const rows = db.prepare<[string, number, number], Row>(PAGE).iterate(page.session, page.limit, page.offset);
  const messages = new Map<string, Message & { parts: Part[]; bytes: number; isBad: boolean }>();
  for (const row of rows) {
    const role = row.role === "user" || row.role === "assistant" ? row.role : null;
    const message = messages.get(row.message) ?? {
      role,
      createdAt: typeof row.created === "number" ? row.created : null,
      isSummary: row.summary === 1,
      parts: [],
      bytes: row.bytes,
      isBad: role === null,
    };
    messages.set(row.message, message);
    message.bytes += row.size ?? 0;
    if (row.part !== null && row.kind === null) message.isBad = true;
    const part = partOf(row);
    if (part) message.parts.push(part);
  }
  return [...messages.values()];
}

function partOf(row: Row): Part | null {
  if (row.part === null || (row.kind !== "text" && row.kind !== "tool")) return null;
  const values = parsed(row.arguments);
  const named = Array.isArray(values)
    ? Object.fromEntries(ARGUMENTS.map((name, i) => [name, values[i] ?? undefined]))
    : {};
  const path = named.filePath;
  return {
    id: row.part,
    kind: row.kind,
    text: typeof row.text === "string" ? headAndTail(row.text) : "",
    isMachine: row.machine === 1,
    label: row.kind === "tool" ? toolLabel(row.tool, named) : "",
    write: typeof row.written === "string" && typeof path === "string" ? { path, text: row.written } : null,
  };
}

/** A message may be a pasted file of megabytes; several of them need not be held until the end. */
function headAndTail(text: string): string {
  return text.length > TEXT_CHARS ? `${text.slice(0, HEAD_CHARS)}…${text.slice(HEAD_CHARS - TEXT_CHARS)}` : text;
}
