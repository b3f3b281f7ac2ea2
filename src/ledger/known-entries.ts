/**
 * The foreign entries that earlier runs saw, and when they were first seen: how long somebody else's text has stood. One small file;
 * losing it only makes foreign text look old, which lets newer words of a user change it.
 */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";

/** `topic\nstatementKey` → ISO time at which it was first seen; null: it stood there before memd's first run. */
export type KnownEntries = ReadonlyMap<string, string | null>;

const FILE = "entries.json";

/** Null when no run has looked yet. */
export function loadKnownEntries(files: Files, folder: string): KnownEntries | null {
  const read = readJson(files, join(folder, FILE));
  if (read.state !== "read" || !isRecord(read.value)) return null;
  return new Map(Object.entries(read.value).map(([key, since]) => [key, typeof since === "string" ? since : null]));
}

export function saveKnownEntries(files: Files, folder: string, known: KnownEntries): void {
  writeJson(files, join(folder, FILE), Object.fromEntries(known), "entries");
}
