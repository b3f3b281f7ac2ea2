/**
 * The file verbs that memd uses, as one narrow seam. Synchronous on purpose: a crash test can then stop the world
 * after exactly the n-th verb, and a scan pays no promise per file. Long work yields between folders or chunks.
 */
import * as fs from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "./errors.ts";

export type FileKind = "file" | "dir" | "link" | "other";

export interface FileStat {
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
  /** Epoch milliseconds, whole (`mtime.getTime()`: utimes with whole milliseconds reads back equal, mtimeMs does not). */
  readonly mtime: number;
  readonly ino: number;
  readonly dev: number;
  /** Permission bits only. */
  readonly mode: number;
  readonly links: number;
}

export interface DirEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/** Every verb throws the system error, except where it says that absence is a value. */
export interface Files {
  /** Follows links; null when nothing is there. */
  stat(path: string): FileStat | null;
  /** Does not follow links; null when nothing is there. */
  lstat(path: string): FileStat | null;
  /** Entries in the order of the directory; throws ENOENT when it is missing. */
  list(path: string): DirEntry[];
  /** Whole file; for small files only. Refuses (ELOOP) to follow a link in the last part. */
  read(path: string): Buffer;
  /** The same as UTF-8 text, in one call to the system's side of Node instead of four. */
  readText(path: string): string;
  /** Opens for reading without following a link in the last part and without blocking on a FIFO. */
  open(path: string): number;
  /** Up to `length` bytes at `position` into `buffer` from its start; 0 at the end. */
  readAt(fd: number, buffer: Uint8Array, length: number, position: number): number;
  close(fd: number): void;
  /** Creates a new file (fails with EEXIST), writes all, fsyncs and closes it. */
  create(path: string, data: string | Uint8Array, mode: number): void;
  /** Like `create`, but not flushed: for what is worth nothing after a power failure, and comes by the thousand. */
  scratch(path: string, data: string | Uint8Array, mode: number): void;
  /** Appends one block in one write and fsyncs; creates the file with `mode` if missing. */
  append(path: string, data: string | Uint8Array, mode: number): void;
  rename(from: string, to: string): void;
  /** Hard link. */
  link(existing: string, path: string): void;
  /** False when it was not there. */
  unlink(path: string): boolean;
  /** Makes the directory and its parents, and flushes their entries: what is synced inside it is there after a power failure. An existing one is fine. */
  mkdir(path: string, mode: number): void;
  /** Removes an empty directory; false when it was not there. */
  rmdir(path: string): boolean;
  /** Sets access and modification time, epoch milliseconds. */
  utimes(path: string, mtime: number): void;
  /** Flushes a directory's entries to the disk. */
  syncDir(path: string): void;
  realpath(path: string): string;
  chmod(path: string, mode: number): void;
}

function kindOf(entry: fs.Stats | fs.Dirent): FileKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "dir";
  return entry.isSymbolicLink() ? "link" : "other";
}

function toStat(stat: fs.Stats | undefined): FileStat | null {
  if (!stat) return null;
  return {
    kind: kindOf(stat),
    size: stat.size,
    // As `mtime.getTime()` does it, without the date.
    mtime: Math.round(stat.mtimeMs),
    ino: stat.ino,
    dev: stat.dev,
    mode: stat.mode & 0o7777,
    links: stat.nlink,
  };
}

/** ENOTDIR (a parent is a file) is absence too. */
function orAbsent<T>(absent: T, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return absent;
    throw error;
  }
}

function withFd<T>(fd: number, act: (fd: number) => T): T {
  try {
    return act(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function writeAll(fd: number, data: string | Uint8Array): void {
  const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
  let written = 0;
  // A short write is not an error for the kernel; the next write then reports ENOSPC.
  while (written < bytes.length) written += fs.writeSync(fd, bytes, written, bytes.length - written);
}

function writeAndSync(fd: number, data: string | Uint8Array): void {
  writeAll(fd, data);
  fs.fsyncSync(fd);
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = fs.constants;
const READ = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
const CREATE = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
const openRead = (path: string) => fs.openSync(path, READ);
/** Node takes numbers here as everywhere; its types only know the names. */
const AS_TEXT = { encoding: "utf8", flag: READ as unknown as string } as const;

function syncDir(path: string): void {
  withFd(fs.openSync(path, O_RDONLY), (fd) => fs.fsyncSync(fd));
}

/** @param first the topmost directory that was made on the way to `path` */
function syncMade(first: string, path: string): void {
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    try {
      syncDir(dirname(made));
    } catch (error) {
      // A parent that may be entered and not read (mode 711) cannot be opened; its own system flushes it in time.
      if (systemCode(error) !== "EACCES" && systemCode(error) !== "EPERM") throw error;
    }
  }
}

/**
 * Node's own `recursive` asks for ever, with the whole loop, where a folder that is there answers ENOENT (/proc, an automounter's root; seen
 * with Node 20).
 * @returns the uppermost folder that was made; null when all were there
 */
function makeFolders(path: string, mode: number): string | null {
  if (isFolder(path)) return null;
  const above = dirname(path);
  const first = fs.statSync(above, { throwIfNoEntry: false }) === undefined ? makeFolders(above, mode) : null;
  try {
    fs.mkdirSync(path, { mode });
    return first ?? path;
  } catch (error) {
    // Somebody else made it just now.
    if (systemCode(error) === "EEXIST" && isFolder(path)) return first;
    throw error;
  }
}

const isFolder = (path: string) => fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

export const nodeFiles: Files = {
  stat: (path) => orAbsent(null, () => toStat(fs.statSync(path, { throwIfNoEntry: false }))),
  lstat: (path) => orAbsent(null, () => toStat(fs.lstatSync(path, { throwIfNoEntry: false }))),
  list: (path) => fs.readdirSync(path, { withFileTypes: true }).map((e) => ({ name: e.name, kind: kindOf(e) })),
  read: (path) => withFd(openRead(path), (fd) => fs.readFileSync(fd)),
  readText: (path) => fs.readFileSync(path, AS_TEXT),
  open: openRead,
  readAt: (fd, buffer, length, position) => fs.readSync(fd, buffer, 0, length, position),
  close: (fd) => fs.closeSync(fd),
  create: (path, data, mode) => withFd(fs.openSync(path, CREATE, mode), (fd) => writeAndSync(fd, data)),
  scratch: (path, data, mode) => withFd(fs.openSync(path, CREATE, mode), (fd) => writeAll(fd, data)),
  append: (path, data, mode) =>
    withFd(fs.openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, mode), (fd) => writeAndSync(fd, data)),
  rename: (from, to) => fs.renameSync(from, to),
  link: (existing, path) => fs.linkSync(existing, path),
  unlink: (path) =>
    orAbsent(false, () => {
      fs.unlinkSync(path);
      return true;
    }),
  mkdir: (path, mode) => {
    const first = makeFolders(path, mode);
    if (first !== null) syncMade(first, path);
  },
  rmdir: (path) =>
    orAbsent(false, () => {
      fs.rmdirSync(path);
      return true;
    }),
  utimes: (path, mtime) => fs.utimesSync(path, new Date(mtime), new Date(mtime)),
  syncDir,
  realpath: (path) => fs.realpathSync.native(path),
  chmod: (path, mode) => fs.chmodSync(path, mode),
};
