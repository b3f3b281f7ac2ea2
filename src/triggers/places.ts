/** Which folders are worth a watch, and whose they are. Folders only: transcripts come by the thousand, and a watch on each costs 230 MB. */
import { basename, dirname, join } from "node:path";
import { systemCode } from "../base/errors.ts";
import type { Files, Store } from "../ports.ts";

/** Stands for a look at which stores there are; no path is empty. */
export const DISCOVER = "";

/** Below a folder that a person named, transcripts may lie deeper: Codex sorts them by year, month and day. */
const DEPTH = 3;

/** Of memd's own, or of no interest; a session's folder holds them beside its transcripts. */
export function isOwnName(name: string): boolean {
  return name.startsWith(".") || name === "memory";
}

/**
 * Watched folders with what an event there is a hint for.
 * @param roots folders below which the agents keep their sessions
 */
export function placesOf(
  files: Files,
  { stores, roots }: { stores: readonly Store[]; roots: readonly string[] },
): ReadonlyMap<string, ReadonlySet<string>> {
  const places = new Map<string, Set<string>>();
  const add = (path: string, key: string) => {
    const keys = places.get(path);
    if (keys) keys.add(key);
    else places.set(path, new Set([key]));
  };
  for (const store of stores) {
    const depth = store.layout === "claude-code" ? 0 : DEPTH;
    const sessions = store.sessions.map((path) => folderOf(files, path));
    for (const folder of [...sessions, ...store.logs])
      for (const path of foldersBelow(files, folder, depth)) add(path, store.memory);
    // A folder that appears between a root and the sessions is a new day of Codex, or a new project of Gemini.
    for (const folder of sessions) for (const path of between(roots, folder)) add(path, DISCOVER);
  }
  return places;
}

/** A database, or a transcript that is named itself: its folder tells of it, and of the log that a client writes beside it. */
function folderOf(files: Files, path: string): string {
  try {
    return files.stat(path)?.kind === "file" && !isOwnName(basename(path)) ? dirname(path) : path;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return path;
  }
}

/** The folder itself and the folders in it, links not followed. What cannot be listed is told by the scan. */
function foldersBelow(files: Files, folder: string, depth: number): string[] {
  if (depth === 0) return [folder];
  try {
    const inner = files.list(folder).filter(({ name, kind }) => kind === "dir" && !isOwnName(name));
    return [folder, ...inner.flatMap(({ name }) => foldersBelow(files, join(folder, name), depth - 1))];
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return [folder];
  }
}

function between(roots: readonly string[], folder: string): string[] {
  const root = roots.find((candidate) => folder.startsWith(`${candidate}/`));
  if (root === undefined) return [];
  const paths: string[] = [];
  for (let path = dirname(folder); path.length > root.length; path = dirname(path)) paths.push(path);
  return paths;
}
