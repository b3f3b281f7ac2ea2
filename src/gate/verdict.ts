/** The gates' common words. This room is pure: it is given facts and the time, and says whether a store may dream. */

export type Gate = "time" | "cool-down" | "batch" | "budget" | "throttle" | "sessions" | "lock";

export interface Open {
  readonly gate: Gate;
  readonly open: true;
}

export interface Closed {
  readonly gate: Gate;
  readonly open: false;
  /** Stable kebab-case word. */
  readonly reason: string;
  /** The figures behind the reason, for people: `2 of 5 sessions`. */
  readonly detail: string;
  /** When to ask again, epoch ms; null when no time opens it. */
  readonly opensAt: number | null;
}

export type Verdict = Open | Closed;

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/**
 * A recorded time may lie this far ahead of the clock (drift between machines, a corrected clock); further ahead it is
 * invalid and counts as never. Otherwise a clock that was set back would close a gate for the whole difference.
 */
export const CLOCK_SKEW = 5 * MINUTE;

/** Milliseconds from `then` to `now`, never negative; Infinity when `then` is null, never (0) or invalid. */
export function elapsed(then: number | null, now: number): number {
  if (then === null || then <= 0 || !Number.isFinite(then) || then > now + CLOCK_SKEW) return Number.POSITIVE_INFINITY;
  return Math.max(0, now - then);
}

export function open(gate: Gate): Open {
  return { gate, open: true };
}
