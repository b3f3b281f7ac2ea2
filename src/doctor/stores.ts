/** Which stores the doctor looks at: as every command finds them, but without writing what was learned, and with trouble as a finding. */
import type { Config } from "../config/config.ts";
import type { Paths } from "../config/paths.ts";
import { loadRegistry, rememberedStores, resolveStores, type StoreFlags, type StoreSpec } from "../config/stores.ts";
import type { Files, Store } from "../ports.ts";
import { discover } from "../steps/discover.ts";
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
      return await discovered(world, config);
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

async function discovered(
  { files, paths }: { files: Files; paths: Paths },
  config: Config,
): Promise<readonly StoreSpec[]> {
  return loadRegistry(files, paths) ?? discover(files, { paths, config, cache: loadStoreCache(files, paths.state) });
}
