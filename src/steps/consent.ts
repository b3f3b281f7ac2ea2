/** Before the first request of a distiller that costs money: what it expects to spend, and whether that is wanted. */
import type { Run, Skip } from "../dream.ts";
import type { Brief } from "../ports.ts";
import type { DreamWorld } from "./world.ts";

export function consentStep(world: DreamWorld) {
  return async (run: Run, brief: Brief): Promise<Skip | null> => {
    const { consent } = run.request;
    const { distiller } = world;
    if (!consent || !distiller.estimate) return null;
    const estimate = await distiller.estimate({ brief, signal: run.signal });
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
