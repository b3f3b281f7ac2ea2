/**
 * Claude Code's stores: memory is keyed by the main checkout's path, transcripts by the exact working directory, both by a
 * folder name that is lossy. Which folders feed which memory is learned from the working directories inside the records.
 */
import { basename, dirname, join } from "node:path";
import type { Files } from "../base/files.ts";
import { shortHash } from "../base/ids.ts";
import { openOrGone } from "./fingerprint.ts";
import { breathe } from "./lines.ts";
import { formerly } from "./moves.ts";
import { type Move, projectRoots } from "./project.ts";

/** Longest folder name before a hash takes the rest, as Claude Code 2.1.332 does it. */
const MAX_NAME = 200;

/** Bytes read from each end of a transcript: every record names its directory, and the longest seen is 63 KB. */
const PROBE_BYTES = 65_536;
/** Transcripts learned between two breaths. */
const BATCH = 32;

const CWD = /"cwd"\s*:\s*("(?:[^"\\]|\\.){1,4096}")/g;

/** The folder name under `projects/` for a path: lossy, so never decode it. */
export function encodeProject(path: string): string {
  const name = path.replace(/[^A-Za-z0-9]/g, "-");
  if (name.length <= MAX_NAME) return name;
  let hash = 0;
  for (let i = 0; i < path.length; i++) hash = (Math.imul(hash, 31) + path.charCodeAt(i)) | 0;
  return `${name.slice(0, MAX_NAME)}-${Math.abs(hash).toString(36)}`;
}

export interface ClaudeStore {
  /** Unique among the stores found: the project folder's name, with its parent's or a hash where two are alike. */
  readonly name: string;
  /** Canonical git root, or the working directory itself outside a repository. */
  readonly project: string;
  /** May not exist yet. */
  readonly memory: string;
  /** Transcript folders that hold sessions of this project; others may be in them too. */
  readonly sessions: readonly string[];
  /** Folders that are gone and that were the project. */
  readonly formerly?: readonly string[];
}

/** What is known of each transcript, by path; keep it between calls and an unchanged tree opens nothing. */
export type StoreCache = Map<string, { readonly mark: string; readonly cwds: readonly string[] }>;

/**
 * All stores below a configuration root (`~/.claude`), in the order of their names. A folder in which no record names a
 * directory belongs to none.
 * @param by.cache is brought up to date
 * @throws the system error when `projects` exists and cannot be listed
 */
export async function discoverClaudeStores(
  files: Files,
  configRoot: string,
  { cache, moves = [] }: { cache: StoreCache; moves?: readonly Move[] },
): Promise<ClaudeStore[]> {
  const projects = join(configRoot, "projects");
  if (files.stat(projects) === null) return [];
  const rootOf = projectRoots(files, moves);
  const folders = new Map<string, Set<string>>();
  for (const { name } of files.list(projects)) {
    const folder = join(projects, name);
    if (files.stat(folder)?.kind !== "dir") continue;
    for (const cwd of await learnFolder(files, folder, cache)) {
      const root = rootOf(cwd);
      folders.set(root, (folders.get(root) ?? new Set()).add(folder));
    }
  }
  return named([...folders.keys()].sort()).map(({ root, name }) => ({
    name,
    project: root,
    memory: join(projects, encodeProject(root.normalize("NFC")), "memory"),
    sessions: [...(folders.get(root) ?? [])].sort(),
    ...formerly(moves, root),
  }));
}

/** Working directories named in a folder's transcripts. */
async function learnFolder(files: Files, folder: string, cache: StoreCache): Promise<Set<string>> {
  const cwds = new Set<string>();
  let opened = 0;
  for (const { name, kind } of files.list(folder)) {
    if (kind !== "file" || !name.endsWith(".jsonl") || name.startsWith("agent-")) continue;
    const path = join(folder, name);
    const stat = files.lstat(path);
    if (!stat) continue;
    const mark = `${stat.ino}:${stat.size}:${stat.mtime}`;
    const known = cache.get(path);
    if (known?.mark !== mark) {
      cache.set(path, {
        mark,
        cwds: [...new Set([...(known?.cwds ?? []), ...probe(files, { path, size: stat.size }, namedFolders)])],
      });
      if (++opened % BATCH === 0) await breathe();
    }
    for (const cwd of cache.get(path)?.cwds ?? []) cwds.add(cwd);
  }
  await breathe();
  return cwds;
}

/** Directories named near the two ends of a transcript. One that was entered and left in between stays unknown here. */
export function probe(
  files: Files,
  { path, size }: { readonly path: string; readonly size: number },
  named: (text: string) => readonly string[],
): string[] {
  const fd = openOrGone(files, path);
  if (fd === null) return [];
  try {
    const ends = size > PROBE_BYTES ? [0, size - PROBE_BYTES] : [0];
    return ends.flatMap((position) => {
      const bytes = Buffer.alloc(Math.min(PROBE_BYTES, size));
      return named(bytes.toString("utf8", 0, files.readAt(fd, bytes, bytes.length, position)));
    });
  } finally {
    files.close(fd);
  }
}

/** Every `cwd` in a part of a transcript. */
export function namedFolders(text: string): string[] {
  return [...text.matchAll(CWD)].flatMap(([, quoted]) => unquoted(quoted));
}

function unquoted(text: string | undefined): string[] {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "string" && value !== "" ? [value] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Short names for people: `app`; `srv-app` and `home-app` where two are called app; a hash where even that is alike. */
function named(roots: readonly string[]): { root: string; name: string }[] {
  const shorts = roots.map((root) => basename(root) || "root");
  const longs = roots.map((root, i) => `${basename(dirname(root))}-${shorts[i]}`.replace(/^-/, ""));
  return roots.map((root, i) => {
    const [short, long] = [shorts[i] ?? root, longs[i] ?? root];
    if (isOnly(shorts, short)) return { root, name: short };
    return { root, name: isOnly(longs, long) ? long : `${short}-${shortHash(root)}` };
  });
}

const isOnly = (names: readonly string[], name: string) => names.indexOf(name) === names.lastIndexOf(name);
