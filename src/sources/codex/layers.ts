/** Of what a rollout tells twice, once; and without what the person took back. */
import type { Said } from "../jsonl/talk.ts";
import type { Facts } from "./facts.ts";
import { LAYER } from "./hear.ts";

/** The events, with outputs of the items where commands have no events; the items alone in rollouts that know no events. */
export function oneLayer(said: readonly Said[], { hasEvents, hasItems }: Facts): Said[] {
  if (!hasEvents) return said.filter(({ mark }) => mark === LAYER.item);
  return said.filter(({ mark, speaker }) => mark === LAYER.event || (speaker === "tool" && !hasItems));
}

/** How much of it stands when the last turns and all that followed them are taken back. @param turns as the client counts: what a person sent */
export function lengthAfterRollback(said: readonly Said[], turns: unknown): number {
  let left = typeof turns === "number" && turns > 0 ? Math.floor(turns) : 0;
  const layer = said.some(({ mark, speaker }) => speaker === "user" && mark === LAYER.event) ? LAYER.event : LAYER.item;
  let end = said.length;
  for (let i = said.length - 1; i >= 0 && left > 0; i--) {
    if (said[i]?.speaker !== "user" || said[i]?.mark !== layer) continue;
    end = i;
    left--;
  }
  // The item that repeats a turn stands right before its event.
  while (layer === LAYER.event && said[end - 1]?.mark === LAYER.item && said[end - 1]?.speaker === "user") end--;
  return end;
}
