/**
 * Dead man's switch: a store that should have been consolidated for days and was not. Failures, a full budget, a lock that is always held and
 * a daemon that is not there all look alike from here, and all are worth a word: a scheduler that says "ok" for weeks is the worst of them.
 */
import type { GateFacts, GateLimits } from "./judge.ts";
import { sessionsGate } from "./sessions.ts";
import { timeGate } from "./time.ts";
import { CLOCK_SKEW, DAY } from "./verdict.ts";

/** Two days: one missed night is a machine that was off, and the longest cool-down (a day) has passed once. */
const DEAD_MAN = 2 * DAY;

/**
 * Since when enough time has passed and enough was said, with no success since; null when a dream is not due.
 * @param noted when a check first found both open, epoch ms, as the store's state says; null when none did, or one succeeded since
 */
export function dueSince(
  facts: GateFacts,
  noted: number | null,
  at: { now: number; limits: GateLimits },
): number | null {
  const { now, limits } = at;
  if (noted !== null && noted > facts.stamp && noted <= now + CLOCK_SKEW) return noted;
  // No check since: what the last scan counted, and a stamp that grows old, tell as much.
  if (facts.lastScan === null || facts.stamp > facts.lastScan) return null;
  if (!timeGate(facts, now, limits).open || !sessionsGate(facts, now, limits).open) return null;
  const timeOpened = facts.stamp === 0 ? 0 : facts.stamp + limits.interval;
  return Math.min(now, Math.max(timeOpened, facts.lastScan));
}

/** True when it has been due for so long that somebody should know. @param since as `dueSince` tells it, epoch ms */
export function isOverdue(since: number | null, now: number): boolean {
  return since !== null && now - since >= DEAD_MAN;
}
