/**
 * The files of the event log. The stream has positions, counted in bytes over all files that ever were; a file begins with a header that
 * tells its first position (without one: 0). Old files are `events-POSITION.jsonl`.
 */
import { join } from "node:path";
import { writeAtomic } from "../base/atomic.ts";
import { childPath } from "../base/child-path.ts";
import { type Clock, iso } from "../base/clock.ts";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { namesIn } from "../base/folders.ts";
import { isRecord, parseJson } from "../base/json.ts";
import { EVENT_VERSION } from "./event.ts";

export const EVENTS_FILE = "events.jsonl";

/** Some 5,000 events: a busy month of one store. With the old ones beside it the log takes 8 MB at most. */
const ROTATE_BYTES = 1_048_576;
const OLD_FILES = 7;

/** What others may still append to a file while it becomes an old one: positions are left free for it. */
const SLACK = 65_536;

/** Nobody rotates for so long: who held this lock is gone. */
const STALE_MS = 60_000;

const OLD = /^events-(\d{16})\.jsonl$/;
/** A header is the shortest line of all. */
const HEADER_BYTES = 256;

export interface EventFile {
  readonly path: string;
  /** Position of its first byte. */
  readonly first: number;
  readonly size: number;
}

/** Every file there is, oldest first. */
export function eventFiles(files: Files, state: string): EventFile[] {
  const old = namesIn(files, state).filter((name) => OLD.test(name));
  return [...old, EVENTS_FILE].flatMap((name) => {
    const path = join(state, name);
    const stat = files.lstat(path);
    if (stat?.kind !== "file") return [];
    const named = OLD.exec(name)?.[1];
    return [{ path, first: named === undefined ? firstOf(files, path) : Number(named), size: stat.size }];
  });
}

function firstOf(files: Files, path: string): number {
  const head = bytesAt(files, path, { from: 0, length: HEADER_BYTES }).toString("utf8");
  const value = parseJson(head.slice(0, head.indexOf("\n")));
  const first = isRecord(value) && !("event" in value) ? value["first"] : undefined;
  return typeof first === "number" && Number.isSafeInteger(first) && first >= 0 ? first : 0;
}

export function bytesAt(files: Files, path: string, part: { from: number; length: number }): Buffer {
  const { from, length } = part;
  const buffer = Buffer.alloc(length);
  const fd = files.open(path);
  try {
    return buffer.subarray(0, files.readAt(fd, buffer, length, from));
  } finally {
    files.close(fd);
  }
}

export interface RotateWorld {
  readonly files: Files;
  readonly clock: Clock;
  readonly token: () => string;
}

/** Looks at the log's end before the first append of a process, and now and then: begins a new file where this one is full. */
export function checkEnd(world: RotateWorld, state: string): { readonly torn: boolean } {
  const path = join(state, EVENTS_FILE);
  const size = world.files.lstat(path)?.size ?? 0;
  if (size === 0) return { torn: false };
  if (size >= ROTATE_BYTES && rotate(world, state, size)) return { torn: false };
  return { torn: bytesAt(world.files, path, { from: size - 1, length: 1 })[0] !== 0x0a };
}

/** @returns false when another process is at it */
function rotate(world: RotateWorld, state: string, size: number): boolean {
  const { files } = world;
  const lock = join(state, `${EVENTS_FILE}.rotating`);
  if (!takeLock(world, lock)) return false;
  try {
    const path = join(state, EVENTS_FILE);
    const first = firstOf(files, path);
    keepAs(files, path, childPath(state, `events-${String(first).padStart(16, "0")}.jsonl`));
    const header = { v: EVENT_VERSION, first: first + size + SLACK, at: iso(world.clock.now()) };
    writeAtomic(files, path, `${JSON.stringify(header)}\n`, { mode: 0o600, token: world.token() });
    const old = namesIn(files, state).filter((name) => OLD.test(name));
    for (const name of old.slice(0, -OLD_FILES)) files.unlink(join(state, name));
    return true;
  } finally {
    files.unlink(lock);
  }
}

function takeLock({ files, clock }: RotateWorld, lock: string): boolean {
  const stat = files.lstat(lock);
  if (stat !== null && Math.abs(clock.now() - stat.mtime) > STALE_MS) files.unlink(lock);
  try {
    files.create(lock, "", 0o600);
    return true;
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    return false;
  }
}

/** A second name, until the new file takes the first one over: at no instant is there no file to append to. */
function keepAs(files: Files, path: string, old: string): void {
  if (files.lstat(old)?.ino === files.lstat(path)?.ino) return;
  files.unlink(old);
  try {
    files.link(path, old);
  } catch (error) {
    // File systems without hard links (exFAT, some of the network): then there is such an instant.
    if (systemCode(error) === null) throw error;
    files.rename(path, old);
  }
}
