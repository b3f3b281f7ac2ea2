/** A program of this machine that memd may start. */
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";

/** False also where this process cannot look. */
export function isProgram(files: Pick<Files, "stat">, path: string): boolean {
  try {
    const stat = files.stat(path);
    return stat?.kind === "file" && (stat.mode & 0o111) !== 0;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return false;
  }
}
