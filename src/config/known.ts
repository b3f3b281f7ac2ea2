/**
 * The configuration as it was checked last, kept in the state directory: parsing YAML and checking forty stores cost more than all else
 * that `memd status` does. It holds for one version of the file and one build of memd; anything else is read anew.
 */
import { childPath } from "../base/child-path.ts";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import { DEFAULTS } from "./defaults.ts";
import type { Paths } from "./paths.ts";

declare const MEMD_BUILD: string | undefined;

const FILE = "config-cache.json";

/** What it was made of. */
function keyOf(paths: Paths, stamp: string): Readonly<Record<string, string>> {
  const build = typeof MEMD_BUILD === "string" ? MEMD_BUILD : "source";
  return { build, file: paths.configFile, home: paths.home, stamp };
}

const STORE = { name: null, memory: "", sessions: [], logs: [], project: null, layout: "", paused: false };

function isWhole(config: Readonly<Record<string, unknown>>): boolean {
  const { stores, formats } = config;
  return (
    isLike(DEFAULTS, config) &&
    (stores as unknown[]).every((store) => isLike(STORE, store)) &&
    (formats as unknown[]).every(isRecord)
  );
}

/** Of the same kind in every part; null stands for a text or a number that may be absent. */
function isLike(model: unknown, value: unknown): boolean {
  if (Array.isArray(model)) return Array.isArray(value);
  if (isRecord(model)) return isRecord(value) && Object.keys(model).every((key) => isLike(model[key], value[key]));
  return model === null ? value === null || typeof value !== "object" : typeof value === typeof model;
}

/** Null when the file was not checked before in just this version; also when the cache is damaged. */
export function knownConfig(files: Files, paths: Paths, stamp: string): Readonly<Record<string, unknown>> | null {
  if (stamp === "") return null;
  try {
    const read = readJson(files, childPath(paths.state, FILE));
    if (read.state !== "read" || !isRecord(read.value)) return null;
    const { config, ...key } = read.value;
    const isOfThis = Object.entries(keyOf(paths, stamp)).every(([part, value]) => key[part] === value);
    return isOfThis && isRecord(config) && isWhole(config) ? config : null;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

/** @param made.config of a valid file @param made.token unique to this process: several may start at once, and no lock is held */
export function rememberConfig(
  files: Files,
  paths: Paths,
  { stamp, config, token }: { stamp: string; config: object; token: string },
): void {
  if (stamp === "") return;
  try {
    writeJson(files, childPath(paths.state, FILE), { ...keyOf(paths, stamp), config }, token);
  } catch (error) {
    // A state directory that cannot be written is reported by the run itself; reading the configuration must still work.
    if (systemCode(error) === null) throw error;
  }
}
