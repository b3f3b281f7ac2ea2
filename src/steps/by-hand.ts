/** What a person changes by hand: under the lease like a run, recorded as a run, and no consolidation: the stamp stays exactly as it was. */
import { iso } from "../base/clock.ts";
import { runId } from "../base/ids.ts";
import { saveLastRun } from "../ledger/last-run.ts";
import type { RunReport } from "../ledger/report.ts";
import { acquireLease } from "../lock/lease.ts";
import type { Change } from "../memory/changeset.ts";
import type { UndoRecord } from "../store/manifest.ts";
import { type MemorySnapshot, readMemory } from "../store/read.ts";
import { checkWritable } from "../store/writable.ts";
import { refreshProposal } from "./proposal.ts";
import { refreshAfterHand } from "./published.ts";
import { recoverStore } from "./recover.ts";
import { reportOf } from "./report.ts";
import { changeOf } from "./telling.ts";
import { saveUndoRecord } from "./undo-records.ts";
import type { DreamWorld } from "./world.ts";

/** One change by hand, while it holds the lease. */
export interface Hand {
  readonly id: string;
  /** Epoch ms. */
  readonly startedAt: number;
  /** The same as ISO time. */
  readonly at: string;
  readonly snapshot: MemorySnapshot;
  readonly mayWrite: () => boolean;
}

export type FileFates = RunReport["files"];

export const NO_FILES: FileFates = { created: [], updated: [], archived: [] };

/** A value for the held lock, as a dream has one. @param afterwards still under the lease, once the act is done */
export async function byHand<T>(
  world: DreamWorld,
  act: (hand: Hand) => Promise<T>,
  afterwards: (world: DreamWorld) => Promise<void> = refreshAfterHand,
): Promise<T | { readonly held: string }> {
  const { files, clock, random, store, place } = world;
  const startedAt = clock.now();
  const id = runId(startedAt, random);
  const taken = await acquireLease(world.lease, store.memory, id);
  if (taken.state === "held")
    return { held: `The lock is held since ${iso(taken.since)}; try again when that run has ended.` };
  const { lease } = taken;
  try {
    const mayWrite = () => !lease.signal.aborted;
    await recoverStore(world, mayWrite);
    const snapshot = readMemory(files, store.memory);
    checkWritable(place, snapshot);
    const done = await act({ id, startedAt, at: iso(startedAt), snapshot, mayWrite });
    await afterwards(world);
    refreshProposal(world);
    return done;
  } finally {
    await lease.release({ kind: "unchanged" });
  }
}

/** Puts the act where runs are recorded. `changes` stay empty where they may not be told: what was forgotten. */
export async function recordByHand(
  world: DreamWorld,
  hand: Hand,
  done: { readonly cause: string; readonly files: FileFates; readonly changes: readonly Change[] },
): Promise<void> {
  const { cause, files, changes } = done;
  const operations = { proposed: changes.length, accepted: changes.length, rejected: [] };
  const about = { id: hand.id, cause, startedAt: hand.startedAt, facts: { files, changes, operations } };
  const report: RunReport = { ...reportOf(world, about, { outcome: "done", reason: null }), distiller: "none" };
  saveLastRun(world.files, world.store.state, report);
  (await world.ledger()).recordRun(report);
  for (const event of changeOf(report, cause)) world.events.emit(event);
  world.state.save({
    lastRun: { id: report.id, outcome: report.outcome, reason: report.reason, at: report.finishedAt },
  });
}

/** Saves what takes the act back, for `memd undo`. */
export function keepUndo(world: DreamWorld): (done: UndoRecord) => void {
  return (done) => saveUndoRecord(world.files, world.store.state, done);
}
