/**
 * What was spent, over all stores and processes: a file per month in the state directory, one line per fact, appended and never changed.
 *
 * A request is reserved before it is made. The order of the lines decides between processes, without a lock: each appends its
 * reservation, reads what stands before it, and takes it back when the sum is over a cap. A reservation that nobody settles (its process
 * was killed, its request cut off) counts in full, for its day and its month: nobody can tell what the endpoint billed.
 */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { isRecord, parseJson } from "../base/json.ts";
import { type Amounts, type Caps, crossed, NOTHING, type Over, type Spent, sumOf } from "../gate/budget.ts";
import { periodsAt } from "../gate/periods.ts";
import { NO_USAGE, type Usage } from "../ports.ts";

/** What one reservation holds, or what became of it: a request, or the wall time of a run. */
export interface Cost {
  readonly usage: Usage;
  readonly minutes: number;
}

export const NO_COST: Cost = { usage: NO_USAGE, minutes: 0 };

export type Reserved =
  | { readonly granted: true; readonly id: string }
  /** @property frees when the cap has room again, epoch ms; null for the cap of a run */
  | { readonly granted: false; readonly over: Over; readonly frees: number | null };

export interface SpendBook {
  /** @throws the system error when it cannot be written: then nothing may be sent */
  reserve(what: { readonly run: string; readonly store: string; readonly cost: Cost }, caps: Caps): Reserved;
  /** What the reservation came to in the end. */
  settle(id: string, cost: Cost): void;
  /** What counts against the caps now; with what one run spent. */
  spent(run?: string): Spent & { readonly dayEnds: number; readonly monthEnds: number };
  /** What a run spent; `open` of its reservations were never settled, and count in full. */
  ofRun(run: string): { readonly usage: Usage; readonly open: number };
}

export interface SpendWorld {
  readonly files: Files;
  readonly clock: { now(): number };
  /** Unique to each call. */
  readonly token: () => string;
  /** IANA zone of the user: days and months are theirs. */
  readonly timeZone: () => string;
}

interface Entry {
  readonly at: number;
  readonly run: string;
  readonly file: string;
  cost: Cost;
  open: boolean;
}

/** The folder of the files, in the state directory. */
export const spendFolder = (state: string): string => join(state, "spend");

/** UTC, so that a file's name does not depend on where the user is. */
const fileOf = (at: number): string => `${new Date(at).toISOString().slice(0, 7)}.jsonl`;

/** @param state the state directory; nothing is made in it before the first reservation */
export function openSpendBook(world: SpendWorld, state: string): SpendBook {
  const { files, clock, token } = world;
  const folder = spendFolder(state);
  const tails = new Map<string, Tail>();
  const entries = new Map<string, Entry>();
  const periods = () => periodsAt(clock.now(), world.timeZone());
  const refresh = (from: number): void => {
    for (const name of new Set([fileOf(from), fileOf(clock.now())])) {
      const tail = tails.get(name) ?? { offset: 0, rest: "" };
      tails.set(name, tail);
      for (const line of newLines(files, join(folder, name), tail)) take(entries, name, parseJson(line));
    }
  };
  const append = (name: string, line: Line): void => {
    files.mkdir(folder, 0o700);
    // The newline before it: a line that a crash cut short must not swallow this one.
    files.append(join(folder, name), `\n${JSON.stringify(line)}\n`, 0o600);
  };
  /** @param mine id of a reservation: what stands after it in its file was decided after it */
  const sums = (run: string | undefined, mine?: string): Spent => {
    const { day, month } = periods();
    refresh(month.from);
    const counted = before(entries, mine);
    const since = (from: number) => sumOf(counted.filter(({ at }) => at >= from).map(amountsOf));
    // Of what is dated ahead of the clock nothing is forgotten either: a clock that went back gives no second budget.
    return {
      run: sumOf(counted.filter((entry) => entry.run === run).map(amountsOf)),
      day: since(day.from),
      month: since(month.from),
    };
  };
  const settle = (id: string, cost: Cost): void => {
    const entry = entries.get(id);
    if (!entry?.open) return;
    append(entry.file, { id, settled: true, ...cost });
    Object.assign(entry, { cost, open: false });
  };
  return {
    settle,
    reserve: ({ run, store, cost }, caps) => {
      const [id, at] = [token(), clock.now()];
      append(fileOf(at), { id, at, run, store, ...cost });
      const others = sums(run, id);
      const over = crossed(others, amountsOf({ cost }), caps);
      if (over === null) return { granted: true, id };
      settle(id, NO_COST);
      const { day, month } = periods();
      return { granted: false, over, frees: over.period === "run" ? null : over.period === "day" ? day.to : month.to };
    },
    spent: (run) => {
      const { day, month } = periods();
      return { ...sums(run), dayEnds: day.to, monthEnds: month.to };
    },
    ofRun: (run) => {
      refresh(periods().month.from);
      const mine = [...entries.values()].filter((entry) => entry.run === run);
      const usage = mine.reduce((sum, { cost }) => addUsage(sum, cost.usage), NO_USAGE);
      return { usage, open: mine.filter(({ open, cost }) => open && cost.usage.requests > 0).length };
    },
  };
}

/** Everything but what follows `mine` in its own file, and itself. */
function before(entries: ReadonlyMap<string, Entry>, mine: string | undefined): Entry[] {
  const own = mine === undefined ? undefined : entries.get(mine);
  const all = [...entries];
  const at = own ? all.findIndex(([id]) => id === mine) : all.length;
  return all.flatMap(([, entry], index) => (index < at || (own && entry.file !== own.file) ? [entry] : []));
}

function amountsOf({ cost }: { readonly cost: Cost }): Amounts {
  const { requests, inputTokens, cachedTokens, outputTokens, costUsd } = cost.usage;
  return {
    ...NOTHING,
    usd: costUsd,
    tokens: inputTokens + cachedTokens + outputTokens,
    requests,
    minutes: cost.minutes,
  };
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    requests: a.requests + b.requests,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}

type Line = { readonly id: string } & Cost &
  ({ readonly at: number; readonly run: string; readonly store: string } | { readonly settled: true });

/** Takes one line into the account; what is no line of ours says nothing. */
function take(entries: Map<string, Entry>, file: string, line: unknown): void {
  if (!isRecord(line) || typeof line["id"] !== "string") return;
  const cost = costOf(line);
  if (cost === null) return;
  const { id, at, run } = line;
  const known = entries.get(id);
  if (known) Object.assign(known, line["settled"] === true ? { cost, open: false } : {});
  else if (typeof at === "number" && typeof run === "string") entries.set(id, { at, run, file, cost, open: true });
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
interface Tail {
  offset: number;
  rest: string;
}

/** The whole lines since the last look. */
function newLines(files: Files, path: string, tail: Tail): string[] {
  if (files.lstat(path) === null) return [];
  const fd = files.open(path);
  try {
    const buffer = Buffer.alloc(65_536);
    for (;;) {
      const got = files.readAt(fd, buffer, buffer.length, tail.offset);
      if (got === 0) break;
      tail.offset += got;
      // Our lines hold no character beyond ASCII that a cut between two reads could halve: `latin1` keeps each byte.
      tail.rest += buffer.toString("latin1", 0, got);
    }
  } finally {
    files.close(fd);
  }
  const lines = tail.rest.split("\n");
  tail.rest = lines.pop() ?? "";
  return lines.filter((line) => line !== "").map((line) => Buffer.from(line, "latin1").toString("utf8"));
}
