/** The kernel's fence of a store's runs, as the configuration asks for it. */
import type { Context } from "../commands/context.ts";
import type { Config } from "../config/config.ts";
import type { ForkSetup } from "../distill/fork.ts";
import { type FenceWorld, findFence, noKernelFence } from "../distill/kernel/find.ts";

/** What must stay out of sight: the home with all its secrets, memd's own folders, the agents' sessions. */
export function fenceWorld(
  { files, env, paths }: Pick<Context, "files" | "env" | "paths">,
  node: string,
  childPath: string,
): FenceWorld {
  return { files, env, node, childPath, hidden: [paths.home, paths.state, paths.data, paths.claude, ...paths.others] };
}

/** Absent for `dream.fence: off`. */
export function kernelOf({ dream }: Config, world: FenceWorld): ForkSetup["kernel"] {
  if (dream.fence === "off") return undefined;
  return async (network) => {
    const found = await findFence(world, { network });
    if (found.fence === null && dream.fence === "required") throw noKernelFence(found.why);
    return found.fence;
  };
}
