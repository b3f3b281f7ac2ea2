/** An opencode database with the tables and indexes of version 1.18, and the client that writes it. */
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import type { Json } from "./world.ts";

const TABLES = `
  CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL, title text NOT NULL,
    version text NOT NULL, revert text, permission text, time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL REFERENCES message (id) ON DELETE CASCADE, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE event (id text PRIMARY KEY, aggregate_id text NOT NULL, seq integer NOT NULL, type text NOT NULL, data text NOT NULL);
  CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
  CREATE INDEX part_message_id_id_idx ON part (message_id, id);
  CREATE INDEX session_parent_idx ON session (parent_id);`;

const START = Date.UTC(2026, 2, 2, 9);

/** The rules that `opencode run` gives to its sessions. */
export const RUN = [{ permission: "question", pattern: "*", action: "deny" }];

export interface SessionRow {
  id?: string;
  directory?: string;
  parent?: string;
  permission?: unknown;
}

export function openWriter(path: string): BetterSqlite3.Database {
  const Driver: typeof BetterSqlite3 = createRequire(import.meta.url)("better-sqlite3");
  mkdirSync(dirname(path), { recursive: true });
  // No waiting at all: whoever keeps it from writing makes it throw.
  return new Driver(path, { timeout: 0 });
}

export function opencode(path: string) {
  const db = openWriter(path);
  db.pragma("journal_mode = WAL");
  db.pragma("foreign_keys = ON");
  if (db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0) db.exec(TABLES);
  let count = Number(db.prepare("SELECT count(*) FROM event").pluck().get()) * 4;
  const next = (kind: string) => `${kind}_${String(++count).padStart(6, "0")}`;
  const now = () => START + count * 1_000;
  const client = {
    db,
    session({ id = "ses_1", directory = "/home/sam/app", parent, permission }: SessionRow = {}): string {
      db.prepare("INSERT INTO session VALUES (?, 'p', ?, ?, 'A talk', '1.18.33', NULL, ?, ?, ?, NULL)").run(
        id,
        parent ?? null,
        directory,
        permission === undefined ? null : JSON.stringify(permission),
        now(),
        now(),
      );
      return id;
    },
    message(data: Json, session = "ses_1"): string {
      const id = next("msg");
      const time = { created: now(), ...(data.time as Json | undefined) };
      db.prepare("INSERT INTO message VALUES (?, ?, ?, ?, ?)").run(
        id,
        session,
        now(),
        now(),
        JSON.stringify({ ...data, time }),
      );
      return id;
    },
    part(message: string, data: unknown, session = "ses_1"): string {
      const id = next("prt");
      const text = typeof data === "string" ? data : JSON.stringify(data);
      db.prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)").run(id, message, session, now(), now(), text);
      // Every update is an event too, with the whole text.
      db.prepare("INSERT INTO event VALUES (?, ?, ?, 'message.part.updated.1', ?)").run(
        next("evt"),
        session,
        count,
        text,
      );
      return id;
    },
    user(text: string | readonly Json[], session = "ses_1"): string {
      const id = client.message({ role: "user" }, session);
      const parts = typeof text === "string" ? [{ type: "text", text }] : text;
      for (const part of parts) client.part(id, part, session);
      return id;
    },
    answer(parts: string | readonly Json[] = "ok", more: Json = {}, session = "ses_1"): string {
      const id = client.message({ role: "assistant", time: { completed: now() + 1 }, ...more }, session);
      for (const part of typeof parts === "string" ? [{ type: "text", text: parts }] : parts)
        client.part(id, part, session);
      return id;
    },
    /** One turn per text, each with its answer. */
    talk(texts: readonly string[], session = "ses_1"): void {
      for (const text of texts) {
        client.user(text, session);
        client.answer("ok", {}, session);
      }
    },
    ends(message: string): void {
      const data = JSON.parse(String(db.prepare("SELECT data FROM message WHERE id = ?").pluck().get(message)));
      count++;
      db.prepare("UPDATE message SET data = ?, time_updated = ? WHERE id = ?").run(
        JSON.stringify({ ...data, time: { ...data.time, completed: now() } }),
        now(),
        message,
      );
    },
    revert(message: string | null, session = "ses_1"): void {
      count++;
      const revert = message === null ? null : JSON.stringify({ messageID: message, snapshot: "abc" });
      db.prepare("UPDATE session SET revert = ?, time_updated = ? WHERE id = ?").run(revert, now(), session);
    },
    close: () => db.close(),
  };
  return client;
}
