/** The marked block inside a file that others own: where it stands, and how it is put in, renewed and cut out. Pure. */

/**
 * Html comments: nothing that renders Markdown shows them, and every agent passes them on. Old wordings stay known, since only the first
 * words count; so a new version finds the block of an older one.
 */
const BEGIN =
  "<!-- memd:begin — made by memd from its memory of this project. What is written between the two marks is not kept; to stop: memd publish --remove -->";
const END = "<!-- memd:end -->";

const MARK = /<!--[ \t]*memd:(begin|end)\b/gi;
const WHOLE = /^<!--[ \t]*memd:(?:begin|end)\b(?:(?!-->).)*-->[ \t]*$/i;

/** What goes between the marks, with them; line ends are LF. */
export const blockOf = (lines: readonly string[]): string => [BEGIN, ...lines, END].join("\n");

/** A block by its place: from its first mark to its last, without the line end behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type BlockFound =
  | { readonly state: "none" }
  | ({ readonly state: "one" } & Span)
  /** Marks that memd would not write so: nobody can tell what is between them, so nothing is. */
  | { readonly state: "damaged"; readonly why: string };

interface Mark extends Span {
  readonly kind: "begin" | "end";
  readonly whole: boolean;
}

/** Two make a block; of more than that it matters only that there are more. */
const MAX_MARKS = 3;

function marksIn(text: string): Mark[] {
  const found = text.matchAll(MARK);
  return Array.from({ length: MAX_MARKS }, () => found.next().value).flatMap((match) => {
    if (!match) return [];
    const newline = text.indexOf("\n", match.index);
    const stop = newline < 0 ? text.length : newline;
    const end = text[stop - 1] === "\r" ? stop - 1 : stop;
    const start = Math.max(text.lastIndexOf("\n", match.index - 1) + 1, text.startsWith("\uFEFF") ? 1 : 0);
    const kind = match[1]?.toLowerCase() === "begin" ? "begin" : "end";
    return { kind, start, end, whole: start === match.index && WHOLE.test(text.slice(start, end)) };
  });
}

export function findBlock(text: string): BlockFound {
  const marks = marksIn(text);
  const [begin, end] = marks;
  if (begin === undefined) return { state: "none" };
  const damaged = (why: string) => ({ state: "damaged", why }) as const;
  if (marks.some(({ whole }) => !whole)) return damaged("a mark does not stand on a line of its own");
  if (end === undefined) return damaged(`there is a mark memd:${begin.kind} without its other one`);
  if (marks.length > 2) return damaged("there are more than two marks");
  if (begin.kind !== "begin" || end.kind !== "end") return damaged("the marks are not in order");
  return { state: "one", start: begin.start, end: end.end };
}

/** The block as memd wrote it, whatever line ends the file has by now. */
export const blockText = (text: string, { start, end }: Span): string =>
  text.slice(start, end).replaceAll("\r\n", "\n");

/** What was put around a block, so that cutting it out leaves the file as it was. */
export interface Edges {
  readonly lead: string;
  readonly tail: string;
}

function eolOf(text: string): string {
  const first = text.indexOf("\n");
  return first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
}

/** At the end, below a blank line. A file without a last line end still has none afterwards. */
export function insertBlock(text: string, block: string): { readonly text: string; readonly edges: Edges } {
  const eol = eolOf(text);
  const isBare = text === "" || text === "\uFEFF";
  const ends = isBare || text.endsWith("\n");
  const isBlankAbove = isBare || /(?:^|\n)[ \t]*\r?\n$/.test(text);
  const edges = { lead: ends ? (isBlankAbove ? "" : eol) : eol + eol, tail: ends ? eol : "" };
  return { text: text + edges.lead + block.replaceAll("\n", eol) + edges.tail, edges };
}

export function replaceBlock(text: string, { start, end }: Span, block: string): string {
  const eol = text.slice(start, end).includes("\r\n") ? "\r\n" : "\n";
  return text.slice(0, start) + block.replaceAll("\n", eol) + text.slice(end);
}

/** @param edges as `insertBlock` returned them; where others have changed what is around the block, only the block goes */
export function removeBlock(text: string, { start, end }: Span, { lead, tail }: Edges): string {
  const hasLead = text.slice(0, start).endsWith(lead);
  const hasTail = text.slice(end).startsWith(tail);
  const from = hasLead && hasTail ? start - lead.length : start;
  return text.slice(0, from) + text.slice(hasTail ? end + tail.length : end);
}

/** The text without what memd put there, for whoever reads it as the project's own words. A block without an end has none to its last line. */
export function withoutBlock(text: string): string {
  return text.replace(/<!--[ \t]*memd:begin\b[\s\S]*?(?:<!--[ \t]*memd:end\b(?:(?!-->).)*(?:-->)?|$)/gi, "");
}
