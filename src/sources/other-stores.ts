/**
 * Which projects the other clients worked in, and where those sessions lie. Their folders are named by date (Codex) or by a lossy path,
 * so a folder's projects are learned from what its transcripts, or a file that the client keeps beside them, say.
 */
import { basename, dirname, join } from "node:path";
import type { Files } from "../base/files.ts";
import { shortHash } from "../base/ids.ts";
import type { Description, TranscriptFile } from "../ports.ts";
import { type ClaudeStore, namedFolders, probe, type StoreCache } from "./claude-store.ts";
import { nodeUnzstd, type Unzstd, withUnpacked } from "./codex/unpacked.ts";
import { describedFolders } from "./described.ts";
import { anySource } from "./detect.ts";
import { projectFileOf } from "./gemini.ts";
import { breathe } from "./lines.ts";
import { formerly } from "./moves.ts";
import { isInside, type Move, projectRoots } from "./project.ts";

/** Transcripts learned between two breaths. */
const BATCH = 32;

export interface Places {
  /** Folders that need not exist. */
  readonly roots: readonly string[];
  /** Formats whose folders are looked through as well. */
  readonly formats?: readonly Description[];
  readonly moves?: readonly Move[];
  /** Is brought up to date; an unchanged transcript is not opened. */
  readonly cache: StoreCache;
  /** Unpacks zstd; null where Node cannot. Default: Node's own. */
  readonly unzstd?: Unzstd | null;
}

const PACKED = ".zst";
const isPacked = ({ path }: TranscriptFile) => path.endsWith(`.jsonl${PACKED}`);

/**
 * Folders by project root; of sessions in a database the database itself, beside which clients keep much that is no transcript.
 * @throws the system error when a root exists and cannot be listed
 */
export async function foldersOfOthers(
  files: Files,
  { roots, formats = [], moves = [], cache, unzstd = nodeUnzstd() }: Places,
): Promise<Map<string, ReadonlySet<string>>> {
  const rootOf = projectRoots(files, moves);
  const source = anySource(files, formats);
  const folders = new Map<string, Set<string>>();
  let steps = 0;
  for (const root of [...roots, ...formats.flatMap((format) => format.folders)]) {
    if (files.stat(root)?.kind !== "dir") continue;
    for (const file of source.list(root)) {
      if (++steps % BATCH === 0) await breathe();
      if (file.drop !== null && !isPacked(file)) continue;
      for (const cwd of learn(files, file, { formats, cache, unzstd })) {
        const project = rootOf(cwd);
        folders.set(project, (folders.get(project) ?? new Set()).add(file.container ?? dirname(file.path)));
      }
    }
  }
  return folders;
}

function learn(
  files: Files,
  file: TranscriptFile,
  { formats, cache, unzstd }: Required<Pick<Places, "formats" | "cache" | "unzstd">>,
): readonly string[] {
  if (file.container !== undefined) return file.cwd?.startsWith("/") ? [file.cwd] : [];
  const mark = `${file.ino}:${file.size}:${file.mtime}`;
  // What is packed was plain a week ago: where it worked is known from then, also to a Node that cannot unpack it.
  const known = cache.get(file.path) ?? (isPacked(file) ? cache.get(file.path.slice(0, -PACKED.length)) : undefined);
  if (known?.mark === mark) return known.cwds;
  const marked = projectFileOf(files, file.path);
  const description = formats.find(({ folders }) => folders.some((folder) => isInside(file.path, folder)));
  const named = (text: string) => (description ? describedFolders(description, text) : namedFolders(text));
  const plain = !isPacked(file) ? { files, file } : unzstd === null ? null : withUnpacked(files, file, unzstd);
  const probed = plain === null || marked ? [] : probe(plain.files, plain.file, named);
  const found = marked ? [marked] : probed.filter((cwd) => cwd.startsWith("/"));
  const cwds = [...new Set([...(known?.cwds ?? []), ...found])];
  // A newer Node may still learn what this one cannot.
  if (plain !== null || cwds.length > 0) cache.set(file.path, { mark, cwds });
  return cwds;
}

export type Folders = ReadonlyMap<string, ReadonlySet<string>>;

export interface Known {
  readonly folders: Folders;
  /** Below it lie the memories of projects that Claude Code has none for. */
  readonly data: string;
  readonly moves?: readonly Move[];
  /** The project whose a memory was when it was last found; null where it was never. */
  readonly ownerOf?: (memory: string) => string | null;
}

/**
 * One store per project, with the sessions of all clients. A project that Claude Code has no memory for gets one of its own below `data`;
 * one that has begun there keeps it when Claude Code comes to know the project too, so that nothing that was written moves or is left behind.
 */
export function withOthers(files: Files, stores: readonly ClaudeStore[], known: Known): ClaudeStore[] {
  const { folders, data, moves = [] } = known;
  const claude = apart(files, stores, known);
  const joined = claude.map((store) => {
    const sessions = [...store.sessions, ...[...(folders.get(store.project) ?? [])].sort()];
    const begun = ownMemory(files, data, store);
    return { ...store, sessions, memory: files.stat(begun) === null ? store.memory : begun };
  });
  const others = [...folders]
    .filter(([project]) => !claude.some((store) => store.project === project))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([project, folder]): ClaudeStore => {
      const own = { project, ...formerly(moves, project) };
      const memory = ownMemory(files, data, own);
      return { name: basename(project) || "root", memory, sessions: [...folder].sort(), ...own };
    });
  return [...joined, ...others];
}

/**
 * Claude Code's folder names are lossy, and with them its memories: `/a-b` and `/a/b` share one, and so do any two folders whose names
 * are four Chinese characters. It stays the project's that had it before, or else is the first one's; the others get memories of their own.
 */
function apart(files: Files, stores: readonly ClaudeStore[], { data, ownerOf = () => null }: Known): ClaudeStore[] {
  const first = new Map<string, string>();
  for (const { memory, project } of [...stores].reverse()) first.set(memory, project);
  return stores.map((store) => {
    const { project, memory, formerly: former = [] } = store;
    const before = ownerOf(memory);
    const isOurs = before === project || (before !== null && former.includes(before));
    // A folder that is gone without a trace may be this very project, renamed.
    const isHeld = before !== null && (files.stat(before) !== null || stores.some((other) => isOf(other, before)));
    if (isOurs || (!isHeld && first.get(memory) === project)) return store;
    return { ...store, memory: ownMemory(files, data, store) };
  });
}

const isOf = (store: ClaudeStore, project: string) =>
  store.project === project || store.formerly?.includes(project) === true;

/** The folder's name never changes, whatever other projects come to be known; a project that was moved keeps the one it had. */
function ownMemory(
  files: Files,
  data: string,
  { project, formerly: former = [] }: Pick<ClaudeStore, "project" | "formerly">,
): string {
  const here = memoryOf(data, project);
  if (files.stat(here) !== null) return here;
  return former.map((root) => memoryOf(data, root)).find((memory) => files.stat(memory) !== null) ?? here;
}

function memoryOf(data: string, project: string): string {
  const name = (basename(project) || "root").replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^\.+/, "");
  return join(data, "projects", `${name}-${shortHash(project).slice(0, 8)}`, "memory");
}
