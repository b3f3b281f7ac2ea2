/** The effective configuration: typed, with where each value came from. */
import { join } from "node:path";
import { MemdError } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import { checkConfig, type Problem, type StoreConfig, type Values } from "./check.ts";
import type { KeyValue } from "./keys.ts";
import type { Paths } from "./paths.ts";

export interface Config {
  readonly discover: boolean;
  readonly gates: { readonly minHours: number; readonly minSessions: number; readonly scanMinutes: number; readonly backlogHours: number; readonly expiringDays: number };
  readonly sources: {
    readonly headless: "auto" | "include" | "ignore";
    readonly ignore: { readonly projects: readonly string[]; readonly paths: readonly string[]; readonly sessions: readonly string[]; readonly text: readonly string[] };
  };
  readonly dream: { readonly distiller: "extractive"; readonly maxMinutes: number; readonly evidenceTokens: number; readonly timeZone: string | null };
  readonly budget: { readonly maxDayUsd: number; readonly maxMonthUsd: number; readonly maxDayTokens: number };
  readonly retention: { readonly ledgerDays: number; readonly briefDays: number; readonly archiveDays: number };
  readonly log: { readonly level: "info" | "debug" | "warn" | "error" };
  readonly stores: readonly StoreConfig[];
}

export interface LoadedConfig {
  readonly config: Config;
  readonly values: Values;
  /** The file that was read; null when there is none. */
  readonly file: string | null;
}

/** Builds the nested object from dotted paths; the key table's kinds guarantee the leaf types that `Config` names. */
function nest(keys: ReadonlyMap<string, KeyValue>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [path, value] of keys) {
    const parts = path.split(".");
    let group = root;
    for (const part of parts.slice(0, -1)) {
      const inner = isRecord(group[part]) ? group[part] : {};
      group[part] = inner;
      group = inner;
    }
    group[parts.at(-1) ?? path] = value;
  }
  return root;
}

/** Typed configuration of checked values; the key table's kinds guarantee the leaf types. */
export function configOf(values: Values): Config {
  return { ...nest(values.keys), stores: values.stores } as unknown as Config;
}

function misconfigured(file: string, problems: readonly Problem[], cause?: unknown): MemdError {
  const lines = problems.map((problem) => `${problem.path || "file"}: ${problem.message}`);
  return new MemdError({
    code: "bad-config",
    family: "misconfigured",
    message: `${file} is not valid: ${lines.join("; ")}`,
    hint: `Mend ${file} (memd config check shows every problem), or remove it to use the defaults.`,
    cause,
  });
}

const CACHE = "config-cache.json";

/**
 * Loads the configuration. The parsed file is cached in the state directory by size and mtime, since the YAML parser alone costs
 * more than half of what `memd status` may take (55 ms against a bare start of 95 ms).
 * @throws MemdError `bad-config` (misconfigured) when the file is not valid
 */
export async function loadConfig(files: Files, paths: Paths): Promise<LoadedConfig> {
  const stat = files.stat(paths.configFile);
  if (!stat) {
    const { values } = checkConfig(null);
    return { config: configOf(values), values, file: null };
  }
  const raw = cached(files, paths, `${stat.mtime}:${stat.size}:${stat.ino}`) ?? (await parse(files, paths, `${stat.mtime}:${stat.size}:${stat.ino}`));
  const { values, problems } = checkConfig(raw.value);
  if (problems.length > 0) throw misconfigured(paths.configFile, problems);
  return { config: configOf(values), values, file: paths.configFile };
}

function cached(files: Files, paths: Paths, stamp: string): { value: unknown } | null {
  const read = readJson(files, join(paths.state, CACHE));
  if (read.state !== "read" || !isRecord(read.value)) return null;
  return read.value["file"] === paths.configFile && read.value["stamp"] === stamp ? { value: read.value["value"] } : null;
}

const MAX_CONFIG_BYTES = 1 << 20;

async function parse(files: Files, paths: Paths, stamp: string): Promise<{ value: unknown }> {
  const bytes = files.read(paths.configFile);
  if (bytes.length > MAX_CONFIG_BYTES) throw misconfigured(paths.configFile, [{ path: "", message: "larger than 1 MB" }]);
  const { parseYaml } = await import("../base/yaml.ts");
  const parsed = parseYaml(bytes.toString("utf8"));
  if (parsed.problem !== null) throw misconfigured(paths.configFile, [{ path: "", message: parsed.problem }]);
  try {
    writeJson(files, join(paths.state, CACHE), { file: paths.configFile, stamp, value: parsed.value }, "config");
  } catch (error) {
    // A state directory that cannot be written is reported by the run itself; reading the configuration must still work.
    if (!(error instanceof Error)) throw error;
  }
  return { value: parsed.value };
}
