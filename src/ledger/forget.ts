/** Removing texts from the database so that their bytes are gone from the file, and trimming what is old. */
import type { Database } from "../base/sqlite.ts";
import { trimCache } from "./cache.ts";
import { type IsMention, isTelling, mentionOf, scrub } from "./forgetting.ts";
import { type ChangeRow, changeFrom, dropRun, indexChange, indexRefusal } from "./runs.ts";
import type { Forgotten, Retention } from "./verbs.ts";

/**
 * Every row is looked at: a word index finds words, not texts. What supported a forgotten change is forgotten with it,
 * wherever else it was quoted.
 */
export function forget(db: Database, texts: readonly string[]): Forgotten {
  const remove = db.transaction(() => {
    const changes = mentioning(db, mentionOf(texts));
    const quotes = changes.flatMap(({ citations }) => citations.map(({ quote }) => quote));
    const isMention = mentionOf([...texts, ...quotes.filter(isTelling)]);
    const gone = mentioning(db, isMention);
    const drop = db.prepare("DELETE FROM changes WHERE id = ?");
    for (const { id } of [...changes, ...gone]) drop.run(id);
    const ids = new Set([...changes, ...gone].map(({ id }) => id));
    return ids.size + dropRows(db, isMention) + scrubReports(db, isMention);
  });
  const rows = remove.immediate();
  if (rows > 0) reindex(db);
  // Also where nothing was found: an earlier time may have been cut short between the two.
  return { rows, erased: erase(db) };
}

function mentioning(db: Database, isMention: IsMention) {
  const rows = db.prepare<[], ChangeRow>("SELECT * FROM changes").all();
  const whole = rows.map((row) => ({ id: row.id, ...changeFrom(db, row) }));
  return whole.filter((change) => isMention(JSON.stringify(change)));
}

/** Row ids by the texts of a table; the names are ours, never a user's. */
const TEXTS = [
  { table: "refused", key: "id", text: "text || char(10) || detail" },
  { table: "cache", key: "key", text: "value" },
] as const;

function dropRows(db: Database, isMention: IsMention): number {
  let rows = 0;
  for (const { table, key, text } of TEXTS) {
    const all = db
      .prepare<[], { key: unknown; text: string }>(`SELECT ${key} AS key, ${text} AS text FROM ${table}`)
      .all();
    const drop = db.prepare(`DELETE FROM ${table} WHERE ${key} = ?`);
    for (const row of all.filter((candidate) => isMention(candidate.text))) rows += drop.run(row.key).changes;
  }
  return rows;
}

function scrubReports(db: Database, isMention: IsMention): number {
  const all = db.prepare<[], { id: string; report: string }>("SELECT id, report FROM runs").all();
  const update = db.prepare("UPDATE runs SET report = ? WHERE id = ?");
  const touched = all.filter(({ report }) => isMention(report));
  for (const { id, report } of touched) update.run(JSON.stringify(scrub<unknown>(JSON.parse(report), isMention)), id);
  return touched.length;
}

/** A deleted row's words stay in the index's segments until they are merged; so the indexes are made anew. */
function reindex(db: Database): void {
  const anew = db.transaction(() => {
    db.exec("INSERT INTO change_words (change_words) VALUES ('delete-all')");
    db.exec("INSERT INTO refused_words (refused_words) VALUES ('delete-all')");
    for (const row of db.prepare<[], ChangeRow>("SELECT * FROM changes").all()) {
      const { before, after, reason, topic, citations } = changeFrom(db, row);
      indexChange(db, row.id, [before, after, reason, topic, ...citations.map(({ quote }) => quote)]);
    }
    const refused = db.prepare<[], { id: number; text: string }>("SELECT id, text FROM refused");
    for (const { id, text } of refused.all()) indexRefusal(db, id, text);
  });
  anew.immediate();
}

/** False when another connection kept the log from being emptied. */
function erase(db: Database): boolean {
  db.exec("VACUUM");
  const [checkpoint] = db.prepare<[], { busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)").all();
  return checkpoint?.busy === 0;
}

export function trim(db: Database, retention: Retention, now: number): void {
  const days = (count: number) => now - count * 86_400_000;
  const shrink = db.transaction(() => {
    const old = db.prepare<[string], { id: string }>("SELECT id FROM runs WHERE started < ?");
    for (const { id } of old.all(new Date(days(retention.days)).toISOString())) dropRun(db, id);
    trimCache(db, { unusedSince: days(retention.cacheDays), bytes: retention.cacheBytes });
    while (usedBytes(db) > retention.bytes && dropOldest(db));
  });
  shrink.immediate();
  db.pragma("incremental_vacuum");
}

/** Without the pages that deleted rows have left: those are given back afterwards. */
function usedBytes(db: Database): number {
  const value = (name: string) => Number(db.pragma(name, { simple: true }));
  return (value("page_count") - value("freelist_count")) * value("page_size");
}

/** Drops the oldest tenth of all runs; false when only the latest is left. */
function dropOldest(db: Database): boolean {
  const count = Number(db.prepare("SELECT count(*) FROM runs").pluck().get());
  const few = Math.min(count - 1, Math.ceil(count / 10));
  if (few < 1) return false;
  const oldest = db.prepare<[number], { id: string }>("SELECT id FROM runs ORDER BY started, id LIMIT ?");
  for (const { id } of oldest.all(few)) dropRun(db, id);
  return true;
}
