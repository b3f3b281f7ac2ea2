/**
 * Watcher events, merged: a store is looked at once it has been quiet for a while, and at the latest after a ceiling, so that a session
 * that is written to without a pause neither hides the others nor asks for a look at each line.
 */
import type { Clock } from "../base/clock.ts";
import type { Timers } from "../base/timers.ts";

export interface HintWorld {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Quiet after an event before its store is looked at, ms. */
  readonly quiet: number;
  /** A store that never falls quiet is looked at this often, ms. */
  readonly longest: number;
}

export interface Hints {
  add(key: string): void;
  /** Stores with events that were not told yet: never more than there are stores. */
  readonly pending: number;
  close(): void;
}

interface Burst {
  readonly first: number;
  last: number;
}

/** @param tell gets each store whose burst is over, once */
export function openHints(
  { clock, timers, quiet, longest }: HintWorld,
  tell: (keys: readonly string[]) => void,
): Hints {
  const bursts = new Map<string, Burst>();
  let cancel: (() => void) | null = null;
  const dueAt = ({ first, last }: Burst) => Math.min(last + quiet, first + longest);
  const arm = (): void => {
    cancel = null;
    if (bursts.size === 0) return;
    let soonest = Number.POSITIVE_INFINITY;
    for (const burst of bursts.values()) soonest = Math.min(soonest, dueAt(burst));
    cancel = timers.after(Math.max(0, soonest - clock.monotonic()), fire);
  };
  const fire = (): void => {
    const now = clock.monotonic();
    const due = [...bursts].filter(([, burst]) => dueAt(burst) <= now).map(([key]) => key);
    for (const key of due) bursts.delete(key);
    arm();
    if (due.length > 0) tell(due);
  };
  return {
    add: (key) => {
      const now = clock.monotonic();
      const burst = bursts.get(key);
      // The timer stands where the first event put it; it finds out by itself that more came.
      if (burst) burst.last = now;
      else bursts.set(key, { first: now, last: now });
      if (cancel === null) arm();
    },
    get pending() {
      return bursts.size;
    },
    close: () => {
      bursts.clear();
      cancel?.();
      cancel = null;
    },
  };
}
