/** Time that is moved by hand, on two clocks: the wall clock goes on while the machine sleeps, the other one does not. */
import type { Clock } from "../../src/base/clock.ts";
import type { Timers } from "../../src/base/timers.ts";
import { START } from "../support/home.ts";

export interface Time {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Both clocks go on; every timer on the way fires, and what it began is waited for. */
  awake(ms: number): Promise<void>;
  /** The lid is closed. */
  asleep(ms: number): void;
  /** Somebody sets the clock. */
  set(wall: number): void;
  /** Waits for what a timer began. */
  settle: () => Promise<void>;
  readonly armed: number;
}

interface Armed {
  readonly at: number;
  readonly act: () => void;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export function makeTime(start = START): Time {
  let [wall, monotonic] = [start, 1_000];
  const armed = new Set<Armed>();
  const time: Time = {
    clock: { now: () => wall, monotonic: () => monotonic },
    timers: {
      after: (ms, act) => {
        const timer = { at: monotonic + Math.max(0, ms), act };
        armed.add(timer);
        return () => armed.delete(timer);
      },
      breathe: turn,
    },
    awake: async (ms) => {
      const until = monotonic + ms;
      const to = (at: number) => {
        wall += at - monotonic;
        monotonic = at;
      };
      for (;;) {
        const next = [...armed].reduce<Armed | null>((a, b) => (a === null || b.at < a.at ? b : a), null);
        if (next === null || next.at > until) break;
        armed.delete(next);
        to(Math.max(monotonic, next.at));
        next.act();
        await time.settle();
      }
      to(until);
    },
    asleep: (ms) => {
      wall += ms;
    },
    set: (to) => {
      wall = to;
    },
    settle: turn,
    get armed() {
      return armed.size;
    },
  };
  return time;
}
