/** Validates a parsed configuration against the key table; unknown keys are refused with the nearest right name. */
import { isRecord } from "../base/json.ts";
import { KEYS, type Key, type KeyValue, STORE_KEYS } from "./keys.ts";
import { kindOf, misfit, misfitItem } from "./misfit.ts";
import { nearest } from "./nearest.ts";
import { expandHome } from "./paths.ts";
import { type At, type Problem, problem } from "./problem.ts";
import { storeProblems } from "./store-problems.ts";

export type { Problem } from "./problem.ts";

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

/** Beyond this many a file is not a configuration with mistakes, but something else. */
const MAX_PROBLEMS = 100;

/** One table of keys, and where its group stands in the file. */
interface Table {
  readonly known: readonly Key[];
  readonly at: At;
  /** Names that are no keys of the table, but right. */
  readonly beside: readonly string[];
  readonly home: string;
}

interface Found {
  readonly keys: Map<string, KeyValue>;
  readonly set: Set<string>;
  readonly problems: Problem[];
}

const SECRET = /key|token|secret|passw|credential/i;

function unknownKey(path: readonly string[], { known, at, beside }: Table): Problem {
  const name = path.join(".");
  const where = [...at, ...path];
  if (known.some((key) => key.path === name))
    return problem(where, "write the groups as groups: one key per level, not joined by dots");
  if (SECRET.test(name))
    return problem(
      where,
      "unknown key; secrets do not belong here: set ANTHROPIC_API_KEY in the environment, and take it out of this file",
    );
  const right = [...known.map((key) => key.path), ...groupsOf(known), ...beside];
  const near = nearest(name, right) ?? nearestLeaf(name, known);
  return problem(where, near ? `unknown key; did you mean ${near}?` : "unknown key");
}

function groupsOf(known: readonly Key[]): string[] {
  const parents = known.flatMap(({ path }) =>
    path
      .split(".")
      .slice(0, -1)
      .map((_, i, parts) => parts.slice(0, i + 1).join(".")),
  );
  return [...new Set(parents)];
}

/** `minHours` at the top, or `scanMinutes` in the wrong group. */
function nearestLeaf(name: string, known: readonly Key[]): string | null {
  const leaf = (path: string) => path.slice(path.lastIndexOf(".") + 1);
  const near = nearest(
    leaf(name),
    known.map((key) => leaf(key.path)),
  );
  return known.find((key) => near !== null && leaf(key.path) === near)?.path ?? null;
}

/** Goes down the groups that the table knows; what it does not know is refused as a whole. */
function readGroup(value: Record<string, unknown>, table: Table, into: Found, path: readonly string[] = []): void {
  for (const [name, inner] of Object.entries(value)) {
    if (into.problems.length >= MAX_PROBLEMS) return;
    const here = [...path, name];
    const key = table.known.find(
      (candidate) => candidate.path === here.join(".") && candidate.path.split(".").length === here.length,
    );
    const isGroup =
      !name.includes(".") && table.known.some((candidate) => candidate.path.startsWith(`${here.join(".")}.`));
    if (key) readKey(key, inner, { at: [...table.at, ...here], home: table.home, into });
    else if (!isGroup) into.problems.push(unknownKey(here, table));
    else if (isRecord(inner)) readGroup(inner, table, into, here);
    // A group whose keys are all commented out is an empty one.
    else if (inner !== null)
      into.problems.push(problem([...table.at, ...here], `must be a group of keys, not ${kindOf(inner)}`));
  }
}

function readKey(key: Key, value: unknown, { at, home, into }: { at: At; home: string; into: Found }): void {
  const wrong = misfit(key, value);
  const items =
    wrong === null && Array.isArray(value) && (key.kind === "texts" || key.kind === "paths")
      ? itemProblems(key.kind, value, at)
      : [];
  if (wrong !== null) into.problems.push(problem(at, wrong));
  into.problems.push(...items);
  if (wrong !== null || items.length > 0 || value === null) return;
  into.keys.set(key.path, key.kind === "path" || key.kind === "paths" ? expanded(value, home) : (value as KeyValue));
  into.set.add(key.path);
}

function expanded(value: unknown, home: string): KeyValue {
  return Array.isArray(value) ? value.map((item) => expandHome(String(item), home)) : expandHome(String(value), home);
}

function itemProblems(kind: "texts" | "paths", items: readonly unknown[], at: At): Problem[] {
  return items.flatMap((item, index) => {
    const wrong = misfitItem(kind, item) ?? (at.join(".") === "sources.ignore.text" ? badPattern(String(item)) : null);
    return wrong === null ? [] : [problem([...at, index], wrong)];
  });
}

/** A pattern that does not compile would let through what it should hide. */
function badPattern(pattern: string): string | null {
  try {
    new RegExp(pattern, "iu");
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return "is not a regular expression";
  }
}

function readTable(value: Record<string, unknown>, table: Table): Found {
  const into: Found = {
    keys: new Map(table.known.map((key) => [key.path, key.default])),
    set: new Set(),
    problems: [],
  };
  readGroup(value, table, into);
  return into;
}

const asTexts = (value: KeyValue | undefined) => (Array.isArray(value) ? (value as readonly string[]) : []);
const asText = (value: KeyValue | undefined) => (typeof value === "string" ? value : null);

function readStore(value: unknown, index: number, home: string): { store: StoreConfig | null; problems: Problem[] } {
  const at: At = ["stores", index];
  if (!isRecord(value))
    return { store: null, problems: [problem(at, `must be a group of keys, not ${kindOf(value)}`)] };
  const { keys, problems } = readTable(value, { known: STORE_KEYS, at, beside: [], home });
  const memory = asText(keys.get("memory"));
  const isMissing = memory === null && !problems.some(({ path }) => path === `stores[${index}].memory`);
  if (isMissing) problems.push(problem([...at, "memory"], "is required: the memory directory of this store"));
  if (memory === null) return { store: null, problems };
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

const MAX_STORES = 1_000;

function readStores(value: unknown, home: string): { stores: readonly StoreConfig[]; problems: readonly Problem[] } {
  if (value === undefined || value === null) return { stores: [], problems: [] };
  if (!Array.isArray(value))
    return { stores: [], problems: [problem(["stores"], `must be a list, not ${kindOf(value)}`)] };
  if (value.length > MAX_STORES)
    return { stores: [], problems: [problem(["stores"], `must not have more than ${MAX_STORES} items`)] };
  const read = value.map((item, index) => readStore(item, index, home));
  const named = read.map(({ store }) => store);
  return {
    stores: named.flatMap((store) => store ?? []),
    problems: [...read.flatMap(({ problems }) => problems), ...storeProblems(named)],
  };
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
  const { stores: listed, ...rest } = value ?? {};
  const { keys, set, problems } = readTable(rest, { known: KEYS, at: [], beside: ["stores"], home });
  const { stores, problems: wrong } = readStores(listed, home);
  return { values: { keys, set, stores }, problems: [...problems, ...wrong].slice(0, MAX_PROBLEMS) };
}
