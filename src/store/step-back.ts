/** One file of a journal, backward: the inode that the run found gets its name back, with whatever was written into it meanwhile. */
import { join } from "node:path";
import { sha256 } from "../base/ids.ts";
import { INDEX } from "../memory/names.ts";
import type { JournalFile } from "./manifest.ts";
import { readFile, standing, UNTOUCHABLE } from "./place.ts";
import { heldPath, linkNew, moveAway, pathOf, type StepContext, swap, withTemp } from "./step.ts";

/**
 * Brings one file from its text after back to its text before. A text that is neither is someone else's and stays.
 * @returns false when someone else's text was left standing
 */
export function stepBack(context: StepContext, file: JournalFile): boolean {
  const now = standing(context.place.files, pathOf(context, file));
  if (now === file.beforeHash) return true;
  if (now !== file.afterHash) return false;
  if (file.after === null) return putBack(context, file);
  if (file.before === null) return takeAway(context, file);
  return swapBack(context, file);
}

/** The held inode under `found`, or a temp file with the text before where the journal no longer holds it. */
function withFound(context: StepContext, file: JournalFile, act: (from: string) => boolean): boolean {
  const found = heldPath(context, file, "found");
  if (context.place.files.lstat(found)?.kind === "file") return act(found);
  return withTemp(context, { file, text: file.before ?? "", mtime: file.beforeMtime }, act);
}

function putBack(context: StepContext, file: JournalFile): boolean {
  return withFound(context, file, (from) => {
    const free = linkNew(context, from, pathOf(context, file));
    context.place.files.syncDir(context.place.directory);
    return free;
  });
}

/** A topic that someone else's index already names stays: its pointer would lead nowhere. */
function takeAway(context: StepContext, file: JournalFile): boolean {
  if (indexNames(context, file.file)) return false;
  const paths = { path: pathOf(context, file), held: heldPath(context, file, "ours") };
  return moveAway(context, paths, file.afterHash) === "done";
}

/** True when the index that stands there now holds the name anywhere: a topic too many is better than a pointer to nothing. */
export function indexNames(context: StepContext, name: string): boolean {
  if (name === INDEX) return false;
  const bytes = readFile(context.place.files, join(context.place.directory, INDEX));
  return bytes !== null && bytes !== UNTOUCHABLE && bytes.toString("utf8").includes(name);
}

function swapBack(context: StepContext, file: JournalFile): boolean {
  const paths = { path: pathOf(context, file), held: heldPath(context, file, "ours") };
  return withFound(context, file, (from) => swap(context, { ...paths, from }, file.afterHash) !== "changed");
}

/** True while the inode that the run found still holds the text that it found (or has its name back). */
export function foundIntact(context: StepContext, file: JournalFile): boolean {
  const there = standing(context.place.files, heldPath(context, file, "found"));
  return there === null || there === file.beforeHash;
}

/** What stands at a file's place, in the journal's terms. */
export function stateOf(context: StepContext, file: JournalFile): "before" | "after" | "foreign" {
  const now = standing(context.place.files, pathOf(context, file));
  if (now === file.afterHash) return "after";
  return now === file.beforeHash ? "before" : "foreign";
}

/** True for a text that the journal itself knows: its bytes are safe without the held inode. */
export function isKnownText(file: JournalFile, bytes: Uint8Array): boolean {
  const hash = sha256(bytes);
  return hash === file.beforeHash || hash === file.afterHash;
}
