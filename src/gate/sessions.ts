/** Sessions gate: has enough been said? The dearest gate, since its facts cost a scan. */
import { type Backlog, isExpiring } from "./time.ts";
import { open, type Verdict } from "./verdict.ts";

export interface SessionFacts {
  /** Sessions with new human words since the stamp, and unread ones; null when the store was never scanned. */
  readonly counted: number | null;
  readonly backlog: Backlog;
}

export interface SessionLimits {
  /** Sessions that make a dream worth its cost. */
  readonly sessions: number;
  /** As in the time gate. */
  readonly expiringAfter: number;
}

/** Words that an earlier run left, or that are about to be deleted, need no company to be read. */
export function sessionsGate(facts: SessionFacts, now: number, limits: SessionLimits): Verdict {
  const { sessions: needed, expiringAfter } = limits;
  if (facts.backlog.left > 0 || isExpiring(facts.backlog, now, expiringAfter)) return open("sessions");
  if (facts.counted !== null && facts.counted >= needed) return open("sessions");
  const none = facts.counted === null;
  return {
    gate: "sessions",
    open: false,
    reason: none ? "never-scanned" : "too-few-sessions",
    detail: none ? "no scan yet" : `${facts.counted} of ${needed} sessions`,
    opensAt: null,
  };
}
