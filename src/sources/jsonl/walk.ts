/** Finds one client's transcripts below a folder by their names, without opening one. */
import { basename, join } from "node:path";
import { systemCode } from "../../base/errors.ts";
import type { DirEntry, Files } from "../../base/files.ts";
import type { TranscriptFile, Trouble } from "../../ports.ts";

/** What a name tells: the session it records, and why it will never be read. */
export interface Named {
  readonly session: string;
  readonly drop: string | null;
  /** What a person should know about `drop`; told once per listing. */
  readonly trouble?: Trouble;
}

/** Null: not this client's transcript. */
export type NameOf = (path: string) => Named | null;

/** Folders below the root that are searched: a home folder has codex rollouts at depth 5, a folder of homes at 6. */
const MAX_DEPTH = 6;
const OTHER_FOLDERS: ReadonlySet<string> = new Set(["memory", "tool-results", "node_modules", ".git", "snapshot"]);
/** Gemini CLI calls a project's folder by the project's own name, and a project may be called memory. */
const NAMED_BY_PROJECT = /\/\.gemini\/tmp$/;

/**
 * All files below `root` that `nameOf` knows; `root` may be one file. A folder below it that cannot be read is one dropped item.
 * @throws the system error when the root itself cannot be listed
 */
export function* walkNamed(files: Files, root: string, nameOf: NameOf): Generator<TranscriptFile> {
  const told = new Set<string>();
  for (const { trouble, ...file } of walkAll(files, root, nameOf)) {
    const isNews = trouble !== undefined && !told.has(trouble.code);
    if (isNews) told.add(trouble.code);
    yield isNews ? { ...file, trouble } : file;
  }
}

function* walkAll(files: Files, root: string, nameOf: NameOf): Generator<TranscriptFile> {
  if (files.stat(root)?.kind === "file") {
    const file = toFile(files, root, nameOf);
    if (file) yield file;
    return;
  }
  const visited = new Set<string>();
  const spots = [{ folder: root, depth: 0 }];
  for (let spot = spots.pop(); spot; spot = spots.pop()) {
    const entries = listFolder(files, spot.folder, spot.depth === 0);
    if (entries === "unreadable") yield unreadableFolder(spot.folder);
    else
      for (const entry of entries) {
        const path = join(spot.folder, entry.name);
        if (entry.kind === "file") {
          const file = toFile(files, path, nameOf);
          if (file) yield file;
        } else if (
          spot.depth < MAX_DEPTH &&
          isSearched(spot.folder, entry) &&
          isNewFolder(files, path, entry, visited)
        ) {
          spots.push({ folder: path, depth: spot.depth + 1 });
        }
      }
  }
}

function listFolder(files: Files, folder: string, isRoot: boolean): DirEntry[] | "unreadable" {
  try {
    return files.list(folder);
  } catch (error) {
    const code = systemCode(error);
    if (isRoot || code === null) throw error;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : "unreadable";
  }
}

function unreadableFolder(path: string): TranscriptFile {
  return { path, session: basename(path), size: 0, mtime: 0, ino: 0, dev: 0, drop: "unreadable-folder" };
}

const isSearched = (parent: string, { name }: DirEntry) => !OTHER_FOLDERS.has(name) || NAMED_BY_PROJECT.test(parent);

/** A linked folder is followed, each real one once: people move their sessions to another disk. */
export function isNewFolder(files: Files, path: string, entry: DirEntry, visited: Set<string>): boolean {
  if (entry.kind === "dir") return true;
  if (entry.kind !== "link") return false;
  const stat = files.stat(path);
  if (stat?.kind !== "dir") return false;
  const identity = `${stat.dev}:${stat.ino}`;
  const isNew = !visited.has(identity);
  visited.add(identity);
  return isNew;
}

function toFile(files: Files, path: string, nameOf: NameOf): TranscriptFile | null {
  const named = nameOf(path);
  const stat = named === null ? null : files.lstat(path);
  if (named === null || stat?.kind !== "file") return null;
  return { path, ...named, size: stat.size, mtime: stat.mtime, ino: stat.ino, dev: stat.dev };
}
