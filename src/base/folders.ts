/** Folders of memd's own: made private, kept out of commits, listed without a fuss when they are missing. */
import { join } from "node:path";
import { writeAtomic } from "./atomic.ts";
import { MemdError } from "./errors.ts";
import type { Files } from "./files.ts";

/** Makes a folder of memd's own, and refuses anything else in its place: a link there could lead writes out of it. */
export function ensureFolder(files: Files, path: string): void {
  const stat = files.lstat(path);
  if (stat?.kind === "dir") return;
  if (!stat) {
    files.mkdir(path, 0o700);
    return;
  }
  throw new MemdError({
    code: "not-a-folder",
    family: "misconfigured",
    message: `${path} should be a folder, but is a ${stat.kind}`,
    hint: `Move ${path} away; memd makes the folder by itself.`,
  });
}

/**
 * Keeps a folder out of every commit by a `.gitignore` of its own. Written whole or not at all: one that a crash left empty would ignore
 * nothing, and would never be written again.
 * @param token unique to the writer
 * @returns true when it was not there
 */
export function ensureIgnored(files: Files, folder: string, token: string): boolean {
  const path = join(folder, ".gitignore");
  if (files.lstat(path)) return false;
  writeAtomic(files, path, "*\n", { mode: 0o600, token });
  return true;
}

/** The names in a folder, in order; none when the folder is missing or is not a folder. */
export function namesIn(files: Files, folder: string): string[] {
  if (files.lstat(folder)?.kind !== "dir") return [];
  return files
    .list(folder)
    .map((entry) => entry.name)
    .sort();
}
