/** A glance at a store's gates: one stat while nothing changed, without building the world of a run. It may err towards open; the run asks again. */

import { FREE } from "../gate/budget.ts";
import { firstClosed, type GateFacts, type GateLimits } from "../gate/judge.ts";
import type { Closed } from "../gate/verdict.ts";
import { elapsed, HOUR } from "../gate/verdict.ts";
import { waitingBatch } from "../ledger/batch.ts";
import { loadStoreState } from "../ledger/store-state.ts";
import type { LeaseWorld } from "../lock/occupancy.ts";
import { readStamp } from "../lock/stamp.ts";
import type { Store } from "../ports.ts";
import { backlogOf } from "./limits.ts";
import { pausesOf } from "./pause.ts";

export interface Glanced {
  /** Null when the gates before the scan are open. */
  readonly closed: (Pick<Closed, "reason" | "opensAt"> & { readonly gate: string }) | null;
  /** The stamp names a holder: somebody dreams, or a killed run left it. */
  readonly isHeld: boolean;
}

export interface Glances {
  look(store: Store, limits: GateLimits): Glanced;
  /** Its state was changed by this process: read it anew. */
  forget(store: Store): void;
}

interface Known {
  readonly stamp: number;
  /** Epoch ms. */
  readonly readAt: number;
  readonly facts: Omit<GateFacts, "stamp" | "budget">;
}

/** Another program may count sessions without moving the stamp (`status --scan`); what it found is known this late at the latest. */
const STALE = HOUR;

/** @param world.state the state directory */
export function makeGlances(world: { readonly lease: LeaseWorld; readonly state: string }): Glances {
  const { files, clock } = world.lease;
  const known = new Map<string, Known>();
  return {
    look: (store, limits) => {
      const now = clock.now();
      const { stamp, holder } = readStamp(world.lease, store.memory, now);
      let seen = known.get(store.memory);
      if (seen === undefined || seen.stamp !== stamp || elapsed(seen.readAt, now) > STALE) {
        const state = loadStoreState(files, store.state);
        const { failure, lastScan } = state;
        const facts = {
          backlog: backlogOf(state),
          failure,
          batch: waitingBatch(files, store.state),
          lastScan: lastScan?.at ?? null,
          counted: lastScan?.counted ?? null,
        };
        seen = { stamp, readAt: now, facts };
        known.set(store.memory, seen);
      }
      // Of the budget the run itself asks: a look into what was spent is no glance.
      const closed = firstClosed({ ...seen.facts, stamp, budget: FREE }, limits, { now, scanned: false, asked: false });
      const isHeld = holder !== null;
      if (closed !== null) return { closed, isHeld };
      const [paused] = pausesOf(files, world.state, store);
      return { closed: paused ? { gate: "pause", reason: `paused by ${paused.by}`, opensAt: null } : null, isHeld };
    },
    forget: (store) => void known.delete(store.memory),
  };
}
