/** Markdown lines of a daily log, split into list items and paragraphs. */
import { UTTERANCE_CHARS } from "../digest/utterance.ts";
import { cleanText } from "./words.ts";

export interface Spot {
  readonly offset: number;
  readonly line: number;
}

export interface Block extends Spot {
  readonly text: string;
}

/** Headings, rules, front matter, comments and code are not words. */
export interface Blocks {
  readonly said: Block[];
  open: { text: string; readonly spot: Spot } | null;
  /** What the lines are inside of, and where that began. */
  inside: { readonly what: "front matter" | "code" | "comment"; readonly spot: Spot } | null;
  /** Nothing but blank lines so far. */
  first: boolean;
}

const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$/;
const HEADING = /^\s{0,3}#{1,6}(?:\s|$)/;
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;
const FENCE = /^\s*(?:```|~~~)/;
const FRONT_MATTER = /^(?:[\w-]+\s*:|\s+\S|#)/;

/** @param atStart whether the lines are those at the start of the file, where front matter may stand */
export function newBlocks(atStart: boolean): Blocks {
  return { said: [], open: null, inside: null, first: atStart };
}

export function takeLogLine(blocks: Blocks, raw: string, spot: Spot): void {
  const text = raw.replace(/^\uFEFF/, "").trimEnd();
  if (isApart(blocks, text, spot) || HEADING.test(text) || RULE.test(text) || text === "") {
    close(blocks);
    return;
  }
  const item = ITEM.exec(text)?.[1];
  if (item !== undefined || blocks.open === null) {
    close(blocks);
    blocks.open = { text: item ?? text, spot };
  } else if (blocks.open.text.length < 2 * UTTERANCE_CHARS) blocks.open.text += `\n${text.trim()}`;
}

/** `unclosed`: where code or a comment began that has no end yet; what follows can only be read together with it. */
export function finishBlocks(blocks: Blocks): { said: readonly Block[]; unclosed: Spot | null } {
  close(blocks);
  return { said: blocks.said, unclosed: blocks.inside?.spot ?? null };
}

function close(blocks: Blocks): void {
  const { open } = blocks;
  const text = open ? cleanText(open.text, UTTERANCE_CHARS) : "";
  if (open && text !== "") blocks.said.push({ text, ...open.spot });
  blocks.open = null;
}

/** True when the line belongs to something that is not words. */
function isApart(blocks: Blocks, text: string, spot: Spot): boolean {
  const atStart = blocks.first;
  blocks.first = atStart && text === "";
  if (atStart && text === "---") {
    blocks.inside = { what: "front matter", spot };
    return true;
  }
  const what = blocks.inside?.what;
  if (what === "front matter") {
    // A rule at the top of a log looks like front matter until the next line does not.
    const isPart = FRONT_MATTER.test(text);
    if (!isPart) blocks.inside = null;
    return isPart || RULE.test(text);
  }
  if (what === "code") {
    if (FENCE.test(text)) blocks.inside = null;
    return true;
  }
  if (what === undefined && FENCE.test(text)) blocks.inside = { what: "code", spot };
  else if (what === undefined && text.trimStart().startsWith("<!--")) blocks.inside = { what: "comment", spot };
  if (blocks.inside === null) return false;
  if (blocks.inside.what === "comment" && text.includes("-->")) blocks.inside = null;
  return true;
}
