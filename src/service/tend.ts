/** How the daemon lives under the manager that started it: what launchd lacks, memd brings along. */
import { classify, EXIT } from "../base/errors.ts";
import { type HangWatch, watchForHang } from "./hang.ts";
import { type Notify, type NotifySetup, openNotify } from "./notify.ts";
import { countStart, forgetStarts, giveUp, type StartsWorld } from "./starts.ts";

export interface Tending {
  readonly notify: Notify;
  /** Too many starts failed before this one: end clean, at once. */
  readonly exhausted: boolean;
  /** The exit status that makes this manager do what `status` means. */
  exitStatus(status: number): number;
}

/** As often as the thread looks; six looks without one are a hang. */
const PING_MS = 10_000;
/** Pings after which a start has lasted: a minute. */
const LASTED = 6;

/** Called once, before the first child is started; see `openNotify`. */
export function tend(setup: NotifySetup & { readonly starts: StartsWorld }): Tending {
  const notify = openNotify(setup);
  if (setup.env["MEMD_SERVICE"] !== "launchd") return { notify, exhausted: false, exitStatus: (status) => status };
  return underLaunchd(setup, notify);
}

function underLaunchd(
  { pid, trouble, starts }: NotifySetup & { readonly starts: StartsWorld },
  notify: Notify,
): Tending {
  /** What cannot be counted is told, and stops nothing. */
  const counted = <T>(act: () => T, instead: T): T => {
    try {
      return act();
    } catch (error) {
      trouble(classify(error, "count the starts of the service").message);
      return instead;
    }
  };
  let watch: HangWatch | null = null;
  let pings = 0;
  return {
    notify: {
      ...notify,
      pingMs: PING_MS,
      // A first look at many folders may hold the loop for long; from here on nothing may.
      ready: async () => {
        watch ??= watchForHang({ pid, trouble });
      },
      ping: async () => {
        watch?.turned();
        if (++pings === LASTED) counted(() => forgetStarts(starts), undefined);
      },
    },
    exhausted: !counted(() => countStart(starts), true),
    exitStatus: (status) => {
      if (status !== 0) return counted(() => giveUp(starts, meaning(status)), false) ? 0 : status;
      counted(() => forgetStarts(starts), undefined);
      return 0;
    },
  };
}

function meaning(status: number): string {
  const family = Object.entries(EXIT).find(([, code]) => code === status)?.[0];
  return `each ended with exit status ${status}${family === undefined ? "" : ` (${family})`}`;
}
