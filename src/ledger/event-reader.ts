/** The event log as a stream: every whole line with its number, over all files, from any place on; what is damaged is passed by. */
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { parseJson } from "../base/json.ts";
import { isLoggedEvent, type LoggedEvent } from "./event.ts";
import { bytesAt, type EventFile, eventFiles } from "./event-files.ts";

/** An event with its number: it only grows, with gaps, and is where the stream goes on after it. */
export interface NumberedEvent extends LoggedEvent {
  readonly seq: number;
}

/** Some hundred events at once; none of ours is longer. */
const CHUNK_BYTES = 262_144;

/** The number at the end of the stream: nothing after it has happened yet. */
export function endOfEvents(files: Files, state: string): number {
  const last = eventFiles(files, state).at(-1);
  return last === undefined ? 0 : last.first + last.size;
}

/**
 * Every event after that number, oldest first. Reads a chunk at a time; a line that is still being written is left for the next reading.
 * @param after 0 for everything that is kept
 * @throws the system error where the log is there and cannot be read
 */
export function* eventsAfter(files: Files, state: string, after: number): Generator<NumberedEvent> {
  const all = eventFiles(files, state);
  const last = all.at(-1);
  // Somebody removed the log, and a new one began from 0.
  const from = last !== undefined && last.first === 0 && last.size < after ? 0 : after;
  for (const file of all) yield* eventsOf(files, file, Math.max(0, from - file.first));
}

function* eventsOf(files: Files, { path, first, size }: EventFile, from: number): Generator<NumberedEvent> {
  let at = from;
  while (at < size) {
    const bytes = chunkAt(files, path, at);
    const end = bytes.lastIndexOf(0x0a) + 1;
    // One line that fills a whole chunk is none of ours; an unfinished one is not there yet.
    if (end === 0 && bytes.length < CHUNK_BYTES) return;
    const taken = end === 0 ? bytes.length : end;
    for (const { line, over } of linesOf(bytes.subarray(0, taken))) {
      const event = eventIn(line);
      if (event !== null) yield { ...event, seq: first + at + over };
    }
    at += taken;
  }
}

/** None where the file became an old one, or went, at this moment: the next reading finds it. */
function chunkAt(files: Files, path: string, at: number): Buffer {
  try {
    return bytesAt(files, path, { from: at, length: CHUNK_BYTES });
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return Buffer.alloc(0);
  }
}

function* linesOf(bytes: Buffer): Generator<{ line: string; over: number }> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const over = found < 0 ? bytes.length : found + 1;
    yield { line: bytes.toString("utf8", start, over), over };
    start = over;
  }
}

/** A torn line and the whole one that was appended to it stand on one line: what is whole is at its end. */
function eventIn(line: string): LoggedEvent | null {
  const whole = parseJson(line);
  if (isLoggedEvent(whole)) return whole;
  const start = line.lastIndexOf('{"v":');
  const tail = start > 0 ? parseJson(line.slice(start)) : undefined;
  return isLoggedEvent(tail) ? tail : null;
}
