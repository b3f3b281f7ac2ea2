/** Step `apply`: the changeset as one transaction, and with it the places of what was read. Both under the lease. */
import { iso } from "../base/clock.ts";
import type { Digest, Taken } from "../digest/digest.ts";
import type { SessionWords } from "../digest/utterance.ts";
import type { Run } from "../dream.ts";
import { addQuestions, questionsOf } from "../ledger/questions.ts";
import { commit } from "../sources/collect.ts";
import { type ApplyResult, apply } from "../store/apply.ts";
import { readMemory } from "../store/read.ts";
import type { Collection } from "./collect.ts";
import { compileStep } from "./compile.ts";
import { filesOf } from "./files-of.ts";
import { settleForgotten } from "./forgotten.ts";
import type { Leases } from "./lock.ts";
import { rememberEntries } from "./origins.ts";
import { dropPlaces, preparePlaces, takePlaces } from "./places.ts";
import { saveUndoRecord } from "./undo-records.ts";
import type { Judged } from "./validate.ts";
import type { DreamWorld } from "./world.ts";

const NO_FILES = { created: [], updated: [], archived: [] } as const;

/** Memory first, then questions, places and what is known of entries: a crash in between repeats words that are then refused as known. */
export function applyStep(world: DreamWorld, leases: Leases) {
  return async (run: Run, collection: Collection, digest: Digest, judged: Judged): Promise<boolean> => {
    run.request.progress("apply", `${judged.changeset.files.length} files`);
    const lease = leases.get(run.id);
    lease?.assertHeld();
    run.signal.throwIfAborted();
    // Until they are on the disk the planned changes are none: a run that fails here is rolled back.
    run.facts.changes = [];
    run.facts.files = NO_FILES;
    askQuestions(world, run, judged);
    planPlaces(world, run, { collection, digest, unread: judged.judgement.unread });
    const result = write(world, run, { collection, judged, mayWrite: () => lease?.signal.aborted !== true });
    run.notices.push(...result.notices, ...result.changeset.conditions);
    run.facts.changes = result.changeset.changes;
    if (result.outcome === "applied") run.facts.files = filesOf(result.changeset.files);
    if (result.left.length === 0) takePlaces(world, run.id);
    const after = readMemory(world.files, world.store.memory);
    rememberEntries(world, collection, after.tree);
    run.notices.push(...settleForgotten(world, collection, after.tree));
    const topics = after.tree.topics;
    world.state.save({
      shape: { topics: topics.length, entries: topics.reduce((sum, { entries }) => sum + entries.length, 0) },
    });
    return result.outcome === "applied";
  };
}

function write(
  world: DreamWorld,
  run: Run,
  job: { collection: Collection; judged: Judged; mayWrite: () => boolean },
): ApplyResult {
  const { files, place, store } = world;
  const { collection, judged, mayWrite } = job;
  const { accepted } = judged.judgement;
  return apply({
    ...place,
    files,
    changeset: judged.changeset,
    run: { id: run.id, at: iso(run.startedAt) },
    snapshot: collection.snapshot,
    recompile: (snapshot, leave) => {
      // What others kept writing to stays unread as a whole: read again, what was stored is known and refused.
      if (leave.size > 0) dropPlaces(world, run.id);
      return compileStep(world, run, { snapshot, accepted, leave });
    },
    record: (undo) => saveUndoRecord(files, store.state, undo),
    mayWrite,
  });
}

function askQuestions(world: DreamWorld, run: Run, { judgement }: Judged): void {
  const asked = questionsOf(judgement.accepted, iso(run.startedAt));
  run.facts.questions = asked.length;
  if (asked.length > 0) addQuestions(world.files, world.store.state, asked);
}

/** Before the memory is written: a death after it must not have the same words read twice. */
function planPlaces(
  world: DreamWorld,
  run: Run,
  read: { collection: Collection; digest: Digest; unread: readonly string[] },
): void {
  const { collection, digest, unread } = read;
  const taken = untilUnread(digest, collection.words, unread);
  commit(collection.book, collection.collected, taken);
  preparePlaces(world, run, collection.book);
}

/** Utterances whose facts found no room stay unread: their file is taken only up to the first of them. */
function untilUnread(digest: Digest, words: readonly SessionWords[], unread: readonly string[]): readonly Taken[] {
  const labels = new Set(unread);
  const stops = new Map<string, number>();
  for (const session of digest.sessions) {
    const lines = session.utterances.filter(({ label }) => labels.has(label)).map(({ line }) => line);
    if (lines.length === 0) continue;
    const offsets = words
      .filter(({ file }) => file === session.file)
      .flatMap(({ utterances }) => utterances.filter(({ line }) => lines.includes(line)).map(({ offset }) => offset));
    if (offsets.length > 0)
      stops.set(session.file, Math.min(stops.get(session.file) ?? Number.POSITIVE_INFINITY, ...offsets));
  }
  return digest.taken.map((taken): Taken => {
    const stop = stops.get(taken.file);
    if (stop === undefined) return taken;
    return { ...taken, until: taken.until === "all" ? stop : Math.min(taken.until, stop) };
  });
}
