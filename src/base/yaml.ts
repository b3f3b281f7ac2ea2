/**
 * The one home of the YAML parser, set so that hostile text stays data: CORE schema (no dates, no `yes`, no octal `0123`),
 * string keys only, no merge keys, no aliases (an alias bomb expands by reference and explodes when it is printed).
 */
import { parseDocument } from "yaml";

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

/** Reads one YAML document; never throws. */
export function parseYaml(text: string): YamlRead {
  if (tooDeep(text)) return { value: null, problem: `nested deeper than ${MAX_DEPTH} levels`, duplicateKey: false };
  try {
    const document = parseDocument(text, {
      schema: "core",
      version: "1.2",
      merge: false,
      uniqueKeys: true,
      stringKeys: true,
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

/** A double-quoted YAML scalar on one line; every YAML and JSON reader gets the same text back. */
export function quoteYaml(text: string): string {
  // JSON leaves NEL, U+2028, U+2029 and BOM as they are, and YAML 1.1 readers take them for line ends.
  const escaped = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text).replace(/[\u007F-\u009F\u2028\u2029\uFEFF]/g, escaped);
}
