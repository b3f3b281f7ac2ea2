/** The stores of this machine's agents, as their own folders tell. */
import type { Files } from "../base/files.ts";
import type { Config } from "../config/config.ts";
import type { Paths } from "../config/paths.ts";
import { loadRegistry, rememberedStores, type StoreSpec } from "../config/stores.ts";
import { type ClaudeStore, discoverClaudeStores, type StoreCache } from "../sources/claude-store.ts";
import { type Identities, movesOf } from "../sources/moves.ts";
import { type Folders, foldersOfOthers, withOthers } from "../sources/other-stores.ts";
import type { Move } from "../sources/project.ts";

export interface Discovery {
  readonly paths: Paths;
  readonly config: Config;
  /** Is brought up to date. */
  readonly cache: StoreCache;
  /** What was noted of repositories; is brought up to date. Absent: only removed worktrees are followed. */
  readonly identities?: Identities;
}

export async function discover(files: Files, by: Discovery): Promise<StoreSpec[]> {
  const before = await lookAround(files, by, []);
  const roots = [...before.claude.map(({ project }) => project), ...before.folders.keys()];
  const moves = movesOf(files, roots, by.identities ?? new Map());
  // The second look opens nothing: what the first one learned is in the cache.
  const { claude, folders } = moves.length === 0 ? before : await lookAround(files, by, moves);
  const found = withOthers(files, claude, { folders, data: by.paths.data, moves, ownerOf: owners(files, by.paths) });
  return found.map((store): StoreSpec => ({ ...store, layout: "claude-code", logs: [], paused: false }));
}

/** Whose a memory was: the last look tells of those that are known, and each store's own note of those whose sessions are gone. */
function owners(files: Files, paths: Paths): (memory: string) => string | null {
  const last = loadRegistry(files, paths) ?? [];
  let dreamt: readonly StoreSpec[] | null = null;
  return (memory) => {
    const same = (spec: StoreSpec) => spec.memory === memory;
    const known = last.find(same);
    if (known) return known.project;
    if (files.stat(memory) === null) return null;
    const real = files.realpath(memory);
    dreamt ??= rememberedStores(files, paths);
    return dreamt.find((spec) => spec.memory === real)?.project ?? null;
  };
}

async function lookAround(
  files: Files,
  { paths, config, cache }: Discovery,
  moves: readonly Move[],
): Promise<{ claude: readonly ClaudeStore[]; folders: Folders }> {
  const claude = await discoverClaudeStores(files, paths.claude, { cache, moves });
  const roots = paths.others;
  const folders = config.discoverOthers
    ? await foldersOfOthers(files, { roots, formats: config.formats, cache, moves })
    : new Map();
  return { claude, folders };
}
