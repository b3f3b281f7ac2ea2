/** Step `distill`: the forked, read-only child turns the brief into a proposal. The brief's folder goes afterwards, unless it is asked for. */
import { join } from "node:path";
import type { Run } from "../dream.ts";
import type { Brief, Distilled } from "../ports.ts";
import type { Collection } from "./collect.ts";
import { judgeContext, rulings } from "./judging.ts";
import { removeFolder } from "./remove-folder.ts";
import type { DreamWorld } from "./world.ts";

export function distillStep(world: DreamWorld) {
  return async (run: Run, gathered: Collection, brief: Brief): Promise<Distilled> => {
    run.request.progress("distill", world.distiller.name);
    const folder = join(world.briefs, run.id);
    world.files.mkdir(world.briefs, 0o700);
    const progress = (text: string) => run.request.progress("distill", text);
    const judge = rulings(judgeContext(world, run, { ...gathered, digest: brief.digest }));
    const job = { run: run.id, brief, folder, signal: run.signal, progress, judge };
    const distilled = await world.distiller.distill(job);
    run.facts.fence = distilled.fence;
    run.facts.usage = distilled.usage;
    // A failed run keeps its brief for inspection; retention removes it later.
    if (!run.request.keepBrief) removeFolder(world.files, folder);
    return distilled;
  };
}
