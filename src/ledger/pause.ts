/**
 * A pause: a person's word of the moment, kept in the state directory and apart from the configuration. That the file is there is the pause,
 * whatever it holds: damage must not start what a person stopped.
 */
import { childPath } from "../base/child-path.ts";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";

export interface Pause {
  /** ISO time; null when the file does not tell. */
  readonly since: string | null;
}

const FILE = "paused.json";

/** @param folder a store's folder in the state directory, or the state directory itself for all stores */
export function pauseIn(files: Files, folder: string): Pause | null {
  const path = childPath(folder, FILE);
  const kind = files.lstat(path)?.kind;
  if (kind === undefined) return null;
  const read = kind === "file" ? readJson(files, path) : null;
  const since = read?.state === "read" && isRecord(read.value) ? read.value["since"] : null;
  return { since: typeof since === "string" && !Number.isNaN(Date.parse(since)) ? since : null };
}

/** A pause that stands already keeps its time. @param mark.token unique to this process */
export function setPause(files: Files, folder: string, mark: { since: string; token: string }): void {
  if (pauseIn(files, folder) === null) writeJson(files, childPath(folder, FILE), { since: mark.since }, mark.token);
}

/** False when there was none. */
export function endPause(files: Files, folder: string): boolean {
  return files.unlink(childPath(folder, FILE));
}
