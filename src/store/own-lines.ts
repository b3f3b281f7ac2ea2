/** Which index lines are memd's own: a journal of hashes beside the index, so that the text itself needs no marks. */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import { memdFolder, type Place, tempToken } from "./place.ts";

/** An index has at most 200 lines; a journal with far more is damage. */
const MAX_LINES = 10_000;

const pathOf = (directory: string) => join(memdFolder(directory), "own-lines.json");

/**
 * Hashes (`shortHash`) of memd's own index lines. A missing or damaged journal is an empty one: then every line counts as someone
 * else's and stays, which is the safe side.
 * @param directory real path of the memory directory
 */
export function readOwnLines(files: Files, directory: string): string[] {
  const path = pathOf(directory);
  const stat = files.lstat(path);
  if (stat?.kind !== "file" || stat.size > MAX_LINES * 20) return [];
  const read = readJson(files, path);
  if (read.state !== "read" || !isRecord(read.value) || !Array.isArray(read.value.lines)) return [];
  return read.value.lines.filter((line): line is string => typeof line === "string").slice(0, MAX_LINES);
}

/** Replaces the journal; writes nothing when it says the same already. */
export function writeOwnLines(place: Place, lines: readonly string[]): void {
  const { files, directory } = place;
  const sorted = [...new Set(lines)].sort();
  if (JSON.stringify(readOwnLines(files, directory)) === JSON.stringify(sorted)) return;
  writeJson(files, pathOf(directory), { schema: 1, lines: sorted }, tempToken(place, "own-lines"));
}
