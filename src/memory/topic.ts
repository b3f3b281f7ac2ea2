/** A topic file: read without ever failing, changed without touching a byte that was not meant. */

import { oneLine } from "../base/text.ts";
import { isBlank } from "./blocks.ts";
import { entriesOf, parseEntry } from "./entry.ts";
import { type FrontMatter, readFrontMatter } from "./front-matter.ts";
import { editFrontMatter, newFrontMatter } from "./front-matter-edit.ts";
import type { Entry, MemoryType, Topic } from "./model.ts";

/** 64 times what an agent loads of a topic; above it a file is a dump, not a memory. */
const MAX_BYTES = 262_144;

export type TopicEdit =
  /** `entry` is a block as `renderEntry` gives it. */
  | { readonly edit: "append"; readonly entry: string }
  | { readonly edit: "replace"; readonly id: string; readonly entry: string }
  | { readonly edit: "remove"; readonly id: string }
  | { readonly edit: "describe"; readonly description: string };

export type Decoded = { readonly text: string } | { readonly locked: string };

/** UTF-16 without a mark shows as NULs in every other byte; any other NUL is binary. */
function looksUtf16(bytes: Uint8Array): boolean {
  const head = bytes.slice(0, 64);
  const nulls = (parity: number) => head.filter((byte, i) => byte === 0 && i % 2 === parity).length;
  const [even, odd] = [nulls(0), nulls(1)];
  return Math.min(even, odd) === 0 && Math.max(even, odd) * 4 >= head.length;
}

/** Text of a memory file, its BOM kept; or why it must not be rewritten. */
export function decode(bytes: Uint8Array): Decoded {
  if (bytes.length > MAX_BYTES) return { locked: "too-large" };
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return { locked: "utf-16" };
  if (bytes.includes(0)) return { locked: looksUtf16(bytes) ? "utf-16" : "binary" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    // Rewriting bytes that are not UTF-8 would replace them; the file is reported and left alone.
    if (error instanceof TypeError) return { locked: "not-utf-8" };
    throw error;
  }
}

const slugOf = (file: string) => file.replace(/\.md$/i, "");

function lockedTopic(file: string, locked: string, text: string): Topic {
  return {
    file,
    slug: slugOf(file),
    text,
    name: null,
    description: null,
    type: null,
    created: null,
    modified: null,
    pinned: false,
    entries: [],
    problems: [locked],
    locked,
  };
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
function removal(text: string, entry: Entry): Splice {
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

function splices(topic: Topic, body: number, edits: readonly TopicEdit[]): Splice[] | null {
  const found: Splice[] = [];
  const added = edits.flatMap((e) => (e.edit === "append" ? [e.entry] : []));
  for (const edit of edits) {
    if (edit.edit !== "replace" && edit.edit !== "remove") continue;
    const entry = topic.entries.find((e) => e.id === edit.id);
    if (!entry) return null;
    const eol = eolNear(topic.text, entry.end);
    const text = edit.edit === "replace" ? withEol(edit.entry, eol) : "";
    found.push(edit.edit === "replace" ? { start: entry.start, end: entry.end, text } : removal(topic.text, entry));
  }
  if (added.length > 0) found.push(addition(topic, body, added));
  return found;
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
  return [...kept, ...edits.flatMap((e) => (e.edit === "append" ? [e.entry] : []))].map(plain);
}

function frontEdits(front: FrontMatter, edits: readonly TopicEdit[], now: string): Record<string, string> {
  const changes: Record<string, string> = {};
  for (const edit of edits) if (edit.edit === "describe") changes.description = edit.description;
  // The file's own form: flat files stay flat.
  const flat = "modified" in front.data || !("metadata" in front.data);
  changes[flat ? "modified" : "metadata.modified"] = now;
  return changes;
}

function withFront(text: string, edits: readonly TopicEdit[], now: string): string | null {
  const front = readFrontMatter(text);
  if (front.block) return editFrontMatter(text, frontEdits(front, edits, now));
  // Without a block there is nowhere to note the time, and adding one is not ours to decide; describing needs one.
  return edits.some((edit) => edit.edit === "describe") ? null : text;
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

/** The first heading of the body, else the slug in words. */
export function titleOf(topic: Topic): string {
  const heading = /^#[ \t]+(.+?)[ \t]*#*[ \t]*$/m.exec(topic.text.slice(readFrontMatter(topic.text).body))?.[1];
  if (heading) return heading;
  const words = topic.slug.replace(/[-_]+/g, " ").trim();
  return words === "" ? topic.file : words.charAt(0).toUpperCase() + words.slice(1);
}

/** True when the block reads back as one entry with this statement: what may be appended. */
export function isOneEntry(block: string): boolean {
  const entries = entriesOf(block, 0, "x");
  return entries.length === 1 && entries[0]?.raw === block && parseEntry(block).statement !== "";
}
