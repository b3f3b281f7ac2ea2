/** Private key blocks: whole, cut off at either end, quoted, with line numbers, or with their line ends written out. */
import { runStart, type Span } from "./spans.ts";

const BEGIN = /-----BEGIN[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:/g;
const END = /-----END[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: [a-f0-9]+/g;

/** Longest block looked for; an RSA key of 16,384 bits takes 12,700 characters. */
const LONGEST = 20_000;

/** What may stand before the body of a line: quote marks, an indent, the line number of a file viewer. */
const MARGIN = /^[\s>|"'+-]*(?:\d{1,5}(?:[:|→\t]|\s{1,4})\s*)?/;
const BASE64_RUN = /^(?:[A-Za-z0-9+/=…]|\\[nr])+/;
const HEADER = /^(?:Proc-Type|DEK-Info|Comment|Version|Encryption|Public-Lines|Private-Lines):/;

/** How much of a line belongs to a key body, in characters from its start; 0 when it is something else. */
function bodyLength(line: string): number {
  const margin = MARGIN.exec(line)?.[0].length ?? 0;
  const rest = line.slice(margin);
  if (HEADER.test(rest)) return line.length;
  const run = BASE64_RUN.exec(rest)?.[0] ?? "";
  // A short line of letters is a word of prose; only padding or sheer length makes it Base64.
  return run.length >= 16 || run.endsWith("=") ? margin + run.length : 0;
}

/** From `index` forward over lines that belong to a key body; the end of the last one. */
function bodyAfter(text: string, index: number): number {
  let end = index;
  let at = index;
  while (at < text.length && at - index < LONGEST) {
    const newline = text.indexOf("\n", at);
    const lineEnd = newline < 0 ? text.length : newline;
    const line = text.slice(at, lineEnd);
    const body = bodyLength(line);
    if (body > 0) end = at + body;
    if (line.trim() !== "" && body < line.trimEnd().length) return end;
    at = lineEnd + 1;
  }
  return end;
}

/** From `index` backward over lines of Base64; where the first of them starts. */
function bodyBefore(text: string, index: number): number {
  let start = index;
  let lineEnd = index;
  while (index - lineEnd < LONGEST) {
    const from = text.lastIndexOf("\n", lineEnd - 1) + 1;
    const line = text.slice(from, lineEnd);
    const tail = Math.max(from, runStart(text, lineEnd, /[A-Za-z0-9+/=…\\]/, LONGEST));
    if (lineEnd - tail >= 8) start = tail;
    if ((line.trim() !== "" && bodyLength(line) === 0) || from === 0) return start;
    lineEnd = from - 1;
  }
  return start;
}

function beginsBetween(begins: readonly RegExpExecArray[], from: number, to: number): boolean {
  return begins.some((b) => b.index >= from && b.index < to);
}

/** Private key blocks; one that lacks its BEGIN or END line is taken as far as its body reaches. */
export function findPrivateKeys(text: string): Span[] {
  if (!text.includes("PRIVATE KEY") && !text.includes("PuTTY-User-Key-File")) return [];
  const begins = [...text.matchAll(BEGIN)];
  const ends = [...text.matchAll(END)];
  const spans: Span[] = [];
  let next = 0;
  for (const begin of begins) {
    const bodyStart = begin.index + begin[0].length;
    while (next < ends.length && (ends[next]?.index ?? 0) < bodyStart) next++;
    const end = ends[next];
    const whole = end && end.index - bodyStart <= LONGEST && !beginsBetween(begins, bodyStart, end.index);
    spans.push({
      start: begin.index,
      end: whole ? end.index + end[0].length : bodyAfter(text, bodyStart),
      rule: "private-key",
    });
  }
  for (const end of ends) {
    if (spans.some((s) => s.start <= end.index && end.index < s.end)) continue;
    spans.push({ start: bodyBefore(text, end.index), end: end.index + end[0].length, rule: "private-key" });
  }
  return spans;
}
