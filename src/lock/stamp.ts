/**
 * The stamp: when a store was last consolidated. It is Claude Code's own file, read the way Claude Code reads it, so that
 * both programs keep out of each other's way: `.consolidate-lock`, first line the holder's pid, second line epoch ms if
 * there is one, else the mtime counts. This room owns the stamp and the lease; it never reads or writes a memory.
 */
import { childPath } from "../base/child-path.ts";
import { systemCode } from "../base/errors.ts";
import type { FileStat, Files } from "../base/files.ts";
import type { Processes } from "../base/process.ts";
import type { Notice } from "../memory/changeset.ts";

export const STAMP_FILE = ".consolidate-lock";

/** Claude Code takes the lock from a live holder after an hour: a pid may have been given out again by then. */
export const HOLDER_LIMIT = 3_600_000;

/** A stamp further ahead of the clock than this comes from a restored backup or a reset clock, and says nothing. */
export const STAMP_SKEW = 300_000;

/** No form that either program writes is longer than 32 bytes. */
const BODY_BYTES = 256;

export interface Stamp {
  /** Epoch ms; 0 when the store was never consolidated or the stamp is invalid. */
  readonly stamp: number;
  /** Whom the file names, living or not. `since` is the time the file tells. */
  readonly holder: { readonly pid: number; readonly since: number } | null;
  /** The holder lives on this machine and took the lock less than an hour ago. */
  readonly held: boolean;
  /** What is wrong with the file; the next run repairs it by writing its own. */
  readonly notice: Notice | null;
}

interface Body {
  readonly pid: number | null;
  readonly time: number | null;
  readonly garbage: boolean;
}

/** What this process saw of each stamp file before; while the file's mtime, size and inode stay, its body is not read again. */
export type StampCache = Map<string, { readonly stat: FileStat; readonly body: Body }>;

export interface StampWorld {
  readonly files: Files;
  readonly processes: Processes;
  readonly seen?: StampCache | undefined;
}

/**
 * Reads the stamp of a memory directory; costs one `lstat` when nothing changed since the last reading.
 * @param now epoch ms
 * @throws the system error when the file is there and cannot be read
 */
export function readStamp(world: StampWorld, memoryDir: string, now: number): Stamp {
  const path = childPath(memoryDir, STAMP_FILE);
  const stat = world.files.lstat(path);
  const never = { stamp: 0, holder: null, held: false };
  if (stat === null) return { ...never, notice: null };
  if (stat.kind !== "file") return { ...never, notice: notice("stamp-not-a-file", path) };
  const body = bodyOf(world, path, stat);
  if (body === null) return { ...never, notice: null };
  const time = body.time ?? stat.mtime;
  if (time > now + STAMP_SKEW) return { ...never, notice: notice("stamp-in-future", path) };
  const holder = body.pid === null ? null : { pid: body.pid, since: time };
  return {
    stamp: time,
    holder,
    held: holder !== null && now - time < HOLDER_LIMIT && isLiveHolder(world.processes, holder.pid),
    notice: body.garbage ? notice("stamp-garbage", path) : null,
  };
}

/**
 * Claude Code counts another user's process as dead, since a memory directory has one user and such a pid was most likely
 * given out again; memd decides the same, else the two would disagree on who may go. The file names no machine: a pid
 * of another machine that shares the directory is judged as if it were here, unless the lease record tells more.
 */
function isLiveHolder(processes: Processes, pid: number): boolean {
  return processes.liveness(pid) === "alive";
}

function bodyOf(world: StampWorld, path: string, stat: FileStat): Body | null {
  const seen = world.seen?.get(path);
  if (seen && seen.stat.mtime === stat.mtime && seen.stat.size === stat.size && seen.stat.ino === stat.ino) {
    return seen.body;
  }
  const text = readHead(world.files, path, stat.size);
  if (text === null) return null;
  const body = parseBody(text);
  world.seen?.set(path, { stat, body });
  return body;
}

/** Null when the file went away after it was listed. */
function readHead(files: Files, path: string, size: number): string | null {
  let fd: number;
  try {
    if (size <= BODY_BYTES) return files.readText(path);
    fd = files.open(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const buffer = Buffer.alloc(BODY_BYTES);
    return buffer.toString("latin1", 0, files.readAt(fd, buffer, BODY_BYTES, 0));
  } finally {
    files.close(fd);
  }
}

function parseBody(text: string): Body {
  const [first = "", second = ""] = (text.includes("\r") ? text.replace(/\r(?=\n|$)/g, "") : text).split("\n", 2);
  const pid = /^\d{1,10}$/.test(first) ? Number(first) : null;
  const time = /^\d{1,15}(\.\d+)?$/.test(second) ? Math.floor(Number(second)) : null;
  const garbage = (first !== "" && pid === null) || (second !== "" && time === null);
  return { pid, time, garbage };
}

const MESSAGES = {
  "stamp-not-a-file": "is not a file",
  "stamp-in-future": "lies in the future",
  "stamp-garbage": "holds neither a pid nor a time",
} as const;

function notice(code: keyof typeof MESSAGES, path: string): Notice {
  const hint =
    "Nothing to do: the next dream writes it anew. If it comes back, check the clock and what else writes there.";
  return { code, message: `The stamp ${path} ${MESSAGES[code]}.`, hint };
}
