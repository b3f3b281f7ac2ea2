/** Which stores the doctor looks at: as every command finds them, but without writing what was learned, and with trouble as a finding. */
import type { Config } from "../config/config.ts";
import type { Paths } from "../config/paths.ts";
import { loadRegistry, rememberedStores, resolveStores, type StoreFlags, type StoreSpec } from "../config/stores.ts";
import type { Files, Store } from "../ports.ts";
import { discoverClaudeStores } from "../sources/claude-store.ts";
import { loadStoreCache } from "../steps/store-cache.ts";
import { type Finding, unable } from "./finding.ts";

/** @throws MemdError usage: `no-memory-directory`, `unknown-store` */
export async function storesToExamine(
  world: { readonly files: Files; readonly paths: Paths; readonly cwd: string },
  config: Config,
  flags: StoreFlags,
): Promise<{ stores: readonly Store[]; remembered: readonly Store[]; troubles: readonly Finding[] }> {
  const troubles: Finding[] = [];
  const { files, paths } = world;
  const stores = await resolveStores(world, config, flags, async () => {
    try {
      return await discovered(world);
    } catch (error) {
      troubles.push(unable(`look for sessions below ${world.paths.claude}`, error));
      return [];
    }
  });
  try {
    return { stores, remembered: rememberedStores(files, paths), troubles };
  } catch (error) {
    return { stores, remembered: [], troubles: [...troubles, unable(`read ${paths.state}`, error)] };
  }
}

async function discovered({ files, paths }: { files: Files; paths: Paths }): Promise<readonly StoreSpec[]> {
  const known = loadRegistry(files, paths);
  if (known !== null) return known;
  const found = await discoverClaudeStores(files, paths.claude, loadStoreCache(files, paths.state));
  return found.map((store): StoreSpec => ({ ...store, layout: "claude-code", logs: [], paused: false }));
}
