/** What a person should know of a store that has been due for days. */
import { iso } from "../base/clock.ts";
import { dueSince, isOverdue } from "../gate/dead-man.ts";
import { decides, type GateFacts, type GateLimits, judgeGates } from "../gate/judge.ts";
import { DAY } from "../gate/verdict.ts";
import type { Condition, StoreState } from "../ledger/store-state.ts";

/** The parts of a store's state that tell why it is. */
type Past = Pick<StoreState, "failure" | "lastRun">;

/** As `status` sees it, also where nothing runs; none while the store is paused, which is somebody's wish. */
export function overdueConditions(
  store: { readonly name: string; readonly paused: boolean },
  state: StoreState,
  look: { readonly facts: GateFacts; readonly now: number; readonly limits: GateLimits },
): Condition[] {
  const { facts, now, limits } = look;
  const since = store.paused ? null : dueSince(facts, state.dueSince, look);
  if (!isOverdue(since, now)) return [];
  const closed = decides(judgeGates(facts, now, limits));
  return overdue(store.name, state, { since, now, closed: closed?.detail ?? null });
}

/**
 * Code `overdue`, once it is so.
 * @param at.since when a dream became due, epoch ms; null when none is
 * @param at.closed the figures of the gate that is closed now; null when none is
 */
export function overdue(
  store: string,
  past: Past,
  at: { readonly since: number | null; readonly now: number; readonly closed: string | null },
): Condition[] {
  const { since, now, closed } = at;
  if (since === null || !isOverdue(since, now)) return [];
  const { why, hint } = reasonOf(store, past, closed);
  const days = Math.floor((now - since) / DAY);
  const message = `a dream has been due for ${days} days and none succeeded: ${why}`;
  return [{ code: "overdue", message, hint, since: iso(since) }];
}

function reasonOf(store: string, { failure, lastRun }: Past, closed: string | null): { why: string; hint: string } {
  if (failure !== null) {
    const runs = failure.count === 1 ? "the last run" : `the last ${failure.count} runs`;
    return {
      why: `${runs} failed (${lastRun?.reason ?? "for an unknown reason"})`,
      hint: "memd show last tells what stopped it; memd doctor looks for what else is wrong.",
    };
  }
  if (closed !== null) return { why: closed, hint: `Try it now: memd dream --now --store ${store}.` };
  return {
    why: "nothing has tried",
    hint: `Run memd dream --store ${store}, or have the service do it: memd service install.`,
  };
}
