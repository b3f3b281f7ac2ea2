/** Takes the service away and leaves what it worked on: memory, state, and what was not made by memd. */
import { dirname, join } from "node:path";
import { MemdError } from "../base/errors.ts";
import { namesIn } from "../base/folders.ts";
import { removeFolder } from "../steps/remove-folder.ts";
import { findManager } from "./find-manager.ts";
import { readDefinition } from "./install.ts";
import { readSeal } from "./seal.ts";
import type { ServiceWorld, Warning } from "./world.ts";

export interface Uninstalled {
  readonly action: "uninstalled" | "absent";
  readonly path: string;
  readonly removed: readonly string[];
  readonly warnings: readonly Warning[];
}

/**
 * @throws MemdError misconfigured `foreign-definition`: memd did not make what stands there; unavailable `service-failed`
 */
export async function uninstall(world: ServiceWorld): Promise<Uninstalled> {
  const { files } = world;
  const { manager, reachable } = await findManager(world);
  const { path } = manager;
  const text = readDefinition(world, path);
  const warnings = leftovers(world, path);
  if (text === null) return { action: "absent", path, removed: [], warnings };
  if (readSeal(text) === null) {
    throw new MemdError({
      code: "foreign-definition",
      family: "misconfigured",
      message: `${path} was not made by memd`,
      hint: "Stop the service and remove the file yourself.",
    });
  }
  if (reachable) await manager.abandon();
  files.unlink(path);
  if (reachable) await manager.settle();
  else removeEnabling(world, path);
  return { action: "uninstalled", path, removed: [path], warnings };
}

/** What `systemctl enable` made, where there is no systemctl to ask. */
function removeEnabling({ files }: ServiceWorld, path: string): void {
  const link = join(dirname(path), "default.target.wants", "memd.service");
  if (files.lstat(link)?.kind === "link") files.unlink(link);
}

/** The user's own files stay. */
function leftovers({ files }: ServiceWorld, path: string): Warning[] {
  const folder = `${path}.d`;
  if (namesIn(files, folder).length === 0) return [];
  return [
    { code: "drop-ins-left", message: `your drop-ins in ${folder} stay`, hint: `To remove them: rm -r '${folder}'` },
  ];
}

/**
 * Removes the state directory. Memories stay: of a store whose memory lies below it, nothing is removed.
 * @param memories every memory directory that is known
 * @throws MemdError misconfigured `memory-in-state`, unavailable `daemon-running`
 */
export function purge({ files, paths }: ServiceWorld, memories: readonly string[]): void {
  const inside = memories.find((memory) => memory === paths.state || memory.startsWith(`${paths.state}/`));
  if (inside !== undefined) {
    throw new MemdError({
      code: "memory-in-state",
      family: "misconfigured",
      message: `the memory ${inside} lies in the state directory ${paths.state}: nothing was removed`,
      hint: "Move that memory elsewhere, or remove the other files yourself.",
    });
  }
  removeFolder(files, paths.state);
}
