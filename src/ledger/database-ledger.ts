/** The ledger's verbs on a database; each throws SQLite's own error. */
import type { Database } from "../base/sqlite.ts";
import { cacheGet, cachePut } from "./cache.ts";
import type { CacheFiles } from "./cache-files.ts";
import { forget, trim } from "./forget.ts";
import type { Pending } from "./pending.ts";
import { changesOf, find, history, recordRun } from "./runs.ts";
import { changesMatching, refusedMatching } from "./search.ts";
import type { Verbs } from "./verbs.ts";

export function databaseLedger(db: Database): Verbs {
  return {
    recordRun: (report) => recordRun(db, report),
    history: (filter) => history(db, filter),
    find: (run, store) => find(db, run, store),
    changesOf: (run) => changesOf(db, run),
    changesMatching: (text) => changesMatching(db, text),
    refusedMatching: (text) => refusedMatching(db, text),
    cacheGet: (key, now) => cacheGet(db, key, now),
    cachePut: (key, value, now) => cachePut(db, key, { value, now }),
    forget: (texts) => forget(db, texts),
    trim: (retention, now) => trim(db, retention, now),
  };
}

/** Brings in what pends, in one transaction per file, and what was paid for meanwhile. */
export function takeOver(db: Database, pending: Pending, cache: CacheFiles): void {
  cache.takeOver((key, value, used) => cachePut(db, key, { value, now: used }));
  pending.takeOver((items) => {
    const take = db.transaction(() => {
      for (const { report } of items) recordRun(db, report);
    });
    take.immediate();
  });
}
