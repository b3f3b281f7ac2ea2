/** The stores of this machine's agents, as their own folders tell. */
import type { Files } from "../base/files.ts";
import type { Config } from "../config/config.ts";
import type { Paths } from "../config/paths.ts";
import type { StoreSpec } from "../config/stores.ts";
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
  const found = withOthers(files, claude, { folders, data: by.paths.data, moves });
  return found.map((store): StoreSpec => ({ ...store, layout: "claude-code", logs: [], paused: false }));
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
