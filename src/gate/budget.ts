/** Budget gate: is anything left of the caps that hold over all stores together, and does the endpoint take the key? */
import { type Closed, open, type Verdict } from "./verdict.ts";

/** What caps count. Tokens: input, cached and output together; minutes: wall time of runs that may spend. */
export interface Amounts {
  readonly usd: number;
  readonly tokens: number;
  readonly requests: number;
  readonly minutes: number;
}

export type Measure = keyof Amounts;
export type Period = "run" | "day" | "month";

export const NOTHING: Amounts = { usd: 0, tokens: 0, requests: 0, minutes: 0 };

export type Spent = Readonly<Record<Period, Amounts>>;

export const NOTHING_SPENT: Spent = { run: NOTHING, day: NOTHING, month: NOTHING };

/** A cap of null is none. */
export type Caps = Readonly<Record<Period, Readonly<Record<Measure, number | null>>>>;

/** Why nothing is sent, whatever is left: the endpoint refused the key or the account. */
export interface Broken {
  /** `bad-key`, `no-key`, `no-credit`. */
  readonly reason: string;
  readonly detail: string;
  /** When it is tried again, epoch ms. */
  readonly until: number;
}

export interface BudgetFacts {
  /** False for a distiller that sends no request: nothing can close its gate. */
  readonly paid: boolean;
  readonly spent: Spent;
  /** When the local day and month end, epoch ms. */
  readonly dayEnds: number;
  readonly monthEnds: number;
  readonly broken: Broken | null;
}

/** The facts of a distiller that costs nothing. */
export const FREE: BudgetFacts = { paid: false, spent: NOTHING_SPENT, dayEnds: 0, monthEnds: 0, broken: null };

/** A cap that is reached, or would be crossed. */
export interface Over {
  readonly period: Period;
  readonly measure: Measure;
  readonly limit: number;
  readonly have: number;
}

/** The cap that holds longest is named first. */
export const PERIODS: readonly Period[] = ["month", "day", "run"];
const MEASURES: readonly Measure[] = ["usd", "tokens", "requests", "minutes"];

const UNITS: Readonly<Record<Measure, string>> = {
  usd: "USD",
  tokens: "tokens",
  requests: "requests",
  minutes: "minutes",
};
const WHEN: Readonly<Record<Period, string>> = { run: "in this run", day: "today", month: "this month" };

function firstCap(caps: Caps, spent: Spent, isOver: (cap: Over) => boolean): Over | null {
  for (const period of PERIODS) {
    for (const measure of MEASURES) {
      const limit = caps[period][measure];
      if (limit === null) continue;
      const cap = { period, measure, limit, have: spent[period][measure] };
      if (isOver(cap)) return cap;
    }
  }
  return null;
}

/** The first cap of which nothing is left; null when something is left of each. A cap of 0 means: never spend. */
function usedUp(spent: Spent, caps: Caps): Over | null {
  return firstCap(caps, spent, ({ have, limit }) => have >= limit);
}

/** The first cap that `need` would cross; null when it fits under each. */
export function crossed(spent: Spent, need: Amounts, caps: Caps): Over | null {
  return firstCap(caps, spent, ({ measure, have, limit }) => need[measure] > 0 && have + need[measure] > limit);
}

/** Share of a cap from which a person is warned. */
const WARN_AT = 0.8;

/** The first cap that is nearly reached. */
export function nearlyUsedUp(spent: Spent, caps: Caps): Over | null {
  return firstCap(caps, spent, ({ have, limit }) => have > 0 && have >= limit * WARN_AT);
}

/** `0.4213 of 0.5 USD today` */
export function overText({ period, measure, limit, have }: Over): string {
  return `${Number(have.toFixed(4))} of ${limit} ${UNITS[measure]} ${WHEN[period]}`;
}

export function sumOf(all: readonly Amounts[]): Amounts {
  const total = { ...NOTHING };
  for (const one of all) for (const measure of MEASURES) total[measure] += one[measure];
  return total;
}

export function budgetGate(facts: BudgetFacts, caps: Caps): Verdict {
  if (!facts.paid) return open("budget");
  const over = usedUp(facts.spent, caps);
  if (over === null) return facts.broken === null ? open("budget") : refused(facts.broken);
  const opensAt = over.period === "month" ? facts.monthEnds : facts.dayEnds;
  return { gate: "budget", open: false, reason: `${over.period}-budget-spent`, detail: overText(over), opensAt };
}

function refused({ reason, detail, until }: Broken): Closed {
  return { gate: "budget", open: false, reason, detail, opensAt: until };
}
