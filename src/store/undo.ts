/** Takes a past run back: the exact texts where nothing changed since, entry by entry where something did. */
import type { Files } from "../base/files.ts";
import { sha256 } from "../base/ids.ts";
import type { Change, EvidenceRecord, Retired } from "../memory/changeset.ts";
import { parseIndex } from "../memory/index-lines.ts";
import { holdsPointers, INDEX, MORE_FILE } from "../memory/names.ts";
import { readEvidence } from "./evidence.ts";
import type { UndoFile, UndoRecord } from "./manifest.ts";
import { readOwnLines } from "./own-lines.ts";
import type { MemorySnapshot } from "./read.ts";
import { type Committed, type Plan, type PlannedFile, transact } from "./transaction.ts";
import { undoIndex } from "./undo-index.ts";
import { type UndoConflict, type UndoneFile, undoTopic } from "./undo-topic.ts";

export type { UndoConflict } from "./undo-topic.ts";

export interface UndoPlan {
  readonly plan: Plan;
  /** Where later edits would be lost; the plan must not be applied then, unless it was made with `force`. */
  readonly conflicts: readonly UndoConflict[];
}

export interface UndoOptions {
  /** Later edits that stand in the way go to the archive. */
  readonly force?: boolean | undefined;
  /** Hashes of memd's own index lines now. */
  readonly ownLines?: readonly string[] | undefined;
  /** The run's own evidence records, to be taken out. */
  readonly evidence?: readonly EvidenceRecord[] | undefined;
}

/** The text of a file now; `strange` when there is something that does not read as text. */
function textOf(snapshot: MemorySnapshot, file: string): string | null | { readonly strange: true } {
  const { tree, hashes } = snapshot;
  const topic = tree.topics.find((candidate) => candidate.file === file);
  const text = file === INDEX ? tree.index : (topic?.text ?? null);
  const hash = hashes.get(file);
  if (text === null && hash === undefined) {
    const there = tree.others.includes(file) || (file === INDEX && tree.indexLocked !== undefined);
    return there ? { strange: true } : null;
  }
  return text !== null && hash === sha256(text) ? text : { strange: true };
}

function undoOne(
  undo: UndoFile,
  snapshot: MemorySnapshot,
  force: boolean,
): { before: string | null; done: UndoneFile } {
  const current = textOf(snapshot, undo.file);
  if (current === null || typeof current === "string")
    return { before: current, done: undoTopic(undo, current, force) };
  const conflicts = [{ file: undo.file, reason: "not-readable" as const, entries: [] }];
  return { before: null, done: { after: null, mtime: null, conflicts, archived: [] } };
}

const reversed = (record: UndoRecord): Change[] =>
  [...record.changes].reverse().map((change) => ({
    ...change,
    before: change.after,
    after: change.before,
    reason: `undo ${record.run}`,
  }));

const later = (file: string, text: string): Retired => ({
  topic: file.replace(/\.md$/i, ""),
  text,
  reason: "undo-later-text",
});

/** Pure: what undoing the run would write to this memory, and what stands in the way. */
export function planUndo(record: UndoRecord, snapshot: MemorySnapshot, options: UndoOptions = {}): UndoPlan {
  const { force = false, ownLines = [], evidence = [] } = options;
  const topics = record.files
    .filter((undo) => !holdsPointers(undo.file))
    .map((undo) => ({ undo, ...undoOne(undo, snapshot, force) }));
  const conflicts = topics.flatMap(({ done }) => done.conflicts);
  const fates = {
    gone: new Set(topics.filter(({ done }) => done.after === null).map(({ undo }) => undo.file)),
    present: topics
      .filter(({ undo, done }) => done.after !== null && (undo.before === null || undo.after === null))
      .map(({ undo }) => undo.file),
  };
  const pointers = undoPointers(record, snapshot, fates);
  const files = [
    ...topics.map(
      ({ undo, before, done }): PlannedFile => ({ file: undo.file, before, after: done.after, mtime: done.mtime }),
    ),
    ...pointers.files,
  ];
  const retired = [
    ...topics.flatMap(({ undo, done }) => done.archived.map((text) => later(undo.file, text))),
    ...pointers.archived.map((text) => later(INDEX, text)),
  ];
  const plan = {
    files: files.filter((file) => file.before !== file.after),
    changes: reversed(record),
    retired,
    evidenceAdded: record.evidenceRemoved,
    evidenceRemoved: evidence,
    ownLines: stillOwn(pointers.files, [...ownLines, ...record.ownLinesBefore]),
  };
  return { plan, conflicts: [...conflicts, ...pointers.conflicts] };
}

interface PointerFiles {
  readonly files: PlannedFile[];
  readonly archived: string[];
  readonly conflicts: UndoConflict[];
}

/** The index always, since it may name what goes; the generated topic of further pointers where the run changed it. */
function undoPointers(
  record: UndoRecord,
  snapshot: MemorySnapshot,
  fates: Parameters<typeof undoIndex>[2],
): PointerFiles {
  const result: PointerFiles = { files: [], archived: [], conflicts: [] };
  let present = fates.present;
  for (const file of [MORE_FILE, INDEX]) {
    const undo = record.files.find((candidate) => candidate.file === file);
    const current = textOf(snapshot, file);
    if (current !== null && typeof current !== "string") {
      if (undo) result.conflicts.push({ file, reason: "not-readable", entries: [] });
      continue;
    }
    if (file === MORE_FILE && !undo) continue;
    // The generated topic adds no pointers of its own accord: what is missing is added to the index.
    const done = undoIndex(undo, current, { gone: fates.gone, present: file === INDEX ? present : [] });
    const mtime = done.exact ? (undo?.beforeMtime ?? null) : null;
    result.files.push({ file, before: current, after: done.text, mtime });
    result.archived.push(...done.archived);
    const named = new Set(parseIndex(done.text ?? "").flatMap((line) => line.targets));
    present = present.filter((topic) => !named.has(topic));
  }
  return result;
}

/** Own lines are known by hash; only those that still stand somewhere are kept. */
function stillOwn(files: readonly PlannedFile[], candidates: readonly string[]): string[] {
  const standing = new Set(files.flatMap(({ after }) => parseIndex(after ?? "").map((line) => line.hash)));
  return [...new Set(candidates)].filter((hash) => standing.has(hash));
}

export interface UndoJob {
  readonly files: Files;
  /** Real path of the memory directory. */
  readonly directory: string;
  readonly record: UndoRecord;
  /** The undo is a run of its own, and can be undone. */
  readonly run: { readonly id: string; readonly at: string };
  readonly machine: string;
  readonly snapshot: MemorySnapshot;
  readonly evidence: string;
  readonly force?: boolean | undefined;
  readonly done?: ((done: UndoRecord) => void) | undefined;
  readonly mayWrite?: (() => boolean) | undefined;
}

export type UndoResult =
  /** Nothing was written: later edits stand in the way. */
  { readonly outcome: "refused"; readonly conflicts: readonly UndoConflict[] } | Committed;

/** Undoes a run as one transaction; see `transact` for errors and for what others' writes in the middle of it do. */
export function applyUndo(job: UndoJob): UndoResult {
  const { files, directory, machine, evidence, record, force = false } = job;
  const known = readEvidence(files, evidence).records.filter(({ run }) => run === record.run);
  const options = { force, ownLines: readOwnLines(files, directory), evidence: known };
  let conflicts: readonly UndoConflict[] = [];
  const planOn = (snapshot: MemorySnapshot): Plan => {
    const made = planUndo(record, snapshot, options);
    // What cannot be read is never overwritten, forced or not.
    conflicts = force ? made.conflicts.filter(({ reason }) => reason === "not-readable") : made.conflicts;
    return conflicts.length > 0 ? { ...made.plan, files: [] } : made.plan;
  };
  const committed = transact({
    place: { files, directory, machine, evidence },
    kind: "undo",
    undoes: record.run,
    run: job.run,
    snapshot: job.snapshot,
    plan: planOn(job.snapshot),
    replan: planOn,
    record: job.done,
    mayWrite: job.mayWrite,
  });
  return conflicts.length > 0 && committed.outcome === "unchanged" ? { outcome: "refused", conflicts } : committed;
}
