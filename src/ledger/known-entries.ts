/**
 * The foreign entries that runs saw: when each was first seen, and whether an agent or a person wrote it. One small file; losing it only
 * makes foreign text look old and an agent's, which lets newer words of a user change it.
 */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";

export interface KnownEntry {
  /** ISO time at which it was first seen; null: it stood there before memd's first run. */
  readonly since: string | null;
  readonly by: "agent" | "person";
}

/** By `topic\nstatementKey`. */
export type KnownEntries = ReadonlyMap<string, KnownEntry>;

const FILE = "entries.json";

/** Earlier versions kept the time alone. */
function toEntry(value: unknown): KnownEntry {
  const { since, by } = isRecord(value) ? value : { since: value, by: "agent" };
  return { since: typeof since === "string" ? since : null, by: by === "person" ? "person" : "agent" };
}

/** Null when no run has looked yet. */
export function loadKnownEntries(files: Files, folder: string): KnownEntries | null {
  const read = readJson(files, join(folder, FILE));
  if (read.state !== "read" || !isRecord(read.value)) return null;
  return new Map(Object.entries(read.value).map(([key, value]) => [key, toEntry(value)]));
}

export function saveKnownEntries(files: Files, folder: string, known: KnownEntries): void {
  writeJson(files, join(folder, FILE), Object.fromEntries(known), "entries");
}
