/**
 * The ledger: every run, change and refusal, over all stores. Kept in SQLite; where that is missing, busy or broken
 * the same verbs work on files, and what they took down is brought into the next database that works.
 */
import { dirname } from "node:path";
import type { Files } from "../base/files.ts";
import type { Random } from "../base/ids.ts";
import { type Opened, openDatabase, sqliteCode } from "../base/sqlite.ts";
import type { Notice } from "../memory/changeset.ts";
import { cacheFiles } from "./cache-files.ts";
import { databaseLedger, takeOver } from "./database-ledger.ts";
import { fileLedger } from "./file-ledger.ts";
import { openPending } from "./pending.ts";
import type { RunReport } from "./report.ts";
import { MIGRATIONS } from "./schema.ts";
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
  const cache = cacheFiles(world.files, dirname(path), token);
  const files = fileLedger(pending, cache, world.lastRuns);
  const isNew = (world.files.stat(path)?.size ?? 0) === 0;
  const opened = await openDatabase(world.files, { path, migrations: MIGRATIONS, token: token() });
  if (opened.state === "missing") {
    const { code, message, hint } = opened;
    return { ...files, condition: { code, message, hint }, close: () => undefined };
  }
  const ledger = withFallback(opened, databaseLedger(opened.db), {
    verbs: files,
    settle: () => takeOver(opened.db, pending, cache),
  });
  if (isNew || opened.movedTo) for (const report of world.lastRuns()) ledger.recordRun(report);
  return ledger;
}

/** What the files can do while the database cannot; `settle` brings what they took down into the database. */
interface Fallback {
  readonly verbs: Verbs;
  settle(): void;
}

type Verb<A extends readonly unknown[], R> = (...args: A) => R;

/** Calls a verb of the database, and another one where the database fails; what pends is settled before the next call. */
function guarding(pends: () => void) {
  let fault: Notice | null = null;
  /** Something may pend: from an earlier process, or since a fault. */
  let owed = true;
  const guard = <T>(act: () => T, instead: () => T): T => {
    try {
      return act();
    } catch (error) {
      if (sqliteCode(error) === null) throw error;
      [owed, fault] = [true, faulty(error)];
      return instead();
    }
  };
  const settle = () => {
    pends();
    [owed, fault] = [false, null];
  };
  const either = <A extends readonly unknown[], R>(verb: Verb<A, R>, instead: Verb<A, R>): Verb<A, R> => {
    return (...args) => {
      if (owed) guard(settle, () => undefined);
      return guard(
        () => verb(...args),
        () => instead(...args),
      );
    };
  };
  return { either, fault: () => fault };
}

/** A fault of the database, at once or in the middle of its life, is a condition, and the files answer instead. */
function withFallback({ db, movedTo }: Opened, base: Verbs, { verbs: files, settle }: Fallback): Ledger {
  const { either, fault } = guarding(settle);
  return {
    get condition() {
      return fault() ?? (movedTo ? rebuilt(movedTo) : null);
    },
    close: () => db.close(),
    recordRun: either(base.recordRun, files.recordRun),
    history: either(base.history, files.history),
    find: either(base.find, files.find),
    changesOf: either(base.changesOf, files.changesOf),
    changesMatching: either(base.changesMatching, files.changesMatching),
    refusedMatching: either(base.refusedMatching, files.refusedMatching),
    cacheGet: either(base.cacheGet, files.cacheGet),
    cachePut: either(base.cachePut, files.cachePut),
    forget: either(base.forget, (texts) => ({ ...files.forget(texts), erased: false })),
    trim: either(base.trim, files.trim),
  };
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
    hint: "Nothing is lost: runs are kept in a file until the ledger works again; restart memd if this stays.",
  };
}
