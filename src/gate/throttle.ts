/** Throttle gate: a scan lists every transcript of a store, so it happens at most once in ten minutes. */
import { elapsed, MINUTE, open, type Verdict } from "./verdict.ts";

/** Claude Code's own dream waits as long between two scans. */
const SCAN_INTERVAL = 10 * MINUTE;

/** @param lastScan when the store was last scanned, epoch ms, as its state file says; null never */
export function throttleGate(lastScan: number | null, now: number, interval: number = SCAN_INTERVAL): Verdict {
  if (lastScan === null || elapsed(lastScan, now) >= interval) return open("throttle");
  return {
    gate: "throttle",
    open: false,
    reason: "scanned-recently",
    detail: `at most one scan in ${Math.round(interval / MINUTE)} min`,
    opensAt: lastScan + interval,
  };
}
