/** Taking a past run back: under the lease, as one transaction, with a tombstone for each statement that goes. */
import { iso } from "../base/clock.ts";
import { MemdError } from "../base/errors.ts";
import { runId } from "../base/ids.ts";
import { acquireLease } from "../lock/lease.ts";
import type { UndoRecord } from "../store/manifest.ts";
import { readMemory } from "../store/read.ts";
import { applyUndo, type UndoConflict } from "../store/undo.ts";
import { filesOf } from "./files-of.ts";
import { recoverStore } from "./recover.ts";
import { loadUndoRecord, saveUndoRecord, undoableRuns } from "./undo-records.ts";
import { markUndone, recordUndone } from "./undone.ts";
import type { DreamWorld } from "./world.ts";

export interface UndoDone {
  readonly run: string;
  readonly files: {
    readonly created: readonly string[];
    readonly updated: readonly string[];
    readonly archived: readonly string[];
  };
  /** Changes that were taken back. */
  readonly entries: number;
  readonly conflicts: readonly UndoConflict[];
}

/**
 * Finds the run to take back: `last` is the latest one that changed something and still stands.
 * @throws MemdError usage: `unknown-run`, `ambiguous-run`, `nothing-to-undo`
 */
export function chooseUndo(worlds: readonly DreamWorld[], run: string): { world: DreamWorld; record: UndoRecord } {
  const all = worlds
    .flatMap((world) => undoableRuns(world.files, world.store.state).map((id) => ({ id, world })))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const found =
    run === "last"
      ? all.filter(({ id, world }) => standing(world, id)).slice(-1)
      : all.filter(({ id }) => id.startsWith(run));
  if (found.length > 1)
    throw wrongRun("ambiguous-run", `${run} names more than one run`, found.map(({ id }) => id).join(", "));
  const one = found[0];
  const record = one ? loadUndoRecord(one.world.files, one.world.store.state, one.id) : null;
  if (!one || !record)
    throw wrongRun(
      run === "last" ? "nothing-to-undo" : "unknown-run",
      `there is no run ${JSON.stringify(run)} to take back`,
      "memd history lists the runs; only those that changed files can be undone.",
    );
  return { world: one.world, record };
}

function wrongRun(code: string, message: string, hint: string): MemdError {
  return new MemdError({ code, family: "usage", message, hint });
}

/** Undos and undone runs are kept too, so that each can be named; `last` passes them by. */
function standing(world: DreamWorld, id: string): boolean {
  return !world.state.current().undone.includes(id);
}

/** A value for the held lock, as a dream has one. */
export async function undoRun(
  world: DreamWorld,
  ask: { record: UndoRecord; force: boolean },
): Promise<UndoDone | { held: string }> {
  const { files, clock, random, store, place } = world;
  const started = clock.now();
  const id = runId(started, random);
  const taken = await acquireLease(world.lease, store.memory, id);
  if (taken.state === "held")
    return { held: `The lock is held since ${iso(taken.since)}; try again when that run has ended.` };
  const { lease } = taken;
  try {
    const mayWrite = () => !lease.signal.aborted;
    await recoverStore(world, mayWrite);
    const snapshot = readMemory(files, store.memory);
    const run = { id, at: iso(started) };
    const result = applyUndo({
      ...place,
      files,
      record: ask.record,
      run,
      snapshot,
      force: ask.force,
      mayWrite,
      done: (done) => saveUndoRecord(files, store.state, done),
    });
    if (result.outcome === "refused")
      return {
        run: ask.record.run,
        files: { created: [], updated: [], archived: [] },
        entries: 0,
        conflicts: result.conflicts,
      };
    return await settle(world, { id, started, record: ask.record, undo: result.undo });
  } finally {
    // An undo is no consolidation: the stamp stays exactly as it was.
    await lease.release({ kind: "unchanged" });
  }
}

async function settle(
  world: DreamWorld,
  done: { id: string; started: number; record: UndoRecord; undo: UndoRecord | null },
): Promise<UndoDone> {
  const { id, started, record, undo } = done;
  const undone = { record, by: id, at: iso(started) };
  markUndone(world, undone);
  await recordUndone(world, undone, undo, started);
  const entries = record.changes.filter(({ operation }) => operation !== "index").length;
  return { run: record.run, files: filesOf(undo?.files ?? []), entries, conflicts: [] };
}
