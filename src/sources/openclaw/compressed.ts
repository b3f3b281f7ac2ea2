/** Events that OpenClaw compressed: long ones, mostly what tools put out. An outline in plain text tells whose words they are. */
import type { Database } from "../../base/sqlite.ts";
import { columnsOf } from "../database/columns.ts";

/** Words of a person that are compressed; a condition over `transcript_events`. */
export const CLOSED = "event_zstd IS NOT NULL AND json_extract(navigation_json, '$.navigation.message.role') = 'user'";

/** Older versions compressed none. */
export function hasCompressed(db: Database): boolean {
  return columnsOf(db, "transcript_events").has("event_zstd");
}
