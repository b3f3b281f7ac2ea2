/**
 * The journal: one folder per machine below `.memd/journal/`, holding the manifest and a hard link to every inode that a run
 * replaces. It is complete and on the disk before the first name changes, and goes when the run is over: to `.memd/last/` when it
 * is done (undo works from there), away when it was taken back.
 */
import { dirname, join } from "node:path";
import { MemdError } from "../base/errors.ts";
import { ensureFolder, namesIn } from "../base/folders.ts";
import { readJson, writeJson } from "../base/json.ts";
import type { Notice } from "../memory/changeset.ts";
import { archiveTexts } from "./archive.ts";
import { type Manifest, readManifest, toUndoRecord, type UndoRecord } from "./manifest.ts";
import {
  ensureMemdFolder,
  isMemoryFile,
  journalFolder,
  lastFolder,
  memdFolder,
  type Place,
  readFile,
  standing,
  tempToken,
  UNTOUCHABLE,
} from "./place.ts";
import { heldPath, hold, pathOf, type StepContext } from "./step.ts";
import { isKnownText } from "./step-back.ts";

const MANIFEST = "manifest.json";

/** Twice the texts of 200 topics and an index, all rewritten, and what they cite: some 4 MB. Beyond this it is not memd's. */
const MAX_MANIFEST_BYTES = 64 * 1_048_576;

export type JournalRead =
  | { readonly state: "none" }
  /** The crash came before the manifest: no name was changed. */
  | { readonly state: "unwritten" }
  | { readonly state: "damaged" }
  | { readonly state: "written"; readonly manifest: Manifest };

/** Reads the journal in a folder (this machine's current one, or its last). */
export function readJournal(place: Place, folder: string): JournalRead {
  if (place.files.lstat(folder)?.kind !== "dir") return { state: "none" };
  const stat = place.files.lstat(join(folder, MANIFEST));
  if (!stat) return { state: "unwritten" };
  if (stat.kind !== "file" || stat.size > MAX_MANIFEST_BYTES) return { state: "damaged" };
  const read = readJson(place.files, join(folder, MANIFEST));
  const manifest = read.state === "read" ? readManifest(read.value) : null;
  return manifest?.machine === place.machine ? { state: "written", manifest } : { state: "damaged" };
}

/**
 * Writes the journal.
 * @returns the files that are no longer as the manifest says; when there are any, no manifest was written
 * @throws MemdError `journal-present` when an earlier run was never recovered
 */
export function beginJournal(context: StepContext, manifest: Manifest): string[] {
  const { place, journal } = context;
  const { files } = place;
  ensureMemdFolder(place);
  ensureFolder(files, dirname(journal));
  const found = readJournal(place, journal).state;
  if (found === "written" || found === "damaged") {
    throw new MemdError({
      code: "journal-present",
      family: "bug",
      message: `an earlier run's journal lies in ${journal}`,
      hint: "This is a bug in memd: recovery comes before every run.",
    });
  }
  if (found === "unwritten") discardJournal(context, null);
  ensureFolder(files, journal);
  const changed = manifest.files.filter((file) => !holdFound(context, file));
  if (changed.length > 0) return changed.map((file) => file.file);
  writeJson(files, join(journal, MANIFEST), manifest, tempToken(place, manifest.run));
  for (const folder of [dirname(journal), memdFolder(place.directory)]) files.syncDir(folder);
  return [];
}

/** Holds the inode that is to be replaced; false when something else than the expected text stands there. */
function holdFound(context: StepContext, file: Manifest["files"][number]): boolean {
  const { files } = context.place;
  const path = pathOf(context, file);
  if (file.before === null) return files.lstat(path) === null;
  if (files.lstat(path)?.kind !== "file") return false;
  const found = heldPath(context, file, "found");
  return hold(context, path, found) && standing(files, found) === file.beforeHash;
}

/** Removes a folder of links; its manifest first, so that a crash in between leaves nothing that could be replayed. */
function removeFolder(place: Place, folder: string): void {
  const { files } = place;
  const names = namesIn(files, folder);
  if (files.unlink(join(folder, MANIFEST))) files.syncDir(folder);
  for (const name of names) files.unlink(join(folder, name));
  files.rmdir(folder);
}

/** Removes the journal of a run that was taken back, or that never began. */
export function discardJournal(context: StepContext, manifest: Manifest | null): Notice[] {
  const notices = manifest ? saveStrays(context, manifest) : [];
  removeFolder(context.place, context.journal);
  return notices;
}

/** The run is over: its journal becomes the last one. */
export function commitJournal(context: StepContext, manifest: Manifest): Notice[] {
  const { place, journal } = context;
  const { files } = place;
  const notices = saveStrays(context, manifest);
  for (const name of namesIn(files, journal)) {
    if (name !== MANIFEST && !name.endsWith(".found")) files.unlink(join(journal, name));
  }
  const last = lastFolder(place);
  const before = readJournal(place, last);
  if (before.state === "written") notices.push(...saveStrays({ ...context, journal: last }, before.manifest));
  ensureFolder(files, dirname(last));
  removeFolder(place, last);
  files.rename(journal, last);
  for (const folder of [dirname(last), dirname(journal)]) files.syncDir(folder);
  return notices;
}

/**
 * Texts that someone wrote into a held inode, and that no name leads to any more, go to the archive: not a byte of another writer
 * is lost, however late it came. Held inodes whose text the journal knows need nothing.
 */
export function saveStrays(context: StepContext, manifest: Manifest): Notice[] {
  const { place } = context;
  const strays = manifest.files.flatMap((file) => {
    const inodes = ["found", "ours", "gone"] as const;
    return inodes.flatMap((held) => {
      const path = heldPath(context, file, held);
      const bytes = readFile(place.files, path);
      if (bytes === null || bytes === UNTOUCHABLE || isKnownText(file, bytes)) return [];
      if (readFile(place.files, pathOf(context, file))?.toString() === bytes.toString()) return [];
      const topic = file.file.replace(/\.md$/i, "");
      return [{ path, file: file.file, retired: { topic, text: asText(bytes), reason: "concurrent-write" } }];
    });
  });
  archiveTexts(
    place,
    manifest,
    strays.map(({ retired }) => retired),
  );
  for (const { path } of strays) place.files.unlink(path);
  return strays.map(({ file }) => concurrentWrite(file, "the other writer's text is in the archive"));
}

/** What is not UTF-8 goes to the archive as base64, so that every byte can be had back. */
function asText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : `base64:${bytes.toString("base64")}`;
}

/** The condition for every clash with another writer. */
export function concurrentWrite(file: string, what: string): Notice {
  return {
    code: "concurrent-write",
    message: `${file} was written by someone else while memd wrote it: ${what}`,
    hint: "Nothing was lost. If it happens often, let dreams run when no session writes memory.",
  };
}

/** The last finished run of this machine, from files alone; null when there is none or it was not kept whole. */
export function lastRun(place: Place): UndoRecord | null {
  const read = readJournal(place, lastFolder(place));
  return read.state === "written" ? toUndoRecord(read.manifest) : null;
}

/** Journals of other machines: reported, never replayed. */
export function foreignJournals(place: Place): Notice[] {
  const names = namesIn(place.files, dirname(journalFolder(place)));
  return names
    .filter((name) => name !== place.machine)
    .map((name) => ({
      code: "foreign-journal",
      message: `a run of another machine (${JSON.stringify(name).slice(1, 65)}) was begun here and not finished`,
      hint: "Start memd on that machine to finish it, or remove the folder in .memd/journal if that machine is gone.",
    }));
}

/** Guards the names in a plan: they come from pure code, so a bad one is a bug and not a refusal. */
export function checkNames(names: readonly string[]): void {
  const bad = names.find((name) => !isMemoryFile(name));
  if (bad === undefined) return;
  throw new MemdError({
    code: "unsafe-name",
    family: "bug",
    message: `not a name for a memory file: ${JSON.stringify(bad).slice(0, 120)}`,
    hint: "This is a bug in memd: topic names are checked before apply.",
  });
}
