/** Changing a whole file in one verb: temp file in the same directory, fsync, rename, fsync of the directory. */
import { basename, dirname, join } from "node:path";
import type { Files } from "./files.ts";

/** Temp files carry this prefix, so that a later start can tell and remove what a crash left. */
export const TEMP_PREFIX = ".memd-tmp-";

/**
 * Replaces `path` by `data`; a reader sees the old or the new content, never a mix. Removes its temp file on failure.
 * @param token makes the temp name unique among writers (a run id will do)
 * @throws the system error of the verb that failed
 */
export function writeAtomic(
  files: Files,
  path: string,
  data: string | Uint8Array,
  options: { mode: number; token: string },
): void {
  const directory = dirname(path);
  const temp = join(directory, `${TEMP_PREFIX}${options.token}-${basename(path)}`);
  files.unlink(temp);
  try {
    files.create(temp, data, options.mode);
    files.rename(temp, path);
  } catch (error) {
    files.unlink(temp);
    throw error;
  }
  files.syncDir(directory);
}
