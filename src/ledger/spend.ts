/**
 * What was spent, over all stores and processes: a file per month in the state directory, one line per fact, appended and never changed.
 *
 * A request is reserved before it is made. The order of the lines decides between processes, without a lock: each appends its
 * reservation, reads what stands before it, and takes it back when the sum is over a cap. A reservation that nobody settles (its process
 * was killed, its request cut off) counts in full, for its day and its month: nobody can tell what the endpoint billed.
 */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { type Amounts, type Caps, crossed, type Over, type Spent, sumOf } from "../gate/budget.ts";
import { periodsAt } from "../gate/periods.ts";
import type { Notice } from "../memory/changeset.ts";
import { addUsage, NO_USAGE, type Usage } from "../ports.ts";
import { type Cost, type Entry, fileOf, newLines, newTail, type SpendLine, takeLine } from "./spend-lines.ts";

export type { Cost } from "./spend-lines.ts";

export type Reserved =
  | { readonly granted: true; readonly id: string }
  /** `frees`: when the cap has room again, epoch ms; null for the cap of a run. */
  | { readonly granted: false; readonly over: Over; readonly frees: number | null };

export interface SpendBook {
  /** @throws the system error when it cannot be written: then nothing may be sent */
  reserve(what: { readonly run: string; readonly store: string; readonly cost: Cost }, caps: Caps): Reserved;
  /** What the reservation came to in the end. */
  settle(id: string, cost: Cost): void;
  /** What counts against the caps now; with what one run spent. */
  spent(run?: string): Spent & { readonly dayEnds: number; readonly monthEnds: number };
  /** What a run spent; `open` of its requests were never settled, and count in full. */
  ofRun(run: string): { readonly usage: Usage; readonly open: number };
  /** Lines of this month and the one before it that cannot be read. */
  damaged(): number;
}

export interface SpendWorld {
  readonly files: Files;
  readonly clock: { now(): number };
  /** Unique to each call. */
  readonly token: () => string;
  /** IANA zone of the user: days and months are theirs. */
  readonly timeZone: () => string;
}

const DAY = 86_400_000;

const NO_COST: Cost = { usage: NO_USAGE, minutes: 0 };

/** The folder of the files, in the state directory. */
export const spendFolder = (state: string): string => join(state, "spend");

/** @param state the state directory; nothing is made in it before the first reservation */
export function openSpendBook(world: SpendWorld, state: string): SpendBook {
  const lines = openLines(world.files, spendFolder(state));
  const now = () => world.clock.now();
  const periods = () => periodsAt(now(), world.timeZone());
  const entriesNow = (): ReadonlyMap<string, Entry> => {
    lines.refresh([fileOf(periods().month.from), fileOf(now())]);
    return lines.entries;
  };
  return {
    settle: (id, cost) => {
      // Reserved by a process that is gone: by a batch, a day ago at the most.
      if (!lines.entries.has(id)) lines.refresh([fileOf(periods().month.from - 1), fileOf(now() - DAY), fileOf(now())]);
      lines.settle(id, cost);
    },
    reserve: ({ run, store, cost }, caps) => {
      const [id, at] = [world.token(), now()];
      lines.append(fileOf(at), { id, at, run, store, ...cost });
      const over = crossed(sumsOf(before(entriesNow(), id), run, periods()), amountsOf({ cost }), caps);
      if (over === null) return { granted: true, id };
      lines.settle(id, NO_COST);
      const { day, month } = periods();
      return { granted: false, over, frees: { run: null, day: day.to, month: month.to }[over.period] };
    },
    spent: (run) => {
      const now = periods();
      return { ...sumsOf([...entriesNow().values()], run, now), dayEnds: now.day.to, monthEnds: now.month.to };
    },
    ofRun: (run) => {
      const mine = [...entriesNow().values()].filter((entry) => entry.run === run);
      const open = mine.filter((entry) => entry.open && entry.cost.usage.requests > 0).length;
      return { usage: mine.reduce((sum, { cost }) => addUsage(sum, cost.usage), NO_USAGE), open };
    },
    damaged: () => {
      entriesNow();
      return lines.damaged();
    },
  };
}

/** @param counted which entries are summed up */
function sumsOf(
  counted: readonly Entry[],
  run: string | undefined,
  { day, month }: ReturnType<typeof periodsAt>,
): Spent {
  // Of what is dated ahead of the clock nothing is forgotten: a clock that went back gives no second budget.
  const since = (from: number) => sumOf(counted.filter(({ at }) => at >= from).map(amountsOf));
  const own = counted.filter((entry) => entry.run === run);
  return { run: sumOf(own.map(amountsOf)), day: since(day.from), month: since(month.from) };
}

/** The files, and what their lines have told this process so far. */
function openLines(files: Files, folder: string) {
  const tails = new Map<string, ReturnType<typeof newTail>>();
  const entries = new Map<string, Entry>();
  let damaged = 0;
  const append = (name: string, line: SpendLine): void => {
    files.mkdir(folder, 0o700);
    // The newline before it: a line that a crash cut short must not swallow this one.
    files.append(join(folder, name), `\n${JSON.stringify(line)}\n`, 0o600);
  };
  return {
    entries,
    damaged: () => damaged,
    append,
    refresh: (names: readonly string[]): void => {
      for (const name of new Set(names)) {
        const tail = tails.get(name) ?? newTail();
        tails.set(name, tail);
        for (const line of newLines(files, join(folder, name), tail)) if (!takeLine(entries, name, line)) damaged += 1;
      }
    },
    settle: (id: string, cost: Cost): void => {
      const entry = entries.get(id);
      if (!entry?.open) return;
      append(entry.file, { id, settled: true, ...cost });
      Object.assign(entry, { cost, open: false });
    },
  };
}

/** Code `spend-damaged`. @param state the state directory */
export function damagedNotices(book: Pick<SpendBook, "damaged">, state: string): Notice[] {
  const lines = book.damaged();
  if (lines === 0) return [];
  return [
    {
      code: "spend-damaged",
      message: `lines of what was spent that cannot be read: ${lines}, in ${spendFolder(state)}`,
      hint: "Each counts against the caps as the dearest request of its month; look there for what the disk damaged, and remove the lines once you know that they cost nothing.",
    },
  ];
}

/** What was decided before a reservation: everything but itself and what follows it in its own file. */
function before(entries: ReadonlyMap<string, Entry>, id: string): Entry[] {
  const own = entries.get(id);
  const all = [...entries];
  const at = all.findIndex(([name]) => name === id);
  return all.flatMap(([, entry], index) => (index < at || entry.file !== own?.file ? [entry] : []));
}

function amountsOf({ cost: { usage, minutes } }: { readonly cost: Cost }): Amounts {
  const { requests, inputTokens, cachedTokens, outputTokens, costUsd } = usage;
  return { usd: costUsd, tokens: inputTokens + cachedTokens + outputTokens, requests, minutes };
}
