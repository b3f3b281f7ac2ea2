/** The effective configuration: typed, with where each value came from. */
import { MemdError, systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { isRecord } from "../base/json.ts";
import type { Description } from "../ports.ts";
import type { StoreConfig, Values } from "./check.ts";
import { DEFAULTS } from "./defaults.ts";
import type { KeyValue } from "./keys.ts";
import { knownConfig, rememberConfig } from "./known.ts";
import type { Paths } from "./paths.ts";
import type { ConfigRead, LocatedProblem } from "./read.ts";

export interface Config {
  readonly discover: boolean;
  readonly discoverOthers: boolean;
  readonly gates: {
    readonly minHours: number;
    readonly minSessions: number;
    readonly scanMinutes: number;
    readonly backlogHours: number;
    readonly expiringDays: number;
  };
  readonly person: { readonly enabled: boolean; readonly memory: string | null };
  readonly sources: {
    readonly headless: "auto" | "include" | "ignore";
    readonly ignore: {
      readonly projects: readonly string[];
      readonly paths: readonly string[];
      readonly sessions: readonly string[];
      readonly text: readonly string[];
    };
  };
  readonly dream: {
    readonly distiller: "extractive" | "anthropic" | "claude";
    readonly fence: "auto" | "required" | "off";
    readonly maxMinutes: number;
    readonly evidenceTokens: number;
    readonly timeZone: string | null;
  };
  readonly model: {
    readonly extract: string;
    readonly consolidate: string;
    readonly baseUrl: string | null;
    readonly auth: "auto" | "bearer" | "x-api-key";
    readonly apiKeyFile: string | null;
    /** Program and arguments. */
    readonly apiKeyCommand: readonly string[];
    readonly maxTokens: number;
    readonly parallel: number;
    readonly idleSeconds: number;
    readonly requestSeconds: number;
    readonly keepRatePercent: number;
    readonly batch: boolean;
    readonly tone: string | null;
    /** Per million tokens. */
    readonly inputUsd: number | null;
    readonly outputUsd: number | null;
  };
  readonly claude: {
    readonly path: string | null;
    readonly model: string | null;
    readonly maxTurns: number;
    readonly useKey: boolean;
  };
  readonly budget: Readonly<
    Record<`max${"Run" | "Day" | "Month"}${"Usd" | "Tokens" | "Requests"}` | `max${"Day" | "Month"}Minutes`, number>
  >;
  readonly daemon: {
    readonly watch: boolean;
    readonly debounceSeconds: number;
    readonly debounceMaxSeconds: number;
    /** Cron expressions. */
    readonly windows: readonly string[];
    readonly parallel: number;
  };
  readonly log: { readonly level: "info" | "debug" | "warn" | "error" };
  readonly publish: { readonly maxBytes: number; readonly user: boolean };
  /** Ages in days, sizes in megabytes of 1,048,576 bytes. */
  readonly retention: Readonly<
    Record<`${"ledger" | "undo" | "cache" | "brief" | "archive" | "log"}${"Days" | "Megabytes"}`, number>
  >;
  readonly stores: readonly StoreConfig[];
  readonly formats: readonly Description[];
}

export interface LoadedConfig {
  readonly config: Config;
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
  return { ...nest(values.keys), stores: values.stores, formats: values.formats } as unknown as Config;
}

/** Enough to mend; `memd config check` shows the rest. */
const SHOWN = 5;

/** `file:3: key: what is wrong`; the place leads, as compilers and editors have it. Without a file `line 3: key: ...`. */
export function problemText(file: string | null, { path, line, message }: LocatedProblem): string {
  const place = line === null ? file : file === null ? `line ${line}` : `${file}:${line}`;
  return [place, path, message].filter((part) => part !== null && part !== "").join(": ");
}

/** The error of a file that is not valid. @param named MEMD_CONFIG names the file */
export function misconfigured({ file, problems }: Pick<ConfigRead, "file" | "problems">, named: boolean): MemdError {
  const name = file ?? "the configuration";
  const lines = problems.slice(0, SHOWN).map((item) => problemText(null, item));
  const more = problems.length > SHOWN ? [`and ${problems.length - SHOWN} more`] : [];
  return new MemdError({
    code: "bad-config",
    family: "misconfigured",
    message: `${name} is not valid: ${[...lines, ...more].join("; ")}`,
    hint: `Mend ${name} (memd config check shows every problem), or ${named ? "unset MEMD_CONFIG" : "remove it"} to use the defaults.`,
  });
}

/**
 * Loads the configuration; a file that was checked before is neither parsed nor checked again.
 * @param token names the temp file of what is remembered of the check; unique where several processes may start at once
 * @throws MemdError `bad-config` (misconfigured) when the file is not valid, cannot be read, or is named by MEMD_CONFIG and not there
 */
export async function loadConfig(files: Files, paths: Paths, token = () => "config"): Promise<LoadedConfig> {
  const stamp = stampOf(files, paths);
  if (stamp === null) return { config: DEFAULTS, file: null };
  const known = knownConfig(files, paths, stamp);
  if (known !== null) return { config: known as unknown as Config, file: paths.configFile };
  const { readConfig } = await import("./read.ts");
  const read = readConfig(files, paths);
  if (read.problems.length > 0) throw misconfigured(read, paths.configNamed);
  const config = configOf(read.values);
  rememberConfig(files, paths, { stamp, config, token: token() });
  return { config, file: read.file };
}

/** Names one version of the file; null when there is none and none was asked for; empty when only reading it tells what is wrong. */
function stampOf(files: Files, { configFile, configNamed }: Paths): string | null {
  try {
    const stat = files.stat(configFile);
    if (stat?.kind === "file") return `${stat.mtime}:${stat.size}:${stat.ino}`;
    return stat === null && !configNamed && files.lstat(configFile) === null ? null : "";
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return "";
  }
}
