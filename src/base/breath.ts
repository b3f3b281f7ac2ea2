/** Lets others go on in the middle of long work: a process that renews a lease and answers a socket must not think for long in one go. */
import type { Clock } from "./clock.ts";

/** Called between two pieces of work; mostly it returns at once. */
export type Breath = () => Promise<void> | undefined;

/** Milliseconds of work before others get a turn: a fifth of the 200 ms after which people notice. */
const AT_MOST = 40;

export function makeBreath(clock: Clock): Breath {
  let since = clock.monotonic();
  return () => {
    if (clock.monotonic() - since < AT_MOST) return undefined;
    return new Promise((go) => {
      setImmediate(() => {
        since = clock.monotonic();
        go();
      });
    });
  };
}
