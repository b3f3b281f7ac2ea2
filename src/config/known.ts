/**
 * The configuration as it was checked last, kept in the state directory: parsing YAML and checking forty stores cost more than all else
 * that `memd status` does. It holds for one version of the file and one build of memd; anything else is read anew.
 */
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import type { FormatConfig, StoreConfig, Values } from "./check.ts";
import { KEYS, type KeyValue } from "./keys.ts";
import type { Paths } from "./paths.ts";

declare const MEMD_BUILD: string | undefined;

const FILE = "config-cache.json";

/** What one version of the file said, to one build of memd. */
interface Known {
  readonly build: string;
  readonly file: string;
  readonly home: string;
  readonly stamp: string;
  readonly set: Readonly<Record<string, KeyValue>>;
  readonly stores: readonly StoreConfig[];
  readonly formats: readonly FormatConfig[];
}

type Key = Pick<Known, "build" | "file" | "home" | "stamp">;

function keyOf(paths: Paths, stamp: string): Key {
  const build = typeof MEMD_BUILD === "string" ? MEMD_BUILD : "source";
  return { build, file: paths.configFile, home: paths.home, stamp };
}

export function defaultValues(): Values {
  return { keys: new Map(KEYS.map((key) => [key.path, key.default])), set: new Set(), stores: [], formats: [] };
}

/** Null when the file was not checked before in just this version; also when the cache is damaged. */
export function knownValues(files: Files, paths: Paths, stamp: string): Values | null {
  const known = stamp === "" ? null : readCache(files, paths, keyOf(paths, stamp));
  if (known === null) return null;
  const keys = new Map([...defaultValues().keys, ...Object.entries(known.set)]);
  return { keys, set: new Set(Object.keys(known.set)), stores: known.stores, formats: known.formats };
}

/** @param made.values of a valid file @param made.token unique to this process: several may start at once, and no lock is held */
export function rememberValues(
  files: Files,
  paths: Paths,
  { stamp, values, token }: { stamp: string; values: Values; token: string },
): void {
  if (stamp === "") return;
  const set = Object.fromEntries([...values.keys].filter(([path]) => values.set.has(path)));
  const known: Known = { ...keyOf(paths, stamp), set, stores: values.stores, formats: values.formats };
  try {
    writeJson(files, join(paths.state, FILE), known, token);
  } catch (error) {
    // A state directory that cannot be written is reported by the run itself; reading the configuration must still work.
    if (systemCode(error) === null) throw error;
  }
}

function readCache(files: Files, paths: Paths, key: Key): Known | null {
  try {
    const read = readJson(files, join(paths.state, FILE));
    return read.state === "read" && isKnown(read.value, key) ? read.value : null;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

function isKnown(value: unknown, key: Key): value is Known {
  if (!isRecord(value) || !isRecord(value.set) || !Array.isArray(value.stores) || !Array.isArray(value.formats))
    return false;
  const { build, file, home, stamp, set, stores, formats } = value;
  if (build !== key.build || file !== key.file || home !== key.home || stamp !== key.stamp) return false;
  return (
    Object.entries(set).every(([path, item]) => isOfKind(path, item)) &&
    stores.every(isStore) &&
    formats.every(isFormat)
  );
}

function isOfKind(path: string, value: unknown): boolean {
  const kind = KEYS.find((key) => key.path === path)?.kind;
  if (kind === "number" || kind === "boolean") return typeof value === kind;
  return kind === "texts" || kind === "paths" ? isTexts(value) : kind !== undefined && typeof value === "string";
}

function isStore(value: unknown): value is StoreConfig {
  if (!isRecord(value)) return false;
  const { name, memory, sessions, logs, format, project, layout, shared, paused } = value;
  return (
    typeof memory === "string" &&
    [name, format, project].every(isTextOrNull) &&
    [layout, shared].every((item) => typeof item === "string") &&
    isTexts(sessions) &&
    isTexts(logs) &&
    typeof paused === "boolean"
  );
}

function isFormat(value: unknown): value is FormatConfig {
  if (!isRecord(value)) return false;
  const { name, folders, speaker, text, time, cwd, id, session, user, assistant, tool } = value;
  return (
    [name, speaker, text].every((item) => typeof item === "string") &&
    [time, cwd, id, session].every(isTextOrNull) &&
    [folders, user, assistant, tool].every(isTexts)
  );
}

const isTextOrNull = (item: unknown) => item === null || typeof item === "string";

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
