/** Batch gate: what an earlier run left to be answered is looked after now and then, and nothing else is asked until it is there. */
import { iso } from "../base/clock.ts";
import { type Closed, elapsed, HOUR, MINUTE, open, type Verdict } from "./verdict.ts";

export interface BatchFacts {
  /** When it was sent, epoch ms. */
  readonly since: number;
  /** Parts of sessions that wait for their answer. */
  readonly parts: number;
  /** When it is looked at next, epoch ms. */
  readonly lookAt: number;
}

/** The API ends a batch after 24 hours by itself; an hour later it is cancelled. */
export const BATCH_PATIENCE = 25 * HOUR;

/** @param batch null when none waits */
export function batchGate(batch: BatchFacts | null, now: number): Verdict {
  // A look further away than the longest wait is none: the clock was set back.
  if (batch === null || batch.lookAt <= now || batch.lookAt > now + LONGEST + MINUTE) return open("batch");
  return batchClosed(batch);
}

export function batchClosed({ parts, since, lookAt }: BatchFacts): Closed {
  return {
    gate: "batch",
    open: false,
    reason: "batch-waiting",
    detail: `parts of sessions that are read at the batch price: ${parts}, sent ${iso(since)}`,
    opensAt: lookAt,
  };
}

const LONGEST = 24 * HOUR;

/**
 * When a batch is looked at next: as often as stores are scanned, then after a quarter of the time that it has taken so far, an hour at
 * most. Most batches end within an hour; one that takes a day is looked at some thirty times.
 */
export function nextLook(since: number, now: number, scanInterval: number): number {
  const age = elapsed(since, now);
  const quarter = Number.isFinite(age) ? age / 4 : 0;
  return now + Math.min(LONGEST, Math.max(scanInterval, Math.min(HOUR, quarter)));
}
