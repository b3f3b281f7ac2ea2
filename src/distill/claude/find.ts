/** Where the user's Claude Code is. */
import { join } from "node:path";
import type { Files } from "../../base/files.ts";
import { isProgram } from "../program.ts";

/**
 * @param configured `claude.path`; then nothing else is looked at
 * @returns the absolute path of a program; null when there is none
 */
export function findClaude(
  files: Pick<Files, "stat">,
  env: Readonly<Record<string, string | undefined>>,
  configured: string | null,
): string | null {
  if (configured !== null) return isProgram(files, configured) ? configured : null;
  // A relative part of the PATH depends on where memd was started, and says what it likes to run.
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => join(folder, "claude")).find((path) => isProgram(files, path)) ?? null;
}
