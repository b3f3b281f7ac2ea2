/** Temp files that a crash left. */
import { basename, dirname, join } from "node:path";
import { TEMP_PREFIX } from "../base/atomic.ts";
import type { Files } from "../base/files.ts";
import { namesIn } from "../base/folders.ts";
import type { Notice } from "../memory/changeset.ts";
import { archiveFolders } from "./archive.ts";
import { memdFolder, ownTempPrefix, type Place } from "./place.ts";

/** A temp file of another machine may be in use for this long, as its lock may. */
const FOREIGN_TEMP_MS = 3_600_000;

/**
 * Removes the temp files that this machine's runs left, and anyone's that are older than an hour; younger ones are reported.
 * @param now epoch ms
 */
export function sweepTemps(place: Place, now: number): { removed: number; notices: Notice[] } {
  const { files } = place;
  let removed = 0;
  const notices: Notice[] = [];
  for (const path of tempsOf(place, TEMP_PREFIX)) {
    const stat = files.lstat(path);
    if (!stat || stat.kind === "dir") continue;
    if (basename(path).startsWith(ownTempPrefix(place)) || now - stat.mtime > FOREIGN_TEMP_MS) {
      files.unlink(path);
      removed++;
    } else notices.push(foreignTemp(path));
  }
  return { removed, notices };
}

/** Removes this machine's temp files alone. */
export function sweepOwnTemps(place: Place): void {
  for (const path of tempsOf(place, ownTempPrefix(place))) place.files.unlink(path);
}

/** Removes temp files from folders of the state directory. A process that only looks at its store writes there without a lock, so young ones stay. */
export function sweepState(files: Files, folders: readonly string[], now: number): void {
  for (const folder of folders) {
    for (const name of namesIn(files, folder).filter((temp) => temp.startsWith(TEMP_PREFIX))) {
      const stat = files.lstat(join(folder, name));
      if (stat?.kind === "file" && now - stat.mtime > FOREIGN_TEMP_MS) files.unlink(join(folder, name));
    }
  }
}

function tempsOf(place: Place, prefix: string): string[] {
  const { files, directory, evidence } = place;
  const folders = new Set([directory, memdFolder(directory), dirname(evidence), ...archiveFolders(place)]);
  return [...folders].flatMap((folder) =>
    namesIn(files, folder)
      .filter((name) => name.startsWith(prefix))
      .map((name) => join(folder, name)),
  );
}

function foreignTemp(path: string): Notice {
  return {
    code: "foreign-temp",
    message: `${JSON.stringify(path).slice(1, -1)} was left by another machine or another writer`,
    hint: "Nothing to do: memd removes it once it is an hour old.",
  };
}
