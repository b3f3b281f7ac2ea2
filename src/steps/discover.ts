/** The stores of this machine's agents, as their own folders tell. */
import type { Files } from "../base/files.ts";
import type { Config } from "../config/config.ts";
import type { Paths } from "../config/paths.ts";
import type { StoreSpec } from "../config/stores.ts";
import { discoverClaudeStores, type StoreCache } from "../sources/claude-store.ts";
import { foldersOfOthers, withOthers } from "../sources/other-stores.ts";

/** @param by.cache is brought up to date */
export async function discover(
  files: Files,
  { paths, config, cache }: { paths: Paths; config: Config; cache: StoreCache },
): Promise<StoreSpec[]> {
  const claude = await discoverClaudeStores(files, paths.claude, cache);
  const folders = config.discoverOthers
    ? await foldersOfOthers(files, { roots: paths.others, formats: config.formats, cache })
    : new Map();
  const found = withOthers(files, claude, { folders, data: paths.data });
  return found.map((store): StoreSpec => ({ ...store, layout: "claude-code", logs: [], paused: false }));
}
