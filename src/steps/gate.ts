/** Step `gate`: may this store dream now? Cheapest question first; a closed time gate that was seen before costs one stat. */
import { iso } from "../base/clock.ts";
import type { Run, Skip } from "../dream.ts";
import { firstClosed, type GateFacts } from "../gate/judge.ts";
import type { Closed } from "../gate/verdict.ts";
import { waitingBatch } from "../ledger/batch.ts";
import { recoverLease } from "../lock/lease.ts";
import { readStamp } from "../lock/stamp.ts";
import { lookAfterBatch } from "./batch.ts";
import { scanStore } from "./collect.ts";
import { backlogOf, gateLimits } from "./limits.ts";
import { budgetFacts } from "./money.ts";
import type { DreamWorld } from "./world.ts";

export function gateStep(world: DreamWorld) {
  return async (run: Run): Promise<Skip | null> => {
    run.request.progress("gate", run.store.name);
    const stamp = await currentStamp(world, run);
    run.facts.stampBefore = stamp;
    run.facts.stampAfter = stamp;
    const closed = judge(world, run, stamp);
    if (closed) return closed;
    const [paused] = world.pauses();
    if (paused) return { outcome: "paused", reason: "paused", hint: paused.hint };
    if (run.request.now) return null;
    const waits = await lookAfterBatch(world, run, { cancel: false });
    if (waits) return waits;
    await scanStore(world, run, stamp);
    return judge(world, run, stamp, true);
  };
}

/** A holder in the file may be a run that was killed, even when its pid lives on as another process: then the stamp is rolled back. */
async function currentStamp(world: DreamWorld, run: Run): Promise<number> {
  const now = world.clock.now();
  const seen = readStamp(world.lease, world.store.memory, now);
  if (seen.notice) run.notices.push(seen.notice);
  if (seen.holder === null) return seen.stamp;
  await recoverLease(world.lease, world.store.memory);
  return readStamp(world.lease, world.store.memory, now).stamp;
}

/** @param scanned the sessions were just counted: throttle no longer asks, sessions does */
function judge(world: DreamWorld, run: Run, stamp: number, scanned = false): Skip | null {
  const now = world.clock.now();
  const state = world.state.current();
  const facts: GateFacts = {
    stamp,
    backlog: backlogOf(state),
    failure: state.failure,
    // Both are asked for when the time gate is open: they read files.
    get batch() {
      return waitingBatch(world.files, world.store.state);
    },
    get budget() {
      return budgetFacts(world.money, run.request);
    },
    lastScan: scanned ? null : (state.lastScan?.at ?? null),
    counted: run.facts.sessions?.counted ?? state.lastScan?.counted ?? null,
  };
  const closed = firstClosed(facts, gateLimits(world.config), { now, scanned, asked: run.request.now });
  if (closed === null) return null;
  // Who asks at once waits for no gate; what a cap forbids them is no matter of time.
  if (!run.request.now) return notDue(closed);
  return { ...notDue(closed), outcome: isSpent(closed) ? "over-budget" : "refused" };
}

/** The time gate is asked again under the lock: someone may have consolidated while this run waited for nothing. */
export function timeGateStillOpen(world: DreamWorld, run: Run, stamp: number): Skip | null {
  return run.request.now || stamp === run.facts.stampBefore ? null : judge(world, run, stamp, true);
}

function notDue(closed: Closed): Skip {
  const opens = closed.opensAt === null ? "It opens when more has been said." : `It opens at ${iso(closed.opensAt)}.`;
  return {
    outcome: "not-due",
    reason: `${closed.gate}: ${closed.reason}`,
    hint: `The ${closed.gate} gate is closed (${closed.detail}). ${opens} ${remedy(closed)}`,
    closed,
  };
}

const isSpent = ({ reason }: Closed) => reason.endsWith("-budget-spent");

function remedy(closed: Closed): string {
  if (closed.gate !== "budget") return "memd dream --now does not wait.";
  if (isSpent(closed)) return "The caps are the keys of budget in the configuration.";
  return "Mend the key or the account; memd dream --now tries it with one request.";
}
