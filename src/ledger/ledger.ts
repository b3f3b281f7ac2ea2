/**
 * The ledger: every run, change, refusal and spend, over all stores. Kept in SQLite; where that is missing, busy or broken
 * the same verbs work on files, and what they took down is brought into the next database that opens.
 */
import type { Files } from "../base/files.ts";
import type { Random } from "../base/ids.ts";
import { type Database, type Opened, openDatabase, sqliteCode } from "../base/sqlite.ts";
import type { Notice } from "../memory/changeset.ts";
import { cacheGet, cachePut } from "./cache.ts";
import { fileLedger } from "./file-ledger.ts";
import { forget, trim } from "./forget.ts";
import { openPending, type Pending } from "./pending.ts";
import type { RunReport } from "./report.ts";
import { changesOf, find, history, recordRun } from "./runs.ts";
import { MIGRATIONS } from "./schema.ts";
import { changesMatching, refusedMatching } from "./search.ts";
import { addSpend, spent } from "./spend.ts";
import type { Ledger, Verbs } from "./verbs.ts";

export type * from "./verbs.ts";

export interface LedgerWorld {
  readonly files: Files;
  readonly random: Random;
  /** The last run of each store, as its files tell: what history starts from when there is no database, or a new one. */
  readonly lastRuns: () => readonly RunReport[];
}

/** @param path of the database, in the state directory; its folder is made */
export async function openLedger(world: LedgerWorld, path: string): Promise<Ledger> {
  const token = () => Buffer.from(world.random(8)).toString("hex");
  const pending = openPending(world.files, path, token);
  const files = fileLedger(pending, world.lastRuns, token);
  const isNew = (world.files.stat(path)?.size ?? 0) === 0;
  const opened = await openDatabase(world.files, { path, migrations: MIGRATIONS, token: token() });
  if (opened.state === "missing") return { ...files, condition: noticeOf(opened), close: () => undefined };
  const ledger = databaseLedger(opened, files, { pending, token });
  if (isNew || opened.movedTo) for (const report of world.lastRuns()) ledger.recordRun(report);
  return ledger;
}

function databaseLedger(opened: Opened, fallback: Verbs, own: { pending: Pending; token: () => string }): Ledger {
  const { db } = opened;
  let fault: Notice | null = null;
  let owed = true;
  /** A fault of the database, now or in the middle of its life, is a condition; the files answer instead. */
  const attempt = <T>(act: () => T, instead: () => T): T => {
    try {
      if (owed) takeOver(db, own.pending);
      owed = false;
      const answer = act();
      fault = null;
      return answer;
    } catch (error) {
      if (sqliteCode(error) === null) throw error;
      owed = true;
      fault = faulty(error);
      return instead();
    }
  };
  return {
    get condition() {
      return fault ?? (opened.movedTo ? rebuilt(opened.movedTo) : null);
    },
    close: () => db.close(),
    recordRun: (report) =>
      attempt(
        () => recordRun(db, report),
        () => fallback.recordRun(report),
      ),
    history: (filter) =>
      attempt(
        () => history(db, filter),
        () => fallback.history(filter),
      ),
    find: (run, store) =>
      attempt(
        () => find(db, run, store),
        () => fallback.find(run, store),
      ),
    changesOf: (run) =>
      attempt(
        () => changesOf(db, run),
        () => fallback.changesOf(run),
      ),
    changesMatching: (text) =>
      attempt(
        () => changesMatching(db, text),
        () => fallback.changesMatching(text),
      ),
    refusedMatching: (text) =>
      attempt(
        () => refusedMatching(db, text),
        () => fallback.refusedMatching(text),
      ),
    addSpend: (spend) =>
      attempt(
        () => addSpend(db, own.token(), spend),
        () => fallback.addSpend(spend),
      ),
    spend: (ranges) =>
      attempt(
        () => spent(db, ranges),
        () => fallback.spend(ranges),
      ),
    cacheGet: (key, now) =>
      attempt(
        () => cacheGet(db, key, now),
        () => null,
      ),
    cachePut: (key, value, now) =>
      attempt(
        () => cachePut(db, key, { value, now }),
        () => undefined,
      ),
    forget: (texts) =>
      attempt(
        () => forget(db, texts),
        () => ({ ...fallback.forget(texts), erased: false }),
      ),
    trim: (retention, now) =>
      attempt(
        () => trim(db, retention, now),
        () => undefined,
      ),
  };
}

function takeOver(db: Database, pending: Pending): void {
  pending.takeOver((items) => {
    const take = db.transaction(() => {
      for (const item of items) {
        if (item.kind === "run") recordRun(db, item.report);
        else addSpend(db, item.id, item.spend);
      }
    });
    take.immediate();
  });
}

function noticeOf({ code, message, hint }: Notice): Notice {
  return { code, message, hint };
}

function rebuilt(movedTo: string): Notice {
  return {
    code: "ledger-rebuilt",
    message: `The ledger was damaged and started anew; the old one is ${movedTo}.`,
    hint: "Memories are not affected. Delete the old file when you do not want to look into it.",
  };
}

function faulty(error: unknown): Notice {
  return {
    code: sqliteCode(error)?.startsWith("SQLITE_BUSY") ? "ledger-busy" : "ledger-faulty",
    message: `The ledger could not be used: ${error instanceof Error ? error.message : String(error)}.`,
    hint: "Nothing is lost: runs and spend are kept in a file until the ledger works again; restart memd if this stays.",
  };
}
