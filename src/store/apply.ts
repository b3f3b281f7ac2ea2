/** Applies what compile made of the accepted operations. */
import type { Files } from "../base/files.ts";
import type { Changeset } from "../memory/changeset.ts";
import type { UndoRecord } from "./manifest.ts";
import type { MemorySnapshot } from "./read.ts";
import { type Committed, type Plan, transact } from "./transaction.ts";

export interface ApplyJob {
  readonly files: Files;
  /** Real path of the memory directory, as the snapshot names it. */
  readonly directory: string;
  readonly changeset: Changeset;
  readonly run: { readonly id: string /** ISO time. */; readonly at: string };
  /** Random id of this machine. */
  readonly machine: string;
  /** The memory that the changeset was compiled from. */
  readonly snapshot: MemorySnapshot;
  /** Path of evidence.jsonl. */
  readonly evidence: string;
  /** Compiles the accepted operations anew on a memory that has moved on; operations on files in `leave` stay undone. */
  readonly recompile: (snapshot: MemorySnapshot, leave: ReadonlySet<string>) => Changeset;
  /** Called once when everything is written and verified, before the journal goes. */
  readonly record?: ((done: UndoRecord) => void) | undefined;
  /** False once the lease is lost: nothing is written from then on. */
  readonly mayWrite?: (() => boolean) | undefined;
}

export interface ApplyResult extends Committed {
  /** What was applied in the end: the changeset given, or the last one that was recompiled. */
  readonly changeset: Changeset;
}

function toPlan(changeset: Changeset): Plan {
  const { changes, retired, evidence, ownLines } = changeset;
  const files = changeset.files.map((file) => ({ ...file, mtime: null }));
  return { files, changes, retired, evidenceAdded: evidence, evidenceRemoved: [], ownLines };
}

/**
 * Writes a changeset as one transaction; see `transact` for what others' writes in the middle of it do, and for the errors.
 */
export function apply(job: ApplyJob): ApplyResult {
  const { files, directory, machine, evidence, run, snapshot, record, mayWrite } = job;
  let changeset = job.changeset;
  const committed = transact({
    place: { files, directory, machine, evidence },
    kind: "apply",
    run,
    snapshot,
    plan: toPlan(changeset),
    replan: (fresh, leave) => {
      changeset = job.recompile(fresh, leave);
      return toPlan(changeset);
    },
    record,
    mayWrite,
  });
  return { ...committed, changeset };
}
