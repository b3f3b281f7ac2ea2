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

/** Takes one line into the account; what is no line of ours says nothing. */
export function takeLine(entries: Map<string, Entry>, file: string, text: string): void {
  const line = parseJson(text);
  if (!isRecord(line) || typeof line["id"] !== "string") return;
  const cost = costOf(line);
  if (cost === null) return;
  const { id, at, run, settled } = line;
  const known = entries.get(line["id"]);
  if (known && settled === true) Object.assign(known, { cost, open: false });
  else if (!known && typeof at === "number" && typeof run === "string")
    entries.set(String(id), { at, run, file, cost, open: true });
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
