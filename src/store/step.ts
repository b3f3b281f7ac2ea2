/**
 * One file of a journal, forward. The old inode is held by a hard link in the journal while the name is given to the new text, so
 * that nothing which another writer put there through an open handle is ever lost; a name that is new is linked, never renamed
 * over, so that a file which appeared meanwhile is never replaced.
 *
 * One window stays: a foreign rename over the same name between the last look (lstat) and our rename, two system calls apart.
 * Closing it takes an atomic exchange (renameat2), which Node does not offer; moving the old file away first would close it too, but
 * then the name would be missing for a moment, and an agent that starts in that moment would lose the memory for a session.
 */
import { dirname, join } from "node:path";
import { TEMP_PREFIX } from "../base/atomic.ts";
import { MemdError, systemCode } from "../base/errors.ts";
import { shortHash } from "../base/ids.ts";
import type { JournalFile } from "./manifest.ts";
import { type Place, readFile, standing, tempToken, UNTOUCHABLE } from "./place.ts";

/** What a step needs beside the file itself. */
export interface StepContext {
  readonly place: Place;
  readonly run: string;
  /** The journal's folder. */
  readonly journal: string;
  /** False once the lease is lost: then nothing is written any more, not even to take things back. */
  readonly mayWrite: () => boolean;
}

/**
 * `done`: the file is as the journal says. `changed`: someone else's text stands there and was not touched.
 * `late`: our text stands there, and someone wrote into the old file meanwhile.
 */
export type StepOutcome = "done" | "changed" | "late";

/** Links in the journal: the inode found, our own inode taken back, a file moved away. */
export type Held = "found" | "ours" | "gone";

/** Hashed, since a foreign name may fill the 255 bytes of a file name alone. */
export const heldPath = (context: StepContext, file: JournalFile, held: Held): string =>
  join(context.journal, `${shortHash(file.file)}.${held}`);

export const pathOf = (context: StepContext, file: JournalFile): string => join(context.place.directory, file.file);

export function checkLease(context: StepContext): void {
  if (context.mayWrite()) return;
  throw new MemdError({
    code: "lease-lost",
    family: "unavailable",
    message: `the lease was lost during run ${context.run}; nothing more is written`,
    hint: "The next start finishes or takes back what was begun.",
  });
}

/** What hard links are refused with where a file system has none, or where a foreign owner's file may not be linked. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK"]);

/**
 * Holds what stands at a path under a second name, by a link; by a copy where links do not work.
 * @returns false when nothing stands there any more
 */
export function hold(context: StepContext, path: string, held: string): boolean {
  const { files } = context.place;
  files.unlink(held);
  try {
    files.link(path, held);
    return true;
  } catch (error) {
    const code = systemCode(error) ?? "";
    if (code === "ENOENT") return false;
    if (!NO_LINKS.has(code)) throw error;
    return holdCopy(context, path, held);
  }
}

/** A copy may get the name back when the run is taken back, so it carries mode and time as well. */
function holdCopy(context: StepContext, path: string, held: string): boolean {
  const { files } = context.place;
  const stat = files.lstat(path);
  const bytes = readFile(files, path);
  if (!stat || bytes === null || bytes === UNTOUCHABLE) return false;
  try {
    files.create(held, bytes, stat.mode);
    files.chmod(held, stat.mode);
    files.utimes(held, stat.mtime);
    return true;
  } catch (error) {
    files.unlink(held);
    throw error;
  }
}

/** `inode`: both names lead to one file; `copy`: to two files, one of them with no other name (links do not work here). */
function relation(context: StepContext, path: string, held: string): "inode" | "copy" | "none" {
  const { files } = context.place;
  const kept = files.lstat(held);
  const live = files.lstat(path);
  if (!kept || live?.kind !== "file") return "none";
  if (live.ino === kept.ino && live.dev === kept.dev) return "inode";
  return kept.links === 1 ? "copy" : "none";
}

/** The last look before a rename: one lstat when links work, since every call in between widens the window. */
function stillThere(context: StepContext, paths: { path: string; held: string }, expected: string | null): boolean {
  const found = relation(context, paths.path, paths.held);
  return found === "inode" || (found === "copy" && standing(context.place.files, paths.path) === expected);
}

/** Gives `to` a second file's name only when it is free; false when it is taken. */
export function linkNew(context: StepContext, from: string, to: string): boolean {
  const { files } = context.place;
  try {
    files.link(from, to);
    return true;
  } catch (error) {
    const code = systemCode(error) ?? "";
    if (code === "EEXIST") return false;
    if (!NO_LINKS.has(code)) throw error;
    if (files.lstat(to)) return false;
    files.rename(from, to);
    return true;
  }
}

/** Writes a text beside its place for `act` to give it its name; what is left of it goes, whatever happens. */
export function withTemp<T>(
  context: StepContext,
  written: { file: JournalFile; text: string; mtime: number | null },
  act: (temp: string) => T,
): T {
  const { files, directory } = context.place;
  const { file, text, mtime } = written;
  checkLease(context);
  const temp = join(directory, `${TEMP_PREFIX}${tempToken(context.place, context.run)}-${shortHash(file.file)}`);
  files.unlink(temp);
  try {
    files.create(temp, text, file.mode);
    // The umask narrows what create was given; a file that changes keeps its mode.
    files.chmod(temp, file.mode);
    if (mtime !== null) files.utimes(temp, mtime);
    return act(temp);
  } finally {
    files.unlink(temp);
  }
}

/**
 * Puts the file `from` in the place of what stands at `path`, if that is still the text `expected`, and keeps the old inode as `held`.
 */
export function swap(
  context: StepContext,
  paths: { from: string; path: string; held: string },
  expected: string | null,
): StepOutcome {
  const { files, directory } = context.place;
  const { from, path, held } = paths;
  if (relation(context, path, held) !== "inode" && !hold(context, path, held)) return "changed";
  if (standing(files, held) !== expected) return "changed";
  checkLease(context);
  if (!stillThere(context, paths, expected)) return "changed";
  files.rename(from, path);
  files.syncDir(directory);
  return standing(files, held) === expected ? "done" : "late";
}

/**
 * Moves what stands at `path` to `held`. Unlike a rename over it this loses nothing: whatever had the name is looked at afterwards,
 * and given it back when it is not the text `expected`.
 */
export function moveAway(
  context: StepContext,
  paths: { path: string; held: string },
  expected: string | null,
): "done" | "changed" {
  const { files, directory } = context.place;
  const { path, held } = paths;
  files.unlink(held);
  checkLease(context);
  try {
    files.rename(path, held);
  } catch (error) {
    // Someone else has removed it: that is what was to be done.
    if (systemCode(error) === "ENOENT") return "done";
    throw error;
  }
  // The new name before the old one's absence: a power failure in between must not leave a file without any.
  files.syncDir(dirname(held));
  files.syncDir(directory);
  if (standing(files, held) === expected) return "done";
  linkNew(context, held, path);
  files.syncDir(directory);
  return "changed";
}

/** A crash may have come between moving a file away and seeing that it was not the text to move. */
function giveBack(context: StepContext, file: JournalFile): StepOutcome {
  const { files, directory } = context.place;
  const gone = heldPath(context, file, "gone");
  const there = standing(files, gone);
  if (there === null || there === file.beforeHash) return "done";
  linkNew(context, gone, pathOf(context, file));
  files.syncDir(directory);
  return "changed";
}

/** Brings one file from its text before to its text after. May be called again after a crash: what is done stays done. */
export function stepForward(context: StepContext, file: JournalFile): StepOutcome {
  const { files } = context.place;
  const path = pathOf(context, file);
  const now = standing(files, path);
  if (now === file.afterHash) return file.after === null ? giveBack(context, file) : "done";
  if (now !== file.beforeHash) return "changed";
  if (file.after === null) return moveAway(context, { path, held: heldPath(context, file, "gone") }, file.beforeHash);
  return withTemp(context, { file, text: file.after, mtime: file.mtime }, (temp) => {
    if (file.before === null) return create(context, temp, path);
    return swap(context, { from: temp, path, held: heldPath(context, file, "found") }, file.beforeHash);
  });
}

function create(context: StepContext, temp: string, path: string): StepOutcome {
  checkLease(context);
  const made = linkNew(context, temp, path);
  context.place.files.syncDir(context.place.directory);
  return made ? "done" : "changed";
}
