/** What a person should know of a store that has been due for days. */
import { iso } from "../base/clock.ts";
import { dueSince, isOverdue } from "../gate/dead-man.ts";
import { decides, type GateFacts, type GateLimits, judgeGates } from "../gate/judge.ts";
import { DAY } from "../gate/verdict.ts";
import type { Condition, StoreState } from "../ledger/store-state.ts";

/** Code `overdue`; none while it is paused, which is somebody's wish. */
export function overdueConditions(
  store: { readonly name: string; readonly paused: boolean },
  state: StoreState,
  look: { readonly facts: GateFacts; readonly now: number; readonly limits: GateLimits },
): Condition[] {
  const { facts, now, limits } = look;
  const since = dueSince(facts, state.dueSince, look);
  if (since === null || store.paused || !isOverdue(since, now)) return [];
  const days = Math.floor((now - since) / DAY);
  const { why, hint } = reasonOf(store.name, state, decides(judgeGates(facts, now, limits))?.detail ?? null);
  const message = `a dream has been due for ${days} days and none succeeded: ${why}`;
  return [{ code: "overdue", message, hint, since: iso(since) }];
}

function reasonOf(store: string, state: StoreState, closed: string | null): { why: string; hint: string } {
  if (state.failure !== null) {
    const count = state.failure.count === 1 ? "the last run" : `the last ${state.failure.count} runs`;
    return {
      why: `${count} failed (${state.lastRun?.reason ?? "for an unknown reason"})`,
      hint: "memd show last tells what stopped it; memd doctor looks for what else is wrong.",
    };
  }
  if (closed !== null) return { why: closed, hint: `Try it now: memd dream --now --store ${store}.` };
  return {
    why: "nothing has tried",
    hint: `Run memd dream --store ${store}, or have the service do it: memd service install.`,
  };
}
