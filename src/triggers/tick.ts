/**
 * The pulse: twice a minute it compares both clocks with the last scan. A timer for the whole interval would stand still while the
 * machine sleeps; so a scan is due when either clock says so, and at once when the two disagree (a suspend, or a clock that was set).
 */
import type { Clock } from "../base/clock.ts";
import type { Timers } from "../base/timers.ts";

const BEAT = 30_000;
/** Clocks that differ by less were merely adjusted. */
const LEAP = 60_000;
/** Many machines of one user should not look at a shared home in the same second. */
const JITTER = 0.1;
/** A configuration may ask for no throttle at all; a scan without a pause would be a loop. */
const LEAST = 60_000;

export interface TickWorld {
  readonly clock: Clock;
  readonly timers: Timers;
  /** From 0 to below 1. */
  readonly chance: () => number;
  /** Between two scans, ms. */
  readonly interval: number;
  /** How often somebody wants to hear that the loop turns, ms; null when nobody asks. */
  readonly beatMs: number | null;
}

export interface TickListener {
  /** @param leap ms by which the wall clock went further than time did; 0 for an ordinary scan */
  scan(leap: number): void;
  beat(): void;
}

/** @returns stops it */
export function startTick({ clock, timers, chance, interval, beatMs }: TickWorld, on: TickListener): () => void {
  const beat = Math.min(BEAT, beatMs ?? BEAT);
  const read = () => ({ wall: clock.now(), monotonic: clock.monotonic() });
  const nextWait = () => Math.max(LEAST, interval) * (1 + chance() * JITTER);
  let last = read();
  let scanned = last;
  let wait = nextWait();
  let cancel = timers.after(beat, turn);
  function turn(): void {
    const now = read();
    const leap = now.wall - last.wall - (now.monotonic - last.monotonic);
    const leapt = Math.abs(leap) >= LEAP;
    const passed = Math.max(now.wall - scanned.wall, now.monotonic - scanned.monotonic);
    last = now;
    // Armed first: what a listener throws must not stop the pulse.
    cancel = timers.after(beat, turn);
    if (leapt || passed >= wait) {
      scanned = now;
      wait = nextWait();
      on.scan(leapt ? leap : 0);
    }
    on.beat();
  }
  return () => cancel();
}
