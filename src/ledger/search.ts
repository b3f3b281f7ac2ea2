/** Searching what was changed and what was refused. */
import type { Database } from "../base/sqlite.ts";
import { type ChangeRow, changeFrom } from "./runs.ts";
import { MATCHES, type PastChange, type PastRefusal } from "./verbs.ts";
import { matchQuery } from "./words.ts";

interface Origin {
  readonly run: string;
  readonly store: string;
  readonly at: string;
}

export function changesMatching(db: Database, text: string): PastChange[] {
  const query = matchQuery(text);
  if (query === null) return [];
  const rows = db.prepare<[string, number], ChangeRow & Origin>(
    `SELECT changes.*, runs.store, runs.started AS at FROM change_words
       JOIN changes ON changes.id = change_words.rowid JOIN runs ON runs.id = changes.run
     WHERE change_words MATCH ? ORDER BY change_words.rank, runs.started DESC LIMIT ?`,
  );
  return rows
    .all(query, MATCHES)
    .map((row) => ({ run: row.run, store: row.store, at: row.at, change: changeFrom(db, row) }));
}

export function refusedMatching(db: Database, text: string): PastRefusal[] {
  const query = matchQuery(text);
  if (query === null) return [];
  const rows = db.prepare<[string, number], PastRefusal>(
    `SELECT refused.run, runs.store, runs.started AS at, operation, rule, detail, refused.text FROM refused_words
       JOIN refused ON refused.id = refused_words.rowid JOIN runs ON runs.id = refused.run
     WHERE refused_words MATCH ? ORDER BY refused_words.rank, runs.started DESC LIMIT ?`,
  );
  return rows.all(query, MATCHES);
}
