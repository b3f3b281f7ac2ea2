/** Taking a past run back: under the lease, as one transaction, with a tombstone for each statement that goes. */
import { MemdError } from "../base/errors.ts";
import { isFed } from "../ports.ts";
import { loadPublishRecord, type PublishRecord, publishRuns } from "../publish/book.ts";
import type { UndoRecord } from "../store/manifest.ts";
import { applyUndo, type UndoConflict } from "../store/undo.ts";
import { byHand, type FileFates, type Hand, keepUndo, NO_FILES } from "./by-hand.ts";
import { filesOf } from "./files-of.ts";
import { undoPublish } from "./undo-publish.ts";
import { loadUndoRecord, undoableRuns } from "./undo-records.ts";
import { markUndone, recordUndone } from "./undone.ts";
import type { DreamWorld } from "./world.ts";

export interface UndoDone {
  readonly run: string;
  readonly files: FileFates;
  /** Changes that were taken back. */
  readonly entries: number;
  readonly conflicts: readonly UndoConflict[];
}

/** The run that a person named, in its store: of memory, or of files that carry a block of it. */
export interface Chosen {
  readonly world: DreamWorld;
  readonly record: UndoRecord | PublishRecord;
}

const idsOf = ({ files, store }: DreamWorld) => [
  ...undoableRuns(files, store.state),
  ...publishRuns(files, store.state),
];

const recordOf = ({ files, store }: DreamWorld, id: string) =>
  loadUndoRecord(files, store.state, id) ?? loadPublishRecord(files, store.state, id);

/**
 * Finds the run to take back: `last` is the latest one that changed something and still stands.
 * @throws MemdError usage: `unknown-run`, `ambiguous-run`, `nothing-to-undo`
 */
export function chooseUndo(worlds: readonly DreamWorld[], run: string): Chosen {
  const all = worlds
    .flatMap((world) => idsOf(world).map((id) => ({ id, world })))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const found = run === "last" ? lastOf(all) : all.filter(({ id }) => id.startsWith(run));
  if (found.length > 1)
    throw wrongRun("ambiguous-run", `${run} names more than one run`, found.map(({ id }) => id).join(", "));
  const one = found[0];
  const record = one ? recordOf(one.world, one.id) : null;
  const hint = "memd history lists the runs; only those that changed files can be undone.";
  if ((!one || !record) && run === "last") throw wrongRun("nothing-to-undo", "there is nothing to take back", hint);
  if (!one || !record) throw wrongRun("unknown-run", `there is no run ${JSON.stringify(run)} to take back`, hint);
  return { world: one.world, record };
}

interface Past {
  readonly id: string;
  readonly world: DreamWorld;
}

/** A dream that also fed the user's own memory, or the team's, is what is meant: those runs follow it and are named by their ids. */
function lastOf(all: readonly Past[]): readonly Past[] {
  const stands = all.filter(({ id, world }) => standing(world, id));
  const own = stands.filter(({ world: { store } }) => !isFed(store));
  return (own.length > 0 ? own : stands).slice(-1);
}

function wrongRun(code: string, message: string, hint: string): MemdError {
  return new MemdError({ code, family: "usage", message, hint });
}

/** Undos and undone runs are kept too, so that each can be named; `last` passes them by. */
function standing(world: DreamWorld, id: string): boolean {
  return !world.state.current().undone.includes(id);
}

interface Ask {
  readonly record: UndoRecord | PublishRecord;
  readonly force: boolean;
}

/** A value for the held lock, as a dream has one. */
export async function undoRun(
  world: DreamWorld,
  { record, force }: Ask,
): Promise<UndoDone | { readonly held: string }> {
  if (!("changes" in record)) return undoPublish(world, { record, force });
  return byHand(world, (hand) => undoUnder(world, hand, { record, force }));
}

async function undoUnder(
  world: DreamWorld,
  hand: Hand,
  ask: { record: UndoRecord; force: boolean },
): Promise<UndoDone> {
  const { files, place } = world;
  const { record, force } = ask;
  const { id, at, snapshot, mayWrite } = hand;
  const run = { id, at };
  const result = applyUndo({ ...place, files, record, run, snapshot, force, mayWrite, done: keepUndo(world) });
  if (result.outcome === "refused")
    return { run: record.run, files: NO_FILES, entries: 0, conflicts: result.conflicts };
  return settle(world, hand, { record, undo: result.undo });
}

async function settle(
  world: DreamWorld,
  hand: Hand,
  { record, undo }: { record: UndoRecord; undo: UndoRecord | null },
): Promise<UndoDone> {
  const undone = { record, by: hand.id, at: hand.at };
  markUndone(world, undone);
  await recordUndone(world, undone, undo, hand.startedAt);
  const entries = record.changes.filter(({ operation }) => operation !== "index").length;
  return { run: record.run, files: filesOf(undo?.files ?? []), entries, conflicts: [] };
}
