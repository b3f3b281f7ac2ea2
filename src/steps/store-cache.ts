/** What discovery learned of each transcript's working directories, kept between processes: an unchanged tree opens nothing. */
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import type { Paths } from "../config/paths.ts";
import { type StoreSpec, saveRegistry } from "../config/stores.ts";
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
    if (isRecord(item)) {
      const main = textOrNull(item["main"]);
      const traces = { log: textOrNull(item["log"]), remote: textOrNull(item["remote"]) };
      known.set(root, main === null ? traces : { ...traces, main });
    }
  return known;
}

export interface Learned {
  readonly cache: StoreCache;
  readonly identities: Identities;
  readonly specs: readonly StoreSpec[];
  /** Unique to this process: several may start at once. */
  readonly token: string;
}

/** A state directory that cannot be written costs the next look its time; what needs it says so itself, and a mere look goes on. */
export function keepLearned(files: Files, paths: Paths, { cache, identities, specs, token }: Learned): void {
  const newest = [...identities].slice(-MAX_REPOSITORIES);
  try {
    writeJson(files, join(paths.state, REPOSITORIES), Object.fromEntries(newest), token);
    writeJson(files, join(paths.state, FILE), Object.fromEntries(cache), token);
    saveRegistry(files, paths, specs, token);
  } catch (error) {
    if (systemCode(error) === null) throw error;
  }
}
