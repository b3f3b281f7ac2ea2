/** A request that was reserved before and is reported after: the only way to send one. */
import { MemdError } from "../../base/errors.ts";
import type { Home } from "../home.ts";
import type { Attempt } from "./attempt.ts";
import type { Price } from "./settings.ts";
import { type Counts, NO_COUNTS, reservationOf, usageOf } from "./spend.ts";
import type { Trouble } from "./trouble.ts";

/** Keeps the money: asked before, told after. */
export type Purse = Pick<Home, "reserve" | "spent">;

export interface Need {
  /** At most, both. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly price: Price | null;
}

/**
 * Every reservation that was granted is followed by exactly one report.
 * @throws MemdError over-budget, with the cap that stands against it
 */
export async function paid(purse: Purse, need: Need, run: () => Promise<Attempt>): Promise<Attempt> {
  const { granted, reason } = await purse.reserve(reservationOf(need.inputTokens, need.outputTokens, need.price));
  if (!granted) throw overBudget(reason);
  const tried = await run();
  purse.spent(usageOf(countsOf(tried, need.inputTokens), need.price));
  return tried;
}

/**
 * A request that costs nothing is still one of those that may be sent.
 * @throws MemdError over-budget; what `run` throws
 */
export async function unpaid<T>(purse: Purse, run: () => Promise<T>): Promise<T> {
  const { granted, reason } = await purse.reserve(reservationOf(0, 0, null));
  if (!granted) throw overBudget(reason);
  purse.spent(usageOf(NO_COUNTS, null));
  return run();
}

/** The connection was never made. One that was reset may have been, and the request read. */
const UNSENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "ETIMEDOUT", "EPROXY"];

/** What was refused costs nothing; of what was begun, and of what may have been, at least the prompt counts. */
function countsOf({ trouble, gathering }: Attempt, estimate: number): Counts {
  if (trouble?.kind === "status") return NO_COUNTS;
  if (trouble !== null && wasUnsent(trouble)) return NO_COUNTS;
  const { counts } = gathering;
  return counts.input + counts.cacheWrite + counts.cacheRead > 0 ? counts : { ...counts, input: estimate };
}

/** True when nothing of a request can have reached the endpoint. */
export function wasUnsent(trouble: Trouble): boolean {
  return trouble.kind === "connection" && UNSENT.includes(trouble.code ?? "");
}

export function overBudget(reason: string | null): MemdError {
  return new MemdError({
    code: "over-budget",
    family: "over-budget",
    message: reason ?? "a cap on what may be spent is reached",
    hint: "Raise the cap that is named, or wait until its period ends.",
  });
}
