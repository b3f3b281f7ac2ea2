/** The events of one of OpenClaw's sessions, row by row. */
import { systemCode } from "../../base/errors.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import type { Database } from "../../base/sqlite.ts";
import type { Unzstd } from "../codex/unpacked.ts";
import { columnsOf } from "../database/columns.ts";
import type { SessionReading, Step } from "../database/source.ts";
import type { Reading } from "../jsonl/source.ts";
import { CLOSED, hasCompressed } from "./compressed.ts";

/** Undefined when the window is gone; null where the version does not tell. */
function scopeOf(db: Database, session: string): string | null | undefined {
  const column = columnsOf(db, "session_windows").has("session_scope") ? "session_scope" : "NULL";
  const sql = `SELECT ${column} FROM session_windows WHERE session_id = ?`;
  return db.prepare<[string], string | null>(sql).pluck().get(session);
}

/** The first event: it names the session and its folder. */
function headerOf(db: Database, session: string): string {
  const sql = "SELECT event_json FROM transcript_events WHERE session_id = ? ORDER BY seq LIMIT 1";
  return db.prepare<[string], string | null>(sql).pluck().get(session) ?? "";
}

/** Of an event as much as the schema allows where it is compressed; a larger one is passed over, and counted. */
const MAX_EVENT_BYTES = 16_777_216;

const PAGE = 256;

const EVENTS = (zstd: boolean) => `
  SELECT seq, CASE WHEN octet_length(event_json) <= ${MAX_EVENT_BYTES} THEN event_json END AS json, ${zstd ? "event_zstd AS zstd, navigation_json AS outline" : "NULL AS zstd, NULL AS outline"}
  FROM transcript_events WHERE session_id = ? AND seq >= ? ORDER BY seq LIMIT ${PAGE}`;

interface EventRow {
  readonly seq: number;
  readonly json: string | null;
  readonly zstd: Buffer | null;
  readonly outline: string | null;
}

export interface Events {
  readonly session: string;
  /** Null where Node cannot unpack. */
  readonly unzstd: Unzstd | null;
  /** Takes the events. @param isShared whether others than the agent's owner speak there */
  begin(head: string, isShared: boolean): Reading;
}

/** Null when the session is gone. */
export function eventsOf(db: Database, { session, unzstd, begin }: Events): SessionReading | null {
  const scope = scopeOf(db, session);
  if (scope === undefined) return null;
  const rows = db.prepare<[string, number], EventRow>(EVENTS(hasCompressed(db)));
  const reading = begin(headerOf(db, session), scope === "group" || scope === "channel");
  return {
    markAt: (offset) => placeOf(db, session, { offset, canUnpack: unzstd !== null }),
    next(offset): Step {
      const sums = { offset, rows: 0, bad: 0, bytes: 0 };
      for (const row of rows.iterate(session, offset)) {
        const event = eventOf(row, unzstd);
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

type Json = Record<string, unknown>;

/** Undefined for what is damaged, and for words of a person that only a newer Node can read. */
function eventOf({ json, zstd, outline }: EventRow, unzstd: Unzstd | null): Json | undefined {
  if (zstd === null) return parsed(json);
  if (unzstd) return parsed(unpacked(zstd, unzstd));
  // What tools put out is what is compressed most: its outline keeps the place in the tree of events.
  const whole = parsed(outline);
  const event = isRecord(whole?.navigation) ? whole.navigation : undefined;
  const isPerson = isRecord(event?.message) && event.message.role === "user";
  return event && !isPerson ? { ...event, message: null } : undefined;
}

function unpacked(zstd: Buffer, unzstd: Unzstd): string | null {
  try {
    return unzstd(zstd, MAX_EVENT_BYTES).toString("utf8");
  } catch (error) {
    if (systemCode(error) === null && !(error instanceof RangeError)) throw error;
    return null;
  }
}

function parsed(text: string | null): Json | undefined {
  const value = parseJson(text ?? "");
  return isRecord(value) ? value : undefined;
}

/**
 * The event before a place, and the generation of the transcript, which changes when OpenClaw writes it anew. Whether this Node could
 * read every event before is part of it: with a newer one reading starts over, and finds what was closed.
 */
function placeOf(
  db: Database,
  session: string,
  { offset, canUnpack }: { offset: number; canUnpack: boolean },
): string | null {
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
  return `${generation ?? ""}\n${at.seq}\n${at.at}\n${canUnpack ? 0 : closedBefore(db, session, offset)}`;
}

function closedBefore(db: Database, session: string, offset: number): number {
  if (!hasCompressed(db)) return 0;
  const sql = `SELECT EXISTS (SELECT 1 FROM transcript_events WHERE session_id = ? AND seq < ? AND ${CLOSED})`;
  return db.prepare<[string, number], number>(sql).pluck().get(session, offset) ?? 0;
}
