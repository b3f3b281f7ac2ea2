/** What earlier runs of the store sent off: looked after before anything is read, so that waiting costs one request and holds no lock. */
import { join } from "node:path";
import { iso } from "../base/clock.ts";
import { isMemdError } from "../base/errors.ts";
import type { Run, Skip } from "../dream.ts";
import { type BatchFacts, batchClosed } from "../gate/batch.ts";
import { dropBatch, loadBatch, loadBatchless, waitingBatch } from "../ledger/batch.ts";
import { carryConditions } from "../ledger/store-state.ts";
import type { Notice } from "../memory/changeset.ts";
import { NO_USAGE, type Usage } from "../ports.ts";
import { forgetBatch } from "./batch-keeper.ts";
import { isBreaking } from "./money.ts";
import { removeFolder } from "./remove-folder.ts";
import type { DreamWorld } from "./world.ts";

/** @param how.cancel the answers are wanted now @returns why the run ends here; null when nothing waits (any more) */
export async function lookAfterBatch(
  world: DreamWorld,
  run: Run,
  { cancel }: { cancel: boolean },
): Promise<Skip | null> {
  const { files, store, distiller, money } = world;
  const before = waitingBatch(files, store.state);
  if (before === null) return null;
  // A dry run takes nothing and calls nothing off.
  if (run.request.dryRun) return waitingSkip(before);
  run.request.progress("gate", `look after a batch of ${store.name}`);
  try {
    const { waiting, notices } = distiller.look
      ? await lookThrough(world, run, cancel || !world.config.model.batch)
      : forgetBatch(world, `the distiller is ${distiller.name} now`);
    note(world, run, notices);
    return waiting && waitingSkip(waiting);
  } catch (error) {
    if (isMemdError(error) && isBreaking(error.code)) money.breaker.trip(error);
    throw error;
  }
}

async function lookThrough({ files, briefs, distiller }: DreamWorld, run: Run, cancel: boolean) {
  const folder = join(briefs, `${run.id}-look`);
  files.mkdir(briefs, 0o700);
  const progress = (text: string) => run.request.progress("gate", text);
  try {
    const looked = await distiller.look?.({ run: run.id, folder, signal: run.signal, progress, cancel });
    return looked ?? { waiting: null, notices: [] };
  } finally {
    removeFolder(files, folder);
  }
}

/** At once, since a run that is skipped afterwards records nothing. */
function note({ state, clock }: DreamWorld, run: Run, notices: readonly Notice[]): void {
  if (notices.length === 0) return;
  run.notices.push(...notices);
  const before = state.current().conditions;
  state.save({ conditions: carryConditions(before, [...before, ...notices], iso(clock.now())) });
}

/** The run ends here; the next one looks again. */
export function waitingSkip(waiting: BatchFacts): Skip {
  const closed = batchClosed(waiting);
  return {
    outcome: "not-due",
    reason: `${closed.gate}: ${closed.reason}`,
    hint: `Sessions are read at the batch price (${waiting.parts} parts since ${iso(waiting.since)}), and looked after again at ${iso(waiting.lookAt)}. memd dream --now does not wait.`,
    closed,
  };
}

/** True when a run may send a batch: nobody waits for it, and no batch came back that has to be worked with first. */
export function maySend({ files, store, config }: DreamWorld, { request }: Run): boolean {
  return config.model.batch && !request.now && !request.dryRun && loadBatch(files, store.state) === null;
}

/** What came back was used. @returns what it cost */
export function finishBatch({ files, store }: DreamWorld): Usage {
  const batch = loadBatch(files, store.state);
  if (batch?.stage !== "over") return NO_USAGE;
  dropBatch(files, store.state);
  return batch.usage;
}

/** Code `no-batches`, for as long as the endpoint is asked directly although the configuration wants batches. */
export function batchlessNotices({ files, store, config, distiller }: DreamWorld): Notice[] {
  if (!config.model.batch || distiller.name !== "anthropic" || loadBatchless(files, store.state) === null) return [];
  return [
    {
      code: "no-batches",
      message:
        "the endpoint does not take batches, though it answers them; sessions are read directly, at the full price",
      hint: "Set model.batch to false, or model.baseUrl to an endpoint that has the Message Batches API. memd tries it again in a week.",
    },
  ];
}
