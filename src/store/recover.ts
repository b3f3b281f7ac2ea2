/** What every start and every run does first: finish or take back what a crash left, and sweep up. */
import { join } from "node:path";
import { classify } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { namesIn } from "../base/folders.ts";
import type { Notice } from "../memory/changeset.ts";
import { commitJournal, discardJournal, foreignJournals, readJournal, saveStrays } from "./journal.ts";
import { type Manifest, type RunKind, toUndoRecord, type UndoRecord } from "./manifest.ts";
import { journalFolder, lastFolder, memdFolder, type Place } from "./place.ts";
import { direction, forwardAround, settle, takeBack } from "./replay.ts";
import type { StepContext } from "./step.ts";
import { sweepTemps } from "./sweep.ts";

export interface RecoverJob {
  readonly files: Files;
  /** Real path of the memory directory. */
  readonly directory: string;
  readonly machine: string;
  /** Path of evidence.jsonl. */
  readonly evidence: string;
  /** Epoch ms. */
  readonly now: number;
  /** False once the lease is lost. */
  readonly mayWrite?: (() => boolean) | undefined;
  /** Called with a run that was finished, before its journal goes: as apply does, so that no crash comes between the two. */
  readonly record?: ((done: UndoRecord) => void) | undefined;
}

export interface Recovered {
  /** `clean`: no run was cut short. `finished`: one was completed. `taken-back`: one was undone. `damaged`: set aside. */
  readonly outcome: "clean" | "finished" | "taken-back" | "damaged";
  readonly run: string | null;
  readonly kind: RunKind | null;
  /** What can take a finished run back, for the ledger. */
  readonly undo: UndoRecord | null;
  readonly temps: number;
  readonly notices: readonly Notice[];
}

/**
 * Recovers the directory. May be called at any time while the lease is held, and again after a crash of its own.
 * @throws MemdError unavailable or misconfigured when neither way could be taken; the journal stays for the next time
 */
export function recover(job: RecoverJob): Recovered {
  const { files, directory, machine, evidence, now, mayWrite = () => true } = job;
  const place: Place = { files, directory, machine, evidence };
  const context: StepContext = { place, run: "recovery", journal: journalFolder(place), mayWrite };
  try {
    const result = recoverJournal(context, job.record);
    const temps = sweepTemps(place, now);
    const late = lateWrites(context);
    const notices = [...result.notices, ...late, ...temps.notices, ...foreignJournals(place)];
    return { ...result, temps: temps.removed, notices };
  } catch (error) {
    throw classify(error, `recover the memory in ${directory}`);
  }
}

type JournalOutcome = Omit<Recovered, "temps">;

const CLEAN: JournalOutcome = { outcome: "clean", run: null, kind: null, undo: null, notices: [] };

function recoverJournal(context: StepContext, record: RecoverJob["record"]): JournalOutcome {
  const read = readJournal(context.place, context.journal);
  if (read.state === "none") return CLEAN;
  if (read.state === "unwritten") return { ...CLEAN, notices: discardJournal(context, null) };
  if (read.state === "damaged") return setAside(context);
  const { manifest } = read;
  if (direction(context, manifest) === "back") return takenBack(context, manifest);
  let around: string[];
  try {
    around = forwardAround(context, manifest);
    settle(context, manifest);
  } catch (error) {
    // What cannot be finished (no space for the rest) can still be taken back; if that fails too, its error is the one to tell.
    const { message, hint } = classify(error, `finish run ${manifest.run}`);
    const result = takenBack(context, manifest);
    return { ...result, notices: [{ code: "run-taken-back", message, hint }, ...result.notices] };
  }
  // From here on the run stands: an error in dropping the journal must not take it back, since the journal may be gone already.
  record?.(toUndoRecord(manifest));
  return finished(context, manifest, around);
}

function finished(context: StepContext, manifest: Manifest, around: readonly string[]): JournalOutcome {
  const notices = commitJournal(context, manifest);
  const left = around.map((file) => ({
    code: "file-left",
    message: `${file} was changed by someone else before run ${manifest.run} could be finished; it was left as it is`,
    hint: "Look at the file; the next dream works on its new text.",
  }));
  const { run, kind } = manifest;
  return { outcome: "finished", run, kind, undo: toUndoRecord(manifest), notices: [...left, ...notices] };
}

function takenBack(context: StepContext, manifest: Manifest): JournalOutcome {
  const notices = takeBack(context, manifest);
  return { outcome: "taken-back", run: manifest.run, kind: manifest.kind, undo: null, notices };
}

/** A manifest that memd did not write this way is not replayed; the old texts that it holds are kept for a person. */
function setAside(context: StepContext): JournalOutcome {
  const { files, directory, machine } = context.place;
  const taken = new Set(namesIn(files, memdFolder(directory)));
  let name = `damaged-journal-${machine}`;
  for (let i = 2; taken.has(name); i++) name = `damaged-journal-${machine}-${i}`;
  files.rename(context.journal, join(memdFolder(directory), name));
  files.syncDir(memdFolder(directory));
  const notice = {
    code: "journal-damaged",
    message: `the journal of an unfinished run could not be read; it was moved to .memd/${name}`,
    hint: "The files that it holds are the texts before that run; compare them with the memory, then remove the folder.",
  };
  return { ...CLEAN, outcome: "damaged", notices: [notice] };
}

/** Someone may have written through a handle that was open since before the last run. */
function lateWrites(context: StepContext): Notice[] {
  const last = { ...context, journal: lastFolder(context.place) };
  const read = readJournal(context.place, last.journal);
  return read.state === "written" ? saveStrays(last, read.manifest) : [];
}
