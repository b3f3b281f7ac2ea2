/**
 * Time enters memd through this seam; nothing else reads a clock.
 * Ages use the wall clock: monotonic timers stop while a laptop sleeps, and a memory's age must not.
 */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds that only ever grow within this process; for durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** ISO 8601 UTC with milliseconds, the only form in which memd prints or stores a time. */
export function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
