/**
 * Reads the front matter of a memory file: leniently, and never as code. The only file that may import gray-matter, whose
 * script engines run `---js` blocks on parse unless every one of them is replaced.
 */
import matter from "gray-matter";
import { isRecord } from "../base/json.ts";
import { parseYaml } from "../base/yaml.ts";
import { type KeyLine, keyLines } from "./key-lines.ts";
import { type Heading, MEMORY_TYPES, type MemoryType } from "./model.ts";

export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** The nested `metadata.type` wins over a flat `type`. */
export interface FrontMatter extends Heading {
  /** From the opening fence to the end of the closing fence's line; null when there is no block that can be edited. */
  readonly block: Span | null;
  /** The YAML between the fences, without the line end before the closing one; null like `block`. */
  readonly inner: Span | null;
  /** Where the body starts. */
  readonly body: number;
  /** All keys, without a prototype; from line-wise reading all values are text. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Agents read 30 lines or 64 KiB of a file for front matter; a block above 8 KB is no front matter that anybody meant. */
const BLOCK_BYTES = 8_192;

function refuse(): never {
  throw new Error("only YAML front matter is read");
}

const STUB = { parse: refuse, stringify: refuse };
const ENGINES = {
  yaml: {
    parse(text: string): object {
      const read = parseYaml(text);
      if (read.problem !== null) throw new Error(read.duplicateKey ? "duplicate-key" : "bad-yaml");
      // A scalar or list is no front matter; gray-matter would hand it on as data.
      if (read.value !== null && !isRecord(read.value)) throw new Error("not-a-map");
      return read.value ?? {};
    },
    stringify: refuse,
  },
  // gray-matter knows javascript by two names, and overriding one leaves the other open.
  js: STUB,
  javascript: STUB,
  json: STUB,
  coffee: STUB,
  coffeescript: STUB,
  cson: STUB,
  toml: STUB,
};

type Parsed = { readonly data: object } | { readonly problem: string };

/** The hardened call: options are always passed, since without them results are cached and shared between callers. */
function parseBlock(yaml: string): Parsed {
  // gray-matter ends the block at any line that starts with the fence, `---foo` too.
  if (/^---/m.test(yaml)) return { problem: "bad-yaml" };
  try {
    return { data: matter(`---\n${yaml}\n---\n`, { language: "yaml", engines: ENGINES }).data };
  } catch (error) {
    const word = error instanceof Error ? error.message : "";
    return { problem: word === "not-a-map" || word === "duplicate-key" ? word : "bad-yaml" };
  }
}

/** Copies plain data into objects without a prototype: `__proto__` and `constructor` are keys like others there. */
function detach(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(detach);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) copy[key] = detach(inner);
  return copy;
}

function detached(value: object): Record<string, unknown> {
  const copy = detach(value);
  return isRecord(copy) ? copy : Object.create(null);
}

/** Reading of last resort, `key: rest of the line`; of a double key the first one counts. */
function readLines(lines: readonly KeyLine[]): Record<string, unknown> {
  const data: Record<string, unknown> = Object.create(null);
  for (const line of lines) {
    const [key = "", child] = line.path.split(/\.(?=[^"]*$)/);
    const parent = data[key];
    if (child === undefined) data[key] ??= line.raw === "" ? Object.create(null) : unquoted(line.raw);
    else if (isRecord(parent)) parent[child] ??= unquoted(line.raw);
  }
  return data;
}

/** Text of a one-line scalar that YAML could not give: quotes around the whole value go, all else stays. */
function unquoted(raw: string): string {
  const double = /^"((?:[^"\\]|\\.)*)"(?:\s+#.*)?$/.exec(raw);
  if (double) {
    const { value } = parseYaml(`"${double[1] ?? ""}"`);
    return typeof value === "string" ? value : (double[1] ?? "");
  }
  const single = /^'((?:[^']|'')*)'(?:\s+#.*)?$/.exec(raw);
  return single ? (single[1] ?? "").replaceAll("''", "'") : raw;
}

/**
 * The text of one key. A plain one-line value is taken from the source: YAML would cut "fix for issue #12" at the hash, read
 * 1.10 as 1.1 and refuse `@scope/pkg`, `*always*` or a second colon, all of which people and models write.
 */
function textOf(data: Readonly<Record<string, unknown>>, lines: readonly KeyLine[], path: string): string | null {
  const [key = "", child] = path.split(".");
  const top = data[key];
  const value = child === undefined ? top : isRecord(top) ? top[child] : undefined;
  const line = lines.find((l) => l.path === path);
  // Quotes and block scalars (`|`, `>-`) are YAML's to read.
  const oneLine =
    line && line.end === line.lineEnd && line.raw !== "" && !/^["'#]|^[|>][-+\d]*(?:\s+#.*)?$/.test(line.raw);
  if (oneLine) return /^(~|null)$/i.test(line.raw) ? null : line.raw;
  const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  return text === "" ? null : text;
}

/** A key whose words never hold a hash: what follows one is a comment. */
const bare = (text: string | null) => text?.replace(/\s+#.*$/, "") ?? null;

const asDate = (text: string | null) => (text !== null && /^\d{4}-\d\d-\d\d/.test(text) ? text : null);

function asType(text: string | null): MemoryType | null {
  const word = text?.toLowerCase() ?? null;
  return MEMORY_TYPES.find((type) => type === word) ?? null;
}

function known(data: Readonly<Record<string, unknown>>, lines: readonly KeyLine[]) {
  const text = (path: string) => textOf(data, lines, path);
  const either = (key: string) => bare(text(`metadata.${key}`)) ?? bare(text(key));
  const pinned = (value: unknown) => value === true || value === "true";
  const metadata = isRecord(data.metadata) ? data.metadata : {};
  return {
    name: text("name"),
    description: text("description"),
    typeWord: either("type"),
    created: asDate(either("created")),
    modified: asDate(either("modified")),
    pinned: pinned(data.pinned) || pinned(metadata.pinned) || bare(text("pinned")) === "true",
  };
}

interface Fences {
  readonly open: number;
  /** The fence's tag: `js`, `yaml`, or nothing. */
  readonly tag: string;
  readonly inner: Span;
  /** End of the closing fence's line, its line end included; null when nothing closes the block. */
  readonly end: number | null;
  readonly blankAbove: boolean;
}

function findFences(text: string): Fences | null {
  const opening = /^\uFEFF?((?:[ \t]*\r?\n)*)---(?!-)[ \t]*([^\r\n]*?)[ \t]*(?:\r?\n|$)/.exec(text);
  if (!opening) return null;
  const start = opening[0].length;
  const closing = /^---[ \t]*(?:\r?\n|$)/m;
  const found = closing.exec(text.slice(start));
  const stop = found ? start + found.index : start;
  const before = /\r?\n$/.exec(text.slice(start, stop));
  return {
    open: text.indexOf("---"),
    tag: (opening[2] ?? "").toLowerCase(),
    inner: { start, end: stop - (before ? before[0].length : 0) },
    end: found ? stop + found[0].length : null,
    blankAbove: (opening[1] ?? "") !== "",
  };
}

/** Of a file without front matter that can be read. */
export const NO_HEADING = {
  name: null,
  description: null,
  type: null,
  created: null,
  modified: null,
  pinned: false,
} as const;

function none(body: number, problems: readonly string[], locked: string | null): FrontMatter {
  return { block: null, inner: null, body, data: Object.create(null), ...NO_HEADING, problems, locked };
}

function withoutBlock(text: string): FrontMatter {
  return none(text.startsWith("\uFEFF") ? 1 : 0, ["no-front-matter"], null);
}

/** A block that never closes: its first lines still tell the name, but nothing says where it ends, so it is not written. */
function unclosed(text: string, fences: Fences): FrontMatter {
  const head = /^[^\r\n]+(?:\r?\n[^\r\n]+)*/.exec(text.slice(fences.inner.start))?.[0].slice(0, BLOCK_BYTES) ?? "";
  const lines = keyLines(head);
  const { typeWord, ...values } = known(readLines(lines), lines);
  const locked = "unclosed-front-matter";
  return { ...none(fences.inner.start, [locked], locked), ...values, type: asType(typeWord) };
}

function refusal(text: string, fences: Fences): FrontMatter | null {
  if (fences.tag !== "" && fences.tag !== "yaml" && fences.tag !== "yml") {
    // Anything behind the fence would choose an engine; the lookup even walks the prototype (`---constructor`).
    const word = /^(js|javascript|coffee|coffeescript|cson)\b/.test(fences.tag)
      ? "executable-front-matter"
      : "foreign-front-matter";
    return none(fences.end ?? text.length, [word], word);
  }
  if (fences.end === null) return fences.blankAbove ? withoutBlock(text) : unclosed(text, fences);
  const yaml = text.slice(fences.inner.start, fences.inner.end);
  if (Buffer.byteLength(yaml) <= BLOCK_BYTES) return null;
  return none(fences.end, ["front-matter-too-large"], "front-matter-too-large");
}

/** Reads the block at the head of `text`. Never throws, never runs anything. */
export function readFrontMatter(text: string): FrontMatter {
  const fences = findFences(text);
  if (!fences) return withoutBlock(text);
  const refused = refusal(text, fences);
  if (refused || fences.end === null) return refused ?? withoutBlock(text);

  const yaml = text.slice(fences.inner.start, fences.inner.end).replaceAll("\r\n", "\n");
  const lines = keyLines(yaml);
  const parsed = parseBlock(yaml);
  const problem = "problem" in parsed ? parsed.problem : null;
  // Below a blank line `---` is as likely a rule across the page; only keys make it a block.
  if (fences.blankAbove && (lines.length === 0 || problem === "not-a-map")) return withoutBlock(text);
  if (problem === "not-a-map" || (problem && lines.length === 0)) return none(fences.end, [problem], problem);

  const data = "data" in parsed ? detached(parsed.data) : readLines(lines);
  const { typeWord, ...values } = known(data, lines);
  const type = asType(typeWord);
  const problems = [...(problem ? [problem] : []), ...(typeWord !== null && type === null ? ["unknown-type"] : [])];
  return {
    block: { start: fences.open, end: fences.end },
    inner: fences.inner,
    body: fences.end,
    data,
    ...values,
    type,
    problems,
    locked: null,
  };
}
