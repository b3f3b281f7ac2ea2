/** What stands between a paid distiller and the endpoint: every request is reserved here first, counted afterwards, and stopped at a cap. */
import { iso } from "../base/clock.ts";
import { isMemdError, MemdError } from "../base/errors.ts";
import type { ParentDesk } from "../distill/fork.ts";
import type { Grant, Reservation } from "../distill/protocol.ts";
import { type Caps, type Over, overText } from "../gate/budget.ts";
import { MINUTE } from "../gate/verdict.ts";
import type { Cost, SpendBook } from "../ledger/spend.ts";
import { type Clock, NO_USAGE, type Usage } from "../ports.ts";

export interface DeskWorld {
  readonly book: SpendBook;
  readonly caps: Caps;
  readonly cache: Pick<ParentDesk, "cacheGet" | "cachePut">;
  readonly clock: Clock;
  readonly store: string;
  /** Longest wall time of the run. */
  readonly minutes: number;
}

export interface PaidDesk extends Omit<ParentDesk, "settings"> {
  reserve(need: Reservation): Grant;
  /** Reserves what outlives the run: nothing at this desk settles it. */
  hold(usage: Usage): { readonly id: string } | { readonly reason: string };
  /** Wall time that is left to the run, at most what it may take anyway, ms. */
  readonly wallMs: number;
  /** The error that a run ends with: where a cap stood against its next request, that cap. */
  explain(error: unknown): unknown;
  /** The error for a run whose wall time is over because of a cap. */
  late(): MemdError;
  /** Ends the run's wall time. What it reserved and never settled goes on counting. */
  close(): void;
}

interface Open {
  readonly id: string;
  readonly cost: Cost;
}

/**
 * Opens the desk of one run and starts the clock of its wall time.
 * @throws MemdError over-budget when no wall time is left; the system error when what is spent cannot be written down
 */
export function openDesk(world: DeskWorld, run: string): PaidDesk {
  const { book, cache, clock, store } = world;
  const open: Open[] = [];
  let refusal: MemdError | null = null;
  const wall = reserveWall(world, run);
  const startedAt = clock.monotonic();

  return {
    wallMs: wall.minutes * MINUTE,
    reserve: (need) => {
      const cost = { usage: { ...NO_USAGE, ...need, requests: 1 }, minutes: 0 };
      const reserved = book.reserve({ run, store, cost }, world.caps);
      if (reserved.granted) {
        open.push({ id: reserved.id, cost });
        return { granted: true, reason: null };
      }
      refusal ??= overBudget(reserved);
      return { granted: false, reason: refusal.message };
    },
    hold: (usage) => {
      const reserved = book.reserve({ run, store, cost: { usage, minutes: 0 } }, world.caps);
      if (reserved.granted) return { id: reserved.id };
      refusal = overBudget(reserved);
      return { reason: refusal.message };
    },
    spent: (usage) => {
      const settled = takeSettled(open, usage);
      if (settled) book.settle(settled.id, { usage, minutes: 0 });
      else addUnreserved(world, run, usage);
    },
    cacheGet: cache.cacheGet,
    cachePut: cache.cachePut,
    explain: (error) => (isMemdError(error) && error.family === "over-budget" ? (refusal ?? error) : error),
    late: () => overBudget(wall),
    close: () => {
      const taken = (clock.monotonic() - startedAt) / MINUTE;
      book.settle(wall.id, { usage: NO_USAGE, minutes: taken });
    },
  };
}

/**
 * The child does not say which of its requests a report is about. The smallest reservation that covers it is settled: what stays
 * reserved is then never less than what is still open.
 */
function takeSettled(open: Open[], usage: Usage): Open | undefined {
  const [paidFor] = open.filter(({ cost }) => covers(cost.usage, usage)).sort(bySize);
  const settled = paidFor ?? open.toSorted(bySize).at(-1);
  if (settled) open.splice(open.indexOf(settled), 1);
  return settled;
}

function covers(reserved: Usage, spent: Usage): boolean {
  return reserved.costUsd >= spent.costUsd && tokensOf(reserved) >= tokensOf(spent);
}

const tokensOf = (usage: Usage) => usage.inputTokens + usage.cachedTokens + usage.outputTokens;
const bySize = (a: Open, b: Open) =>
  a.cost.usage.costUsd - b.cost.usage.costUsd || tokensOf(a.cost.usage) - tokensOf(b.cost.usage);

/** A request that nobody reserved is a fault of the child; what it says it cost counts all the same. */
function addUnreserved({ book, caps, store }: DeskWorld, run: string, usage: Usage): void {
  const none = { usd: null, tokens: null, requests: null, minutes: null };
  const entered = book.reserve({ run, store, cost: { usage, minutes: 0 } }, { run: none, day: none, month: none });
  if (entered.granted) book.settle(entered.id, { usage, minutes: 0 });
}

interface Wall {
  readonly id: string;
  readonly minutes: number;
  readonly over: Over;
  readonly frees: number | null;
}

/** As much wall time as the run may take and the caps leave. */
function reserveWall({ book, caps, store, minutes }: DeskWorld, run: string): Wall {
  const { day, month, dayEnds, monthEnds } = book.spent();
  const left = [
    { period: "month", limit: caps.month.minutes, have: month.minutes, frees: monthEnds },
    { period: "day", limit: caps.day.minutes, have: day.minutes, frees: dayEnds },
  ] as const;
  const tightest = left.reduce((a, b) => ((b.limit ?? Infinity) - b.have < (a.limit ?? Infinity) - a.have ? b : a));
  const limit = tightest.limit ?? Infinity;
  const granted = Math.min(minutes, limit - tightest.have);
  const over: Over = { period: tightest.period, measure: "minutes", limit, have: Math.max(limit, tightest.have) };
  if (granted <= 0) throw overBudget({ over, frees: tightest.frees });
  const reserved = book.reserve({ run, store, cost: { usage: NO_USAGE, minutes: granted } }, caps);
  if (!reserved.granted) throw overBudget(reserved);
  return { id: reserved.id, minutes: granted, over, frees: tightest.frees };
}

const KEYS = { usd: "Usd", tokens: "Tokens", requests: "Requests", minutes: "Minutes" } as const;
const PERIODS = { run: "Run", day: "Day", month: "Month" } as const;

function overBudget({ over, frees }: { readonly over: Over; readonly frees: number | null }): MemdError {
  const key = `budget.max${PERIODS[over.period]}${KEYS[over.measure]}`;
  const wait = frees === null ? "The next run starts anew" : `It frees at ${iso(frees)}`;
  return new MemdError({
    code: `${over.period}-budget-spent`,
    family: "over-budget",
    message: `the next request would cross a cap: ${overText(over)} are spent`,
    hint: `${wait}; what was extracted is kept and not paid for again. ${key} raises the cap.`,
    retryAt: frees,
  });
}
