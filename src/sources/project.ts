/** Which project a working directory belongs to: the canonical git root, never an encoded folder name. */
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { Files } from "../base/files.ts";

/** A `.git` file and a `commondir` file hold one short path; anything longer is not one. */
const MAX_POINTER_BYTES = 4_096;

/** A folder that is gone, and the project that it was. */
export interface Move {
  readonly from: string;
  /** The same as `from` where nobody knows. */
  readonly to: string;
}

/**
 * Resolves working directories to project roots; answers are kept, so use one per run.
 * - inside a git work tree: its root; inside a linked worktree: the main checkout, so that both feed one memory;
 * - a folder that is gone: where a move leads to, else as its nearest existing ancestor, if that lies in a repository;
 * - anything else: the directory itself.
 */
export function projectRoots(files: Files, moves: readonly Move[] = []): (cwd: string) => string {
  const known = new Map<string, string>();
  return (cwd) => {
    const answer = known.get(cwd) ?? moved(files, moves, cwd) ?? projectRoot(files, cwd);
    known.set(cwd, answer);
    return answer;
  };
}

/** A folder that is there again is what it is now. */
function moved(files: Files, moves: readonly Move[], cwd: string): string | null {
  const move = moves.find(({ from }) => isInside(cwd, from));
  return move === undefined || files.stat(move.from) !== null ? null : move.to;
}

function projectRoot(files: Files, cwd: string): string {
  const path = resolve(cwd);
  let folder = path;
  while (files.stat(folder)?.kind !== "dir" && dirname(folder) !== folder) folder = dirname(folder);
  const start = files.stat(folder) ? files.realpath(folder) : folder;
  for (let at = start; ; at = dirname(at)) {
    const root = rootAt(files, at);
    if (root !== null) return root;
    if (dirname(at) === at) break;
  }
  return folder === path ? start : path;
}

/** The root that a folder with `.git` stands for; null when it has none. */
function rootAt(files: Files, folder: string): string | null {
  const git = join(folder, ".git");
  const kind = files.stat(git)?.kind;
  if (kind === "dir") return folder;
  if (kind !== "file") return null;
  const target = readPointer(files, git)?.replace(/^gitdir:\s*/, "");
  if (target === undefined || target === "") return null;
  return mainCheckout(files, isAbsolute(target) ? target : resolve(folder, target)) ?? folder;
}

/**
 * The main checkout behind a worktree's git directory, `<main>/.git/worktrees/<name>`, whose `commondir` leads to
 * `<main>/.git`. Null for a submodule (no `commondir`: a project of its own). A bare repository stands for itself.
 */
function mainCheckout(files: Files, gitDir: string): string | null {
  const pointer = readPointer(files, join(gitDir, "commondir"));
  const common = pointer === null ? pruned(gitDir) : resolve(gitDir, pointer);
  if (common === null || files.stat(common)?.kind !== "dir") return null;
  const real = files.realpath(common);
  return basename(real) === ".git" ? dirname(real) : real;
}

/** A pruned worktree has lost its `commondir`; its path still tells where the repository is. */
function pruned(gitDir: string): string | null {
  const parent = dirname(gitDir);
  return basename(parent) === "worktrees" ? dirname(parent) : null;
}

function readPointer(files: Files, path: string): string | null {
  const stat = files.stat(path);
  if (stat?.kind !== "file" || stat.size > MAX_POINTER_BYTES) return null;
  return files.read(path).toString("utf8").trim();
}

/** True when `path` is `folder` or lies below it; `/a-b` is not below `/a`. */
export function isInside(path: string, folder: string): boolean {
  const base = folder.endsWith(sep) ? folder.slice(0, -1) : folder;
  return path === base || path.startsWith(base + sep);
}
