/**
 * The book of a store: how far each transcript was taken, what the last look saw beyond that, and which turns are known.
 * It is a file of its own, so that losing the ledger costs no backlog; losing the book costs a second reading, whose
 * copies the rules then refuse.
 */
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import type { Cursor } from "../ports.ts";

/** Turns remembered; the newest are kept. Years of typing, in less than a megabyte. */
export const MAX_SEEN = 50_000;
/** Turns remembered per waiting session; of more, only the newest are told from copies. */
const MAX_WAITING = 2_000;
/** Working directories remembered per file; a session that wanders further is no news. */
const MAX_FOLDERS = 16;

/** Turns of one working directory beyond the cursor, copies left out. */
export interface AheadGroup {
  readonly cwd: string | null;
  readonly turns: number;
  /** Epoch ms of the newest turn. */
  readonly lastAt: number;
  /** `daysOf` the turns; absent in a book of an earlier version, which then counts once. */
  readonly days?: readonly number[];
  readonly headless: boolean;
  readonly keys: readonly string[];
}

/** What the last look saw beyond the cursor. */
export interface Ahead {
  /** The file as it was then: while both are the same, it is not opened. */
  readonly size: number;
  readonly mtime: number;
  /** Where that look ended. */
  readonly end: Cursor;
  readonly groups: readonly AheadGroup[];
  /** All turns in that part, copies too: a one-shot run is told by what was said, not by what was new. */
  readonly said: number;
  readonly lines: number;
  readonly bad: number;
  readonly unfinished: number;
  /** The source's own reason why the words do not count. */
  readonly drop: string | null;
}

export interface FileState {
  /** Taken up to here; null when nothing was taken yet. */
  cursor: Cursor | null;
  ahead: Ahead | null;
  /** Turns before the cursor, copies too. */
  turns: number;
  /** Working directories ever seen, the first one first. */
  cwds: readonly string[];
}

export interface Book {
  readonly files: Map<string, FileState>;
  /** Keys of the turns that were taken, oldest first. */
  readonly seen: Set<string>;
}

export interface BookRead {
  readonly book: Book;
  /** Why the book starts over (`missing`, or the damage in words), or null. */
  readonly startedOver: string | null;
}

export const emptyBook = (): Book => ({ files: new Map(), seen: new Set() });

/** The state of a file; a new one when it is not in the book yet. */
export function stateOf(book: Book, path: string): FileState {
  const known = book.files.get(path);
  if (known) return known;
  const state: FileState = { cursor: null, ahead: null, turns: 0, cwds: [] };
  book.files.set(path, state);
  return state;
}

export function withWaiting(known: readonly string[], more: readonly string[]): readonly string[] {
  return [...known, ...more].slice(-MAX_WAITING);
}

export function withFolders(known: readonly string[], more: readonly (string | null)[]): readonly string[] {
  const folders = more.filter((cwd) => cwd !== null);
  return [...new Set([...known, ...folders])].slice(0, MAX_FOLDERS);
}

/** Adds keys and lets the oldest go. */
export function remember(book: Book, keys: Iterable<string>): void {
  for (const key of keys) book.seen.add(key);
  for (const oldest of book.seen) {
    if (book.seen.size <= MAX_SEEN) break;
    book.seen.delete(oldest);
  }
}

/** Reads `cursors.json`; a missing or damaged one starts over, entries that make no sense are left out. */
export function loadBook(files: Files, path: string): BookRead {
  const read = readJson(files, path);
  if (read.state === "missing") return { book: emptyBook(), startedOver: "missing" };
  if (read.state === "damaged") return { book: emptyBook(), startedOver: read.why };
  const { value } = read;
  if (!isRecord(value) || value.schema !== 1 || !isRecord(value.files) || !Array.isArray(value.seen))
    return { book: emptyBook(), startedOver: "not a cursor file of this version" };
  const book = emptyBook();
  for (const [file, entry] of Object.entries(value.files)) if (isFileState(entry)) book.files.set(file, entry);
  remember(
    book,
    value.seen.filter((key) => typeof key === "string"),
  );
  return { book, startedOver: null };
}

/** Writes the book atomically. @param token makes the temp name unique (a run id will do) */
export function saveBook(files: Files, path: string, book: Book, token: string): void {
  writeJson(files, path, { schema: 1, files: Object.fromEntries(book.files), seen: [...book.seen] }, token);
}

function isCursor(value: unknown): value is Cursor {
  return (
    isRecord(value) &&
    [value.dev, value.ino, value.offset, value.lines].every((n) => typeof n === "number" && n >= 0) &&
    typeof value.fingerprint === "string"
  );
}

function isAhead(value: unknown): value is Ahead {
  return (
    isRecord(value) &&
    [value.size, value.mtime, value.said, value.lines, value.bad, value.unfinished].every(
      (n) => typeof n === "number",
    ) &&
    isCursor(value.end) &&
    Array.isArray(value.groups) &&
    value.groups.every(isGroup) &&
    (value.drop === null || typeof value.drop === "string")
  );
}

function isGroup(value: unknown): value is AheadGroup {
  return (
    isRecord(value) &&
    (value.cwd === null || typeof value.cwd === "string") &&
    typeof value.turns === "number" &&
    typeof value.lastAt === "number" &&
    (value.days === undefined || isNumbers(value.days)) &&
    typeof value.headless === "boolean" &&
    isStrings(value.keys)
  );
}

function isFileState(value: unknown): value is FileState {
  return (
    isRecord(value) &&
    (value.cursor === null || isCursor(value.cursor)) &&
    (value.ahead === null || isAhead(value.ahead)) &&
    typeof value.turns === "number" &&
    isStrings(value.cwds)
  );
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => typeof item === "number");
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
