/** Time gate: has enough time passed since the store was last consolidated? The cheapest one, so it comes first. */
import { CLOCK_SKEW, DAY, elapsed, HOUR, open, type Verdict } from "./verdict.ts";

export interface Backlog {
  /** Unread sessions that an earlier run left: they were there at the stamp. Sessions begun since are not among them. */
  readonly left: number;
  /** mtime of the oldest session that has not been read to its end, epoch ms; null when there is none. */
  readonly oldestUnread: number | null;
}

export const NO_BACKLOG: Backlog = { left: 0, oldestUnread: null };

/** Agents delete transcripts 30 days after the last write; nine days leave room for a machine that sleeps over a holiday. */
export const EXPIRING_AFTER = 21 * DAY;

/** A store that has words waiting may dream again after this, not after the full interval. */
export const BACKLOG_INTERVAL = HOUR;

/** True when a session would be lost unread if the store waited for its ordinary turn. */
export function isExpiring(backlog: Backlog, now: number): boolean {
  return backlog.oldestUnread !== null && now - backlog.oldestUnread >= EXPIRING_AFTER;
}

/**
 * Words that wait, or are about to be deleted, shorten the interval to an hour; never to nothing, so that a session which
 * cannot be read to its end does not start a dream at each scan.
 * @param stamp when the store was last consolidated, epoch ms; 0 never
 * @param interval milliseconds between two dreams
 */
export function timeGate(facts: { stamp: number; backlog: Backlog }, now: number, interval: number): Verdict {
  const waiting = facts.backlog.left > 0 || isExpiring(facts.backlog, now);
  const needed = waiting ? Math.min(interval, BACKLOG_INTERVAL) : interval;
  const passed = elapsed(facts.stamp, now);
  if (passed >= needed) return open("time");
  return {
    gate: "time",
    open: false,
    reason: "too-soon",
    detail: `consolidated ${hours(passed)} h ago, every ${hours(needed)} h`,
    opensAt: Math.min(facts.stamp, now + CLOCK_SKEW) + needed,
  };
}

function hours(ms: number): string {
  return (ms / HOUR).toFixed(1).replace(/\.0$/, "");
}
