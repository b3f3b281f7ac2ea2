/** Looks after a batch that an earlier run sent, and takes its answers into the cache. Runs in the child; the words themselves are not needed. */
import { isRecord } from "../../base/json.ts";
import { addUsage, NO_USAGE, type Usage } from "../../ports.ts";
import type { Home } from "../home.ts";
import { nameOf } from "./batch.ts";
import { type BatchLab, type BatchWire, openBatches } from "./batch-wire.ts";
import { plainAnswer } from "./extract.ts";
import { isTooLong } from "./failure.ts";
import { eventsOf, openGathering } from "./gather.ts";
import type { Reply } from "./messages.ts";
import { BATCH_SHARE } from "./prices.ts";
import type { Price } from "./settings.ts";
import { type Counts, usageOf } from "./spend.ts";

type Lab = BatchLab & { readonly home: Pick<Home, "cachePut"> };

/** What is looked after; comes with the settings. */
export interface LookOrder {
  readonly marker: string;
  /** Null: it is not known whether it was made, and under which name. */
  readonly batch: string | null;
  readonly keys: readonly string[];
  /** Of the model that was asked, without the share that a batch costs. */
  readonly price: Price | null;
  /** It is wanted no longer: what is ready is taken, the rest is not waited for. */
  readonly cancel: boolean;
}

/** `lost`: the endpoint does not know it (any more), or cannot tell. `never`: it was never made. */
export interface LookReport {
  readonly state: "waiting" | "over" | "lost" | "never";
  readonly batch: string | null;
  readonly answered: number;
  /** What the answers cost; null where the endpoint did not say. */
  readonly usage: Usage | null;
}

const NOTHING: Omit<LookReport, "state" | "batch"> = { answered: 0, usage: null };

/** @throws MemdError over-budget, and those of the endpoint */
export async function lookAfter(order: LookOrder, lab: Lab): Promise<LookReport> {
  const wire = openBatches(lab);
  const id = order.batch ?? (await searched(order, wire));
  if (id === "waiting" || id === "lost" || id === "never") return { ...NOTHING, state: id, batch: null };
  const found = await wire.find(id);
  if (found === null) return { ...NOTHING, state: "lost", batch: id };
  const ended = found.ended || (order.cancel && (await calledOff(id, wire, lab)));
  if (!ended) return { ...NOTHING, state: "waiting", batch: id };
  const results = await wire.results(id);
  if (results === null) return { ...NOTHING, state: "lost", batch: id };
  return { state: "over", batch: id, ...taken(results, order, lab) };
}

/** After it was called off, what is under way is still answered: mostly within seconds. */
const CANCEL_WAITS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** @returns true when it has ended */
async function calledOff(id: string, wire: BatchWire, { home, world }: Lab): Promise<boolean> {
  home.progress("extract: the batch is called off");
  await wire.cancel(id);
  for (const ms of CANCEL_WAITS) {
    if ((await wire.find(id))?.ended) return true;
    await world.wait(ms);
  }
  return (await wire.find(id))?.ended ?? false;
}

/**
 * A batch whose name nobody came to write down. Only its results show the names of its requests, so one that may be it and is still being
 * answered is waited for.
 */
async function searched({ marker, keys }: LookOrder, wire: BatchWire): Promise<string> {
  const latest = await wire.latest();
  if (latest === null) return "lost";
  const alike = latest.filter(({ total }) => total === keys.length);
  for (const { id } of alike.filter(({ ended }) => ended)) {
    const results = (await wire.results(id)) ?? [];
    if (results.some((one) => indexIn(one, marker) !== null)) return id;
  }
  return alike.some(({ ended }) => !ended) ? "waiting" : "never";
}

function indexIn(result: unknown, marker: string): number | null {
  const name = isRecord(result) ? String(result.custom_id).slice(0, 100) : "";
  const prefix = nameOf(marker, 0).slice(0, -1);
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return /^\d{1,4}$/.test(digits) ? Number(digits) : null;
}

/** Puts each answer where the run that asks for it looks first. */
function taken(results: readonly unknown[], { marker, keys, price }: LookOrder, { home }: Lab) {
  const seen = new Set<number>();
  let answered = 0;
  let usage: Usage | null = { ...NO_USAGE, requests: keys.length };
  for (const one of results) {
    const index = indexIn(one, marker);
    const key = index === null ? undefined : keys[index];
    if (index === null || key === undefined || seen.has(index)) continue;
    seen.add(index);
    const { answer, counts } = answerIn(isRecord(one) ? one.result : null);
    if (counts) usage = usage && withCost(usage, counts, price);
    if (answer === null) continue;
    answered += 1;
    home.cachePut(key, JSON.stringify(answer));
  }
  return { answered, usage };
}

/** Null where an endpoint does not count what it bills. */
function withCost(usage: Usage, counts: Counts, price: Price | null): Usage | null {
  if (counts.input + counts.cacheWrite + counts.cacheRead === 0) return null;
  const cost = usageOf(counts, price);
  return addUsage(usage, { ...cost, requests: 0, costUsd: cost.costUsd * BATCH_SHARE });
}

interface Read {
  readonly answer: ReturnType<typeof plainAnswer> | null;
  /** Null for what costs nothing. */
  readonly counts: Counts | null;
}

/** What was cancelled, has expired or failed has no answer, and costs nothing. What was too long is never sent again unchanged. */
function answerIn(result: unknown): Read {
  if (!isRecord(result)) return { answer: null, counts: null };
  if (result.type === "errored")
    return { answer: isTooLong(messageIn(result.error)) ? "too-long" : null, counts: null };
  if (result.type !== "succeeded") return { answer: null, counts: null };
  const gathering = openGathering();
  for (const event of eventsOf(result.message)) gathering.take(event);
  const { whole, counts } = gathering;
  return { answer: whole ? answerOf(gathering.reply()) : null, counts };
}

/** Null: the prompt and the answer together outgrew the model's context. */
const answerOf = (reply: Reply | null) => (reply === null ? "too-long" : plainAnswer(reply));

function messageIn(error: unknown): string {
  const { message } = isRecord(error) && isRecord(error.error) ? error.error : {};
  return typeof message === "string" ? message : "";
}
