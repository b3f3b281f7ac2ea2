/** Lines of a file as bytes: never the whole file in memory, never a line decoded that nobody wants. */
import type { Files } from "../base/files.ts";

/** Bytes per read. Larger chunks gain nothing; at 600 MB/s one takes 2 ms, far below a stall that anyone could notice. */
export const CHUNK_BYTES = 1_048_576;

/** A chunk may hold a million short lines; so many are given way for at the latest. */
const BREATH_LINES = 1_024;

/** Longest record that is kept in memory. A longer one is passed over without being held, and counted. */
export const MAX_LINE_BYTES = 16 * CHUNK_BYTES;

const NEWLINE = 0x0a;

export interface LinePart {
  /** Byte offset and line count to start from. */
  readonly offset: number;
  readonly lines: number;
  /** Reading ends here, so that a file that grows all the time has an end. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Called per whole line, without its newline. `bytes` is a view that is only valid during the call; null stands for a
 * line above MAX_LINE_BYTES. `number` counts from 1. Return false to stop before the next line.
 */
export type LineVisitor = (bytes: Buffer | null, offset: number, number: number) => boolean;

export interface LinesRead {
  /** Start of the first line that was not visited. */
  readonly offset: number;
  /** Lines before `offset`. */
  readonly lines: number;
  /** Bytes of a last line that is not finished; not part of `offset`. */
  readonly unfinished: number;
  /** Bytes read from the disk. */
  readonly bytes: number;
}

/** Lets timers and sockets run: a run's lock heartbeat lives in the same process. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * One buffer waits for the next file: a new one per file costs more than reading a small transcript does, since fresh memory
 * must first be given by the system and then collected.
 */
let spare: Buffer | null = null;

/** Large enough for a chunk behind a line of ordinary length. */
const BUFFER_BYTES = 2 * CHUNK_BYTES;

function takeBuffer(): Buffer {
  const buffer = spare ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
  spare = null;
  return buffer;
}

/** The reading buffer: bytes `start` to `end` wait for their newline. */
interface Pending {
  buffer: Buffer;
  start: number;
  end: number;
  /** Inside a line that is too long to keep. */
  skipping: boolean;
}

/** Makes room for `need` bytes: moves what waits to the front, grows up to the cap, and lets go of a line beyond it. */
function makeRoom(pending: Pending, need: number): void {
  if (pending.start > 0) {
    pending.buffer.copyWithin(0, pending.start, pending.end);
    pending.end -= pending.start;
    pending.start = 0;
  }
  if (pending.skipping || pending.end > MAX_LINE_BYTES) {
    pending.skipping = true;
    pending.end = 0;
  }
  if (pending.buffer.length - pending.end >= need) return;
  const grown = Buffer.allocUnsafe(Math.max(pending.end + need, pending.buffer.length * 2));
  pending.buffer.copy(grown, 0, 0, pending.end);
  pending.buffer = grown;
}

/**
 * Visits the whole lines of an open file from an offset on, giving way to the event loop after each chunk and each thousand lines.
 * @throws the signal's reason when aborted; the system error of a read
 */
export async function eachLine(files: Files, fd: number, part: LinePart, visit: LineVisitor): Promise<LinesRead> {
  const pending: Pending = { buffer: takeBuffer(), start: 0, end: 0, skipping: false };
  try {
    return await visitLines(files, { fd, part, pending, visit });
  } finally {
    if (pending.buffer.length === BUFFER_BYTES) spare = pending.buffer;
  }
}

interface Reading {
  readonly fd: number;
  readonly part: LinePart;
  readonly pending: Pending;
  readonly visit: LineVisitor;
}

async function visitLines(files: Files, { fd, part, pending, visit }: Reading): Promise<LinesRead> {
  let { offset, lines } = part;
  let position = part.offset;
  while (position < part.limit) {
    part.signal.throwIfAborted();
    const need = Math.min(CHUNK_BYTES, part.limit - position);
    makeRoom(pending, need);
    const got = files.readAt(fd, pending.buffer.subarray(pending.end), need, position);
    if (got === 0) break;
    let from = pending.end;
    pending.end += got;
    position += got;
    const held = pending.buffer.subarray(0, pending.end);
    for (let at = held.indexOf(NEWLINE, from); at >= 0; at = held.indexOf(NEWLINE, from)) {
      const line = pending.skipping ? null : held.subarray(pending.start, at);
      const start = offset;
      pending.skipping = false;
      pending.start = from = at + 1;
      offset = position - pending.end + from;
      lines++;
      if (!visit(line, start, lines)) return { offset, lines, unfinished: 0, bytes: position - part.offset };
      if (lines % BREATH_LINES === 0) await breathe();
    }
    await breathe();
  }
  return { offset, lines, unfinished: position - offset, bytes: position - part.offset };
}
