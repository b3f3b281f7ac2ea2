/** Cuts a Markdown body into blocks with exact offsets: what one entry is, and what is only furniture around entries. */

export interface Block {
  readonly kind: "item" | "paragraph";
  /** Offsets in the whole text; the last line end is outside. */
  readonly start: number;
  readonly end: number;
}

export interface Line {
  /** Without its line end. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Lines of `text` from offset `from`; LF and CRLF both end a line. */
export function linesFrom(text: string, from: number): Line[] {
  const lines: Line[] = [];
  let start = from;
  while (start <= text.length) {
    const newline = text.indexOf("\n", start);
    const stop = newline < 0 ? text.length : newline;
    const end = newline > start && text[newline - 1] === "\r" ? newline - 1 : stop;
    lines.push({ text: text.slice(start, end), start, end });
    start = stop + 1;
  }
  return lines;
}

export const BULLET = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const LABEL_LINE = /^(?:\*\*|__)?(?:why|how to apply|原因|为什么|理由|怎么做|如何应用|做法)(?:\*\*|__)?[ \t]*[:：]/i;

/** A fence, a quote or a table is no lazy next line of a list item: unless it is indented, it is a block of its own. */
const OWN_BLOCK = /^ {0,3}(?:`{3}|~{3}|>|\|)/;

/** Columns before the first character; a tab counts as four. */
function indentOf(line: string): number {
  return (/^[ \t]*/.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length;
}

export const isBlank = (line: string) => line.trim() === "";

/** The fence that a line opens, or null; backticks on the rest of the line make it inline code. A bullet may stand before it. */
function fenceOpened(line: string): string | null {
  const found = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*[ \t]*(`{3,}(?=[^`]*$)|~{3,})/.exec(line);
  return found?.[1] ?? null;
}

function fenceClosed(line: string, fence: string): boolean {
  const found = /^[ \t]*(`{3,}|~{3,})[ \t]*$/.exec(line);
  return found?.[1]?.startsWith(fence) ?? false;
}

interface Walk {
  readonly blocks: Block[];
  open: { kind: Block["kind"]; start: number; end: number; indent: number; gap: boolean } | null;
  fence: string | null;
  comment: boolean;
  /** A heading came after the last block: a label below it is a paragraph of its own. */
  cut: boolean;
}

function close(walk: Walk): void {
  if (walk.open) walk.blocks.push({ kind: walk.open.kind, start: walk.open.start, end: walk.open.end });
  walk.open = null;
}

function start(walk: Walk, line: Line, kind: Block["kind"]): void {
  close(walk);
  walk.open = { kind, start: line.start, end: line.end, indent: indentOf(line.text), gap: false };
  walk.cut = false;
}

function extend(walk: Walk, line: Line): void {
  if (walk.open) {
    walk.open.end = line.end;
    walk.open.gap = false;
  }
}

/** Takes the last closed block up again: `**Why:**` in a paragraph of its own belongs to the rule above it. */
function reopen(walk: Walk): void {
  const last = walk.blocks.pop();
  if (last) walk.open = { ...last, indent: 0, gap: false };
}

/** True when the line belongs to the open block by its indent, or as the lazy next line of the same paragraph. */
function continues(walk: Walk, line: Line): boolean {
  const { open } = walk;
  if (!open) return false;
  const indent = indentOf(line.text);
  if (open.kind === "paragraph") return !open.gap && !BULLET.test(line.text);
  // Two columns deeper is a child; one is a sloppy sibling.
  if (BULLET.test(line.text)) return indent >= open.indent + 2;
  return open.gap || OWN_BLOCK.test(line.text) ? indent > open.indent : true;
}

/** A label in a paragraph of its own belongs to the rule above it, unless a heading stands between. */
function isLabelOfLast(walk: Walk, line: Line): boolean {
  if (!LABEL_LINE.test(line.text)) return false;
  return walk.open !== null ? walk.open.gap : !walk.cut && walk.blocks.length > 0;
}

function place(walk: Walk, line: Line): void {
  if (continues(walk, line) || isLabelOfLast(walk, line)) {
    if (!walk.open) reopen(walk);
    extend(walk, line);
  } else {
    start(walk, line, BULLET.test(line.text) ? "item" : "paragraph");
  }
  walk.fence = fenceOpened(line.text);
}

/** Headings, rules across the page and comments end a block and are none themselves. */
function isFurniture(walk: Walk, line: Line): boolean {
  if (HEADING.test(line.text)) return true;
  if (RULE.test(line.text)) return indentOf(line.text) <= (walk.open?.indent ?? 0);
  return /^ {0,3}<!--/.test(line.text) && !continues(walk, line);
}

function step(walk: Walk, line: Line): void {
  if (walk.fence !== null) {
    if (fenceClosed(line.text, walk.fence)) walk.fence = null;
    extend(walk, line);
  } else if (walk.comment) {
    walk.comment = !line.text.includes("-->");
  } else if (isBlank(line.text)) {
    if (walk.open) walk.open.gap = true;
  } else if (isFurniture(walk, line)) {
    close(walk);
    walk.cut = true;
    walk.comment = line.text.includes("<!--") && !line.text.includes("-->");
  } else {
    place(walk, line);
  }
}

/** The blocks of `text` from offset `from`: list items with their children, and paragraphs (tables and fences are such). */
export function blocksOf(text: string, from: number): Block[] {
  const walk: Walk = { blocks: [], open: null, fence: null, comment: false, cut: false };
  for (const line of linesFrom(text, from)) step(walk, line);
  close(walk);
  return walk.blocks;
}
