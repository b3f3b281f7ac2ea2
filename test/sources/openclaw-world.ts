/** An OpenClaw agent's database with the tables of version 2026.9 that hold sessions, and the gateway that writes it. */
import { openWriter } from "./opencode-world.ts";
import type { Json } from "./world.ts";

const TABLES = `
  CREATE TABLE session_nodes (session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL, entry_json TEXT NOT NULL,
    updated_at INTEGER NOT NULL, created_via TEXT) STRICT;
  CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT, reason TEXT,
    session_scope TEXT NOT NULL DEFAULT 'conversation', created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    transcript_updated_at INTEGER, hook_external_content_source TEXT, parent_session_key TEXT, spawned_by TEXT) STRICT;
  CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL,
    event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq),
    FOREIGN KEY (session_id) REFERENCES session_windows (session_id) ON DELETE CASCADE) STRICT;
  CREATE TABLE session_transcript_archives (session_id TEXT NOT NULL, generation TEXT NOT NULL, reason TEXT NOT NULL, encoding TEXT NOT NULL,
    archive_blob BLOB NOT NULL, PRIMARY KEY (session_id, generation)) STRICT;
  CREATE TABLE session_transcript_cold_archives (session_id TEXT NOT NULL PRIMARY KEY, archive_name TEXT NOT NULL, storage TEXT NOT NULL) STRICT;
  CREATE TABLE transcript_rewrite_watermarks (session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT;
  CREATE TABLE memory_session_tombstones (session_id TEXT NOT NULL PRIMARY KEY, agent_id TEXT NOT NULL, reason TEXT NOT NULL,
    created_at INTEGER NOT NULL) STRICT;`;

const START = Date.UTC(2026, 2, 2, 9);

/** A Zstandard frame of one raw block: valid, though it saves nothing. Node 20 cannot make a better one. */
export function zstd(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  const block = (bytes.length << 3) | 1;
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]);
  return Buffer.concat([header, size, Buffer.from([block & 0xff, (block >> 8) & 0xff, block >> 16]), bytes]);
}

/** Unpacks what `zstd` made, on any Node. */
export function unzstd(packed: Buffer): Buffer {
  const size = packed.readUInt32LE(5);
  if (packed.length !== 12 + size) throw new RangeError("damaged");
  return packed.subarray(12);
}

export interface WindowRow {
  id?: string;
  key?: string;
  spawnedBy?: string;
  hook?: string;
  via?: string;
  cwd?: string;
  scope?: string;
}

export function openclaw(path: string) {
  const db = openWriter(path);
  db.pragma("journal_mode = WAL");
  db.pragma("foreign_keys = ON");
  if (db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0) db.exec(TABLES);
  let count = Number(db.prepare("SELECT count(*) FROM transcript_events").pluck().get());
  const lastOf = new Map<string, string>();
  const now = () => START + count * 1_000;
  const client = {
    db,
    window({
      id = "ses_1",
      key = "agent:main:main",
      spawnedBy,
      hook,
      via,
      cwd = "/home/sam/claw",
      scope = "conversation",
    }: WindowRow = {}): string {
      db.prepare("INSERT OR IGNORE INTO session_nodes VALUES (?, ?, '{}', ?, ?)").run(key, id, now(), via ?? null);
      db.prepare("INSERT INTO session_windows VALUES (?, ?, NULL, 'initial', ?, ?, ?, NULL, ?, NULL, ?)").run(
        id,
        key,
        scope,
        now(),
        now(),
        hook ?? null,
        spawnedBy ?? null,
      );
      client.event({ type: "session", version: 4, id, cwd }, { session: id });
      return id;
    },
    event(body: Json, { session = "ses_1", isCompressed = false } = {}): string {
      count++;
      const id = body.type === "session" ? String(body.id) : `e${String(count).padStart(5, "0")}`;
      const timestamp = new Date(now()).toISOString();
      const event: Json = { parentId: lastOf.get(session) ?? null, timestamp, ...body, id };
      if (body.type !== "session") lastOf.set(session, id);
      const text = JSON.stringify(event);
      const seq = Number(
        db.prepare("SELECT ifnull(max(seq) + 1, 0) FROM transcript_events WHERE session_id = ?").pluck().get(session),
      );
      const message = event.message as Json | undefined;
      const outline = {
        version: 1,
        navigation: { type: event.type, id, parentId: event.parentId, message: { role: message?.role } },
      };
      db.prepare("INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?, ?, ?)").run(
        session,
        seq,
        isCompressed ? null : text,
        now(),
        isCompressed ? zstd(text) : null,
        Buffer.byteLength(text),
        isCompressed ? JSON.stringify(outline) : null,
      );
      db.prepare("UPDATE session_windows SET updated_at = ?, transcript_updated_at = ? WHERE session_id = ?").run(
        now(),
        now(),
        session,
      );
      return id;
    },
    user(
      content: unknown,
      more: Json = {},
      place: { session?: string; isCompressed?: boolean; parentId?: string } = {},
    ): string {
      const { parentId, ...where } = place;
      return client.event(
        {
          type: "message",
          ...(parentId === undefined ? {} : { parentId }),
          message: { role: "user", content, ...more },
        },
        where,
      );
    },
    agent: (text: string, session = "ses_1") =>
      client.event({ type: "message", message: { role: "assistant", content: [{ type: "text", text }] } }, { session }),
    talk(texts: readonly string[], session = "ses_1"): void {
      for (const text of texts) {
        client.user(text, { __openclaw: { senderIsOwner: true } }, { session });
        client.event({ type: "custom", customType: "openclaw.cache-ttl", data: {} }, { session });
        client.agent("ok", session);
      }
    },
    remove(session: string): void {
      db.prepare("DELETE FROM session_windows WHERE session_id = ?").run(session);
      lastOf.delete(session);
    },
    close: () => db.close(),
  };
  return client;
}
