/** What a person changes by hand: under the lease like a run, recorded as a run, and no consolidation: the stamp stays exactly as it was. */
import { iso } from "../base/clock.ts";
import { runId } from "../base/ids.ts";
import { saveLastRun } from "../ledger/last-run.ts";
import type { RunReport } from "../ledger/report.ts";
import { acquireLease } from "../lock/lease.ts";
import type { Change } from "../memory/changeset.ts";
import { NO_USAGE } from "../ports.ts";
import type { UndoRecord } from "../store/manifest.ts";
import { type MemorySnapshot, readMemory } from "../store/read.ts";
import { recover } from "../store/recover.ts";
import { checkWritable } from "../store/writable.ts";
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

export interface FileFates {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly archived: readonly string[];
}

export const NO_FILES: FileFates = { created: [], updated: [], archived: [] };

/** File names by fate, as reports have them. */
export function fatesOf(files: readonly { readonly file: string; readonly before: string | null; readonly after: string | null }[]): FileFates {
  const named = (wanted: (file: (typeof files)[number]) => boolean) => files.filter(wanted).map(({ file }) => file);
  return {
    created: named(({ before }) => before === null),
    updated: named(({ before, after }) => before !== null && after !== null),
    archived: named(({ after }) => after === null),
  };
}

/** A value for the held lock, as a dream has one. */
export async function byHand<T>(world: DreamWorld, act: (hand: Hand) => Promise<T>): Promise<T | { readonly held: string }> {
  const { files, clock, random, store, place } = world;
  const startedAt = clock.now();
  const id = runId(startedAt, random);
  const taken = await acquireLease(world.lease, store.memory, id);
  if (taken.state === "held") return { held: `The lock is held since ${iso(taken.since)}; try again when that run has ended.` };
  const { lease } = taken;
  try {
    const mayWrite = () => !lease.signal.aborted;
    const found = recover({ ...place, files, now: startedAt, mayWrite });
    if (found.undo) saveUndoRecord(files, store.state, found.undo);
    const snapshot = readMemory(files, store.memory);
    checkWritable(place, snapshot);
    return await act({ id, startedAt, at: iso(startedAt), snapshot, mayWrite });
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
  const report = reportOf(world, hand, done);
  saveLastRun(world.files, world.store.state, report);
  (await world.ledger()).recordRun(report);
  world.state.save({ lastRun: { id: report.id, outcome: report.outcome, reason: report.reason, at: report.finishedAt } });
}

function reportOf(world: DreamWorld, hand: Hand, done: { cause: string; files: FileFates; changes: readonly Change[] }): RunReport {
  const { cause, files, changes } = done;
  const stamps = { stampBefore: 0, stampAfter: 0 };
  const nothingRead = {
    sessions: { seen: 0, counted: 0, read: 0, left: 0, dropped: {} },
    records: { lines: 0, bad: 0, unfinished: 0 },
    utterances: 0,
    evidenceTokens: 0,
    redacted: {},
  };
  return {
    id: hand.id,
    store: world.store.name,
    memory: world.store.memory,
    cause,
    distiller: "none",
    outcome: "done",
    reason: cause,
    code: null,
    hint: null,
    startedAt: hand.at,
    finishedAt: iso(world.clock.now()),
    ...stamps,
    ...nothingRead,
    operations: { proposed: changes.length, accepted: changes.length, rejected: [] },
    files,
    usage: NO_USAGE,
    questions: 0,
    fence: null,
    changes,
  };
}

/** Saves what takes the act back, for `memd undo`. */
export function keepUndo(world: DreamWorld): (done: UndoRecord) => void {
  return (done) => saveUndoRecord(world.files, world.store.state, done);
}
