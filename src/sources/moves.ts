/**
 * Where a project went whose folder is gone. Git tells of worktrees that were deleted, and what memd noted while they were there tells of
 * those that git removed, and of a repository that was moved. Nothing is guessed: what no trace leads from stays a project of its own.
 */
import { basename, dirname, isAbsolute, join } from "node:path";
import type { Files } from "../base/files.ts";
import { namesIn } from "../base/folders.ts";
import { shortHash } from "../base/ids.ts";
import { openOrGone } from "./fingerprint.ts";
import { type Move, projectRoots } from "./project.ts";

/** Traces of a repository, hashed: a remote's address may hold a password. */
export interface Identity {
  /** The oldest line of HEAD's log: who made this checkout and when, to the second. A move keeps it, another clone has its own. */
  readonly log: string | null;
  /** Where it was cloned from. */
  readonly remote: string | null;
  /** The main checkout of a linked worktree, whose traces it shares: git forgets a worktree that it removes. */
  readonly main?: string;
}

/** By project root. */
export type Identities = Map<string, Identity>;

/** Enough of a log to hold its first line, and of a configuration to hold its remotes. */
const TRACE_BYTES = 65_536;
const MAX_WORKTREES = 1_000;

/** Null where no repository of its own is; a linked worktree is none. */
export function identityOf(files: Files, root: string): Identity | null {
  const git = join(root, ".git");
  if (files.stat(git)?.kind !== "dir") return null;
  const line = headOf(files, join(git, "logs", "HEAD")).split("\n", 1)[0] ?? "";
  const remote = remoteOf(files, root);
  return {
    log: /^0{40,} [0-9a-f]{40,} /.test(line) ? shortHash(line) : null,
    remote: remote === null ? null : shortHash(addressOf(remote)),
  };
}

/** Names in the address of where a repository was cloned from: whose it is, and what it is called. */
export function remoteNames(files: Files, root: string): string[] {
  const remote = remoteOf(files, root);
  return remote === null ? [] : addressOf(remote).split("/").slice(1);
}

function remoteOf(files: Files, root: string): string | null {
  const config = headOf(files, join(root, ".git", "config"));
  return /^\[remote "origin"\]\s*(?:\n(?!\[).*)*?\n\s*url\s*=\s*(\S.*)$/m.exec(config)?.[1] ?? null;
}

/** However it is reached: by ssh or https, as whoever, with `.git` or without. */
function addressOf(remote: string): string {
  const plain = remote
    .trim()
    .replace(/^[a-z+]+:\/\//i, "")
    .replace(/^[^@/]*@/, "");
  return plain
    .replace(/^([^/:]+):(?:\d+\/)?/, "$1/")
    .replace(/(?:\.git)?\/*$/, "")
    .toLowerCase();
}

function headOf(files: Files, path: string): string {
  const fd = files.stat(path)?.kind === "file" ? openOrGone(files, path) : null;
  if (fd === null) return "";
  try {
    const bytes = Buffer.alloc(TRACE_BYTES);
    return bytes.toString("utf8", 0, files.readAt(fd, bytes, bytes.length, 0));
  } finally {
    files.close(fd);
  }
}

/** Folders of the linked worktrees that git lists for a repository; they need not be there any more. */
function worktreesOf(files: Files, root: string): string[] {
  const list = join(root, ".git", "worktrees");
  return namesIn(files, list)
    .slice(0, MAX_WORKTREES)
    .flatMap((name) => {
      const pointer = headOf(files, join(list, name, "gitdir")).trim();
      return isAbsolute(pointer) && basename(pointer) === ".git" ? [dirname(pointer)] : [];
    });
}

/**
 * Where each gone project went; one that is known to have been a project and left no trace goes nowhere, rather than into the
 * repository that happens to lie around it.
 * @param roots projects that sessions name
 * @param known is brought up to date with those that are there
 */
export function movesOf(files: Files, roots: Iterable<string>, known: Identities): Move[] {
  const present = [...new Set(roots)].flatMap((root) => {
    const identity = identityOf(files, root);
    return identity === null ? [] : [{ root, identity }];
  });
  const linked = present.flatMap(({ root }) => worktreesOf(files, root).map((folder) => ({ folder, root })));
  // What was a repository of its own is no worktree of another one that says so.
  const listed = linked.filter(({ folder }) => files.stat(folder) === null && !isOwn(known.get(folder)));
  const gone = [...known].filter(([root]) => files.stat(root) === null);
  const moved = gone.map(([from, identity]): Move => {
    const { main } = identity;
    if (main !== undefined && files.stat(main) !== null) return { from, to: main };
    const traces = main === undefined ? identity : known.get(main);
    return { from, to: (traces && successor(main ?? from, traces, present)) ?? from };
  });
  const rootOf = projectRoots(files);
  for (const { folder, root } of linked)
    if (files.stat(folder) !== null && rootOf(folder) === root)
      known.set(folder, { log: null, remote: null, main: root });
  for (const { root, identity } of present) known.set(root, identity);
  return [...listed.map(({ folder, root }): Move => ({ from: folder, to: root })), ...moved];
}

const isOwn = (identity: Identity | undefined) => identity !== undefined && identity.main === undefined;

interface Present {
  readonly root: string;
  readonly identity: Identity;
}

function successor(from: string, { log, remote }: Identity, present: readonly Present[]): string | null {
  const same = present.filter(({ identity }) => log !== null && identity.log === log);
  if (same.length > 0) return only(same);
  // Cloned anew: another checkout of what a template's or a fork's remote offers would have another name.
  return only(
    present.filter(
      ({ root, identity }) => remote !== null && identity.remote === remote && basename(root) === basename(from),
    ),
  );
}

const only = (found: readonly Present[]) => (found.length === 1 ? (found[0]?.root ?? null) : null);

/** What a store keeps of the moves that lead to its project. */
export function formerly(moves: readonly Move[], project: string): { readonly formerly?: readonly string[] } {
  const from = comingTo(moves, project);
  return from.length === 0 ? {} : { formerly: from };
}

function comingTo(moves: readonly Move[], project: string): string[] {
  return moves
    .filter(({ from, to }) => to === project && from !== project)
    .map(({ from }) => from)
    .sort();
}
