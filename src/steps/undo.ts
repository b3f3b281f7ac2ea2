/** Taking a past run back: under the lease, as one transaction, with a tombstone for each statement that goes. */
import { iso } from "../base/clock.ts";
import { MemdError } from "../base/errors.ts";
import { runId } from "../base/ids.ts";
import { loadLastRun, saveLastRun } from "../ledger/last-run.ts";
import type { RunReport } from "../ledger/report.ts";
import { acquireLease } from "../lock/lease.ts";
import { parseEntry } from "../memory/entry.ts";
import { NO_USAGE } from "../ports.ts";
import type { UndoRecord } from "../store/manifest.ts";
import { readMemory } from "../store/read.ts";
import { recover } from "../store/recover.ts";
import { applyUndo, type UndoConflict } from "../store/undo.ts";
import { loadUndoRecord, saveUndoRecord, undoableRuns } from "./undo-records.ts";
import type { DreamWorld } from "./world.ts";

export interface UndoDone {
  readonly run: string;
  readonly files: { readonly created: readonly string[]; readonly updated: readonly string[]; readonly archived: readonly string[] };
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
  const found = run === "last" ? all.filter(({ id, world }) => standing(world, id)).slice(-1) : all.filter(({ id }) => id.startsWith(run));
  if (found.length > 1) throw wrongRun("ambiguous-run", `${run} names more than one run`, found.map(({ id }) => id).join(", "));
  const one = found[0];
  const record = one ? loadUndoRecord(one.world.files, one.world.store.state, one.id) : null;
  if (!one || !record) throw wrongRun(run === "last" ? "nothing-to-undo" : "unknown-run", `there is no run ${JSON.stringify(run)} to take back`, "memd history lists the runs; only those that changed files can be undone.");
  return { world: one.world, record };
}

function wrongRun(code: string, message: string, hint: string): MemdError {
  return new MemdError({ code, family: "usage", message, hint });
}

/** Undos and undone runs are kept too, so that each can be named; `last` passes them by. */
function standing(world: DreamWorld, id: string): boolean {
  return !undoneMarks(world).has(id);
}

function undoneMarks(world: DreamWorld): ReadonlySet<string> {
  return new Set(world.state.current().undone);
}

/** A value for the held lock, as a dream has one. */
export async function undoRun(world: DreamWorld, ask: { record: UndoRecord; force: boolean }): Promise<UndoDone | { held: string }> {
  const { files, clock, random, store, place } = world;
  const started = clock.now();
  const id = runId(started, random);
  const taken = await acquireLease(world.lease, store.memory, id);
  if (taken.state === "held") return { held: `The lock is held since ${iso(taken.since)}; try again when that run has ended.` };
  const { lease } = taken;
  try {
    const mayWrite = () => !lease.signal.aborted;
    recover({ ...place, files, now: started, mayWrite });
    const snapshot = readMemory(files, store.memory);
    const run = { id, at: iso(started) };
    const result = applyUndo({ ...place, files, record: ask.record, run, snapshot, force: ask.force, mayWrite, done: (done) => saveUndoRecord(files, store.state, done) });
    if (result.outcome === "refused") return { run: ask.record.run, files: { created: [], updated: [], archived: [] }, entries: 0, conflicts: result.conflicts };
    return await settle(world, { id, started, record: ask.record, undo: result.undo });
  } finally {
    // An undo is no consolidation: the stamp stays exactly as it was.
    await lease.release({ kind: "unchanged" });
  }
}

async function settle(world: DreamWorld, done: { id: string; started: number; record: UndoRecord; undo: UndoRecord | null }): Promise<UndoDone> {
  const { record, undo } = done;
  const wasUndo = undoneMarks(world).has(record.run);
  markStatements(world, record, { wasUndo, at: iso(done.started) });
  const undone = [...new Set([...undoneMarks(world), record.run, done.id])];
  world.state.save({ undone });
  const files = {
    created: names(undo, (file) => file.before === null),
    updated: names(undo, (file) => file.before !== null && file.after !== null),
    archived: names(undo, (file) => file.after === null),
  };
  await recordUndo(world, { ...done, files });
  return { run: record.run, files, entries: record.changes.filter(({ operation }) => operation !== "index").length, conflicts: [] };
}

function names(undo: UndoRecord | null, wanted: (file: UndoRecord["files"][number]) => boolean): string[] {
  return (undo?.files ?? []).filter(wanted).map(({ file }) => file);
}

/** What goes is never proposed again; undoing an undo takes those marks away. */
function markStatements(world: DreamWorld, record: UndoRecord, { wasUndo, at }: { wasUndo: boolean; at: string }): void {
  const statement = (block: string | null) => (block === null ? [] : [parseEntry(block).statement]);
  const gone = record.changes.flatMap(({ operation, after }) => (operation === "index" || operation === "create-topic" ? [] : statement(after)));
  const back = record.changes.flatMap(({ before }) => statement(before));
  world.tombstones.remove(wasUndo ? [...gone, ...back] : back);
  world.tombstones.add(wasUndo ? [] : gone.filter((text) => !back.includes(text)), { at, cause: "undo" });
}

async function recordUndo(
  world: DreamWorld,
  done: { id: string; started: number; record: UndoRecord; undo: UndoRecord | null; files: UndoDone["files"] },
): Promise<void> {
  const ledger = await world.ledger();
  const original = ledger.find(done.record.run);
  const last = loadLastRun(world.files, world.store.state);
  const undone = original.state === "found" ? original.run : last?.id === done.record.run ? last : null;
  if (undone) ledger.recordRun({ ...undone, outcome: "undone" });
  const report = undoReport(world, done);
  ledger.recordRun(report);
  saveLastRun(world.files, world.store.state, report);
  world.state.save({ lastRun: { id: report.id, outcome: report.outcome, reason: report.reason, at: report.finishedAt } });
}

function undoReport(world: DreamWorld, done: { id: string; started: number; record: UndoRecord; undo: UndoRecord | null; files: UndoDone["files"] }): RunReport {
  const changes = done.undo?.changes ?? [];
  return {
    id: done.id,
    store: world.store.name,
    memory: world.store.memory,
    cause: "undo",
    distiller: "none",
    outcome: "done",
    reason: `undo ${done.record.run}`,
    code: null,
    hint: null,
    startedAt: iso(done.started),
    finishedAt: iso(world.clock.now()),
    stampBefore: 0,
    stampAfter: 0,
    sessions: { seen: 0, counted: 0, read: 0, left: 0, dropped: {} },
    records: { lines: 0, bad: 0, unfinished: 0 },
    utterances: 0,
    evidenceTokens: 0,
    redacted: {},
    operations: { proposed: 0, accepted: changes.length, rejected: [] },
    files: done.files,
    usage: NO_USAGE,
    questions: 0,
    fence: null,
    changes,
  };
}
