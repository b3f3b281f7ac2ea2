/** What every run does first under the lease: it finishes or takes back what a crash left, in the files and in the records. */
import { iso } from "../base/clock.ts";
import { runId, runTime } from "../base/ids.ts";
import { loadLastRun, saveLastRun } from "../ledger/last-run.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { RunReport } from "../ledger/report.ts";
import { acquireLease } from "../lock/lease.ts";
import type { Notice } from "../memory/changeset.ts";
import { publishFolder } from "../publish/book.ts";
import { bringEvidence } from "../store/evidence.ts";
import type { UndoRecord } from "../store/manifest.ts";
import { journalFolder, tempToken } from "../store/place.ts";
import { recover } from "../store/recover.ts";
import { sweepState } from "../store/sweep.ts";
import { filesOf } from "./files-of.ts";
import { settlePlaces } from "./places.ts";
import { reportOf } from "./report.ts";
import { loadUndoRecord, saveUndoRecord, undoableRuns, undoFolder } from "./undo-records.ts";
import { markUndone, recordUndone } from "./undone.ts";
import type { DreamWorld } from "./world.ts";

/** To be called under the lease. @param mayWrite false once the lease is lost */
export async function recoverStore(world: DreamWorld, mayWrite: () => boolean): Promise<readonly Notice[]> {
  const { files, place, clock, store } = world;
  const record = (undo: UndoRecord) => saveUndoRecord(files, store.state, undo);
  const found = recover({ ...place, files, now: clock.now(), mayWrite, record });
  const where = { directory: place.directory, state: store.state };
  bringEvidence(files, where, { path: place.evidence, token: tempToken(place, "evidence") });
  sweepState(files, [store.state, undoFolder(store.state), publishFolder(store.state)], clock.now());
  settlePlaces(world);
  await recordForgotten(world);
  return found.notices;
}

/** For those who must know the last run before they take the lock: nothing happens where nothing was cut short. */
export async function finishCrashed(world: DreamWorld): Promise<void> {
  if (world.files.lstat(journalFolder(world.place)) === null) return;
  const taken = await acquireLease(world.lease, world.store.memory, runId(world.clock.now(), world.random));
  if (taken.state === "held") return;
  try {
    await recoverStore(world, () => !taken.lease.signal.aborted);
  } finally {
    await taken.lease.release({ kind: "unchanged" });
  }
}

/**
 * Runs that changed memory and died before their own record: every run is recorded, and an undo says what must not come back. The last
 * one too: the database may have lost it, since it need not be on the disk when its file is.
 */
async function recordForgotten(world: DreamWorld): Promise<void> {
  const { files, store } = world;
  const last = loadLastRun(files, store.state);
  const forgotten = undoableRuns(files, store.state).filter((id) => last === null || id >= last.id);
  if (forgotten.length === 0) return;
  const ledger = await world.ledger();
  for (const id of forgotten) {
    const record = loadUndoRecord(files, store.state, id);
    const original = record?.undoes ? loadUndoRecord(files, store.state, record.undoes) : null;
    const known = ledger.find(id);
    if (known.state === "found" && id === last?.id) continue;
    if (record && original) await settleUndo(world, record, original);
    else if (record)
      recordDream(
        world,
        ledger,
        known.state === "found" ? known.run : last?.id === id ? last : dreamReport(world, record),
      );
  }
}

async function settleUndo(world: DreamWorld, undo: UndoRecord, record: UndoRecord): Promise<void> {
  const startedAt = runTime(undo.run) ?? world.clock.now();
  const undone = { record, by: undo.run, at: iso(startedAt) };
  markUndone(world, undone);
  await recordUndone(world, undone, undo, startedAt);
}

function recordDream(world: DreamWorld, ledger: Ledger, report: RunReport): void {
  ledger.recordRun(report);
  saveLastRun(world.files, world.store.state, report);
}

function dreamReport(world: DreamWorld, { run, changes, files }: UndoRecord): RunReport {
  const operations = { proposed: changes.length, accepted: changes.length, rejected: [] };
  const facts = { changes, operations, files: filesOf(files) };
  const startedAt = runTime(run) ?? world.clock.now();
  const ending = { outcome: "done", reason: "cut-short-and-finished" } as const;
  return reportOf(world, { id: run, cause: "unknown", startedAt, facts }, ending);
}
