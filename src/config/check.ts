/** Validates a parsed configuration against the key tables. */
import { isRecord } from "../base/json.ts";
import type { Description } from "../ports.ts";
import { formatNamed, readFormats } from "./formats.ts";
import { KEYS, type KeyValue, STORE_KEYS } from "./keys.ts";
import { LAYOUTS, SHARED } from "./layouts.ts";
import { kindOf } from "./misfit.ts";
import { type At, type Problem, problem } from "./problem.ts";
import { storeProblems } from "./store-problems.ts";
import { asText, asTexts, MAX_PROBLEMS, readItems, readTable } from "./table.ts";

export type { Problem } from "./problem.ts";

export interface StoreConfig {
  readonly name: string | null;
  readonly memory: string;
  readonly sessions: readonly string[];
  readonly logs: readonly string[];
  /** A client, or a described format, by its full name. */
  readonly format: string | null;
  readonly project: string | null;
  readonly layout: (typeof LAYOUTS)[number];
  readonly shared: (typeof SHARED)[number];
  readonly paused: boolean;
}

export interface Values {
  /** By dotted path; every key of the table is present. */
  readonly keys: ReadonlyMap<string, KeyValue>;
  /** Dotted paths that the file set. */
  readonly set: ReadonlySet<string>;
  readonly stores: readonly StoreConfig[];
  readonly formats: readonly Description[];
}

function readStore(value: unknown, at: At, home: string): { item: StoreConfig | null; problems: readonly Problem[] } {
  if (!isRecord(value)) return { item: null, problems: [problem(at, `must be a group of keys, not ${kindOf(value)}`)] };
  const { keys, problems } = readTable(value, { known: STORE_KEYS, at, beside: [], home });
  const memory = asText(keys.get("memory"));
  const isMissing = memory === null && !problems.some(({ at: place }) => place.at(-1) === "memory");
  if (isMissing) problems.push(problem([...at, "memory"], "is required: the memory directory of this store"));
  if (memory === null) return { item: null, problems };
  const store: StoreConfig = {
    name: asText(keys.get("name")),
    memory,
    sessions: asTexts(keys.get("sessions")),
    logs: asTexts(keys.get("logs")),
    format: asText(keys.get("format")),
    project: asText(keys.get("project")),
    layout: LAYOUTS.find((layout) => layout === keys.get("layout")) ?? "auto",
    shared: SHARED.find((shared) => shared === keys.get("shared")) ?? "propose",
    paused: keys.get("paused") === true,
  };
  return { item: store, problems };
}

function withFormat(store: StoreConfig, described: readonly string[]): StoreConfig {
  return { ...store, format: store.format === null ? null : formatNamed(store.format, described) };
}

/**
 * Checks any parsed YAML; never throws. `values` is usable even when there are problems: what was wrong keeps its default.
 * @param home what `~` stands for; without it `~` stays as written
 */
export function checkConfig(value: unknown, home = "~"): { values: Values; problems: readonly Problem[] } {
  if (value !== null && value !== undefined && !isRecord(value)) {
    const { values } = checkConfig(null, home);
    return { values, problems: [problem([], `the file must hold a group of keys, not ${kindOf(value)}`)] };
  }
  const { stores: listed, formats: described, ...rest } = value ?? {};
  const { keys, set, problems } = readTable(rest, { known: KEYS, at: [], beside: ["stores", "formats"], home });
  const formats = readFormats(described, home);
  const stores = readItems(listed, "stores", (item, at) => readStore(item, at, home));
  const wrong = [...problems, ...formats.problems, ...stores.problems];
  const names = formats.formats.map(({ name }) => name);
  return {
    values: {
      keys,
      set,
      stores: stores.items.flatMap((store) => (store ? [withFormat(store, names)] : [])),
      formats: formats.formats,
    },
    problems: [...wrong, ...storeProblems(stores.items, names)].slice(0, MAX_PROBLEMS),
  };
}
