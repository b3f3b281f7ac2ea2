/**
 * Whole records inside a line that is not one: two glued together, the rest of a cut one before a whole one, a run of
 * NUL bytes before it. Reading resynchronises at each `{"`.
 */
import { isRecord, parseJson } from "../../base/json.ts";

const START = '{"';

/** Work allowed per line, in characters looked at per character of it: a hostile line must not cost its square. */
const WORK_PER_CHARACTER = 8;

/** Lines above this are only searched for the opening that real records have. */
const LONG = 262_144;
const RECORD_START = '{"parentUuid"';

/** What a client's records look like. */
export interface RecordShape {
  /** How they begin. */
  readonly start: string;
  /** Whether an object is one: what lies inside a record must not pass. */
  isRecord(value: Record<string, unknown>): boolean;
}

const CLAUDE_CODE: RecordShape = { start: RECORD_START, isRecord: hasEnvelope };

/**
 * The records on either side of NUL bytes, where a crash lost a block. One that has them inside is gone: with its parts joined it would
 * say what nobody said ("do not … deploy" without its middle).
 */
export function salvageBetween(line: string, shape: RecordShape = CLAUDE_CODE): Record<string, unknown>[] {
  return line.split(/\0+/).flatMap((text) => (text.length < START.length ? [] : salvage(text, shape)));
}

/** The records found, in their order. Only complete ones with an envelope count: a nested object is not a record. */
export function salvage(text: string, shape: RecordShape = CLAUDE_CODE): Record<string, unknown>[] {
  const start = text.length > LONG ? shape.start : START;
  const found: Record<string, unknown>[] = [];
  let budget = text.length * WORK_PER_CHARACTER;
  let at = text.indexOf(start);
  while (at >= 0 && budget > 0) {
    const end = objectEnd(text, at);
    budget -= (end < 0 ? text.length : end) - at;
    const value = end < 0 ? undefined : parseJson(text.slice(at, end));
    if (isRecord(value) && shape.isRecord(value)) found.push(value);
    at = text.indexOf(start, value === undefined ? at + 1 : end);
  }
  return found;
}

function hasEnvelope(record: Record<string, unknown>): boolean {
  return typeof record.type === "string" && typeof record.uuid === "string" && typeof record.sessionId === "string";
}

/** Position behind the brace that closes the object at `start`, or -1. */
function objectEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) {
      i = stringEnd(text, i);
      if (i < 0) return -1;
    } else if (unit === 0x7b) depth++;
    else if (unit === 0x7d && --depth === 0) return i + 1;
  }
  return -1;
}

/** Position of the quote that closes the string opened at `quote`, or -1. */
function stringEnd(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}
