/** One run's writes as a transaction: all of them, or none; never over someone else's newer text. */
import { classify } from "../base/errors.ts";
import type { Change, EvidenceRecord, FileChange, Notice, Retired } from "../memory/changeset.ts";
import { attempt } from "./attempt.ts";
import { checkNames } from "./journal.ts";
import { type RunKind, toUndoRecord, type UndoRecord } from "./manifest.ts";
import { journalFolder, type Place } from "./place.ts";
import { type MemorySnapshot, readMemory } from "./read.ts";
import type { StepContext } from "./step.ts";

/** What a transaction writes: a changeset, or an undo, in one form. */
export interface Plan {
  readonly files: readonly PlannedFile[];
  readonly changes: readonly Change[];
  readonly retired: readonly Retired[];
  readonly evidenceAdded: readonly EvidenceRecord[];
  readonly evidenceRemoved: readonly EvidenceRecord[];
  readonly ownLines: readonly string[];
}

export interface PlannedFile extends FileChange {
  /** Epoch ms that the new text shall carry; null: the time of writing. */
  readonly mtime: number | null;
}

export interface Transaction {
  readonly place: Place;
  readonly kind: RunKind;
  readonly run: { readonly id: string /** ISO time. */; readonly at: string };
  /** The run that an undo takes back. */
  readonly undoes?: string | undefined;
  /** The memory that `plan` was made from. */
  readonly snapshot: MemorySnapshot;
  readonly plan: Plan;
  /** Makes the plan anew on a memory that has moved on, without touching the files in `leave`. */
  readonly replan: (snapshot: MemorySnapshot, leave: ReadonlySet<string>) => Plan;
  /** Called once when every file is written and verified, before the journal goes. */
  readonly record?: ((done: UndoRecord) => void) | undefined;
  /** False once the lease is lost; nothing is written from then on. */
  readonly mayWrite?: (() => boolean) | undefined;
}

export interface Committed {
  /** `applied`: written. `unchanged`: there was nothing to write. `left`: others kept writing; nothing was written. */
  readonly outcome: "applied" | "unchanged" | "left";
  readonly written: readonly string[];
  /** Files left for the next run. */
  readonly left: readonly string[];
  /** How often the plan was made anew. */
  readonly replans: number;
  /** What can take the run back; null when nothing was written. */
  readonly undo: UndoRecord | null;
  readonly notices: readonly Notice[];
}

/** More tries would only race on against a writer that does not stop. */
const MAX_REPLANS = 3;

/**
 * Writes a plan. A file that someone changed meanwhile sends the whole run back to the start: what was written is taken back, and the
 * plan is made anew on the new text, at most three times, the last time without the files that would not hold still.
 * @throws MemdError unavailable (disk full, I/O, `lease-lost`), misconfigured (no permission, read-only); memory is then
 * as before, or, where even taking back failed, as the next recovery will make it
 */
export function transact(job: Transaction): Committed {
  try {
    return tryUntilStill(job);
  } catch (error) {
    throw classify(error, `write the memory in ${job.place.directory}`);
  }
}

function tryUntilStill(job: Transaction): Committed {
  const { files, directory } = job.place;
  const context = contextOf(job);
  const notices: Notice[] = [];
  const moved = new Set<string>();
  let { snapshot, plan } = job;
  for (let replans = 0; ; replans++) {
    const due = plan.files.filter((file) => file.before !== file.after);
    const names = due.map((file) => file.file);
    const left = replans === MAX_REPLANS ? [...moved].filter((name) => !names.includes(name)) : [];
    if (due.length === 0) return { outcome: "unchanged", written: [], left, replans, undo: null, notices };
    checkNames(names);
    const tried = attempt(job, context, { snapshot, plan: { ...plan, files: due } });
    notices.push(...tried.notices);
    if ("manifest" in tried) {
      return { outcome: "applied", written: names, left, replans, undo: toUndoRecord(tried.manifest), notices };
    }
    for (const name of tried.changed) moved.add(name);
    if (replans === MAX_REPLANS)
      return { outcome: "left", written: [], left: [...moved], replans, undo: null, notices };
    snapshot = readMemory(files, directory);
    plan = job.replan(snapshot, replans + 1 === MAX_REPLANS ? moved : new Set());
  }
}

function contextOf(job: Transaction): StepContext {
  const { place, run, mayWrite = () => true } = job;
  return { place, run: run.id, journal: journalFolder(place), mayWrite };
}
