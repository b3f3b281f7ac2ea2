/** The parent's side of batches: writes down what is sent before it is, reserves for it, and settles it when its answers are taken. */
import { sha256 } from "../base/ids.ts";
import type { LookOrder, LookReport } from "../distill/anthropic/batch-look.ts";
import type { AnthropicSettings } from "../distill/anthropic/settings.ts";
import type { BatchDesk } from "../distill/channel.ts";
import { BATCH_PATIENCE, nextLook } from "../gate/batch.ts";
import { DAY, elapsed } from "../gate/verdict.ts";
import {
  type Batch,
  dropBatch,
  dropBatchless,
  loadBatch,
  loadBatchless,
  saveBatch,
  saveBatchless,
  waitingBatch,
} from "../ledger/batch.ts";
import type { SpendBook } from "../ledger/spend.ts";
import type { Notice } from "../memory/changeset.ts";
import { type Clock, type Files, type Looked, type LookJob, NO_USAGE, type Store } from "../ports.ts";
import type { PaidDesk } from "./desk.ts";

export interface KeeperWorld {
  readonly files: Files;
  readonly clock: Clock;
  /** Unique to each call. */
  readonly token: () => string;
  readonly book: SpendBook;
  readonly store: Pick<Store, "name" | "state">;
  /** ms */
  readonly scanInterval: number;
}

/** @param hold reserves at the desk of the run */
export function batchDesk(
  world: KeeperWorld,
  hold: PaidDesk["hold"],
  { baseURL, extract }: AnthropicSettings,
): BatchDesk {
  const { files, clock, token, store, scanInterval } = world;
  const save = (batch: Batch) => saveBatch(files, store.state, { batch, token: token() });
  return {
    plan: ({ keys, inputTokens, outputTokens, costUsd }) => {
      const held = hold({ requests: keys.length, inputTokens, cachedTokens: 0, outputTokens, costUsd });
      if ("reason" in held) return { granted: false, reason: held.reason, marker: "" };
      const since = clock.now();
      const marker = token();
      save({
        stage: "made",
        marker,
        id: null,
        keys,
        model: extract.name,
        endpoint: endpointMark(baseURL, marker),
        reservation: held.id,
        since,
        lookAt: nextLook(since, since, scanInterval),
        usage: NO_USAGE,
      });
      return { granted: true, reason: null, marker };
    },
    sent: (id, strange) => {
      const batch = loadBatch(files, store.state);
      if (batch === null) return;
      if (id !== null) return save({ ...batch, stage: "sent", id });
      if (strange) noteBatchless(world, batch);
      settle(world, batch, NO_USAGE);
      dropBatch(files, store.state);
    },
  };
}

/** Salted, so that the file says nothing of an address that may hold a password. */
const endpointMark = (baseURL: string, marker: string) => sha256(`${marker}\n${baseURL}`);

function settle({ book }: KeeperWorld, { reservation }: Batch, usage: Batch["usage"]): void {
  book.settle(reservation, { usage, minutes: 0 });
}

function noteBatchless({ files, clock, token, store }: KeeperWorld, { endpoint, marker }: Batch): void {
  const batchless = { endpoint, marker, since: clock.now() };
  saveBatchless(files, store.state, { batchless, token: token() });
}

/** Then it is tried again: an endpoint may learn it. */
const BATCHLESS_FOR = 7 * DAY;

/** True while this endpoint is asked directly, because it has no batches. What is known of another one is dropped. */
export function isBatchless({ files, clock, store }: KeeperWorld, baseURL: string): boolean {
  const known = loadBatchless(files, store.state);
  if (known === null) return false;
  const isSame = known.endpoint === endpointMark(baseURL, known.marker);
  if (isSame && elapsed(known.since, clock.now()) <= BATCHLESS_FOR) return true;
  dropBatchless(files, store.state);
  return false;
}

/** How a look is made, with the order that its child is given. */
export type LookThrough = (order: LookOrder) => Promise<LookReport>;

export async function lookAtBatch(
  world: KeeperWorld,
  job: Pick<LookJob, "cancel">,
  by: {
    readonly settings: AnthropicSettings;
    readonly price: (model: string) => LookOrder["price"];
    readonly through: LookThrough;
  },
): Promise<Looked> {
  const { files, store, clock } = world;
  const batch = loadBatch(files, store.state);
  if (batch === null || batch.stage === "over") return { waiting: null, notices: [] };
  const { marker, keys, id } = batch;
  if (batch.endpoint !== endpointMark(by.settings.baseURL, marker))
    return forgetBatch(world, "the endpoint is another one now");
  const isLate = elapsed(batch.since, clock.now()) > BATCH_PATIENCE;
  const cancel = job.cancel || isLate;
  const report = await by.through({ marker, batch: id, keys, cancel, price: by.price(batch.model) });
  return conclude(world, batch, { report, isLate });
}

function conclude(
  world: KeeperWorld,
  batch: Batch,
  { report, isLate }: { report: LookReport; isLate: boolean },
): Looked {
  const { files, store, clock, token, scanInterval } = world;
  const save = (next: Batch) => saveBatch(files, store.state, { batch: next, token: token() });
  const given = (why: string): Looked => {
    // Another batch might be lost the same way: the sessions are read directly.
    save({ ...batch, stage: "over" });
    return { waiting: null, notices: [forgotten(why)] };
  };
  if (report.state === "lost") noteBatchless(world, batch);
  if (report.state === "lost") return given("the endpoint does not know it (any more)");
  if (report.state === "never") {
    settle(world, batch, NO_USAGE);
    dropBatch(files, store.state);
    return { waiting: null, notices: [] };
  }
  if (report.state === "waiting") {
    if (isLate) return given("it was not done after 25 hours");
    const now = clock.now();
    const stage = report.batch === null ? batch.stage : "sent";
    save({ ...batch, stage, id: report.batch, lookAt: nextLook(batch.since, now, scanInterval) });
    return { waiting: waitingBatch(files, store.state), notices: [] };
  }
  // Without figures the reservation goes on counting in full.
  if (report.usage !== null) settle(world, batch, report.usage);
  save({ ...batch, stage: "over", id: report.batch, usage: report.usage ?? NO_USAGE });
  return { waiting: null, notices: unanswered(batch.keys.length, report.answered) };
}

function unanswered(asked: number, answered: number): Notice[] {
  if (answered >= asked) return [];
  return [
    {
      code: "batch-incomplete",
      message: `parts of sessions that came back from a batch without an answer: ${asked - answered} of ${asked}`,
      hint: "Nothing to do: they cost nothing there and are read directly.",
    },
  ];
}

/** A batch that nobody can take any more. */
export function forgetBatch({ files, store }: Pick<KeeperWorld, "files" | "store">, why: string): Looked {
  dropBatch(files, store.state);
  return { waiting: null, notices: [forgotten(why)] };
}

/** What it reserved goes on counting. */
function forgotten(why: string): Notice {
  return {
    code: "batch-forgotten",
    message: `a batch that was sent to the endpoint is not waited for any more: ${why}`,
    hint: "Nothing to do: it counts in full against the caps, and its sessions are read again. The endpoint's own pages show what it billed.",
  };
}
