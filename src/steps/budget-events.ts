/** The event of a cap of the day or month that a run brought near its end, or to it; told once. */
import { type Amounts, NOTHING, nearlyUsedUp, type Over, type Spent } from "../gate/budget.ts";
import type { Event } from "../ledger/event.ts";
import type { RunReport } from "../ledger/report.ts";
import { capsOf } from "./limits.ts";
import type { DreamWorld } from "./world.ts";

/** None for a run that sent nothing. */
export function budgetEvents({ money, config }: DreamWorld, { id, usage }: RunReport): Event[] {
  if (usage.requests === 0) return [];
  const { run, day, month } = money.book.spent(id);
  const near = nearest({ day, month }, config);
  const before = nearest({ day: without(day, run), month: without(month, run) }, config);
  return near === null || isSame(near, before) ? [] : [eventOf(near)];
}

function nearest(spent: Pick<Spent, "day" | "month">, config: DreamWorld["config"]): Over | null {
  return nearlyUsedUp({ ...spent, run: NOTHING }, capsOf(config));
}

function without(all: Amounts, part: Amounts): Amounts {
  return {
    usd: all.usd - part.usd,
    tokens: all.tokens - part.tokens,
    requests: all.requests - part.requests,
    minutes: all.minutes - part.minutes,
  };
}

const isReached = ({ have, limit }: Over) => have >= limit;

function isSame(now: Over, before: Over | null): boolean {
  return (
    before !== null &&
    before.period === now.period &&
    before.measure === now.measure &&
    isReached(before) === isReached(now)
  );
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function eventOf(over: Over): Event {
  const cap = `budget.max${capital(over.period)}${capital(over.measure)}`;
  return { event: "budget-warning", cap, spent: over.have, limit: over.limit, reached: isReached(over) };
}
