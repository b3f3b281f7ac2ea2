/** What an endpoint can do, as the child finds out and the parent tells. */
import { isRecord } from "../../base/json.ts";
import { tame } from "../protocol.ts";

export const ABILITIES = [
  "reachable",
  "key",
  "models",
  "streaming",
  "tools",
  "structured-output",
  "caching",
  "count-tokens",
  "batches",
] as const;
export type Ability = (typeof ABILITIES)[number];

export interface Probed {
  readonly ability: Ability;
  /** Null: not tried, since an earlier finding made it pointless. */
  readonly able: boolean | null;
  /** In a few words; the endpoint's own are among them. */
  readonly detail: string;
}

/** What a child sent, checked: one finding for each ability, in their order; null when it is none. */
export function readProbed(value: unknown): readonly Probed[] | null {
  const found = isRecord(value) && Array.isArray(value.abilities) ? value.abilities : [];
  const read = ABILITIES.flatMap((ability): Probed[] => {
    const item = found.find((one) => isRecord(one) && one.ability === ability);
    if (!isRecord(item) || typeof item.detail !== "string") return [];
    const { able } = item;
    if (able !== null && typeof able !== "boolean") return [];
    return [{ ability, able, detail: tame(item.detail, 300) }];
  });
  return read.length === ABILITIES.length ? read : null;
}
