/**
 * The one home of the YAML parser, set so that hostile text stays data: CORE schema (no dates, no `yes`, no octal `0123`),
 * string keys only, no merge keys, no aliases (an alias bomb expands by reference and explodes when it is printed).
 */
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";

export interface YamlRead {
  /** Plain data; null for an empty document and when there is a problem. */
  readonly value: unknown;
  /** What the parser says, with line and column; null when all is well. */
  readonly problem: string | null;
  readonly duplicateKey: boolean;
}

/** Far above what a person nests by hand. */
const MAX_DEPTH = 64;

/**
 * The parser recurses, and V8 ends the whole process (not with an exception) when a pattern is compiled near the end of the stack:
 * 8,000 opening brackets did it. Brackets inside quotes count too, which only sends odd texts away.
 */
function tooDeep(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "[" || char === "{") depth++;
    else if ((char === "]" || char === "}") && depth > 0) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return /(?:[-?:][ \t]+){64}/.test(text) || /^[ \t]{200}/m.test(text);
}

const SAFE = { schema: "core", version: "1.2", merge: false, uniqueKeys: true, stringKeys: true } as const;

/** Reads one YAML document; never throws. */
export function parseYaml(text: string): YamlRead {
  if (tooDeep(text)) return { value: null, problem: `nested deeper than ${MAX_DEPTH} levels`, duplicateKey: false };
  try {
    const document = parseDocument(text, {
      ...SAFE,
      logLevel: "silent",
    });
    const error = document.errors[0];
    if (!error) return { value: document.toJS({ maxAliasCount: 0 }) ?? null, problem: null, duplicateKey: false };
    const problem = (error.message.split("\n")[0] ?? "").replace(/:$/, "");
    return { value: null, problem, duplicateKey: error.code === "DUPLICATE_KEY" };
  } catch (error) {
    // Aliases and very deep nesting (the parser recurses) end up here.
    return { value: null, problem: error instanceof Error ? error.message : String(error), duplicateKey: false };
  }
}

export interface YamlFault {
  /** From 1; null where the parser gives none. */
  readonly line: number | null;
  readonly message: string;
}

export interface YamlFile {
  /** Plain data; null for an empty document and when there is a fault. */
  readonly value: unknown;
  readonly faults: readonly YamlFault[];
  /** Line of a key or list item, else of the innermost group above it that is there; from 1. */
  lineOf(at: readonly (string | number)[]): number | null;
}

const MAX_FAULTS = 20;

/**
 * Reads a YAML file that a person writes: every fault with its line, and the lines of what it says. Never throws. A fault's message never
 * repeats what stands in the file, which may be a secret in the wrong place.
 */
export function readYamlFile(text: string): YamlFile {
  const none = { value: null, lineOf: () => null };
  if (tooDeep(text)) return { ...none, faults: [{ line: null, message: `nested deeper than ${MAX_DEPTH} levels` }] };
  try {
    const lines = new LineCounter();
    // A second document is an error at this level only; the parser prints nothing by itself.
    const document = parseDocument(text, {
      ...SAFE,
      logLevel: "error",
      lineCounter: lines,
    });
    const lineAt = (offset: number | undefined) => (offset === undefined ? null : lines.linePos(offset).line || null);
    const faults = [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
      line: lineAt(pos[0]),
      message: FAULTS[code] ?? message.replace(/ at line \d+.*$|: ".*$|\n.*$/s, ""),
    }));
    faults.push(
      ...aliases(document).map((offset) => ({
        line: lineAt(offset),
        message: "an alias (*name) is not read: write its value out",
      })),
    );
    if (faults.length > 0) return { ...none, faults: faults.slice(0, MAX_FAULTS) };
    const value: unknown = document.toJS({ maxAliasCount: 0 }) ?? null;
    return { value, faults: [], lineOf: (at) => lineAt(placeOf(document, at)) };
  } catch (error) {
    // Very deep nesting ends up here: the parser recurses.
    return {
      ...none,
      faults: [{ line: null, message: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) }],
    };
  }
}

/** Where the parser's own words say little to a person. */
const FAULTS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: "this key stands twice in its group",
  MULTIPLE_DOCS: "a second document begins here (---): only one is read",
  TAG_RESOLVE_FAILED: "a tag (!name) is not read: remove it",
  NON_STRING_KEY: "a key must be a text",
  UNEXPECTED_TOKEN: "something stands here that does not belong",
  BAD_DQ_ESCAPE: "no such escape in double quotes: use single quotes, or \\\\ for a backslash",
};

function aliases(document: Document.Parsed): (number | undefined)[] {
  const found: (number | undefined)[] = [];
  visit(document, {
    Alias: (_, node) => {
      found.push(node.range?.[0]);
      return found.length < MAX_FAULTS ? undefined : visit.BREAK;
    },
  });
  return found;
}

/** Offset of the key or item, as far down as the document goes along `at`. */
function placeOf(document: Document.Parsed, at: readonly (string | number)[]): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const part of at) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
      if (!pair) return offset;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof part === "number") {
      node = node.items[part];
      if (isMap(node) || isSeq(node) || isScalar(node) || isAlias(node)) offset = node.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}

/** A double-quoted YAML scalar on one line; every YAML and JSON reader gets the same text back. */
export function quoteYaml(text: string): string {
  // JSON leaves NEL, U+2028, U+2029 and BOM as they are, and YAML 1.1 readers take them for line ends.
  const escaped = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text).replace(/[\u007F-\u009F\u2028\u2029\uFEFF]/g, escaped);
}
