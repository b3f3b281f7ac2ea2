/** Before the first request of a distiller that costs money: what it expects to spend, and whether that is wanted. */
import type { Run, Skip } from "../dream.ts";
import { type Caps, type Measure, PERIODS, type Spent } from "../gate/budget.ts";
import type { Brief, Estimate } from "../ports.ts";
import { capsOf } from "./limits.ts";
import type { DreamWorld } from "./world.ts";

export function consentStep(world: DreamWorld) {
  return async (run: Run, brief: Brief): Promise<Skip | null> => {
    const { consent } = run.request;
    const { distiller } = world;
    if (!consent || !distiller.estimate) return null;
    const expected = await distiller.estimate({ brief, signal: run.signal });
    const estimate: Estimate = { ...expected, left: leftOf(world.money.book.spent(), capsOf(world.config)) };
    run.facts.estimate = estimate;
    if (estimate.requests.high === 0 || (await consent(estimate, run.signal))) return null;
    run.signal.throwIfAborted();
    return {
      outcome: "not-confirmed",
      reason: "not-confirmed",
      hint: "Nothing was sent and nothing changed. --yes answers the question.",
    };
  };
}

/** The least that any cap leaves. */
export function leftOf(spent: Spent, caps: Caps): NonNullable<Estimate["left"]> {
  const least = (measure: Measure) =>
    Math.max(0, Math.min(...PERIODS.map((period) => (caps[period][measure] ?? Infinity) - spent[period][measure])));
  return { usd: least("usd"), tokens: least("tokens"), requests: least("requests") };
}
