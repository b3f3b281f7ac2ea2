/** Reads a memory directory whole, without following a link or opening anything but a regular file. */
import { join } from "node:path";
import { classify, MemdError, systemCode } from "../base/errors.ts";
import type { DirEntry, FileStat, Files } from "../base/files.ts";
import { sha256 } from "../base/ids.ts";
import type { Notice } from "../memory/changeset.ts";
import type { TreeLayout } from "../memory/homes.ts";
import type { MemoryTree } from "../memory/model.ts";
import { nameKind } from "../memory/names.ts";
import { buildTree, type TreeFile, treeNotices } from "../memory/tree.ts";
import { treeLayoutOf } from "./layout.ts";
import { MAX_FILE_BYTES } from "./place.ts";

/** Ten times the topics that agents load; what lies beyond is listed, not read. */
export const MAX_TOPICS_READ = 2_000;

export interface MemorySnapshot {
  /** Real path: a memory directory that is itself a link was resolved once. */
  readonly directory: string;
  readonly tree: MemoryTree;
  /** SHA-256 of the bytes of every file that was read, by name. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly stats: ReadonlyMap<string, FileStat>;
  readonly notices: readonly Notice[];
}

/**
 * Reads the memory directory. A missing one is an empty memory. Only top-level Markdown files are topics, as agents list them;
 * folders, links, FIFOs and devices are named in `tree.others` and never opened.
 * An index that is no readable file is `tree.indexLocked`.
 * @throws MemdError misconfigured: `no-permission`, `not-a-folder`, `dangling-link`; unavailable: `io-error`
 */
export function readMemory(files: Files, directory: string): MemorySnapshot {
  try {
    return readAll(files, directory);
  } catch (error) {
    throw classify(error, `read the memory in ${directory}`);
  }
}

function readAll(files: Files, path: string): MemorySnapshot {
  const directory = resolve(files, path);
  const entries = directory === null ? [] : files.list(directory);
  const notices: Notice[] = [];
  const found = new Map<string, { file: TreeFile; stat: FileStat | null }>();
  let topics = 0;
  for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (nameKind(entry.name) === "topic") topics++;
    const read = readOne(files, join(directory ?? path, entry.name), { entry, full: topics > MAX_TOPICS_READ });
    if (!read) continue;
    found.set(entry.name, read);
    if (read.notice) notices.push(read.notice);
  }
  if (topics > MAX_TOPICS_READ) notices.push(tooMany(topics));
  return toSnapshot(directory ?? path, found, { notices, layout: treeLayoutOf(files) });
}

function toSnapshot(
  directory: string,
  found: ReadonlyMap<string, { file: TreeFile; stat: FileStat | null }>,
  { notices, layout }: { notices: readonly Notice[]; layout: TreeLayout | undefined },
): MemorySnapshot {
  const hashes = new Map<string, string>();
  const stats = new Map<string, FileStat>();
  for (const [name, { file, stat }] of found) {
    if (file.bytes) hashes.set(name, sha256(file.bytes));
    if (stat) stats.set(name, stat);
  }
  const tree = buildTree(
    [...found.values()].map(({ file }) => file),
    layout,
  );
  return { directory, tree, hashes, stats, notices: [...notices, ...treeNotices(tree)] };
}

/** The directory's real path; null when it is missing. */
function resolve(files: Files, path: string): string | null {
  const stat = files.stat(path);
  if (stat?.kind === "dir") return files.realpath(path);
  if (!stat && !files.lstat(path)) return null;
  throw new MemdError({
    code: stat ? "not-a-folder" : "dangling-link",
    family: "misconfigured",
    message: stat ? `${path} is a ${stat.kind}, not a folder` : `${path} is a link that leads nowhere`,
    hint: "Point the store's memory setting at a folder.",
  });
}

interface OneRead {
  readonly file: TreeFile;
  readonly stat: FileStat | null;
  readonly notice: Notice | null;
}

/** Null when the file went between listing and reading. */
function readOne(files: Files, path: string, what: { entry: DirEntry; full: boolean }): OneRead | null {
  const { name } = what.entry;
  const stat = files.lstat(path);
  if (!stat) return null;
  const file = { name, kind: stat.kind, mtime: stat.mtime };
  const kind = nameKind(name);
  if (stat.kind !== "file") {
    return { file: { ...file, bytes: null }, stat, notice: notFollowed(name, stat) };
  }
  if (kind !== "topic" && kind !== "index") return { file: { ...file, bytes: null }, stat, notice: null };
  if (stat.size > MAX_FILE_BYTES) {
    return { file: { ...file, bytes: null }, stat, notice: notRead(name, "too-large", `has ${stat.size} bytes`) };
  }
  if (what.full) return { file: { ...file, bytes: null }, stat, notice: null };
  return readBytes(files, path, { file, stat });
}

function readBytes(
  files: Files,
  path: string,
  known: { file: Omit<TreeFile, "bytes">; stat: FileStat },
): OneRead | null {
  const { file, stat } = known;
  try {
    return { file: { ...file, bytes: files.read(path) }, stat, notice: null };
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return null;
    if (code === "ELOOP") return { file: { ...file, kind: "link", bytes: null }, stat: null, notice: null };
    if (code !== "EACCES" && code !== "EPERM") throw error;
    return { file: { ...file, bytes: null }, stat, notice: notRead(file.name, "no-permission", "may not be read") };
  }
}

/** Folders are ordinary; a link or a special file named like a topic is worth a word. */
function notFollowed(name: string, stat: FileStat): Notice | null {
  if (stat.kind === "dir" || nameKind(name) !== "topic") return null;
  const what = stat.kind === "link" ? "is a link, and links are not followed" : "is not a regular file";
  return notRead(name, "not-a-file", what);
}

function notRead(name: string, code: string, what: string): Notice {
  return {
    code,
    message: `${JSON.stringify(name).slice(1, -1)} ${what}; it is left alone`,
    hint: "Put a plain Markdown file in its place, or take it out of the memory directory.",
  };
}

function tooMany(topics: number): Notice {
  return {
    code: "too-many-files",
    message: `${topics} Markdown files; only the first ${MAX_TOPICS_READ} are read`,
    hint: "Agents load 200 topics. Move the rest out of the memory directory.",
  };
}
