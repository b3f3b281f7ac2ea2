/** Reads one group of a parsed file by its table of keys; unknown keys are refused with the nearest right name. */

import { isRecord } from "../base/json.ts";
import { cronProblem } from "./cron.ts";
import type { Key, KeyValue } from "./keys.ts";
import { kindOf, misfit, misfitItem } from "./misfit.ts";
import { nearest } from "./nearest.ts";
import { expandHome } from "./paths.ts";
import { type At, type Problem, problem } from "./problem.ts";

/** Beyond this many a file is not a configuration with mistakes, but something else. */
export const MAX_PROBLEMS = 100;

/** One table of keys, and where its group stands in the file. */
export interface Table {
  readonly known: readonly Key[];
  readonly at: At;
  /** Names that are no keys of the table, but right. */
  readonly beside: readonly string[];
  readonly home: string;
}

export interface Found {
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
    const wrong = misfitItem(kind, item) ?? MEANINGS[at.join(".")]?.(String(item)) ?? null;
    return wrong === null ? [] : [problem([...at, index], wrong)];
  });
}

/** Keys whose texts mean something. */
const MEANINGS: Readonly<Record<string, (text: string) => string | null>> = {
  "sources.ignore.text": badPattern,
  "daemon.windows": cronProblem,
};

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

export function readTable(value: Record<string, unknown>, table: Table): Found {
  const into: Found = {
    keys: new Map(table.known.map((key) => [key.path, key.default])),
    set: new Set(),
    problems: [],
  };
  readGroup(value, table, into);
  return into;
}

export const asTexts = (value: KeyValue | undefined) => (Array.isArray(value) ? (value as readonly string[]) : []);
export const asText = (value: KeyValue | undefined) => (typeof value === "string" ? value : null);

const MAX_ITEMS = 1_000;

/** A list of groups that share a table, each read on its own. Items that could not be read are null, so that places stay. */
export function readItems<T>(
  value: unknown,
  name: string,
  read: (item: unknown, at: At) => { readonly item: T | null; readonly problems: readonly Problem[] },
): { readonly items: readonly (T | null)[]; readonly problems: readonly Problem[] } {
  if (value === undefined || value === null) return { items: [], problems: [] };
  if (!Array.isArray(value)) return { items: [], problems: [problem([name], `must be a list, not ${kindOf(value)}`)] };
  if (value.length > MAX_ITEMS)
    return { items: [], problems: [problem([name], `must not have more than ${MAX_ITEMS} items`)] };
  const found = value.map((item, index) => read(item, [name, index]));
  return { items: found.map(({ item }) => item), problems: found.flatMap(({ problems }) => problems) };
}
