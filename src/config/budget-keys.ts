/** Caps on what may be spent: per run, day and month, over all stores together. */
import { type Key, number } from "./key.ts";

const USD: readonly [number, number] = [0, 100_000];
const TOKENS: readonly [number, number] = [0, 10_000_000_000];
const COUNT: readonly [number, number] = [0, 10_000_000];

export const BUDGET_KEYS: readonly Key[] = [
  number(
    "budget.maxRunUsd",
    0.75,
    USD,
    "Money that one run may cost; one that reads all of dream.evidenceTokens was measured at 0.33, and at 0.52 with the most that its next request may cost.",
  ),
  number("budget.maxDayUsd", 1, USD, "Money per day over all stores."),
  number("budget.maxMonthUsd", 10, USD, "Money per month over all stores."),
  number(
    "budget.maxRunTokens",
    1_500_000,
    TOKENS,
    "Tokens of one run: input, cached and output together. That same run took 750,000, most of them read from the cache again and again.",
  ),
  number("budget.maxDayTokens", 2_000_000, TOKENS, "Tokens per day over all stores."),
  number("budget.maxMonthTokens", 30_000_000, TOKENS, "Tokens per month over all stores."),
  number("budget.maxRunRequests", 200, COUNT, "Requests that one run may send."),
  number("budget.maxDayRequests", 500, COUNT, "Requests per day over all stores."),
  number("budget.maxMonthRequests", 5_000, COUNT, "Requests per month over all stores."),
  number(
    "budget.maxDayMinutes",
    120,
    [0, 1_440],
    "Wall time per day that runs of a paid distiller may take; one run: dream.maxMinutes.",
  ),
  number("budget.maxMonthMinutes", 1_500, [0, 44_640], "Wall time per month of such runs."),
];
