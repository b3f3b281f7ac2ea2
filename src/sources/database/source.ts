/**
 * The frame of every client that keeps its sessions in an SQLite database. One query lists them all; a session is read row by row from
 * its place on. Nothing is written, nothing checkpointed, and no statement outlives a chunk, so that no client ever waits for memd.
 */
import { MemdError } from "../../base/errors.ts";
import type { Files } from "../../base/files.ts";
import { shortHash } from "../../base/ids.ts";
import { type Database, type Missing, sqliteCode } from "../../base/sqlite.ts";
import type { Cursor, TranscriptFile, TranscriptRead, TranscriptSource, Trouble } from "../../ports.ts";
import type { Finished } from "../jsonl/source.ts";
import { walkNamed } from "../jsonl/walk.ts";
import { breathe } from "../lines.ts";
import { databaseKeeper, type Keeper } from "./keeper.ts";
import { listedOnce } from "./listings.ts";

/** A client's tables. */
export interface DatabaseFormat {
  readonly client: string;
  /** Formats of one name list a database alike. */
  readonly name: string;
  /** Whether a file of this name is such a database. */
  hasName(name: string): boolean;
  /** Every session, by one query; null when the tables are none that this format knows. */
  sessions(db: Database): readonly SessionRow[] | null;
  /** Null when the session is gone. */
  begin(db: Database, file: TranscriptFile): SessionReading | null;
}

export interface SessionRow {
  readonly session: string;
  /** Where reading would end: the number of rows, or the highest one's plus one. */
  readonly rows: number;
  /** Epoch ms; changes whenever something that `rows` does not count does. */
  readonly changedAt: number;
  readonly drop: string | null;
  /** Where it began, absolute; absent where the tables do not say. */
  readonly cwd?: string;
  readonly trouble?: Trouble;
}

export interface SessionReading {
  /** What no other history has before this row; null when there are not so many rows. */
  markAt(offset: number): string | null;
  /** Takes the next rows. Synchronous: whatever it sees is of one moment. */
  next(offset: number): Step;
  isFull(): boolean;
  finish(): Finished & Pick<TranscriptRead, "writes">;
}

export interface Step {
  /** Where the next step begins; the same again when nothing was taken. */
  readonly offset: number;
  readonly rows: number;
  readonly bad: number;
  readonly bytes: number;
  /** Nothing may be taken beyond this step, now. */
  readonly isLast: boolean;
  /** Rows follow that are not settled yet. */
  readonly isUnfinished: boolean;
}

export function databaseSource(files: Files, format: DatabaseFormat): TranscriptSource {
  const keeper = databaseKeeper(files);
  return {
    client: format.client,
    *list(root) {
      for (const file of walkNamed(files, root, (path) => nameOf(format, path)))
        if (file.drop === null) yield* sessionsIn(files, { keeper, format, database: file });
        else yield file;
    },
    read: (file, from, signal) => readSession(keeper, format, { file, from, signal }),
    cursorAt(file, offset) {
      const begun = begin(keeper, format, file);
      try {
        return begun && cursorOf(file, offset, begun.reading.markAt(offset));
      } finally {
        begun?.release();
      }
    },
  };
}

function nameOf(format: DatabaseFormat, path: string): { session: string; drop: null } | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return format.hasName(name) ? { session: name, drop: null } : null;
}

interface Place {
  readonly keeper: Keeper;
  readonly format: DatabaseFormat;
  readonly database: TranscriptFile;
}

/** The sessions of one database; or the database itself, with why they cannot be had. */
function sessionsIn(files: Files, place: Place): TranscriptFile[] {
  const { path, ino, dev } = place.database;
  const refused: TranscriptFile[] = [];
  const rows = listedOnce(files, { name: place.format.name, path }, () => {
    const asked = askedFor(place);
    if (asked.state === "rows") return asked.rows;
    if (asked.state === "closed") refused.push({ ...place.database, drop: asked.trouble.code, trouble: asked.trouble });
    return null;
  });
  if (rows === null) return refused;
  return rows.map(({ rows: size, changedAt: mtime, ...row }) => {
    return { ...row, path: `${path}#${row.session}`, size, mtime, ino, dev, container: path };
  });
}

type Asked =
  | { readonly state: "gone" }
  | { readonly state: "rows"; readonly rows: readonly SessionRow[] }
  | { readonly state: "closed"; readonly trouble: Trouble };

function askedFor({ keeper, format, database: { path } }: Place): Asked {
  const lease = keeper.open(path);
  if (lease === null) return { state: "gone" };
  if (lease.state === "missing") return { state: "closed", trouble: troubleOf(path, lease) };
  try {
    const rows = format.sessions(lease.db);
    return rows === null ? { state: "closed", trouble: unknownTables(format, path) } : { state: "rows", rows };
  } catch (error) {
    if (sqliteCode(error) === null) throw error;
    return { state: "closed", trouble: broken(path, error) };
  } finally {
    lease.release();
  }
}

interface ReadJob {
  readonly file: TranscriptFile;
  readonly from: Cursor | null;
  readonly signal: AbortSignal;
}

async function readSession(keeper: Keeper, format: DatabaseFormat, job: ReadJob): Promise<TranscriptRead | null> {
  job.signal.throwIfAborted();
  const begun = begin(keeper, format, job.file);
  try {
    return begun && (await readRows(begun.reading, job));
  } finally {
    begun?.release();
  }
}

interface Begun {
  readonly reading: SessionReading;
  release(): void;
}

/** Null when the database or the session in it is gone. @throws MemdError unavailable when it cannot be opened */
function begin(keeper: Keeper, format: DatabaseFormat, file: TranscriptFile): Begun | null {
  const path = file.container ?? file.path;
  const lease = keeper.open(path);
  if (lease === null) return null;
  if (lease.state === "missing") throw new MemdError({ family: "unavailable", ...troubleOf(path, lease) });
  let reading: SessionReading | null = null;
  try {
    reading = format.begin(lease.db, file);
    return reading && { reading, release: lease.release };
  } finally {
    if (reading === null) lease.release();
  }
}

async function readRows(reading: SessionReading, { file, from, signal }: ReadJob): Promise<TranscriptRead> {
  const start = from && fits(reading, file, from) ? from.offset : 0;
  const counts = { lines: 0, bad: 0, unfinished: 0, bytes: 0 };
  let offset = start;
  for (let isLast = false; !isLast; ) {
    const step = reading.next(offset);
    counts.lines += step.rows;
    counts.bad += step.bad;
    counts.bytes += step.bytes;
    counts.unfinished = step.isUnfinished ? 1 : 0;
    isLast = step.isLast || step.offset === offset || reading.isFull();
    offset = step.offset;
    await breathe();
    signal.throwIfAborted();
  }
  return { ...reading.finish(), start, end: cursorOf(file, offset, reading.markAt(offset)), counts };
}

/** The database is still the same file, and the session's history before the place the same one. */
function fits(reading: SessionReading, file: TranscriptFile, from: Cursor): boolean {
  return (
    from.ino === file.ino && cursorOf(file, from.offset, reading.markAt(from.offset)).fingerprint === from.fingerprint
  );
}

/** One at the start when the session has lost rows meanwhile. */
function cursorOf({ dev, ino, path }: TranscriptFile, offset: number, mark: string | null): Cursor {
  const at = mark === null ? 0 : offset;
  return {
    dev,
    ino,
    offset: at,
    lines: at,
    fingerprint: at === 0 ? "" : shortHash(`${path.slice(path.lastIndexOf("#"))}\n${mark}`),
  };
}

function troubleOf(path: string, { code, message, hint }: Missing): Trouble {
  if (code !== "no-sqlite") return { code, message, hint };
  return { code, message: `the sessions in ${path} cannot be read: SQLite's native part does not load here`, hint };
}

function broken(path: string, error: unknown): Trouble {
  const isBusy = sqliteCode(error)?.startsWith("SQLITE_BUSY") ?? false;
  return {
    code: isBusy ? "database-busy" : "database-unusable",
    message: `the sessions in ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    hint: isBusy ? "Another program holds it; memd tries again." : "See whether its own program can still open it.",
  };
}

function unknownTables({ client }: DatabaseFormat, path: string): Trouble {
  return {
    code: "unknown-format",
    message: `${path} does not have the tables of ${client} that memd knows`,
    hint: "Its sessions are left alone; see whether a newer memd reads this version.",
  };
}
