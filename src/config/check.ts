/** Validates a parsed configuration against the key table; unknown keys are refused with the nearest right name. */
import { isRecord } from "../base/json.ts";
import { KEYS, type Key, type KeyValue, STORE_KEYS } from "./keys.ts";
import { nearest } from "./nearest.ts";

export interface StoreConfig {
  readonly name: string | null;
  readonly memory: string;
  readonly sessions: readonly string[];
  readonly logs: readonly string[];
  readonly project: string | null;
  readonly paused: boolean;
}

export interface Values {
  /** By dotted path; every key of the table is present. */
  readonly keys: ReadonlyMap<string, KeyValue>;
  /** Dotted paths that the file set. */
  readonly set: ReadonlySet<string>;
  readonly stores: readonly StoreConfig[];
}

export interface Problem {
  /** Dotted path, `stores[0].memory`. */
  readonly path: string;
  readonly message: string;
}

/** Null when the value fits; else what would. */
function misfit(key: Key, value: unknown): string | null {
  switch (key.kind) {
    case "number": {
      const fits = typeof value === "number" && Number.isFinite(value) && value >= key.min && value <= key.max;
      return fits ? null : `must be a number from ${key.min} to ${key.max}`;
    }
    case "boolean":
      return typeof value === "boolean" ? null : "must be true or false";
    case "text":
      return typeof value === "string" && value.length > 0 && value.length <= 4_096 ? null : "must be a text";
    case "choice":
      return typeof value === "string" && key.choices.includes(value) ? null : `must be one of ${key.choices.join(", ")}`;
    case "texts": {
      const fits = Array.isArray(value) && value.length <= 1_000 && value.every((item) => typeof item === "string");
      return fits ? null : "must be a list of texts";
    }
  }
}

function flatten(value: Record<string, unknown>, known: readonly Key[], prefix = ""): [string, unknown][] {
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const path = `${prefix}${name}`;
    const isGroup = known.some((key) => key.path.startsWith(`${path}.`));
    return isGroup && isRecord(inner) ? flatten(inner, known, `${path}.`) : [[path, inner]];
  });
}

function unknownKey(path: string, known: readonly Key[], where: string): Problem {
  const near = nearest(path, [...known.map((key) => key.path), ...(where ? [] : ["stores"])]);
  return { path: `${where}${path}`, message: near ? `unknown key; did you mean ${near}?` : "unknown key" };
}

function readKeys(value: Record<string, unknown>, known: readonly Key[], where: string) {
  const keys = new Map<string, KeyValue>(known.map((key) => [key.path, key.default]));
  const set = new Set<string>();
  const problems: Problem[] = [];
  for (const [path, inner] of flatten(value, known)) {
    const key = known.find((candidate) => candidate.path === path);
    if (!key) {
      problems.push(unknownKey(path, known, where));
      continue;
    }
    if (inner === null && key.default === null) continue;
    const wrong = misfit(key, inner);
    if (wrong) problems.push({ path: `${where}${path}`, message: wrong });
    else {
      keys.set(path, inner as KeyValue);
      set.add(path);
    }
  }
  return { keys, set, problems };
}

const asTexts = (value: KeyValue | undefined) => (Array.isArray(value) ? (value as readonly string[]) : []);
const asText = (value: KeyValue | undefined) => (typeof value === "string" ? value : null);

function readStore(value: unknown, index: number): { store: StoreConfig | null; problems: Problem[] } {
  const where = `stores[${index}].`;
  if (!isRecord(value)) return { store: null, problems: [{ path: `stores[${index}]`, message: "must be a group of keys" }] };
  const { keys, problems } = readKeys(value, STORE_KEYS, where);
  const memory = asText(keys.get("memory"));
  if (!memory) return { store: null, problems: [...problems, { path: `${where}memory`, message: "is required" }] };
  const store: StoreConfig = {
    name: asText(keys.get("name")),
    memory,
    sessions: asTexts(keys.get("sessions")),
    logs: asTexts(keys.get("logs")),
    project: asText(keys.get("project")),
    paused: keys.get("paused") === true,
  };
  return { store, problems };
}

/** Patterns of `sources.ignore.text` must compile; a bad one would otherwise let through what it should hide. */
function badPatterns(patterns: readonly string[]): Problem[] {
  return patterns.flatMap((pattern, index) => {
    try {
      new RegExp(pattern, "iu");
      return [];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return [{ path: `sources.ignore.text[${index}]`, message: why }];
    }
  });
}

/** Checks any parsed YAML; never throws. `values` is usable even when there are problems: what was wrong keeps its default. */
export function checkConfig(value: unknown): { values: Values; problems: readonly Problem[] } {
  if (value !== null && value !== undefined && !isRecord(value)) {
    const { values } = checkConfig(null);
    return { values, problems: [{ path: "", message: "the file must hold a group of keys" }] };
  }
  const { stores: rawStores, ...rest } = value ?? {};
  const { keys, set, problems } = readKeys(rest, KEYS, "");
  const list = rawStores === undefined || rawStores === null ? [] : rawStores;
  const read = Array.isArray(list) ? list.slice(0, 1_000).map(readStore) : [];
  const notList: Problem[] = Array.isArray(list) ? [] : [{ path: "stores", message: "must be a list" }];
  return {
    values: { keys, set, stores: read.flatMap((item) => (item.store ? [item.store] : [])) },
    problems: [...problems, ...notList, ...read.flatMap((item) => item.problems), ...badPatterns(asTexts(keys.get("sources.ignore.text")))],
  };
}
