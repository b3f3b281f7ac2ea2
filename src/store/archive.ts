/**
 * Text that left memory, with date, run, topic and reason: one file per run, `.memd/archive/<year>/<run>.jsonl`.
 * Not Markdown: agents read every `.md` below the memory directory into their prompts.
 */
import { join } from "node:path";
import { writeAtomic } from "../base/atomic.ts";
import { ensureFolder, namesIn } from "../base/folders.ts";
import { shortHash } from "../base/ids.ts";
import { isRecord, parseJson } from "../base/json.ts";
import type { Retired } from "../memory/changeset.ts";
import { memdFolder, type Place, tempToken } from "./place.ts";
import { readRetired } from "./shapes.ts";

export interface ArchivedText extends Retired {
  readonly run: string;
  /** ISO time of the run. */
  readonly at: string;
}

/** Which run's file, as the manifest names it. */
export interface ArchiveRun {
  readonly run: string;
  readonly at: string;
}

const YEAR = /^\d{4}$/;
const RUN_FILE = /^[A-Za-z0-9_-]{1,80}\.jsonl$/;

/** An archive file beyond this is not read back; a run retires a quarter of at most 200 topics of 4,096 bytes. */
const MAX_ARCHIVE_BYTES = 16 * 1_048_576;

const rootOf = (directory: string) => join(memdFolder(directory), "archive");
const fileOf = (place: Place, { run, at }: ArchiveRun) => join(rootOf(place.directory), at.slice(0, 4), `${run}.jsonl`);

const keyOf = (item: Retired) => shortHash(JSON.stringify([item.topic, item.text, item.reason]));

/**
 * Puts texts into a run's archive file. The same text of the same topic is kept once per run, however often it is brought.
 * @returns how many texts were new
 */
export function archiveTexts(place: Place, run: ArchiveRun, texts: readonly Retired[]): number {
  if (texts.length === 0) return 0;
  const path = fileOf(place, run);
  const kept = readArchiveFile(place, path);
  const known = new Set(kept.map(keyOf));
  const fresh = texts.filter((item) => {
    const key = keyOf(item);
    return !known.has(key) && known.add(key);
  });
  if (fresh.length === 0) return 0;
  const { files } = place;
  ensureFolder(files, memdFolder(place.directory));
  ensureFolder(files, rootOf(place.directory));
  ensureFolder(files, join(rootOf(place.directory), run.at.slice(0, 4)));
  const added = fresh.map(({ topic, text, reason }) => ({ at: run.at, run: run.run, topic, reason, text }));
  writeLines(place, path, [...kept, ...added]);
  return fresh.length;
}

/** Takes texts out of a run's archive file again: the run that retired them was taken back. */
export function unarchiveTexts(place: Place, run: ArchiveRun, texts: readonly Retired[]): void {
  if (texts.length === 0) return;
  const path = fileOf(place, run);
  const gone = new Set(texts.map(keyOf));
  const kept = readArchiveFile(place, path);
  const rest = kept.filter((item) => !gone.has(keyOf(item)));
  if (rest.length === kept.length) return;
  if (rest.length > 0) writeLines(place, path, rest);
  else place.files.unlink(path);
}

function writeLines(place: Place, path: string, items: readonly ArchivedText[]): void {
  const lines = items.map(({ at, run, topic, reason, text }) => JSON.stringify({ at, run, topic, reason, text }));
  writeAtomic(place.files, path, `${lines.join("\n")}\n`, { mode: 0o600, token: tempToken(place, "archive") });
}

/** A damaged line is no archived text; the file is memd's own and written whole, so only a damaged disk makes one. */
function readItem(line: string): ArchivedText | null {
  const value = parseJson(line);
  if (!isRecord(value)) return null;
  const { at, run } = value;
  const retired = readRetired(value);
  return retired && typeof at === "string" && typeof run === "string" ? { ...retired, at, run } : null;
}

function readArchiveFile(place: Place, path: string): ArchivedText[] {
  const { files } = place;
  const stat = files.lstat(path);
  if (stat?.kind !== "file" || stat.size > MAX_ARCHIVE_BYTES) return [];
  const lines = files.read(path).toString("utf8").split("\n");
  return lines.flatMap((line) => readItem(line) ?? []);
}

/** Every archived text, oldest run first; of one run only, when it is named. */
export function readArchive(place: Place, run: string | null = null): ArchivedText[] {
  const root = rootOf(place.directory);
  const years = namesIn(place.files, root).filter((name) => YEAR.test(name));
  const paths = years.flatMap((year) => {
    const names = namesIn(place.files, join(root, year)).filter((name) => RUN_FILE.test(name));
    return names.filter((name) => run === null || name === `${run}.jsonl`).map((name) => join(root, year, name));
  });
  return paths.flatMap((path) => readArchiveFile(place, path));
}

/** Changes or drops archived texts in place; files that stay as they are are not written. For forgetting. */
export function editArchive(place: Place, edit: (item: ArchivedText) => ArchivedText | null): void {
  for (const path of archiveFiles(place)) {
    const items = readArchiveFile(place, path);
    const kept = items.flatMap((item) => edit(item) ?? []);
    if (kept.length === items.length && kept.every((item, i) => item === items[i])) continue;
    if (kept.length > 0) writeLines(place, path, kept);
    else place.files.unlink(path);
  }
}

/** Paths of all archive files, oldest run first. */
export function archiveFiles(place: Place): string[] {
  return archiveFolders(place).flatMap((folder) =>
    namesIn(place.files, folder)
      .filter((name) => RUN_FILE.test(name))
      .map((name) => join(folder, name)),
  );
}

/** The archive's folders, where a crash may have left temp files. */
export function archiveFolders(place: Place): string[] {
  const root = rootOf(place.directory);
  return namesIn(place.files, root)
    .filter((name) => YEAR.test(name))
    .map((year) => join(root, year));
}
