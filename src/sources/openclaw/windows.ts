/** OpenClaw's windows on its endless conversations (schema 23, version 2026.9): each is a session. */
import type { Database } from "../../base/sqlite.ts";
import type { Trouble } from "../../ports.ts";
import { columnsOf, hasColumns } from "../database/columns.ts";
import type { SessionRow } from "../database/source.ts";
import { CLOSED, hasCompressed } from "./compressed.ts";

const NEEDED = {
  session_windows: ["session_id", "session_key", "updated_at"],
  transcript_events: ["session_id", "seq", "event_json", "created_at"],
};

interface Window {
  readonly session: string;
  readonly key: string;
  readonly updated: number;
  readonly spoken: number | null;
  readonly last: number | null;
  readonly spawned: string | null;
  readonly hook: string | null;
  readonly via: string | null;
  readonly cwd: string | null;
  /** A person had OpenClaw's memory forget what was said there. */
  readonly forgotten: number;
  readonly cold: number;
  /** Compressed words that this Node cannot read. */
  readonly closed: number;
}

/** One query. @param canUnpack whether compressed words can be read */
export function windowsOf(db: Database, canUnpack: boolean): SessionRow[] | null {
  if (!hasColumns(db, NEEDED)) return null;
  return db
    .prepare<[], Window>(windowsQuery(db, !canUnpack && hasCompressed(db)))
    .all()
    .map((window) => ({
      session: window.session,
      rows: window.last === null ? 0 : window.last + 1,
      changedAt: Math.max(window.updated, window.spoken ?? 0),
      drop: dropOf(window),
      ...(window.cwd === null ? {} : { cwd: window.cwd }),
      ...(window.closed > 0 ? { trouble: noZstd(window.session, window.closed) } : {}),
    }));
}

/** The folder in the first event of a session; null where that is compressed or damaged. */
const CWD = `(SELECT CASE WHEN json_valid(e.event_json) AND json_type(e.event_json, '$.cwd') = 'text' THEN json_extract(e.event_json, '$.cwd') END
        FROM transcript_events e WHERE e.session_id = w.session_id ORDER BY e.seq LIMIT 1)`;

/** Tables and columns that came with later versions, or only when they are first needed, count as empty where they are not. */
function windowsQuery(db: Database, countClosed: boolean): string {
  const own = columnsOf(db, "session_windows");
  const column = (name: string) => (own.has(name) ? `w.${name}` : "NULL");
  const listed = (table: string) =>
    columnsOf(db, table).has("session_id")
      ? `EXISTS (SELECT 1 FROM ${table} x WHERE x.session_id = w.session_id)`
      : "0";
  const hasVia = columnsOf(db, "session_nodes").has("created_via");
  // What was forgotten stays so when its window is gone.
  const gone = columnsOf(db, "memory_session_tombstones").has("session_id")
    ? `UNION ALL SELECT t.session_id, '', 0, NULL, NULL, NULL, NULL, NULL, NULL, 1, 0, 0 FROM memory_session_tombstones t
      WHERE NOT EXISTS (SELECT 1 FROM session_windows w WHERE w.session_id = t.session_id)`
    : "";
  return `
    SELECT w.session_id AS session, w.session_key AS key, w.updated_at AS updated, ${column("transcript_updated_at")} AS spoken,
      (SELECT max(e.seq) FROM transcript_events e WHERE e.session_id = w.session_id) AS last,
      ${column("spawned_by")} AS spawned, ${column("hook_external_content_source")} AS hook,
      ${hasVia ? "(SELECT n.created_via FROM session_nodes n WHERE n.session_key = w.session_key)" : "NULL"} AS via,
      ${CWD} AS cwd, ${listed("memory_session_tombstones")} AS forgotten, ${listed("session_transcript_cold_archives")} AS cold,
      ${countClosed ? `(SELECT count(*) FROM transcript_events e WHERE e.session_id = w.session_id AND ${CLOSED})` : "0"} AS closed
    FROM session_windows w ${gone} ORDER BY session`;
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

function noZstd(session: string, count: number): Trouble {
  return {
    code: "zstd-unsupported",
    message: `${count} long messages of session ${session} are compressed in a way that this Node cannot read`,
    hint: "Run memd with Node 22.15 or newer: it then reads what was passed over.",
  };
}
