/** The frame of every client that writes one JSON record per line: damage, cursors and caps are dealt with here, once. */
import type { Files } from "../../base/files.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import type { SessionWords } from "../../digest/utterance.ts";
import type { Cursor, TranscriptFile, TranscriptRead, TranscriptSource } from "../../ports.ts";
import { trimLine } from "../claude-code/bytes.ts";
import { type RecordShape, salvageBetween } from "../claude-code/salvage.ts";
import { slimLine } from "../claude-code/slim.ts";
import { cursorAt, cursorIn, fits, openOrGone } from "../fingerprint.ts";
import { eachLine } from "../lines.ts";
import { headRecord } from "./head.ts";
import type { Spot } from "./talk.ts";
import { type NameOf, walkNamed } from "./walk.ts";

const NUL = 0;

/** A client's format. */
export interface RecordFormat extends RecordShape {
  readonly client: string;
  readonly nameOf: NameOf;
  /** Records of which only the first words are kept, told from how they begin. */
  readonly output?: LongOutput;
  /** One pass over a file. */
  begin(pass: Pass): Reading;
}

export interface LongOutput {
  isOutput(head: string): boolean;
  /** Stands once in every record: a line that has it twice is two, glued together. */
  readonly once: string;
}

export interface Pass {
  readonly files: Files;
  readonly file: TranscriptFile;
  /** What stands before the place at which reading begins: empty at the start of the file. */
  readonly before: Before;
}

/** The first and the last bytes before a cursor, as text: formats that name the session or its folder only once need them. */
export interface Before {
  readonly head: string;
  readonly tail: string;
}

export interface Reading {
  /** From the bytes of a line that begins and ends as a record does: true when it cannot hold words. */
  skips(line: Buffer): boolean;
  take(record: Record<string, unknown>, spot: Spot): void;
  isFull(): boolean;
  finish(): Finished;
}

export interface Finished {
  readonly words: readonly SessionWords[];
  readonly drop: string | null;
  readonly aliases?: ReadonlyMap<number, readonly string[]>;
}

/** A first record may hold the client's whole prompt before it names what is wanted; 21 KB were seen, with project rules more. */
const BEFORE_BYTES = 262_144;
const TAIL_BYTES = 65_536;

export function jsonlSource(files: Files, format: RecordFormat): TranscriptSource {
  return {
    client: format.client,
    list: (root) => walkNamed(files, root, format.nameOf),
    read: (file, from, signal) => readJsonl(files, format, { file, from, signal }),
    cursorAt: (file, offset, lines) => cursorAt(files, { file, offset, lines }),
  };
}

export interface ReadJob {
  readonly file: TranscriptFile;
  readonly from: Cursor | null;
  readonly signal: AbortSignal;
}

export async function readJsonl(files: Files, format: RecordFormat, job: ReadJob): Promise<TranscriptRead | null> {
  const fd = openOrGone(files, job.file.path);
  if (fd === null) return null;
  try {
    return await readOpen(files, fd, { format, ...job });
  } finally {
    files.close(fd);
  }
}

interface Job extends ReadJob {
  readonly format: RecordFormat;
}

async function readOpen(files: Files, fd: number, { format, file, from, signal }: Job): Promise<TranscriptRead> {
  const start = from && fits(files, fd, file, from) ? from : { offset: 0, lines: 0 };
  const reading = format.begin({ files, file, before: textBefore(files, fd, start.offset) });
  let bad = 0;
  const part = { offset: start.offset, lines: start.lines, limit: file.size, signal };
  const read = await eachLine(files, fd, part, (line, offset, number) => {
    if (line === null || !takeLine(line, { format, reading, spot: { offset, line: number } })) bad++;
    return !reading.isFull();
  });
  const counts = { lines: read.lines - start.lines, bad, unfinished: read.unfinished > 0 ? 1 : 0, bytes: read.bytes };
  const end = cursorIn(files, fd, { file, offset: read.offset, lines: read.lines });
  return { ...reading.finish(), start: start.offset, end, counts };
}

/** One read serves both ends while the part before the cursor is small. */
function textBefore(files: Files, fd: number, offset: number): Before {
  const text = (start: number, length: number) => {
    const bytes = Buffer.alloc(length);
    return bytes.toString("utf8", 0, files.readAt(fd, bytes, length, start));
  };
  const head = offset === 0 ? "" : text(0, Math.min(BEFORE_BYTES, offset));
  return { head, tail: offset <= BEFORE_BYTES ? head : text(offset - TAIL_BYTES, TAIL_BYTES) };
}

/** Parsed whole lines of a text that may be cut at both ends, for formats that look back. */
export function recordsIn(text: string): Record<string, unknown>[] {
  return text.split("\n").flatMap((line) => {
    const value = line === "" ? undefined : parseJson(line.trim().replace(/^\uFEFF/, ""));
    return isRecord(value) ? [value] : [];
  });
}

interface LineJob {
  readonly format: RecordFormat;
  readonly reading: Reading;
  readonly spot: Spot;
}

const CLOSE = 0x7d;

/** Up to here a record of any kind is parsed as it is; so much takes some 10 µs. */
const LONG_OUTPUT = 4_096;
/** What is kept of an output, its record's other fields before it, and room for escapes. */
const OUTPUT_BYTES = 3_072;
/** Ids, times and types stand within this. */
const HEAD_BYTES = 320;

function parseLine(line: Buffer, { output }: RecordFormat): unknown {
  if (output && line.length > LONG_OUTPUT && output.isOutput(line.toString("latin1", 0, HEAD_BYTES))) {
    const first = line.indexOf(output.once);
    const isOne = line[line.length - 1] === CLOSE && line.indexOf(output.once, first + 1) < 0;
    const value = isOne ? parseJson(headRecord(line, OUTPUT_BYTES)) : undefined;
    if (value !== undefined) return value;
  }
  return parseJson(slimLine(line).toString("utf8"));
}

/** False for a damaged line, whatever could be saved of it. */
function takeLine(raw: Buffer, { format, reading, spot }: LineJob): boolean {
  const line = trimLine(raw);
  if (line.length === 0) return !raw.includes(NUL);
  if (line === raw && line[line.length - 1] === CLOSE && reading.skips(line)) return true;
  const value = parseLine(line, format);
  if (value === undefined) {
    for (const record of salvageBetween(line.toString("utf8"), format)) reading.take(record, spot);
    return false;
  }
  // No client writes a bare number or list: whatever left it there lost a record.
  if (!isRecord(value)) return false;
  reading.take(value, spot);
  return raw[0] !== NUL && raw[raw.length - 1] !== NUL;
}
