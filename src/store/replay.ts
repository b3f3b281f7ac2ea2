/** A whole journal, forward or backward. Apply, undo and recovery all go through here, so that there is one order of writing. */
import type { Notice } from "../memory/changeset.ts";
import { INDEX } from "../memory/names.ts";
import { archiveTexts, unarchiveTexts } from "./archive.ts";
import { changeEvidence } from "./evidence.ts";
import { concurrentWrite, discardJournal } from "./journal.ts";
import type { JournalFile, Manifest, RunKind } from "./manifest.ts";
import { writeOwnLines } from "./own-lines.ts";
import { tempToken } from "./place.ts";
import { checkLease, type StepContext, stepForward } from "./step.ts";
import { foundIntact, indexNames, stateOf, stepBack } from "./step-back.ts";

/**
 * The order of writing. A topic is there before the index names it, and goes after the index has dropped it; a dream writes topics
 * before the index, an undo the index before the topics.
 */
export function writingOrder(kind: RunKind, files: readonly JournalFile[]): JournalFile[] {
  const rank = (file: JournalFile): number => {
    if (file.file === INDEX) return 2;
    if (file.before === null) return 0;
    if (file.after === null) return 4;
    return kind === "apply" ? 1 : 3;
  };
  return [...files].sort((a, b) => rank(a) - rank(b) || (a.file < b.file ? -1 : 1));
}

/**
 * Brings every file to its text after, and stops at the first that someone else has changed.
 * @returns that file's name, or null when all are done
 */
export function forward(context: StepContext, manifest: Manifest): string | null {
  for (const file of manifest.files) if (stepForward(context, file) !== "done") return file.file;
  return null;
}

/** Finishes what a crash left, around files that someone else has changed since: those stay as they are. */
export function forwardAround(context: StepContext, manifest: Manifest): string[] {
  const foreign = manifest.files.filter((file) => stateOf(context, file) === "foreign").map((file) => file.file);
  return manifest.files.flatMap((file) => {
    // Someone else's index may still name the topic; a topic too many is better than a pointer to nothing.
    const named = file.after === null && foreign.includes(INDEX) && indexNames(context, file.file);
    return foreign.includes(file.file) || named || stepForward(context, file) !== "done" ? [file.file] : [];
  });
}

/**
 * The files that are not as a finished run left them, or whose old inode someone wrote into: read back before a run counts as done.
 */
export function unfinished(context: StepContext, manifest: Manifest): string[] {
  const wrong = (file: JournalFile) => stateOf(context, file) !== "after" || !foundIntact(context, file);
  return manifest.files.filter(wrong).map((file) => file.file);
}

/** Completes what belongs to the run beside the memory files. Each part may be repeated; none counts twice. */
export function settle(context: StepContext, manifest: Manifest): void {
  const { place } = context;
  const token = tempToken(place, "evidence");
  checkLease(context);
  archiveTexts(place, manifest, manifest.retired);
  const change = { add: manifest.evidenceAdded, remove: manifest.evidenceRemoved };
  changeEvidence(place.files, { path: place.evidence, token }, change);
  writeOwnLines(place, manifest.ownLinesAfter);
}

/** Takes the run back: files in the opposite order, then what belongs to them, then the journal. */
export function takeBack(context: StepContext, manifest: Manifest): Notice[] {
  const { place } = context;
  const left = [...manifest.files].reverse().filter((file) => !stepBack(context, file));
  checkLease(context);
  const token = tempToken(place, "evidence");
  const change = { add: manifest.evidenceRemoved, remove: manifest.evidenceAdded };
  changeEvidence(place.files, { path: place.evidence, token }, change);
  unarchiveTexts(place, manifest, manifest.retired);
  writeOwnLines(place, manifest.ownLinesBefore);
  const notices = discardJournal(context, manifest);
  return [...left.map((file) => concurrentWrite(file.file, "its newer text was left as it is")), ...notices];
}

/** Which way a journal that a crash left is taken. */
export function direction(context: StepContext, manifest: Manifest): "forward" | "back" {
  const states = manifest.files.map((file) => ({ file, state: stateOf(context, file) }));
  // Someone wrote into an inode that we replaced: it gets its name back, with what was written.
  if (manifest.files.some((file) => !foundIntact(context, file))) return "back";
  const foreign = states.filter(({ state }) => state === "foreign");
  if (foreign.length === 0) return "forward";
  // With someone else's text among the files, a run that had not yet written all of its own is taken back.
  if (states.some(({ file, state }) => state === "before" && file.after !== null)) return "back";
  // An index that names none of our new topics was written over the old one: ours had not come yet.
  const unnamed = manifest.files.some((file) => file.before === null && !indexNames(context, file.file));
  return unnamed && foreign.some(({ file }) => file.file === INDEX) ? "back" : "forward";
}
