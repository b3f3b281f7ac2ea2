/** Step `distill`: the forked, read-only child turns the brief into a proposal. The brief's folder goes afterwards, unless it is asked for. */
import { dirname, join } from "node:path";
import { isMemdError } from "../base/errors.ts";
import type { Run, Skip } from "../dream.ts";
import { NOTHING_SPENT, nearlyUsedUp, type Over, overText } from "../gate/budget.ts";
import { waitingBatch } from "../ledger/batch.ts";
import { damagedNotices } from "../ledger/spend.ts";
import { addUsage, type Brief, type Distilled, type DistillJob, NO_USAGE } from "../ports.ts";
import { batchlessNotices, finishBatch, lookAfterBatch, maySend, waitingSkip } from "./batch.ts";
import type { Collection } from "./collect.ts";
import { judgeContext, rulings } from "./judging.ts";
import { capsOf } from "./limits.ts";
import { isBreaking } from "./money.ts";
import { removeFolder } from "./remove-folder.ts";
import type { DreamWorld } from "./world.ts";

export function distillStep(world: DreamWorld) {
  return async (run: Run, gathered: Collection, brief: Brief): Promise<Distilled | { skip: Skip }> => {
    run.request.progress("distill", world.distiller.name);
    // Who asks at once has said yes to the cost by now; a scheduled run has looked before it read anything.
    const waits = run.request.now ? await lookAfterBatch(world, run, { cancel: true }) : null;
    if (waits && run.request.dryRun) return { skip: waits };
    const folder = join(world.briefs, run.id);
    world.files.mkdir(world.briefs, 0o700);
    const progress = (text: string) => run.request.progress("distill", text);
    const { judge, refused } = rulings(judgeContext(world, run, { ...gathered, digest: brief.digest }), brief);
    const mayWait = maySend(world, run);
    const job = { run: run.id, brief, folder, signal: run.signal, progress, judge, mayWait };
    const distilled = await distillAndCount(world, run, job);
    run.notices.push(...batchlessNotices(world));
    run.facts.fence = distilled.fence;
    // A failed run keeps its brief for inspection; retention removes it later.
    if (!run.request.keepBrief) removeFolder(world.files, folder);
    const sent = distilled.waiting === undefined ? null : waitingBatch(world.files, world.store.state);
    if (sent) return { skip: waitingSkip(sent) };
    return { ...distilled, refused: [...refused(), ...distilled.refused] };
  };
}

/** What a run spent stands in its report however it ends. */
async function distillAndCount(world: DreamWorld, run: Run, job: DistillJob): Promise<Distilled> {
  const { paid, book, breaker } = world.money;
  if (!paid) return world.distiller.distill(job);
  let batched = NO_USAGE;
  let waits = false;
  try {
    const distilled = await world.distiller.distill(job);
    waits = distilled.waiting !== undefined;
    if (waits || distilled.usage.requests > 0) breaker.mend();
    if (!run.request.dryRun) batched = finishBatch(world);
    return distilled;
  } catch (error) {
    if (isMemdError(error) && isBreaking(error.code)) breaker.trip(error);
    throw error;
  } finally {
    const { usage, open } = book.ofRun(run.id);
    // What a batch may cost stays reserved until it is known; the run that works with its answers tells of it.
    if (!waits) run.facts.usage = addUsage(usage, batched);
    if (open > 0 && !waits) run.notices.push(cutOff(open));
    const near = nearlyUsedUp({ ...NOTHING_SPENT, run: book.spent(run.id).run }, capsOf(world.config));
    if (near) run.notices.push(nearCap(near));
    run.notices.push(...damagedNotices(book, dirname(world.briefs)));
  }
}

function cutOff(open: number) {
  return {
    code: "request-cut-off",
    message: `requests of the last run that were cut off: ${open}; nobody can tell what the endpoint billed`,
    hint: "Nothing to do: they count in full against the caps.",
  };
}

function nearCap(near: Over) {
  return {
    code: "budget-warning",
    message: `the last run nearly reached a cap: ${overText(near)}`,
    hint: "At the cap a run ends before its next request; the keys of budget in the configuration raise it.",
  };
}
