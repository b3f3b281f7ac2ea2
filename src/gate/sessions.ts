/** Sessions gate: has enough been said? The dearest gate, since its facts cost a scan. */
import { type Backlog, isExpiring } from "./time.ts";
import { open, type Verdict } from "./verdict.ts";

export interface SessionFacts {
  /** Sessions with new human words since the stamp, and unread ones; null when the store was never scanned. */
  readonly counted: number | null;
  readonly backlog: Backlog;
}

/** @param needed sessions that make a dream worth its while */
export function sessionsGate(facts: SessionFacts, now: number, needed: number): Verdict {
  if (facts.backlog.left > 0 || isExpiring(facts.backlog, now)) return open("sessions");
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
