/** One try at writing a plan: journal, files, read back, settle, record, drop the journal; or everything taken back. */
import { classify, MemdError } from "../base/errors.ts";
import { sha256 } from "../base/ids.ts";
import type { Notice } from "../memory/changeset.ts";
import { INDEX } from "../memory/names.ts";
import { beginJournal, commitJournal, concurrentWrite, discardJournal, readJournal } from "./journal.ts";
import { type JournalFile, type Manifest, toUndoRecord } from "./manifest.ts";
import { readOwnLines } from "./own-lines.ts";
import type { MemorySnapshot } from "./read.ts";
import { forward, settle, takeBack, unfinished, writingOrder } from "./replay.ts";
import type { StepContext } from "./step.ts";
import { sweepOwnTemps } from "./sweep.ts";
import type { Plan, PlannedFile, Transaction } from "./transaction.ts";

export type Attempt =
  | { readonly manifest: Manifest; readonly notices: readonly Notice[] }
  /** Files that someone else changed meanwhile; memory is as before, with their text. */
  | { readonly changed: readonly string[]; readonly notices: readonly Notice[] };

/** New files take the mode of the index, else of the first topic: a shared directory keeps its habit. Else only the owner reads. */
function habit(snapshot: MemorySnapshot): number {
  const names = [INDEX, ...snapshot.tree.topics.map((topic) => topic.file)];
  const known = names.map((name) => snapshot.stats.get(name)).find((stat) => stat !== undefined);
  return (known?.mode ?? 0o600) & 0o666;
}

function toJournalFile(planned: PlannedFile, snapshot: MemorySnapshot): JournalFile {
  const { file, before, after, mtime } = planned;
  const stat = before === null ? undefined : snapshot.stats.get(file);
  const [beforeHash, afterHash] = [before, after].map((text) => (text === null ? null : sha256(text)));
  return {
    file,
    before,
    after,
    beforeHash: beforeHash ?? null,
    afterHash: afterHash ?? null,
    mode: stat ? stat.mode & 0o666 : habit(snapshot),
    mtime,
    beforeMtime: stat?.mtime ?? null,
  };
}

function toManifest(job: Transaction, plan: Plan, snapshot: MemorySnapshot): Manifest {
  const { place, kind, run, undoes = null } = job;
  const { changes, retired, evidenceAdded, evidenceRemoved } = plan;
  const files = writingOrder(
    kind,
    plan.files.map((file) => toJournalFile(file, snapshot)),
  );
  const ownLinesBefore = readOwnLines(place.files, place.directory);
  const lines = { ownLinesBefore, ownLinesAfter: plan.ownLines };
  const identity = { schema: 1, run: run.id, machine: place.machine, kind, undoes, at: run.at } as const;
  return { ...identity, files, changes, retired, evidenceAdded, evidenceRemoved, ...lines };
}

/** Tries once; every failure but a lost lease takes back what was written before it is thrown. */
export function attempt(
  job: Transaction,
  context: StepContext,
  made: { snapshot: MemorySnapshot; plan: Plan },
): Attempt {
  const manifest = toManifest(job, made.plan, made.snapshot);
  // A text that does not encode to the bytes that were read (not UTF-8) would damage the file.
  const strange = manifest.files.filter(
    ({ file, beforeHash }) => beforeHash !== (made.snapshot.hashes.get(file) ?? null),
  );
  if (strange.length > 0) return { changed: strange.map(({ file }) => file), notices: [] };
  let clash: Attempt | null;
  try {
    clash = write(context, manifest);
  } catch (error) {
    throw takenBack(context, error);
  }
  return clash ?? { manifest, notices: conclude(job, context, manifest) };
}

/** Null when everything is written, verified and settled. */
function write(context: StepContext, manifest: Manifest): Attempt | null {
  const moved = beginJournal(context, manifest);
  if (moved.length > 0) {
    discardJournal(context, null);
    return { changed: moved, notices: [] };
  }
  const stopped = forward(context, manifest);
  const changed = stopped === null ? unfinished(context, manifest) : [stopped];
  if (changed.length > 0) {
    const clashes = changed.map((file) => concurrentWrite(file, "the run started over on the newer text"));
    return { changed, notices: [...clashes, ...takeBack(context, manifest)] };
  }
  settle(context, manifest);
  return null;
}

/** What is thrown after a failure, once memory is as before again. */
function takenBack(context: StepContext, error: unknown): MemdError {
  const failure = classify(error, `write the memory in ${context.place.directory}`);
  // Without the lease another process may be writing already: recovery takes it from the journal.
  if (failure.code === "lease-lost" || failure.code === "journal-present") return failure;
  try {
    const journal = readJournal(context.place, context.journal);
    if (journal.state === "written") takeBack(context, journal.manifest);
    if (journal.state === "unwritten") discardJournal(context, null);
    sweepOwnTemps(context.place);
    return failure;
  } catch (second) {
    const { code, family, hint, message } = failure;
    const cause = new AggregateError([error, second], "writing failed, and so did taking it back");
    return new MemdError({ code, family, hint, message: `${message}; the next start takes it back`, cause });
  }
}

/**
 * From here on the run stands. A ledger that fails, or a journal that cannot be dropped, is a condition: the next recovery finds every
 * file in place and only has to drop the journal.
 */
function conclude(job: Transaction, context: StepContext, manifest: Manifest): Notice[] {
  const notices: Notice[] = [];
  const orNotice = (code: string, doing: string, act: () => void): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      const { message, hint } = classify(error, doing);
      notices.push({ code, message, hint });
      return false;
    }
  };
  const recorded = orNotice("run-not-recorded", `record run ${job.run.id}`, () => job.record?.(toUndoRecord(manifest)));
  // Without its record the run could not be taken back: the journal stays, and the next start records it.
  if (recorded) orNotice("journal-kept", "drop the journal", () => notices.push(...commitJournal(context, manifest)));
  return notices;
}
