/** What discovery learned of each transcript's working directories, kept between processes: an unchanged tree opens nothing. */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import type { StoreCache } from "../sources/claude-store.ts";
import type { Identities } from "../sources/moves.ts";

const FILE = "projects.json";

export function loadStoreCache(files: Files, state: string): StoreCache {
  const read = readJson(files, join(state, FILE));
  const cache: StoreCache = new Map();
  if (read.state !== "read" || !isRecord(read.value)) return cache;
  for (const [path, item] of Object.entries(read.value)) {
    if (!isRecord(item) || typeof item["mark"] !== "string" || !Array.isArray(item["cwds"])) continue;
    cache.set(path, { mark: item["mark"], cwds: item["cwds"].filter((cwd) => typeof cwd === "string") });
  }
  return cache;
}

const REPOSITORIES = "repositories.json";

/** Far more than anyone has; the oldest go. */
const MAX_REPOSITORIES = 5_000;

/** What was noted of repositories while they were there. */
export function loadIdentities(files: Files, state: string): Identities {
  const read = readJson(files, join(state, REPOSITORIES));
  const known: Identities = new Map();
  if (read.state !== "read" || !isRecord(read.value)) return known;
  const textOrNull = (value: unknown) => (typeof value === "string" ? value : null);
  for (const [root, item] of Object.entries(read.value))
    if (isRecord(item)) known.set(root, { log: textOrNull(item["log"]), remote: textOrNull(item["remote"]) });
  return known;
}

/** @param token unique to this process: several may start at once */
export function saveIdentities(files: Files, state: string, known: Identities, token: string): void {
  writeJson(files, join(state, REPOSITORIES), Object.fromEntries([...known].slice(-MAX_REPOSITORIES)), token);
}

/** @param token unique to this process: several may start at once */
export function saveStoreCache(files: Files, state: string, cache: StoreCache, token: string): void {
  writeJson(files, join(state, FILE), Object.fromEntries(cache), token);
}
