/** Waiting enters memd through this seam, so that tests move time by hand. Delays count on the monotonic clock: they stand still while a laptop sleeps. */
export interface Timers {
  /** @returns takes it back; harmless when it has fired */
  after(ms: number, act: () => void): () => void;
  /** Lets everything else have its turn. */
  breathe(): Promise<void>;
}

/** Longest delay that Node's timers know; beyond it they fire at once. */
const LONGEST = 2 ** 31 - 1;

export const systemTimers: Timers = {
  after: (ms, act) => {
    const timer = setTimeout(act, Math.min(Math.max(0, ms), LONGEST));
    return () => clearTimeout(timer);
  },
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
};
