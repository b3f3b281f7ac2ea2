/** What a check of the gates leaves behind: the store's verdict where it changed, and since when a dream is due. */
import { iso } from "../base/clock.ts";
import { firstClosed } from "../gate/judge.ts";
import type { Closed, Gate } from "../gate/verdict.ts";
import { waitingBatch } from "../ledger/batch.ts";
import { backlogOf, gateLimits } from "./limits.ts";
import { budgetFacts } from "./money.ts";
import type { DreamWorld } from "./world.ts";

/** Closed by one of these, no dream is due; the others only say that it cannot be now. */
const NOT_DUE: ReadonlySet<Gate> = new Set(["time", "sessions"]);

/** As the store's state keeps it. @param closed the first closed gate; null when none is */
export const verdictWord = (closed: Closed | null): string =>
  closed === null ? "open" : `${closed.gate}: ${closed.reason}`;

/** Writes nothing while the verdict stays: a closed gate costs what it cost before. @param closed the first gate that is; null when none is */
export function noteVerdict(
  world: Pick<DreamWorld, "state" | "clock" | "store" | "events">,
  closed: Closed | null,
): void {
  // A throttled check has not looked: the last verdict stands.
  if (closed?.gate === "throttle") return;
  const { verdict, dueSince } = world.state.current();
  const word = verdictWord(closed);
  const due = closed === null ? (dueSince ?? world.clock.now()) : NOT_DUE.has(closed.gate) ? null : dueSince;
  if (verdict === word && dueSince === due) return;
  world.state.save({ verdict: word, dueSince: due });
  if (verdict === word) return;
  world.events.emit({
    event: "gate",
    store: world.store.name,
    open: closed === null,
    gate: closed?.gate ?? null,
    reason: closed?.reason ?? null,
    opensAt: closed === null || closed.opensAt === null ? null : iso(closed.opensAt),
  });
}

/** A run moves the gates itself: who only hears of checks would not hear that they closed. @param stamp when the store was last consolidated, epoch ms */
export function noteAfterRun(world: DreamWorld, stamp: number): void {
  const { failure, lastScan, ...state } = world.state.current();
  const budget = budgetFacts(world.money, { now: false });
  const counted = lastScan?.counted ?? null;
  const facts = {
    stamp,
    backlog: backlogOf({ ...state, failure, lastScan }),
    failure,
    batch: waitingBatch(world.files, world.store.state),
    budget,
    lastScan: null,
    counted,
  };
  const how = { now: world.clock.now(), scanned: true, asked: false };
  noteVerdict(world, firstClosed(facts, gateLimits(world.config), how));
}
