/** A glance at a store's gates: one stat while nothing changed, without building the world of a run. It may err towards open; the run asks again. */

import { FREE } from "../gate/budget.ts";
import { firstClosed, type GateFacts, type GateLimits } from "../gate/judge.ts";
import type { Closed } from "../gate/verdict.ts";
import { elapsed, HOUR } from "../gate/verdict.ts";
import { waitingBatch } from "../ledger/batch.ts";
import { type Condition, loadStoreState, type StoreState } from "../ledger/store-state.ts";
import type { LeaseWorld } from "../lock/occupancy.ts";
import { readStamp } from "../lock/stamp.ts";
import type { Store } from "../ports.ts";
import { backlogOf } from "./limits.ts";
import { overdueConditions } from "./overdue.ts";
import { pausesOf } from "./pause.ts";
import { verdictWord } from "./verdict.ts";

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

/** What a glance saw that the store's state does not say yet: nobody else may tell it for days. */
export interface GlanceNews {
  /** A gate that a glance is sure of and that is closed now; null when it saw no such change. */
  readonly closed: Closed | null;
  /** What stands now of `overdue`; null when that did not change. */
  readonly overdue: readonly Condition[] | null;
}

interface Known {
  readonly stamp: number;
  /** Epoch ms. */
  readonly readAt: number;
  readonly facts: Omit<GateFacts, "stamp" | "budget">;
  readonly state: StoreState;
  /** What of it was told, by the state or from here. */
  verdict: string | null;
  isOverdue: boolean;
}

/** Another program may count sessions without moving the stamp (`status --scan`); what it found is known this late at the latest. */
const STALE = HOUR;

/** Budget and throttle are for a run to tell, and that a gate is open: it finds out more, and would take it back. */
const SURE: ReadonlySet<string> = new Set(["time", "cool-down", "batch"]);

interface GlanceWorld {
  readonly lease: LeaseWorld;
  /** The state directory. */
  readonly state: string;
  /** Told each change once. */
  readonly tell?: (store: Store, news: GlanceNews) => void;
}

export function makeGlances(world: GlanceWorld): Glances {
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
        const isOverdue = state.conditions.some(({ code }) => code === "overdue");
        seen = { stamp, readAt: now, facts, state, verdict: state.verdict, isOverdue };
        known.set(store.memory, seen);
      }
      // Of the budget the run itself asks: a look into what was spent is no glance.
      const facts = { ...seen.facts, stamp, budget: FREE };
      const closed = firstClosed(facts, limits, { now, scanned: false, asked: false });
      const isHeld = holder !== null;
      if (!isHeld) tellNews(world, store, { seen, closed, late: lateIn(world, store, seen, { facts, now, limits }) });
      if (closed !== null) return { closed, isHeld };
      const [paused] = pausesOf(files, world.state, store);
      return { closed: paused ? { gate: "pause", reason: `paused by ${paused.by}`, opensAt: null } : null, isHeld };
    },
    forget: (store) => void known.delete(store.memory),
  };
}

type Looked = Parameters<typeof overdueConditions>[2];

/** The pauses are looked for where it would be late without them. */
function lateIn(world: GlanceWorld, store: Store, { state }: Known, look: Looked): readonly Condition[] {
  const late = overdueConditions({ name: store.name, paused: false }, state, look);
  return late.length > 0 && pausesOf(world.lease.files, world.state, store).length > 0 ? [] : late;
}

function tellNews(
  { tell }: GlanceWorld,
  store: Store,
  { seen, closed, late }: { seen: Known; closed: Closed | null; late: readonly Condition[] },
): void {
  const sure = closed !== null && SURE.has(closed.gate) ? closed : null;
  const isNewVerdict = sure !== null && seen.verdict !== verdictWord(sure);
  const isOverdue = late.length > 0;
  if (tell === undefined || (!isNewVerdict && seen.isOverdue === isOverdue)) return;
  const news = { closed: isNewVerdict ? sure : null, overdue: seen.isOverdue === isOverdue ? null : late };
  // First: what cannot be written down is not tried at every look.
  if (sure !== null) seen.verdict = verdictWord(sure);
  seen.isOverdue = isOverdue;
  tell(store, news);
}
