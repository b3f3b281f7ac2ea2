/** Extractions that were paid for once, by the hash of what they were made from. */
import type { Database } from "../base/sqlite.ts";

/** One extraction is a few KB of JSON; a value beyond this is not one. */
export const LARGEST_VALUE = 1_000_000;

export function cacheGet(db: Database, key: string, now: number): string | null {
  const row = db.prepare<[string], { value: string }>("SELECT value FROM cache WHERE key = ?").get(key);
  if (!row) return null;
  db.prepare("UPDATE cache SET used = ? WHERE key = ?").run(now, key);
  return row.value;
}

export function cachePut(db: Database, key: string, entry: { value: string; now: number }): void {
  const bytes = Buffer.byteLength(entry.value);
  if (bytes > LARGEST_VALUE) return;
  db.prepare("INSERT OR REPLACE INTO cache VALUES (?, ?, ?, ?)").run(key, entry.value, bytes, entry.now);
}

/** Drops what was not used since `unusedSince` (epoch ms), then the longest unused until `bytes` are kept. */
export function trimCache(db: Database, { unusedSince, bytes }: { unusedSince: number; bytes: number }): void {
  db.prepare("DELETE FROM cache WHERE used < ?").run(unusedSince);
  db.prepare(
    `DELETE FROM cache WHERE key IN (
       SELECT key FROM (SELECT key, sum(bytes) OVER (ORDER BY used DESC, key) AS kept FROM cache) WHERE kept > ?
     )`,
  ).run(bytes);
}
