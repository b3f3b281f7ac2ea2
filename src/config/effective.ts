/** Where each value in effect came from: a flag, the environment, the file, or the defaults. */
import type { Values } from "./check.ts";
import { KEYS, type KeyValue } from "./keys.ts";
import type { Env, Paths } from "./paths.ts";

export type From = "flag" | "environment" | "file" | "default";

export interface EffectiveKey {
  readonly key: string;
  readonly value: KeyValue;
  readonly from: From;
  readonly default: KeyValue;
  readonly reason: string;
}

/** @param flags values that flags give, by dotted path */
export function effectiveKeys(values: Values, flags: ReadonlyMap<string, KeyValue>): EffectiveKey[] {
  return KEYS.map(({ path, default: preset, reason }) => {
    const flag = flags.get(path);
    const from: From = flag !== undefined ? "flag" : values.set.has(path) ? "file" : "default";
    return { key: path, value: flag ?? values.keys.get(path) ?? preset, from, default: preset, reason };
  });
}

export interface EffectivePath {
  readonly name: "config" | "state" | "claude";
  readonly path: string;
  readonly from: From;
  /** The variable that decided; null for the platform's own place. */
  readonly variable: string | null;
}

/** Where memd looks and keeps, and which variable says so. */
export function effectivePaths(env: Env, paths: Paths): EffectivePath[] {
  const decided = (name: string) => env[name] && (name === "MEMD_CONFIG" || env[name]?.startsWith("/"));
  const entry = (name: EffectivePath["name"], path: string, variables: readonly string[]): EffectivePath => {
    const variable = variables.find(decided) ?? null;
    return { name, path, from: variable === null ? "default" : "environment", variable };
  };
  return [
    entry("config", paths.configFile, ["MEMD_CONFIG", "XDG_CONFIG_HOME"]),
    entry("state", paths.state, ["XDG_STATE_HOME"]),
    entry("claude", paths.claude, ["CLAUDE_CONFIG_DIR"]),
  ];
}

export interface EffectiveVariable {
  readonly variable: string;
  /** Null when it is not set, and always for a secret. */
  readonly value: string | null;
  readonly set: boolean;
  /** Why a variable that is set counts for nothing, or null. */
  readonly ignored: string | null;
}

interface Variable {
  readonly name: string;
  readonly secret?: boolean;
  /** A relative path in it is ignored, as the XDG specification says. */
  readonly absolute?: boolean;
}

/** Every variable of the command line contract. */
const VARIABLES: readonly Variable[] = [
  { name: "MEMD_CONFIG" },
  { name: "XDG_CONFIG_HOME", absolute: true },
  { name: "XDG_STATE_HOME", absolute: true },
  { name: "XDG_DATA_HOME", absolute: true },
  { name: "XDG_RUNTIME_DIR", absolute: true },
  { name: "HOME", absolute: true },
  { name: "CLAUDE_CONFIG_DIR", absolute: true },
  { name: "CODEX_HOME", absolute: true },
  { name: "PI_CODING_AGENT_DIR", absolute: true },
  { name: "OPENCLAW_STATE_DIR", absolute: true },
  { name: "ANTHROPIC_API_KEY", secret: true },
  { name: "ANTHROPIC_AUTH_TOKEN", secret: true },
  { name: "ANTHROPIC_BASE_URL" },
];

/** Every variable of the contract; never a secret, and no password inside a URL. */
export function effectiveVariables(env: Env): EffectiveVariable[] {
  return VARIABLES.map(({ name, secret, absolute }) => {
    const value = env[name] ?? "";
    const ignored = absolute === true && value !== "" && !value.startsWith("/") ? "not an absolute path" : null;
    const shown = value === "" || secret === true ? null : withoutPassword(value);
    return { variable: name, value: shown, set: value !== "", ignored };
  });
}

/** A URL may carry a name and a password, or a token in its query. */
function withoutPassword(value: string): string {
  return value.replace(/\/\/[^/@\s]*@/, "//…@").replace(/\?.*$/, "?…");
}
