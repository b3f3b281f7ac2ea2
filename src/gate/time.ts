/** Time gate: has enough time passed since the store was last consolidated? The cheapest one, so it comes first. */
import { CLOCK_SKEW, DAY, elapsed, HOUR, open, type Verdict } from "./verdict.ts";

export interface Backlog {
  /** Unread sessions that an earlier run left: they were there at the stamp. Sessions begun since are not among them. */
  readonly left: number;
  /** mtime of the oldest session that has not been read to its end, epoch ms; null when there is none. */
  readonly oldestUnread: number | null;
}

export const NO_BACKLOG: Backlog = { left: 0, oldestUnread: null };

export interface Waits {
  /** Milliseconds between two dreams of a store. */
  readonly interval: number;
  /** Milliseconds after which a store that has words waiting may dream again. */
  readonly backlogInterval: number;
  /** Age of an unread session, in milliseconds, from which it is about to be deleted. */
  readonly expiringAfter: number;
}

/** Claude Code dreams once a day, and deletes transcripts 30 days after the last write: nine days leave room for a holiday. */
export const WAITS: Waits = { interval: DAY, backlogInterval: HOUR, expiringAfter: 21 * DAY };

/** True when a session would be lost unread if the store waited for its ordinary turn. */
export function isExpiring(backlog: Backlog, now: number, expiringAfter: number = WAITS.expiringAfter): boolean {
  return backlog.oldestUnread !== null && now - backlog.oldestUnread >= expiringAfter;
}

/**
 * Words that wait, or are about to be deleted, shorten the interval; never to nothing, so that a session which cannot be
 * read to its end does not start a dream at each scan.
 * @param stamp when the store was last consolidated, epoch ms; 0 never
 */
export function timeGate(facts: { stamp: number; backlog: Backlog }, now: number, waits: Waits = WAITS): Verdict {
  const waiting = facts.backlog.left > 0 || isExpiring(facts.backlog, now, waits.expiringAfter);
  const needed = waiting ? Math.min(waits.interval, waits.backlogInterval) : waits.interval;
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
