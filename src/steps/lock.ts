/** Step `lock`: takes the lease, and under it finishes or takes back what a crashed run left. A dry run only looks. */
import { iso } from "../base/clock.ts";
import type { Held, Run, Skip } from "../dream.ts";
import { acquireLease, type Lease } from "../lock/lease.ts";
import { type Held as HeldBy, lockState } from "../lock/occupancy.ts";
import { timeGateStillOpen } from "./gate.ts";
import { recoverStore } from "./recover.ts";
import type { DreamWorld } from "./world.ts";

/** The lease of a run, for apply's fencing. Keyed by the run, since steps share nothing else. */
export type Leases = Map<string, Lease>;

/** A lease that is taken is given back here only when the run does not go on; else by `release`. @param leases gets the lease, for apply */
export function lockStep(world: DreamWorld, leases: Leases) {
  return async (run: Run): Promise<{ held: Held } | { skip: Skip }> => {
    run.request.progress("lock", world.store.memory);
    if (run.request.dryRun) return lookOnly(world);
    const taken = await acquireLease(world.lease, world.store.memory, run.id);
    if (taken.state === "held") return { skip: heldBy(taken) };
    const { lease } = taken;
    const late = timeGateStillOpen(world, run, lease.priorStamp);
    if (late) {
      await lease.release({ kind: "unchanged" });
      return { skip: late };
    }
    leases.set(run.id, lease);
    try {
      run.notices.push(...(await recoverStore(world, () => !lease.signal.aborted)));
    } catch (error) {
      await lease.release({ kind: "failed" });
      throw error;
    }
    return { held: heldUntilReleased(run, lease, leases) };
  };
}

function heldUntilReleased(run: Run, lease: Lease, leases: Leases): Held {
  return {
    signal: lease.signal,
    release: async (stamp) => {
      leases.delete(run.id);
      // The stamp is the start of the run: what is said while it reads belongs to the next one.
      const outcome =
        stamp === "forward"
          ? ({ kind: "success", stamp: run.startedAt } as const)
          : { kind: stamp === "back" ? ("failed" as const) : ("unchanged" as const) };
      run.facts.stampAfter = await lease.release(outcome);
    },
  };
}

function lookOnly(world: DreamWorld): { held: Held } | { skip: Skip } {
  const found = lockState(world.lease, world.store.memory);
  if (found.state === "held") return { skip: heldBy(found) };
  return { held: { signal: new AbortController().signal, release: async () => undefined } };
}

function heldBy(held: HeldBy): Skip {
  const who =
    held.by.program === "claude-code" ? "Claude Code" : held.by.program === "memd" ? "another memd" : "another program";
  const pid = held.by.pid === null ? "" : `, pid ${held.by.pid}`;
  return {
    outcome: "held",
    reason: "held",
    hint: `The lock is held by ${who}${pid}, since ${iso(held.since)}. Nothing to do: it ends by itself.`,
  };
}
