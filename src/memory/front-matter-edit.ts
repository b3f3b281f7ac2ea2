/** Changes front matter as text: what is not edited stays byte for byte, what is written is quoted and read back. */
import { isRecord } from "../base/json.ts";
import { quoteYaml } from "../base/yaml.ts";
import { readFrontMatter } from "./front-matter.ts";
import { type KeyLine, keyLines } from "./key-lines.ts";
import type { MemoryType } from "./model.ts";

export type EditedValue = string | boolean;

/** Words of closed lists stand bare, as the agents write them; all else is quoted. */
function scalar(path: string, value: EditedValue): string {
  if (typeof value === "boolean") return String(value);
  return /(^|\.)(node_)?type$/.test(path) && /^[a-z]+$/.test(value) ? value : quoteYaml(value);
}

/** A comment behind the value: only where it cannot be part of the value's own words. */
function commentOf(line: KeyLine): string {
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(\s+#.*)$/.exec(line.raw);
  if (quoted) return quoted[1] ?? "";
  if (/(^|\.)(name|description)$/.test(line.path)) return "";
  return /^[^"'|>]\S*(\s+#.*)$/.exec(line.raw)?.[1] ?? "";
}

interface Place {
  readonly text: string;
  readonly eol: string;
}

function replaceValue({ text }: Place, line: KeyLine, value: EditedValue): string {
  return `${text.slice(0, line.colon)} ${scalar(line.path, value)}${commentOf(line)}${text.slice(line.end)}`;
}

function insertAfter({ text, eol }: Place, at: number, added: string): string {
  const head = text.slice(0, at);
  // An empty block has no line to follow.
  return head === "" ? added + (text === "" ? "" : eol + text) : head + eol + added + text.slice(at);
}

function insertKey(place: Place, path: string, value: EditedValue): string | null {
  const lines = keyLines(place.text);
  const [parent = "", child] = path.split(".");
  // Behind the last line that says something, its trailing blanks included.
  const end = place.text.replace(/(?:\r?\n[ \t]*)+$/, "").length;
  if (child === undefined) return insertAfter(place, end, `${path}: ${scalar(path, value)}`);
  const map = lines.find((l) => l.path === parent);
  if (!map) return insertAfter(place, end, `${parent}:${place.eol}  ${child}: ${scalar(path, value)}`);
  const siblings = lines.filter((l) => l.path.startsWith(`${parent}.`));
  const last = siblings.at(-1);
  // A flow map (`metadata: {type: user}`) or an odd value has no line to add to.
  return last ? insertAfter(place, last.end, `${last.indent}${child}: ${scalar(path, value)}`) : null;
}

/** A name or a time has one line. Keys and list items below another value belong to nothing that YAML knows. None of it must go with the value. */
function hidesKeys(text: string, line: KeyLine): boolean {
  const below = text.slice(line.lineEnd, line.end);
  if (/^["'|>[{]/.test(line.raw) || line.raw === "") return false;
  if (/(^|\.)(?:name|modified|created)$/.test(line.path)) return below.trim() !== "";
  return /^[ \t]*-(?:[ \t]|$)/m.test(below) || keyLines(below.replace(/^[ \t]+/gm, "")).length > 0;
}

function editInner(place: Place, path: string, value: EditedValue): string | null {
  const found = keyLines(place.text).filter((l) => l.path === path);
  const line = found[0];
  if (!line) return insertKey(place, path, value);
  // Twice the same key: nobody can say which one counts. No value: a map or a list stands below.
  const isTree = line.raw === "" && line.end !== line.lineEnd;
  return found.length > 1 || isTree || hidesKeys(place.text, line) ? null : replaceValue(place, line, value);
}

/** `a.b` → value for all leaves; lists and odd values as JSON, which is enough to compare them. */
function leaves(data: Readonly<Record<string, unknown>>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(data)) {
    if (!isRecord(value)) found.set(JSON.stringify([key]), JSON.stringify(value) ?? "");
    else for (const [k, v] of Object.entries(value)) found.set(JSON.stringify([key, k]), JSON.stringify(v) ?? "");
  }
  return found;
}

function readsBack(before: string, after: string, edits: Readonly<Record<string, EditedValue>>): boolean {
  const old = readFrontMatter(before);
  const now = readFrontMatter(after);
  if (!now.block || now.locked || before.slice(old.body) !== after.slice(now.body)) return false;
  const expected = leaves(old.data);
  for (const [path, value] of Object.entries(edits))
    expected.set(JSON.stringify(path.split(".")), JSON.stringify(value));
  const found = leaves(now.data);
  // `metadata:` without children reads as null and becomes a map with the first child.
  for (const key of expected.keys()) if (key === '["metadata"]' && !found.has(key)) expected.delete(key);
  const loose = (text: string | undefined) => text?.replace(/^"(true|false)"$/, "$1");
  return expected.size === found.size && [...expected].every(([key, value]) => loose(found.get(key)) === loose(value));
}

/**
 * Sets keys in place. Paths are `name` or `metadata.modified`; a missing key is added at the end of its map.
 * @returns the whole new text, or null when it cannot be done without touching anything else: the file is then locked
 */
export function editFrontMatter(text: string, edits: Readonly<Record<string, EditedValue>>): string | null {
  const read = readFrontMatter(text);
  if (!read.inner || read.locked) return null;
  const eol = /\r?\n/.exec(text.slice(read.inner.start, read.body))?.[0] ?? "\n";
  let inner: string | null = text.slice(read.inner.start, read.inner.end);
  for (const [path, value] of Object.entries(edits)) {
    if (inner === null) return null;
    inner = editInner({ text: inner, eol }, path, value);
  }
  if (inner === null) return null;
  // `---` directly on `---`: there is no line end between an empty block and its closing fence.
  const gap = read.inner.start === read.inner.end && inner !== "" && /^---/.test(text.slice(read.inner.end)) ? eol : "";
  const after = text.slice(0, read.inner.start) + inner + gap + text.slice(read.inner.end);
  return readsBack(text, after, edits) ? after : null;
}

export interface NewFrontMatter {
  readonly name: string;
  readonly description: string;
  readonly type: MemoryType;
  /** ISO time or date. */
  readonly created: string;
  readonly modified: string;
}

/** The block of a file that memd creates, closing fence and line end included. */
export function newFrontMatter(parts: NewFrontMatter): string {
  return [
    "---",
    `name: ${quoteYaml(parts.name)}`,
    `description: ${quoteYaml(parts.description)}`,
    "metadata:",
    "  node_type: memory",
    `  type: ${parts.type}`,
    `  created: ${quoteYaml(parts.created)}`,
    `  modified: ${quoteYaml(parts.modified)}`,
    "---",
    "",
  ].join("\n");
}
