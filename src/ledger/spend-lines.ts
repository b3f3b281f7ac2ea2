/** The lines of the files of spend.ts: what they say, and how far they were read. */
import type { Files } from "../base/files.ts";
import { isRecord, parseJson } from "../base/json.ts";
import type { Usage } from "../ports.ts";

/** What one reservation holds, or what became of it: a request, or the wall time of a run. */
export interface Cost {
  readonly usage: Usage;
  readonly minutes: number;
}

export type SpendLine = { readonly id: string } & Cost &
  ({ readonly at: number; readonly run: string; readonly store: string } | { readonly settled: true });

/** A reservation, as its lines tell. */
export interface Entry {
  readonly at: number;
  readonly run: string;
  /** Name of the file whose line began it. */
  readonly file: string;
  cost: Cost;
  /** Nobody settled it yet. */
  open: boolean;
}

/** UTC, so that a file's name does not depend on where the user is. */
export const fileOf = (at: number): string => `${new Date(at).toISOString().slice(0, 7)}.jsonl`;

/**
 * Takes one line into the account. One that cannot be read may have been any: it counts as the dearest entry of its file, and for every day
 * of it, since nobody can tell when it was.
 * @returns false for a line that is damaged
 */
export function takeLine(entries: Map<string, Entry>, file: string, text: string): boolean {
  const line = parseJson(text);
  // What a crash cut short was reserved for nothing, or is the settling of what then counts in full.
  if (line === undefined && text.startsWith(BEGINNING) && !text.endsWith("}")) return true;
  const cost = isRecord(line) ? costOf(line) : null;
  const id = isRecord(line) ? line["id"] : null;
  if (!isRecord(line) || cost === null || typeof id !== "string") return lost(entries, file, dearestIn(entries, file));
  const { at, run, settled } = line;
  const known = entries.get(id);
  if (settled === true) {
    // It stands in the file of its reservation, whose line is then the damaged one.
    if (known === undefined) return lost(entries, file, cost);
    Object.assign(known, { cost, open: false });
  } else if (typeof at !== "number" || typeof run !== "string") return lost(entries, file, cost);
  else if (!known) entries.set(id, { at, run, file, cost, open: true });
  return true;
}

const BEGINNING = '{"id":"';

function lost(entries: Map<string, Entry>, file: string, cost: Cost): false {
  entries.set(`damaged ${entries.size}`, { at: Number.MAX_SAFE_INTEGER, run: "", file, cost, open: false });
  return false;
}

const NOTHING: Cost = {
  usage: { requests: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd: 0 },
  minutes: 0,
};

function dearestIn(entries: ReadonlyMap<string, Entry>, file: string): Cost {
  const costs = [...entries.values()]
    .filter((entry) => entry.file === file && entry.run !== "")
    .map(({ cost }) => cost);
  return costs.reduce((most, cost) => (cost.usage.costUsd > most.usage.costUsd ? cost : most), NOTHING);
}

function costOf({ usage, minutes }: Record<string, unknown>): Cost | null {
  if (!isRecord(usage) || !isAmount(minutes)) return null;
  const { requests, inputTokens, cachedTokens, outputTokens, costUsd } = usage;
  if (!isAmount(requests) || !isAmount(inputTokens) || !isAmount(cachedTokens)) return null;
  if (!isAmount(outputTokens) || !isAmount(costUsd)) return null;
  return { usage: { requests, inputTokens, cachedTokens, outputTokens, costUsd }, minutes };
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** How far a file was read. */
export interface Tail {
  offset: number;
  /** The beginning of a line whose end was not there yet. */
  rest: Buffer;
}

export const newTail = (): Tail => ({ offset: 0, rest: Buffer.alloc(0) });

const CHUNK = 65_536;

/** The whole lines since the last look. */
export function newLines(files: Files, path: string, tail: Tail): string[] {
  if (files.lstat(path) === null) return [];
  const fd = files.open(path);
  const parts = [tail.rest];
  try {
    for (;;) {
      const buffer = Buffer.alloc(CHUNK);
      const got = files.readAt(fd, buffer, CHUNK, tail.offset);
      if (got === 0) break;
      tail.offset += got;
      parts.push(buffer.subarray(0, got));
    }
  } finally {
    files.close(fd);
  }
  const bytes = Buffer.concat(parts);
  const end = bytes.lastIndexOf(0x0a) + 1;
  tail.rest = bytes.subarray(end);
  return bytes
    .toString("utf8", 0, end)
    .split("\n")
    .filter((line) => line !== "");
}
