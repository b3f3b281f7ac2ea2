/** Opens clients' databases for reading, and keeps the last one open between a listing and the readings that follow it. */
import type { FileStat, Files } from "../../base/files.ts";
import { type Database, isWalMode, type Missing, openCopy, openReadOnly } from "../../base/sqlite.ts";
import { openOrGone } from "../fingerprint.ts";

/**
 * Up to this size a database that no program has open is read into memory. SQLite would put an empty log and an index of it beside
 * the file (measured with 3.53), which its program finds at its next start; and in a folder that may not be written it reads nothing.
 */
const COPY_BYTES = 33_554_432;

/**
 * How long a database stays open after its last use. Opening costs 9 ms where a schema is as large as OpenClaw's; but while memd has
 * it open, a client that closes cannot fold its log into the file.
 */
const IDLE_MS = 1_000;

export interface Lease {
  readonly state: "open";
  readonly db: Database;
  release(): void;
}

/** One per source. A database that was replaced, or of which a copy has aged, is opened anew. */
export interface Keeper {
  /** Null when there is no such file. */
  open(path: string): Lease | Missing | null;
}

interface Kept {
  readonly path: string;
  readonly mark: string;
  readonly db: Database;
  users: number;
  timer: NodeJS.Timeout | null;
}

export function databaseKeeper(files: Files): Keeper {
  let kept: Kept | null = null;
  const drop = (old: Kept) => {
    if (kept === old) kept = null;
    if (old.timer) clearTimeout(old.timer);
    if (old.users === 0) old.db.close();
  };
  const lease = (held: Kept): Lease => {
    held.users++;
    if (held.timer) clearTimeout(held.timer);
    held.timer = null;
    const release = () => {
      held.users--;
      if (kept !== held) return drop(held);
      if (held.users === 0) held.timer = setTimeout(() => drop(held), IDLE_MS).unref();
    };
    return { state: "open", db: held.db, release };
  };
  return {
    open(path) {
      const now = lookAt(files, path);
      if (now === null) return null;
      if (kept?.path === path && kept.mark === now.mark) return lease(kept);
      if (kept) drop(kept);
      const opened = now.isQuiet ? openQuiet(files, path, now) : openReadOnly(path);
      if (opened.state === "missing") return opened;
      kept = { path, mark: now.mark, db: opened.db, users: 0, timer: null };
      return lease(kept);
    },
  };
}

interface Look {
  /** What must stay the same for an open connection to be of use. */
  readonly mark: string;
  /** No log: the file is all there is, and nobody is writing. */
  readonly isQuiet: boolean;
  readonly stat: FileStat;
}

function lookAt(files: Files, path: string): Look | null {
  const stat = files.stat(path);
  if (stat?.kind !== "file") return null;
  const log = files.stat(`${path}-wal`);
  const isQuiet = (log === null || log.size === 0) && stat.size <= COPY_BYTES && isWalMode(headerOf(files, path));
  const mark = isQuiet ? `${stat.ino}:${stat.size}:${stat.mtime}` : `${stat.ino}`;
  return { mark, isQuiet, stat };
}

/** Bytes that hold the journal mode. */
const HEADER_BYTES = 20;

function headerOf(files: Files, path: string): Buffer {
  return bytesOf(files, path, HEADER_BYTES);
}

function bytesOf(files: Files, path: string, length: number): Buffer {
  const fd = openOrGone(files, path);
  if (fd === null) return Buffer.alloc(0);
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, files.readAt(fd, bytes, length, 0));
  } finally {
    files.close(fd);
  }
}

/** A copy, unless the client came to life while it was made. */
function openQuiet(files: Files, path: string, before: Look): ReturnType<typeof openReadOnly> {
  const bytes = bytesOf(files, path, before.stat.size);
  return lookAt(files, path)?.mark === before.mark ? openCopy(bytes, path) : openReadOnly(path);
}
