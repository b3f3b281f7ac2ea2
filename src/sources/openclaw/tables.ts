/** OpenClaw's tables (schema 23, version 2026.9): windows on endless conversations, and the events in them. */
import * as zlib from "node:zlib";
import type { Files } from "../../base/files.ts";
import { isRecord } from "../../base/json.ts";
import type { Database } from "../../base/sqlite.ts";
import type { TranscriptFile, Trouble } from "../../ports.ts";
import { columnsOf, hasColumns } from "../database/columns.ts";
import type { DatabaseFormat, SessionReading, SessionRow, Step } from "../database/source.ts";
import type { Reading, RecordFormat } from "../jsonl/source.ts";

const NAME = /^openclaw-agent\.sqlite$/;

const NEEDED = {
  session_windows: ["session_id", "session_key", "updated_at"],
  transcript_events: ["session_id", "seq", "event_json", "created_at"],
};

export function openclawTables(events: RecordFormat, files: Files): DatabaseFormat {
  return {
    client: events.client,
    hasName: (name) => NAME.test(name),
    sessions,
    begin: (db, file) =>
      begin(db, file, () => events.begin({ files, file, before: { head: headerOf(db, file.session), tail: "" } })),
  };
}

interface Window {
  readonly session: string;
  readonly key: string;
  readonly updated: number;
  readonly spoken: number | null;
  readonly last: number | null;
  readonly spawned: string | null;
  readonly hook: string | null;
  readonly via: string | null;
  readonly forgotten: number;
  readonly cold: number;
  /** Compressed words that this Node cannot read. */
  readonly closed: number;
}

function sessions(db: Database): SessionRow[] | null {
  if (!hasColumns(db, NEEDED)) return null;
  return db
    .prepare<[], Window>(windowsQuery(db))
    .all()
    .map((window) => ({
      session: window.session,
      rows: window.last === null ? 0 : window.last + 1,
      changedAt: Math.max(window.updated, window.spoken ?? 0),
      drop: dropOf(window),
      ...(window.closed > 0 ? { trouble: noZstd(window.session, window.closed) } : {}),
    }));
}

/** Tables and columns that came with later versions, or only when they are first needed, count as empty where they are not. */
function windowsQuery(db: Database): string {
  const own = columnsOf(db, "session_windows");
  const column = (name: string) => (own.has(name) ? `w.${name}` : "NULL");
  const listed = (table: string) =>
    columnsOf(db, table).has("session_id")
      ? `EXISTS (SELECT 1 FROM ${table} x WHERE x.session_id = w.session_id)`
      : "0";
  const hasVia = columnsOf(db, "session_nodes").has("created_via");
  return `
    SELECT w.session_id AS session, w.session_key AS key, w.updated_at AS updated, ${column("transcript_updated_at")} AS spoken,
      (SELECT max(e.seq) FROM transcript_events e WHERE e.session_id = w.session_id) AS last,
      ${column("spawned_by")} AS spawned, ${column("hook_external_content_source")} AS hook,
      ${hasVia ? "(SELECT n.created_via FROM session_nodes n WHERE n.session_key = w.session_key)" : "NULL"} AS via,
      ${listed("memory_session_tombstones")} AS forgotten, ${listed("session_transcript_cold_archives")} AS cold,
      ${hasClosed(db) ? `(SELECT count(*) FROM transcript_events e WHERE e.session_id = w.session_id AND ${CLOSED})` : "0"} AS closed
    FROM session_windows w ORDER BY w.session_id`;
}

/** Keys are `agent:<agent>:<what>`; `main`, a channel and a dashboard are a person's. */
const SPAWNED = /:subagent:/;
const SCHEDULED = /:(?:cron|hook|heartbeat)(?::|$)/;

function dropOf({ key, spawned, hook, via, forgotten, cold, last }: Window): string | null {
  // A session that its user had forgotten does not live on as a source of new memories.
  if (forgotten === 1) return "forgotten";
  if (spawned !== null || via === "spawn" || SPAWNED.test(key)) return "subagent";
  if (hook !== null || via === "cron" || SCHEDULED.test(key)) return "automation";
  return cold === 1 && last === null ? "archived-copy" : null;
}

/** The first event: it names the session and its folder. */
function headerOf(db: Database, session: string): string {
  const sql = "SELECT event_json FROM transcript_events WHERE session_id = ? ORDER BY seq LIMIT 1";
  return db.prepare<[string], string | null>(sql).pluck().get(session) ?? "";
}

const PAGE = 256;

const EVENTS = (zstd: boolean) => `
  SELECT seq, event_json AS json, ${zstd ? "event_zstd AS zstd, navigation_json AS outline" : "NULL AS zstd, NULL AS outline"}
  FROM transcript_events WHERE session_id = ? AND seq >= ? ORDER BY seq LIMIT ${PAGE}`;

interface EventRow {
  readonly seq: number;
  readonly json: string | null;
  readonly zstd: Buffer | null;
  readonly outline: string | null;
}

function begin(db: Database, file: TranscriptFile, read: () => Reading): SessionReading | null {
  const exists = db.prepare("SELECT 1 FROM session_windows WHERE session_id = ?").get(file.session) !== undefined;
  if (!exists) return null;
  const sql = EVENTS(columnsOf(db, "transcript_events").has("event_zstd"));
  const reading = read();
  return {
    markAt: (offset) => placeOf(db, file.session, offset),
    next(offset): Step {
      const sums = { offset, rows: 0, bad: 0, bytes: 0 };
      for (const row of db.prepare<[string, number], EventRow>(sql).iterate(file.session, offset)) {
        const event = eventOf(row);
        if (event) reading.take(event, { offset: row.seq, line: row.seq + 1 });
        else sums.bad++;
        sums.rows++;
        sums.bytes += (row.json?.length ?? 0) + (row.zstd?.length ?? 0);
        sums.offset = row.seq + 1;
      }
      return { ...sums, isLast: sums.rows < PAGE, isUnfinished: false };
    },
    isFull: reading.isFull,
    finish: reading.finish,
  };
}

/** Of a compressed event as much as the schema allows. */
const MAX_EVENT_BYTES = 4_194_304;

type Inflate = (data: Uint8Array, options: { maxOutputLength: number }) => Buffer;

/** Node has it since 22.15; OpenClaw itself needs 24. */
const inflate = (zlib as { zstdDecompressSync?: Inflate }).zstdDecompressSync;

/** Undefined for what is damaged, and for words of a person that only a newer Node can read. */
function eventOf({ json, zstd, outline }: EventRow): Record<string, unknown> | undefined {
  if (zstd === null) return parsed(json);
  if (inflate) return inflated(zstd);
  // Long outputs of tools are what is compressed most; the outline keeps their place in the tree of events.
  const whole = parsed(outline);
  const event = isRecord(whole?.navigation) ? whole.navigation : undefined;
  const isPerson = isRecord(event?.message) && event.message.role === "user";
  return event && !isPerson ? { ...event, message: null } : undefined;
}

function inflated(zstd: Buffer): Record<string, unknown> | undefined {
  try {
    return parsed(inflate?.(zstd, { maxOutputLength: MAX_EVENT_BYTES }).toString("utf8") ?? null);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function parsed(text: string | null): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The event before a place, and the generation of the transcript, which changes when OpenClaw writes it anew. Whether this Node could
 * read every event before is part of it: with a newer one reading starts over, and finds what was closed.
 */
function placeOf(db: Database, session: string, offset: number): string | null {
  if (offset === 0) return "";
  const at = db
    .prepare<[string, number], { seq: number; at: number }>(
      "SELECT seq, created_at AS at FROM transcript_events WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT 1",
    )
    .get(session, offset);
  if (at === undefined) return null;
  const hasWatermarks = columnsOf(db, "transcript_rewrite_watermarks").has("generation");
  const generation = hasWatermarks
    ? db
        .prepare<[string], string>("SELECT generation FROM transcript_rewrite_watermarks WHERE session_id = ?")
        .pluck()
        .get(session)
    : undefined;
  return `${generation ?? ""}\n${at.seq}\n${at.at}\n${closedBefore(db, session, offset)}`;
}

/** Words of a person that are compressed: they have an outline, which tells the speaker. */
const CLOSED = "event_zstd IS NOT NULL AND json_extract(navigation_json, '$.navigation.message.role') = 'user'";

/** Whether compressed words matter: where Node can read them they are as good as any. */
function hasClosed(db: Database): boolean {
  return inflate === undefined && columnsOf(db, "transcript_events").has("event_zstd");
}

function closedBefore(db: Database, session: string, offset: number): number {
  if (!hasClosed(db)) return 0;
  const sql = `SELECT EXISTS (SELECT 1 FROM transcript_events WHERE session_id = ? AND seq < ? AND ${CLOSED})`;
  return db.prepare<[string, number], number>(sql).pluck().get(session, offset) ?? 0;
}

function noZstd(session: string, count: number): Trouble {
  return {
    code: "zstd-unsupported",
    message: `${count} long messages of session ${session} are compressed in a way that this Node cannot read`,
    hint: "Run memd with Node 22.15 or newer: it then reads what was passed over.",
  };
}
