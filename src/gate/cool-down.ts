/** Cool-down gate: after a failure a store waits, longer each time, so that a fault is not paid for every ten minutes. */
import { DAY, elapsed, HOUR, MINUTE, open, type Verdict } from "./verdict.ts";

export interface Failure {
  /** Failed runs in a row, from 1. */
  readonly count: number;
  /** When the last one ended, epoch ms. */
  readonly at: number;
  /** The work itself was refused: trying again at once would buy the same refusal, so the first wait is longer. */
  readonly rejected: boolean;
  /** When the other side asked to be tried again (`retry-after`), epoch ms, or null. */
  readonly notBefore: number | null;
}

const COOL_DOWN = { first: 10 * MINUTE, firstRejected: HOUR, longest: DAY } as const;

/** Milliseconds to wait after `count` failures in a row: doubles from the first wait up to a day. */
export function coolDown(count: number, rejected = false): number {
  const first = rejected ? COOL_DOWN.firstRejected : COOL_DOWN.first;
  return Math.min(first * 2 ** Math.min(Math.max(count, 1) - 1, 16), COOL_DOWN.longest);
}

/** A `notBefore` further away than the longest cool-down is cut to it: a header from outside never stops a store for weeks. */
export function coolDownGate(failure: Failure | null, now: number): Verdict {
  if (failure === null) return open("cool-down");
  const asked = failure.notBefore === null ? 0 : Math.min(failure.notBefore - failure.at, COOL_DOWN.longest);
  const wait = Math.max(coolDown(failure.count, failure.rejected), asked);
  if (elapsed(failure.at, now) >= wait) return open("cool-down");
  return {
    gate: "cool-down",
    open: false,
    reason: "failed-recently",
    detail: failure.count === 1 ? "the last run failed" : `the last ${failure.count} runs failed`,
    opensAt: failure.at + wait,
  };
}
