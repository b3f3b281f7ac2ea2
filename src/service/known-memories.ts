/** Every memory directory that memd has heard of: what a purge must not touch. */
import { loadRegistry, rememberedStores } from "../config/stores.ts";
import type { ServiceWorld } from "./world.ts";

export function knownMemories({ files, paths }: Pick<ServiceWorld, "files" | "paths">): readonly string[] {
  return [...(loadRegistry(files, paths) ?? []), ...rememberedStores(files, paths)].map(({ memory }) => memory);
}
