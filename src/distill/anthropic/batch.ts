/**
 * The extract stage at half the price: what is not known yet is sent as one batch, and the run ends; a later look (batch-look.ts) takes the
 * answers into the cache, where the next run finds them as if it had asked itself. Runs in the child.
 */
import type { Brief } from "../../ports.ts";
import type { Home } from "../home.ts";
import { BATCH_PARTS, type Reservation } from "../protocol.ts";
import { type BatchLab, openBatches } from "./batch-wire.ts";
import { askOf, questionsOf, turnOf } from "./extract.ts";
import { verdictOn } from "./failure.ts";
import { ALL_FEATURES } from "./features.ts";
import { overBudget, wasUnsent } from "./paid.ts";
import { BATCH_SHARE } from "./prices.ts";
import type { ModelChoice } from "./settings.ts";
import { inputAtMost, reservationOf } from "./spend.ts";
import { bodyOf } from "./wire.ts";

export type BatchHome = Pick<Home, "reserve" | "spent" | "progress" | "plan" | "sent" | "cacheGet">;
type Lab = BatchLab & { readonly home: BatchHome };

/** A request of a batch, by the name of its answer in the cache. */
interface Part {
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Names of requests: at most 64 letters, digits, `_` and `-`. */
export const nameOf = (marker: string, index: number) => `memd-${marker}-${index}`;

/**
 * Sends what no cache holds.
 * @returns how many parts of sessions wait for their answer; 0 when nothing is to be asked, or the endpoint knows no batches
 * @throws MemdError over-budget, and those of the endpoint
 */
export async function sendBatch(brief: Brief, lab: Lab): Promise<number> {
  const { home, settings, world } = lab;
  const unknown = await unknownParts(brief, lab);
  if (unknown.length === 0) return 0;
  const { parts, marker } = await planned(unknown, lab);
  const requests = parts.map(({ body }, index) => ({ custom_id: nameOf(marker, index), params: body }));
  const wire = openBatches(lab);
  const made = await wire.create(requests);
  if (typeof made === "string") {
    await home.sent(made);
    home.progress(`extract: ${parts.length} parts of sessions are read at the batch price, within a day`);
    return parts.length;
  }
  // An answer that is no batch, of an endpoint that cannot list any either: it answers whatever it is asked.
  if (made.kind === "garbled" && (await wire.latest()) === null) {
    await home.sent(null, true);
    home.progress("extract: the endpoint answers a batch with something else, so it is asked directly");
    return 0;
  }
  const { error } = verdictOn(made, { settings, model: settings.extract.name, now: world.clock.now() });
  // Else it may have been made: the plan stays, and the next look finds out.
  if (made.kind === "status" || wasUnsent(made)) await home.sent(null);
  if (made.kind !== "status" || !["bad-request", "too-long"].includes(error.code)) throw error;
  home.progress(`extract: the endpoint takes no batch, so it is asked directly (${error.message})`);
  return 0;
}

async function unknownParts(brief: Brief, { home, settings }: Lab): Promise<Part[]> {
  const parts = new Map<string, Part>();
  for (const { key, text } of questionsOf(brief, settings)) {
    if (parts.has(key) || (await home.cacheGet(key)) !== null) continue;
    const { stream: _, ...body } = bodyOf(askOf([turnOf(text)], settings), ALL_FEATURES);
    parts.set(key, { key, body });
  }
  return [...parts.values()];
}

/** As many parts as a batch holds and the caps allow: what is left over is asked for directly once these are answered. */
async function planned(
  unknown: readonly Part[],
  { home, settings }: Lab,
): Promise<{ parts: readonly Part[]; marker: string }> {
  for (let count = Math.min(unknown.length, BATCH_PARTS); ; count = Math.floor(count / 2)) {
    const parts = unknown.slice(0, count);
    const keys = parts.map(({ key }) => key);
    const { granted, reason, marker } = await home.plan({ keys, ...costOf(parts, settings.extract) });
    if (granted) return { parts, marker };
    if (count === 1) throw overBudget(reason);
  }
}

function costOf(parts: readonly Part[], { price }: ModelChoice): Reservation {
  const input = parts.reduce((sum, { body }) => sum + inputAtMost(body), 0);
  const output = parts.reduce((sum, { body }) => sum + Number(body["max_tokens"]), 0);
  const whole = reservationOf(input, output, price);
  return { ...whole, costUsd: whole.costUsd * BATCH_SHARE };
}
