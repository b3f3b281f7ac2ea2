/** Whether a program that is not ours starts inside a fence: what it needs to be shown, nobody tells, so it is started. */
import { isMemdError } from "../../base/errors.ts";
import type { Command } from "../fence.ts";
import { startChild } from "../kept-child.ts";
import { tame } from "../protocol.ts";
import type { Ground, KernelFence } from "./ground.ts";

const MOST_BYTES = 65_536;

/**
 * @param command something harmless, as to tell its version
 * @returns null when it ended well; else why not
 */
export async function tryStart(
  fence: KernelFence,
  command: Command,
  at: { readonly ground: Ground; readonly timeoutMs: number },
): Promise<string | null> {
  const { ground, timeoutMs } = at;
  let late = false;
  try {
    const flooded = () => child.kill();
    const place = { cwd: ground.folder, env: ground.env, outputBytes: MOST_BYTES, flooded };
    const child = await startChild(fence.around(command, ground), place);
    const timer = setTimeout(() => {
      late = true;
      child.kill();
    }, timeoutMs);
    child.channel.on("error", () => child.channel.destroy()).resume();
    const { code, stderr } = await child.ended;
    clearTimeout(timer);
    if (late) return `it did not start within ${timeoutMs} ms`;
    return code === 0 ? null : tame(stderr.trim().split("\n").at(-1) ?? "", 200) || "it does not start inside";
  } catch (error) {
    if (isMemdError(error)) return error.message;
    throw error;
  }
}
