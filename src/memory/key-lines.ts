/** `key: value` lines of a front matter block, two levels deep, with offsets: what YAML parsers throw away and text edits need. */

export interface KeyLine {
  /** `name`, `metadata.type`; a key that itself holds a dot is put in quotes, so that it never equals a nested path. */
  readonly path: string;
  readonly indent: string;
  /** The rest of the line after the colon, trimmed; comments are still in it. */
  readonly raw: string;
  /** Offset of the line's first character. */
  readonly start: number;
  /** Offset right after the colon. */
  readonly colon: number;
  /** End of the key's own line, without its line end. */
  readonly lineEnd: number;
  /** End of the last line that belongs to the value, without its line end. */
  readonly end: number;
}

interface Line {
  readonly text: string;
  readonly start: number;
}

const KEY = /^([ \t]*)(["']?)([\p{L}_][\p{L}\p{N}_.-]*)\2[ \t]*:(?=[ \t]|$)/u;

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const part of text.split("\n")) {
    lines.push({ text: part.replace(/\r$/, ""), start });
    start += part.length + 1;
  }
  return lines;
}

/** Blanks and tabs alone: a byte order mark or another odd blank indents nothing. */
const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0].length ?? 0;
const isBlank = (line: string) => line.trim() === "";
/** A list below a key may stand at the key's own indent. */
const isListItem = (line: string) => /^[ \t]*-([ \t]|$)/.test(line);

/** Index of the last line of the value that starts at `lines[at]`: deeper lines and lists; blank ones only in between. */
function lastLine(lines: readonly Line[], at: number, indent: number): number {
  let last = at;
  for (let i = at + 1; i < lines.length; i++) {
    const text = lines[i]?.text ?? "";
    if (isBlank(text)) continue;
    const deeper = indentOf(text) > indent || (indentOf(text) === indent && isListItem(text));
    if (!deeper) break;
    // A comment at the end of a map belongs to whoever wrote it, not to the value above.
    last = i;
  }
  return last;
}

function keyAt(lines: readonly Line[], at: number, parent: string | null): KeyLine | null {
  const line = lines[at];
  const found = line && KEY.exec(line.text);
  if (!line || !found) return null;
  const [head, indent = "", , key = ""] = found;
  const last = lines[lastLine(lines, at, indent.length)] ?? line;
  const safe = key.includes(".") ? `"${key}"` : key;
  return {
    path: parent === null ? safe : `${parent}.${safe}`,
    indent,
    raw: line.text.slice(head.length).trim(),
    start: line.start,
    colon: line.start + head.length,
    lineEnd: line.start + line.text.length,
    end: last.start + last.text.length,
  };
}

function childrenOf(lines: readonly Line[], at: number, parent: KeyLine): KeyLine[] {
  const children: KeyLine[] = [];
  const last = lastLine(lines, at, parent.indent.length);
  let indent: number | null = null;
  for (let i = at + 1; i <= last; i++) {
    const child = keyAt(lines, i, parent.path);
    if (!child || child.indent.length <= parent.indent.length) continue;
    indent ??= child.indent.length;
    if (child.indent.length === indent) children.push(child);
  }
  return children;
}

/** All keys at the margin and, where a key has no value on its own line, the keys one level below it. */
export function keyLines(yaml: string): KeyLine[] {
  const lines = linesOf(yaml);
  const found: KeyLine[] = [];
  for (const [at] of lines.entries()) {
    const key = keyAt(lines, at, null);
    if (key?.indent !== "") continue;
    found.push(key);
    if (key.raw === "" || key.raw.startsWith("#")) found.push(...childrenOf(lines, at, key));
  }
  return found;
}
