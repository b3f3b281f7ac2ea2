/** What follows from a run that was taken back, beside the files: what it said is not proposed again, and history says so. */

import { loadLastRun, saveLastRun } from "../ledger/last-run.ts";
import type { RunReport } from "../ledger/report.ts";
import { parseEntry } from "../memory/entry.ts";
import type { UndoRecord } from "../store/manifest.ts";
import { filesOf } from "./files-of.ts";
import { reportOf } from "./report.ts";
import { changeOf } from "./telling.ts";
import { loadUndoRecord } from "./undo-records.ts";
import type { DreamWorld } from "./world.ts";

export interface Undone {
  /** The run that was taken back. */
  readonly record: UndoRecord;
  /** Id of the undo. */
  readonly by: string;
  /** ISO time of the undo. */
  readonly at: string;
}

/** Sets tombstones and marks; may be repeated, since a crash can come at any moment between the files and these. */
export function markUndone(world: DreamWorld, { record, by, at }: Undone): void {
  const { root, standsAgain } = rootOf(world, record);
  const { gone, back } = statementsOf(record);
  world.tombstones.remove(standsAgain ? [...gone, ...back] : back);
  world.tombstones.add(noLongerSaid(world, record), { at, cause: "undo" });
  const marked = new Set([...world.state.current().undone, record.run, by, root]);
  if (standsAgain) marked.delete(root);
  world.state.save({ undone: [...marked] });
}

function statementsOf({ changes }: UndoRecord): { gone: string[]; back: string[] } {
  const statement = (block: string | null) => (block === null ? [] : [parseEntry(block).statement]);
  const entries = changes.filter(({ operation }) => operation !== "index" && operation !== "create-topic");
  return {
    gone: entries.flatMap(({ after }) => statement(after)),
    back: changes.flatMap(({ before }) => statement(before)),
  };
}

/** Statements that are not proposed again once `record` is taken back: none where it only marked entries, or was an undo itself. */
export function noLongerSaid(world: DreamWorld, record: UndoRecord): string[] {
  const { gone, back } = statementsOf(record);
  return rootOf(world, record).standsAgain ? [] : gone.filter((text) => !back.includes(text));
}

/** The dream at the end of a chain of undos, and whether it stands once `record` is taken back: undoing its undo puts it in again. */
function rootOf(world: DreamWorld, record: UndoRecord): { root: string; standsAgain: boolean } {
  let current = record;
  let standsAgain = false;
  // An undo is always later than what it takes back; anything else is damage, and ends the chain.
  while (current.undoes && current.undoes < current.run) {
    standsAgain = !standsAgain;
    const earlier = loadUndoRecord(world.files, world.store.state, current.undoes);
    if (!earlier) return { root: current.undoes, standsAgain };
    current = earlier;
  }
  return { root: current.run, standsAgain };
}

/** Writes the undo itself, and what became of the runs that it concerns, into history. @param undo null: nothing had to be changed */
export async function recordUndone(
  world: DreamWorld,
  { record, by }: Undone,
  undo: UndoRecord | null,
  startedAt: number,
): Promise<void> {
  const ledger = await world.ledger();
  const { root, standsAgain } = rootOf(world, record);
  const tell = (run: string, outcome: RunReport["outcome"]) => {
    const found = ledger.find(run);
    const last = loadLastRun(world.files, world.store.state);
    const report = found.state === "found" ? found.run : last?.id === run ? last : null;
    if (report) ledger.recordRun({ ...report, outcome });
  };
  tell(record.run, "undone");
  if (root !== record.run) tell(root, standsAgain ? "done" : "undone");
  const report = undoReport(world, { undo, id: by, of: record.run, startedAt });
  ledger.recordRun(report);
  saveLastRun(world.files, world.store.state, report);
  for (const event of changeOf(report, "undo")) world.events.emit(event);
  world.state.save({
    lastRun: { id: report.id, outcome: report.outcome, reason: report.reason, at: report.finishedAt },
  });
}

function undoReport(
  world: DreamWorld,
  done: { undo: UndoRecord | null; id: string; of: string; startedAt: number },
): RunReport {
  const { undo, id, of, startedAt } = done;
  const changes = undo?.changes ?? [];
  const operations = { proposed: 0, accepted: changes.length, rejected: [] };
  const facts = { changes, operations, files: filesOf(undo?.files ?? []) };
  const ending = { outcome: undo ? "done" : "unchanged", reason: `undo ${of}` } as const;
  return { ...reportOf(world, { id, cause: "undo", startedAt, facts }, ending), distiller: "none" };
}
