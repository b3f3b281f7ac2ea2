/** All gates in their order, cheapest first. The lock is not among them: holding it is an effect, and the lock room's. */
import { type BatchFacts, batchGate } from "./batch.ts";
import { type BudgetFacts, budgetGate, type Caps } from "./budget.ts";
import { coolDownGate, type Failure } from "./cool-down.ts";
import { type SessionLimits, sessionsGate } from "./sessions.ts";
import { throttleGate } from "./throttle.ts";
import { type Backlog, timeGate, type Waits } from "./time.ts";
import type { Closed, Gate, Verdict } from "./verdict.ts";

export interface GateFacts {
  /** When the store was last consolidated, epoch ms; 0 never. */
  readonly stamp: number;
  readonly backlog: Backlog;
  /** The failures since the last success; null when there were none. */
  readonly failure: Failure | null;
  /** Absent or null: none waits. */
  readonly batch?: BatchFacts | null;
  readonly budget: BudgetFacts;
  /** Epoch ms; null never. */
  readonly lastScan: number | null;
  readonly counted: number | null;
}

export interface GateLimits extends Waits, SessionLimits {
  /** Milliseconds between two scans of a store. */
  readonly scanInterval: number;
  readonly caps: Caps;
}

type Judge = (facts: GateFacts, now: number, limits: GateLimits) => Verdict;

/** Their facts are at hand. */
const BEFORE_SCAN: readonly Judge[] = [
  timeGate,
  (facts, now) => coolDownGate(facts.failure, now),
  (facts, now) => batchGate(facts.batch ?? null, now),
  (facts, _, limits) => budgetGate(facts.budget, limits.caps),
  (facts, now, limits) => throttleGate(facts.lastScan, now, limits.scanInterval),
];
const ALL: readonly Judge[] = [...BEFORE_SCAN, sessionsGate];

/** Every gate's verdict, in the order time, cool-down, batch, budget, throttle, sessions: what `status` shows. Without a batch its gate is not there. */
export function judgeGates(facts: GateFacts, now: number, limits: GateLimits): readonly Verdict[] {
  return ALL.map((judge) => judge(facts, now, limits)).filter(({ gate }) => gate !== "batch" || facts.batch);
}

/**
 * The first closed gate; those behind it are not asked. Null when the store may dream, or may be scanned.
 * @param how.scanned the sessions were counted just now, so that their gate can be asked
 * @param how.asked a person asked for the dream at once (`dream --now`)
 */
export function firstClosed(
  facts: GateFacts,
  limits: GateLimits,
  how: { readonly now: number; readonly scanned: boolean; readonly asked: boolean },
): Closed | null {
  for (const judge of how.scanned ? ALL : BEFORE_SCAN) {
    const decided = decides([judge(facts, how.now, limits)], how.asked);
    if (decided) return decided;
  }
  return null;
}

/** What `dream --now` passes by; never the budget. */
const PASSED_BY_NOW: ReadonlySet<Gate> = new Set(["time", "cool-down", "batch", "throttle", "sessions"]);

/**
 * The first closed gate decides; null when the store may dream.
 * @param asked a person asked for the dream at once (`dream --now`)
 */
export function decides(verdicts: readonly Verdict[], asked = false): Closed | null {
  for (const verdict of verdicts) {
    if (!verdict.open && !(asked && PASSED_BY_NOW.has(verdict.gate))) return verdict;
  }
  return null;
}
