/** Budget gate: is anything left of the caps that hold over all stores together? */
import { open, type Verdict } from "./verdict.ts";

export interface Spent {
  readonly dayTokens: number;
  readonly dayUsd: number;
  readonly monthTokens: number;
  readonly monthUsd: number;
}

export const NOTHING_SPENT: Spent = { dayTokens: 0, dayUsd: 0, monthTokens: 0, monthUsd: 0 };

/** A cap of null is none. */
export interface Caps {
  readonly dayTokens: number | null;
  readonly dayUsd: number | null;
  readonly monthTokens: number | null;
  readonly monthUsd: number | null;
}

export interface BudgetFacts {
  /** False for a distiller that sends no request: no cap can close its gate. */
  readonly paid: boolean;
  readonly spent: Spent;
  /** When the local day and month end, epoch ms. */
  readonly dayEnds: number;
  readonly monthEnds: number;
}

const CAPS = [
  { cap: "monthUsd", ends: "monthEnds", reason: "month-budget-spent", unit: "USD this month" },
  { cap: "monthTokens", ends: "monthEnds", reason: "month-budget-spent", unit: "tokens this month" },
  { cap: "dayUsd", ends: "dayEnds", reason: "day-budget-spent", unit: "USD today" },
  { cap: "dayTokens", ends: "dayEnds", reason: "day-budget-spent", unit: "tokens today" },
] as const;

/** The cap that holds longest is named first. A cap of 0 means: never spend. */
export function budgetGate(facts: BudgetFacts, caps: Caps): Verdict {
  if (!facts.paid) return open("budget");
  for (const { cap, ends, reason, unit } of CAPS) {
    const limit = caps[cap];
    if (limit === null || facts.spent[cap] < limit) continue;
    const spent = Number(facts.spent[cap].toFixed(4));
    return { gate: "budget", open: false, reason, detail: `${spent} of ${limit} ${unit}`, opensAt: facts[ends] };
  }
  return open("budget");
}
