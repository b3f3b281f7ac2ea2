import { join } from "node:path";
import type { Files } from "../base/files.ts";

/** Removes a folder of memd's own with everything in it; links are removed, never followed. Missing is fine. */
export function removeFolder(files: Files, folder: string): void {
  if (files.lstat(folder)?.kind !== "dir") return;
  for (const { name, kind } of files.list(folder)) {
    const path = join(folder, name);
    if (kind === "dir") removeFolder(files, path);
    else files.unlink(path);
  }
  files.rmdir(folder);
}
