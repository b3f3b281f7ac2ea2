/**
 * The one home of better-sqlite3. It is optional: the native part may be missing, or built for another Node, and its calls
 * block the event loop. So it is loaded when first needed, waits briefly for a lock, and its absence is a value.
 */
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import type { Files } from "./files.ts";

export type Database = BetterSqlite3.Database;
type Driver = typeof BetterSqlite3;

/** Two waits of this length in one tick still leave the lock's heartbeat and a person's status alone. */
const BUSY_MS = 200;

/** Version 13 needs Node 22 and kills the process on Node 20 (segmentation fault) instead of failing to load. */
const MAJOR = 12;

export type Missing = {
  readonly state: "missing";
  /** `no-sqlite`: the driver cannot be used; `database-busy`, `database-unusable`: this one file cannot be, now. */
  readonly code: "no-sqlite" | "database-busy" | "database-unusable";
  readonly message: string;
  readonly hint: string;
};

export type Opened = {
  readonly state: "open";
  readonly db: Database;
  /** Where a damaged file was moved before a new one was made; null in the ordinary case. */
  readonly movedTo: string | null;
};

export interface DatabaseFile {
  readonly path: string;
  /** SQL scripts; the n-th brings `user_version` from n to n + 1. Never edited once released. */
  readonly migrations: readonly string[];
  /** Ends the name of a damaged file that is moved aside; unique, safe in file names. */
  readonly token: string;
}

/** Opens a database of our own, making its folder, the file and its tables; a damaged one is moved aside and made anew. */
export async function openDatabase(files: Files, file: DatabaseFile): Promise<Opened | Missing> {
  const driver = loadDriver();
  if ("state" in driver) return driver;
  try {
    files.mkdir(dirname(file.path), 0o700);
    // Made by us first, since SQLite would make it with the umask's mode.
    if (files.stat(file.path) === null) files.create(file.path, "", 0o600);
    try {
      return { state: "open", db: openOwn(driver, file), movedTo: null };
    } catch (error) {
      if (!isDamage(error)) throw error;
      const movedTo = moveAside(files, file);
      files.create(file.path, "", 0o600);
      return { state: "open", db: openOwn(driver, file), movedTo };
    }
  } catch (error) {
    return unusable(file.path, error);
  }
}

/**
 * Opens another program's database for reading only; writes nothing beside it except what SQLite itself needs to share it:
 * in WAL mode a `-shm` file, and where its program has closed it an empty `-wal`. Never checkpoints.
 */
export function openReadOnly(path: string): Opened | Missing {
  const driver = loadDriver();
  if ("state" in driver) return driver;
  try {
    const db = new driver(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
    return { state: "open", db: checked(db, () => db.pragma("schema_version")), movedTo: null };
  } catch (error) {
    return unusable(path, error);
  }
}

/** In the header of a database file: the versions to write and to read it; 1 means a rollback journal, 2 a write-ahead log. */
const MODE_AT = [18, 19] as const;
const WAL_MODE = 2;

export function isWalMode(header: Uint8Array): boolean {
  return MODE_AT.every((at) => header[at] === WAL_MODE);
}

/** Opens a whole database that was read into memory, with nothing on disk. @param bytes is changed: a copy has no log */
export function openCopy(bytes: Buffer, path: string): Opened | Missing {
  const driver = loadDriver();
  if ("state" in driver) return driver;
  try {
    if (isWalMode(bytes)) for (const at of MODE_AT) bytes[at] = 1;
    const db = new driver(bytes, { readonly: true });
    return { state: "open", db: checked(db, () => db.pragma("schema_version")), movedTo: null };
  } catch (error) {
    return unusable(path, error);
  }
}

/** The file itself is broken: nothing that waiting or a retry could mend. */
function isDamage(error: unknown): boolean {
  return /^SQLITE_(NOTADB|CORRUPT|FORMAT)/.test(sqliteCode(error) ?? "");
}

/** `SQLITE_BUSY`, `SQLITE_NOTADB`, ... of anything thrown, or null when it did not come from SQLite. */
export function sqliteCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null;
  return error.code.startsWith("SQLITE_") ? error.code : null;
}

function loadDriver(): Driver | Missing {
  try {
    const load = createRequire(import.meta.url);
    const { version } = load("better-sqlite3/package.json");
    if (Number.parseInt(version, 10) !== MAJOR) return noDriver(`better-sqlite3 ${version} is not version ${MAJOR}`);
    const driver: Driver = load("better-sqlite3");
    // The native part is loaded by the first database, not by the package.
    new driver(":memory:").close();
    return driver;
  } catch (error) {
    return noDriver(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
  }
}

function noDriver(why: string): Missing {
  return {
    state: "missing",
    code: "no-sqlite",
    message: `SQLite cannot be loaded (${why}); history and search are off, dreams go on.`,
    hint: "Run `npm rebuild better-sqlite3` in memd's folder (add -g for a global installation), then restart memd.",
  };
}

function unusable(path: string, error: unknown): Missing {
  const why = error instanceof Error ? error.message : String(error);
  const busy = sqliteCode(error)?.startsWith("SQLITE_BUSY") ?? false;
  return {
    state: "missing",
    code: busy ? "database-busy" : "database-unusable",
    message: `The database ${path} cannot be used: ${why}.`,
    hint: busy ? "Another program holds it; memd tries again." : "Check the folder's permissions and free space.",
  };
}

function openOwn(driver: Driver, file: DatabaseFile): Database {
  const db = new driver(file.path, { timeout: BUSY_MS });
  return checked(db, () => {
    const check = db.pragma("quick_check(1)", { simple: true });
    if (check !== "ok") throw Object.assign(new Error(String(check)), { code: "SQLITE_CORRUPT" });
    // Space of deleted rows is given back piecemeal. Before anything is written: it has no effect on a file that is begun.
    db.pragma("auto_vacuum = INCREMENTAL");
    claim(db);
    db.pragma("journal_mode = WAL");
    // A new file in WAL mode starts at FULL, seven times slower per commit; NORMAL loses at most the last commits at power loss.
    db.pragma("synchronous = NORMAL");
    db.pragma("secure_delete = ON");
    db.pragma("foreign_keys = ON");
    migrate(db, file.migrations);
  });
}

/** `memd` in ASCII: SQLite's own field for whose file it is. */
const APPLICATION_ID = 0x6d656d64;

/** Another program's database in our place is as good as a damaged one: it goes aside, whole. */
function claim(db: Database): void {
  const tables = Number(db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get());
  const owner = db.pragma("application_id", { simple: true });
  if (tables > 0 && owner !== APPLICATION_ID) {
    throw Object.assign(new Error("another program made this database"), { code: "SQLITE_NOTADB" });
  }
  db.pragma(`application_id = ${APPLICATION_ID}`);
}

/** Runs `act`; the database is closed again when it throws. */
function checked(db: Database, act: () => void): Database {
  try {
    act();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: Database, migrations: readonly string[]): void {
  const step = db.transaction(() => {
    const version = Number(db.pragma("user_version", { simple: true }));
    if (version > migrations.length) throw new Error(`it was made by a newer memd (schema ${version})`);
    for (const sql of migrations.slice(version)) db.exec(sql);
    db.pragma(`user_version = ${migrations.length}`);
  });
  // Immediate: two processes that start together must not both read the old version.
  if (Number(db.pragma("user_version", { simple: true })) !== migrations.length) step.immediate();
}

/** The write-ahead files belong to the damaged file: left behind they would be replayed into the new one. */
function moveAside(files: Files, { path, token }: DatabaseFile): string {
  const aside = `${path}.damaged-${token}`;
  for (const suffix of ["-wal", "-shm", ""]) {
    if (files.lstat(path + suffix)) files.rename(path + suffix, aside + suffix);
  }
  return aside;
}
