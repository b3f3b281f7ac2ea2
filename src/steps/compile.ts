/** Accepted operations become a changeset: once for validate's preview, again whenever apply finds that memory has moved on. */
import { makeBreath } from "../base/breath.ts";
import { iso } from "../base/clock.ts";
import type { Run } from "../dream.ts";
import type { Changeset } from "../memory/changeset.ts";
import { type CompileInput, compile, compileWithBreath } from "../memory/compile.ts";
import type { AcceptedOperation } from "../memory/operation.ts";
import { readEvidence } from "../store/evidence.ts";
import { readOwnLines } from "../store/own-lines.ts";
import type { MemorySnapshot } from "../store/read.ts";
import type { DreamWorld } from "./world.ts";

export interface CompileAsk {
  readonly snapshot: MemorySnapshot;
  readonly accepted: readonly AcceptedOperation[];
  /** Files that someone else is writing. */
  readonly leave?: ReadonlySet<string>;
}

export function compileStep(world: DreamWorld, run: Pick<Run, "id" | "startedAt">, ask: CompileAsk): Changeset {
  return compile(inputOf(world, run, ask));
}

/** The same, letting others in the process go on meanwhile: two hundred operations take half a second. */
export function compileInTurns(
  world: DreamWorld,
  run: Pick<Run, "id" | "startedAt">,
  ask: CompileAsk,
): Promise<Changeset> {
  return compileWithBreath(inputOf(world, run, ask), makeBreath(world.clock));
}

function inputOf(world: DreamWorld, run: Pick<Run, "id" | "startedAt">, ask: CompileAsk): CompileInput {
  const { files, store, place, timeZone } = world;
  const { records } = readEvidence(files, place.evidence);
  return {
    tree: ask.snapshot.tree,
    accepted: ask.accepted,
    now: iso(run.startedAt),
    run: run.id,
    ownLines: readOwnLines(files, store.memory),
    timeZone,
    leave: ask.leave,
    evidenceOf: (topic, key) =>
      records.findLast((record) => record.topic === topic && record.key === key)?.citations ?? [],
  };
}
