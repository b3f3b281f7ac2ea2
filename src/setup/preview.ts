/** What a first dream would remember: a dry run without a model, short enough to wait for, that leaves nothing on the disk. */
import { join } from "node:path";
import type { Context } from "../commands/context.ts";
import type { Config } from "../config/config.ts";
import { removeFolder } from "../steps/remove-folder.ts";

/** Two hours of talk or so; a first dream proper reads four times as much. */
const PREVIEW_TOKENS = 15_000;
const PREVIEW_MINUTES = 2;

/** The user's settings, but for what would spend or take long. */
export function previewConfig(config: Config): Config {
  const evidenceTokens = Math.min(config.dream.evidenceTokens, PREVIEW_TOKENS);
  const maxMinutes = Math.min(config.dream.maxMinutes, PREVIEW_MINUTES);
  return { ...config, dream: { ...config.dream, distiller: "extractive", evidenceTokens, maxMinutes } };
}

/**
 * The context to look around in. Where memd has no state directory yet, a scratch one stands in for it and goes afterwards: who only looks
 * finds nothing of memd's on the disk.
 */
export async function withoutTrace<T>(context: Context, use: (context: Context) => Promise<T>): Promise<T> {
  const { files, paths, env, random } = context;
  if (files.stat(paths.state) !== null) return use(context);
  const scratch = join(env["TMPDIR"] || "/tmp", `memd-init-${Buffer.from(random(8)).toString("hex")}`);
  files.mkdir(scratch, 0o700);
  try {
    // The context's getters ask the terminal and listen for signals when they are first used; a copy would use them now.
    const inside: Context = Object.create(context, { paths: { value: { ...paths, state: files.realpath(scratch) } } });
    return await use(inside);
  } finally {
    removeFolder(files, scratch);
  }
}
