/** A topic file: read without ever failing, changed without touching a byte that was not meant. */

import { isRecord } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { isBlank, linesFrom } from "./blocks.ts";
import { decode } from "./decode.ts";
import { entriesOf } from "./entry.ts";
import { type FrontMatter, NO_HEADING, readFrontMatter } from "./front-matter.ts";
import { editFrontMatter, newFrontMatter } from "./front-matter-edit.ts";
import type { Entry, MemoryType, Topic } from "./model.ts";

export type TopicEdit =
  /** `entry` is a block as `renderEntry` gives it. */
  | { readonly edit: "append"; readonly entry: string }
  | { readonly edit: "replace"; readonly id: string; readonly entry: string }
  | { readonly edit: "remove"; readonly id: string }
  | { readonly edit: "describe"; readonly description: string };

const slugOf = (file: string) => file.replace(/\.md$/i, "");

function lockedTopic(file: string, locked: string, text: string): Topic {
  return { file, slug: slugOf(file), text, ...NO_HEADING, entries: [], problems: [locked], locked };
}

/** Reads a topic. Never throws; `null` bytes are a file that is there and could not be read. */
export function parseTopic(file: string, bytes: Uint8Array | null): Topic {
  if (bytes === null) return lockedTopic(file, "unreadable", "");
  const decoded = decode(bytes);
  if ("locked" in decoded) return lockedTopic(file, decoded.locked, "");
  return topicOf(file, decoded.text);
}

/** Reads a topic from its text, as `editTopic` and `newTopic` return it. */
export function topicOf(file: string, text: string): Topic {
  // A crash left it, or a person is about to write: never taken as "deleted", never filled.
  if (isBlank(text.replace(/^\uFEFF/, ""))) return lockedTopic(file, "empty", text);
  const slug = slugOf(file);
  const front = readFrontMatter(text);
  const { name, description, type, created, modified, pinned, problems, locked } = front;
  const entries = entriesOf(text, front.body, slug);
  return { file, slug, text, name, description, type, created, modified, pinned, entries, problems, locked };
}

/** A piece of the text to be replaced. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The line end used around `at`: a file with mixed ends keeps the mix. */
function eolNear(text: string, at: number): string {
  const before = text.lastIndexOf("\n", Math.max(0, at - 1));
  const line = before >= 0 ? before : text.indexOf("\n");
  return line > 0 && text[line - 1] === "\r" ? "\r\n" : "\n";
}

const withEol = (block: string, eol: string) => block.replace(/\r?\n/g, eol);

/** Takes the block's own line end, and one blank run when the block stood between two. */
export function removal(text: string, entry: Entry): Splice {
  const after = /^(?:\r?\n)?/.exec(text.slice(entry.end))?.[0].length ?? 0;
  const end = entry.end + after;
  const above = text.slice(0, entry.start);
  const blankAbove = /(?:^|\n)[ \t]*\r?\n$/.test(above);
  const blankBelow = /^(?:[ \t]*\r?\n)+/.exec(text.slice(end))?.[0].length ?? 0;
  return { start: entry.start, end: end + (blankAbove ? blankBelow : 0), text: "" };
}

/** New entries go behind the last one: into its list if it is one, else below a blank line. */
function addition(topic: Topic, body: number, blocks: readonly string[]): Splice {
  const { text } = topic;
  const last = topic.entries.at(-1);
  const at = last ? last.end : text.trimEnd().length;
  const eol = eolNear(text, at);
  const added = blocks.map((block) => withEol(block, eol)).join(eol);
  const inList = last !== undefined && /^(?:[-*+]|\d{1,9}[.)])[ \t]/.test(last.raw);
  const head = text.slice(0, at);
  const gap = at <= body ? (/\n$/.test(head) || head === "" ? eol : eol + eol) : inList ? eol : eol + eol;
  // The file's end keeps its line end; a file without one gets it.
  const tail = text.slice(at);
  const close = /^\s*$/.test(tail) && !tail.includes("\n") ? eol : "";
  return { start: at, end: at, text: gap + added + close };
}

const blocksAdded = (edits: readonly TopicEdit[]) => edits.flatMap((e) => (e.edit === "append" ? [e.entry] : []));

function splices(topic: Topic, body: number, edits: readonly TopicEdit[]): Splice[] | null {
  const found: Splice[] = [];
  let added = blocksAdded(edits);
  for (const edit of edits) {
    if (edit.edit !== "replace" && edit.edit !== "remove") continue;
    const entry = topic.entries.find((e) => e.id === edit.id);
    if (!entry) return null;
    const here = edit.edit === "replace" ? [edit.entry] : entry === topic.entries.at(-1) ? added : [];
    // What is added while the last entry goes takes its place.
    if (edit.edit === "remove" && here.length > 0) added = [];
    const eol = eolNear(topic.text, entry.end);
    const text = here.map((block) => withEol(block, eol)).join(eol);
    found.push(here.length > 0 ? { start: entry.start, end: entry.end, text } : removal(topic.text, entry));
  }
  return added.length > 0 ? [...found, addition(topic, body, added)] : found;
}

/** Applies from the end, so that offsets stay true; overlapping pieces cannot be done. */
function apply(text: string, pieces: readonly Splice[]): string | null {
  const sorted = [...pieces].sort((a, b) => b.start - a.start || b.end - a.end);
  let result = text;
  let limit = text.length;
  for (const piece of sorted) {
    if (piece.end > limit) return null;
    result = result.slice(0, piece.start) + piece.text + result.slice(piece.end);
    limit = piece.start;
  }
  return result;
}

const plain = (block: string) => block.replaceAll("\r\n", "\n");

/** The blocks that must stand in the file afterwards, in order. */
function expected(topic: Topic, edits: readonly TopicEdit[]): string[] {
  const kept = topic.entries.flatMap((entry) => {
    const edit = edits.find((e) => (e.edit === "replace" || e.edit === "remove") && e.id === entry.id);
    if (!edit) return [entry.raw];
    return edit.edit === "replace" ? [edit.entry] : [];
  });
  return [...kept, ...blocksAdded(edits)].map(plain);
}

/** Where the file tells its time; where it does not yet, the place that its form calls for. */
function timePaths(front: FrontMatter): { readonly paths: readonly string[]; readonly isNew: boolean } {
  const { data } = front;
  const nested = isRecord(data.metadata) && "modified" in data.metadata ? ["metadata.modified"] : [];
  const told = [...nested, ...("modified" in data ? ["modified"] : [])];
  if (told.length > 0) return { paths: told, isNew: false };
  return { paths: ["metadata" in data ? "metadata.modified" : "modified"], isNew: true };
}

function withFront(text: string, edits: readonly TopicEdit[], now: string): string | null {
  const described = edits.findLast((edit) => edit.edit === "describe");
  const changes = described ? { description: described.description } : {};
  const front = readFrontMatter(text);
  // Without a block there is nowhere to note the time, and adding one is not ours to decide; describing needs one.
  if (!front.block) return described ? null : text;
  const { paths, isNew } = timePaths(front);
  const noted = editFrontMatter(text, { ...changes, ...Object.fromEntries(paths.map((path) => [path, now])) });
  // A map in braces has no line to add to; a file that never told its time need not tell it now.
  return noted === null && isNew ? editFrontMatter(text, changes) : noted;
}

/**
 * Changes entries and description. All other bytes stay, line ends and BOM too; `modified` is set to `now` (ISO time).
 * @returns the new text; the same text when nothing changes; null when it cannot be done safely (locked, unknown entry, an
 * entry that would not read back as the block it was written as)
 */
export function editTopic(topic: Topic, edits: readonly TopicEdit[], at: { readonly now: string }): string | null {
  if (topic.locked !== null) return null;
  const body = readFrontMatter(topic.text).body;
  const pieces = splices(topic, body, edits);
  const changed = pieces && apply(topic.text, pieces);
  if (changed === null) return null;
  const describes = edits.some((edit) => edit.edit === "describe" && edit.description !== topic.description);
  if (changed === topic.text && !describes) return topic.text;
  const result = withFront(changed, edits, at.now);
  if (result === null) return null;
  const found = topicOf(topic.file, result).entries.map((entry) => plain(entry.raw));
  const wanted = expected(topic, edits);
  return found.length === wanted.length && found.every((raw, i) => raw === wanted[i]) ? result : null;
}

export interface NewTopic {
  readonly slug: string;
  readonly type: MemoryType;
  readonly title: string;
  readonly description: string;
  /** ISO time. */
  readonly createdAt: string;
}

/** The text of a new topic; the title stands as its heading, where the index finds it again. */
export function newTopic(parts: NewTopic, entries: readonly string[]): string {
  const front = newFrontMatter({
    name: parts.slug,
    description: parts.description,
    type: parts.type,
    created: parts.createdAt,
    modified: parts.createdAt,
  });
  const list = entries.map((entry) => `${entry}\n`).join("");
  return `${front}\n# ${oneLine(parts.title)}\n${list === "" ? "" : `\n${list}`}`;
}

/** What the budgets count: UTF-8 bytes and lines. */
export function sizeOf(text: string): { readonly bytes: number; readonly lines: number } {
  const lines = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return { bytes: Buffer.byteLength(text), lines };
}

/** The first heading of the body (code may hold `#` lines too), else the slug in words. */
export function titleOf(topic: Topic): string {
  for (const { text } of linesFrom(topic.text, readFrontMatter(topic.text).body)) {
    if (/^[ \t]*(?:```|~~~)/.test(text)) break;
    const heading = /^#[ \t]+(\S.*)$/.exec(text)?.[1];
    if (heading) return heading.trimEnd();
  }
  const words = topic.slug.replace(/[-_]+/g, " ").trim();
  return words === "" ? topic.file : words.charAt(0).toUpperCase() + words.slice(1);
}
