/** Where the log goes: a file that rotates while it is written, or a descriptor that journald reads. */
import * as fs from "node:fs";
import { join } from "node:path";
import { type Clock, iso } from "./clock.ts";
import { systemCode } from "./errors.ts";
import { nodeFiles } from "./files.ts";
import type { LogTarget } from "./log.ts";
import { journalLine } from "./log-line.ts";

export const LOG_FILE = "memd.log";
const OLD = /^memd-[\dTZ-]+\.log$/;

export interface LogFileWorld {
  readonly folder: string;
  readonly clock: Clock;
  /** All files together. */
  readonly maxBytes: number;
  readonly maxDays: number;
}

/** So many files make up the cap: what is thrown away at once is a small part of it. */
const PARTS = 8;
const DAY = 86_400_000;

const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
const FLAGS = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK;

/** A file of `folder`, private to its owner. A new one is begun at each midnight (UTC) and when it is full; the oldest go. */
export function logFile(world: LogFileWorld): LogTarget {
  let fd: number | null = null;
  let day = "";
  const close = () => {
    if (fd !== null) fs.closeSync(fd);
    fd = null;
  };
  const open = () => {
    nodeFiles.mkdir(world.folder, 0o700);
    fd = openPrivate(join(world.folder, LOG_FILE));
    const { size, mtimeMs } = fs.fstatSync(fd);
    day = dayOf(size > 0 ? mtimeMs : world.clock.now());
    return fd;
  };
  /** The descriptor for a line of this length; after a rotation, or when somebody removed the file, that of a new file. */
  const current = (length: number): number => {
    const opened = fd ?? open();
    const { size, nlink } = fs.fstatSync(opened);
    const full = size > 0 && (size + length > world.maxBytes / PARTS || day !== dayOf(world.clock.now()));
    if (nlink > 0 && !full) return opened;
    close();
    if (nlink > 0) setAsideIfPossible(world, size + length);
    return open();
  };
  return counting((line) => writeAll(current(Buffer.byteLength(line)), line), close);
}

/** @throws `EISDIR` for what is no file: a pipe or a device would swallow the log, or block it */
function openPrivate(path: string): number {
  const fd = fs.openSync(path, FLAGS, 0o600);
  const stat = fs.fstatSync(fd);
  if (!stat.isFile()) {
    fs.closeSync(fd);
    throw Object.assign(new Error(`${path} is not a file`), { code: "EISDIR" });
  }
  if ((stat.mode & 0o077) !== 0) fs.fchmodSync(fd, 0o600);
  return fd;
}

const dayOf = (ms: number) => iso(ms).slice(0, 10);

/** Where it cannot be done the file goes on growing; up to the cap of all. */
function setAsideIfPossible(world: LogFileWorld, bytes: number): void {
  try {
    setAside(world);
  } catch (error) {
    if (systemCode(error) === null || bytes > world.maxBytes) throw error;
  }
}

/** Gives the full file its own name, and removes what is over the caps. */
function setAside({ folder, clock, maxBytes, maxDays }: LogFileWorld): void {
  const stamp = iso(clock.now()).replace(/[:.]/g, "");
  const names = fs.readdirSync(folder).filter((name) => OLD.test(name));
  const free = [`memd-${stamp}.log`, ...names.map((_, i) => `memd-${stamp}-${i}.log`)];
  fs.renameSync(
    join(folder, LOG_FILE),
    join(folder, free.find((name) => !names.includes(name)) ?? free[0] ?? OLD.source),
  );
  const kept = fs
    .readdirSync(folder)
    .filter((name) => OLD.test(name))
    .map((name) => ({ path: join(folder, name), stat: fs.statSync(join(folder, name)) }))
    .sort((a, b) => b.stat.mtimeMs - a.stat.mtimeMs || (a.path < b.path ? 1 : -1));
  let bytes = maxBytes / PARTS;
  for (const { path, stat } of kept) {
    bytes += stat.size;
    if (bytes > maxBytes || clock.now() - stat.mtimeMs > maxDays * DAY) fs.unlinkSync(path);
  }
}

/** Standard error under systemd: a priority before each line, and no file of our own. @param fd read by journald */
export function journal(fd: number): LogTarget {
  return counting(
    (line) => writeAll(fd, journalLine(line)),
    () => undefined,
  );
}

/**
 * True when journald reads this descriptor.
 * @param stream `$JOURNAL_STREAM`, `device:inode` (systemd.exec(5)); inherited by children whose output went elsewhere since
 */
export function isJournal(stream: string | undefined, fd: number): boolean {
  if (stream === undefined) return false;
  try {
    const { dev, ino } = fs.fstatSync(fd);
    return stream === `${dev}:${ino}`;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return false;
  }
}

/** What a full pipe is given to empty itself, in steps of 2 ms: some 50 ms, then the line is lost and the loop goes on. */
const PATIENCE = 25;

function writeAll(fd: number, line: string): void {
  const bytes = Buffer.from(line, "utf8");
  let [written, waits] = [0, 0];
  while (written < bytes.length) {
    try {
      written += fs.writeSync(fd, bytes, written);
    } catch (error) {
      if (systemCode(error) !== "EAGAIN" || waits++ >= PATIENCE) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

/** Lines that cannot be written are counted, and told of as soon as one can be. */
function counting(write: (line: string) => void, close: () => void): LogTarget {
  let lost = 0;
  let why = "";
  const lossLine = () =>
    `${JSON.stringify({ level: "warn", msg: `${lost} ${lost === 1 ? "line" : "lines"} of the log could not be written: ${why}` })}\n`;
  return {
    write: (line) => {
      try {
        if (lost > 0) write(`\n${lossLine()}`);
        lost = 0;
        write(line);
      } catch (error) {
        if (systemCode(error) === null) throw error;
        lost++;
        why = systemCode(error) ?? "";
        close();
      }
    },
    close,
  };
}
