/** The least time between two dreams of one store, kept in memory: a fault that left a gate open would else pay for each scan. */
import { coolDown } from "./cool-down.ts";
import { elapsed, MINUTE } from "./verdict.ts";

/** When a dream began, on both clocks: the wall clock may be set, the other stands still while the machine sleeps. */
export interface Began {
  readonly wall: number;
  readonly monotonic: number;
  readonly failed: boolean;
}

/** Whatever the configuration says. */
const LEAST = MINUTE;

/**
 * Never longer than what the time gate and the cool-down ask for by themselves, so that it delays nothing that is due.
 * @param waits the time gate's intervals, ms
 */
export function isTooSoon(
  last: Began | undefined,
  now: Omit<Began, "failed">,
  waits: { readonly interval: number; readonly backlogInterval: number },
): boolean {
  if (last === undefined) return false;
  const gap = Math.min(waits.interval, waits.backlogInterval);
  const needed = Math.max(LEAST, last.failed ? Math.min(gap, coolDown(1)) : gap);
  return elapsed(last.wall, now.wall) < needed && now.monotonic - last.monotonic < needed;
}
