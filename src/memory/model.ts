/** A memory directory in memory: plain data that the rules judge and compile changes. */
import type { TreeLayout } from "./homes.ts";

export type MemoryType = "user" | "feedback" | "project" | "reference";
export const MEMORY_TYPES: readonly MemoryType[] = ["user", "feedback", "project", "reference"];

/** Budgets of the format: what agents load. Characters are code points, bytes are UTF-8. */
export const BUDGET = {
  entryChars: 400,
  entryCharsWithWhy: 600,
  topicBytes: 4_096,
  topicLines: 200,
  topics: 200,
  indexLines: 200,
  indexBytes: 25_000,
  indexWarnLines: 150,
  /** At this many index lines no topic is created any more. */
  indexFullLines: 180,
  pointerChars: 150,
} as const;

/** One block of a topic's body: a list item with its children, or a paragraph. Headings and blank lines are not entries. */
export interface Entry {
  /** `entryId(slug, statement)`; two equal statements in one topic get `~2`, `~3` appended. */
  readonly id: string;
  /** The block as it stands, without its line end. */
  readonly raw: string;
  /** Where the block stands in the topic's text (UTF-16 units, end exclusive). */
  readonly start: number;
  readonly end: number;
  /** The bare fact: no bullet, no `[created: ...]`, no marks, no Why/How lines. */
  readonly statement: string;
  readonly why: string | null;
  readonly how: string | null;
  /** `2026-01-15` from the `[created: ..., updated: ...]` tail, or null. */
  readonly created: string | null;
  readonly updated: string | null;
  readonly pinned: boolean;
  readonly unconfirmed: boolean;
  /** True when it has the form that memd writes. */
  readonly ours: boolean;
}

/** What a topic's front matter says of it. */
export interface Heading {
  readonly name: string | null;
  readonly description: string | null;
  readonly type: MemoryType | null;
  readonly created: string | null;
  readonly modified: string | null;
  /** `pinned: true`: no dream changes this file. */
  readonly pinned: boolean;
  /** What is wrong with the file, stable words (`bad-yaml`, `no-front-matter`, `executable-front-matter`, ...). */
  readonly problems: readonly string[];
  /** Why memd must not write this file, or null when it may (`utf-16`, `executable-front-matter`, `not-round-trip`, `empty`, `too-large`, ...). */
  readonly locked: string | null;
}

export interface Topic extends Heading {
  /** File name relative to the memory directory, `limits.md`. */
  readonly file: string;
  /** File name without `.md`. */
  readonly slug: string;
  /** The whole text after decoding, BOM included if there is one. */
  readonly text: string;
  readonly entries: readonly Entry[];
}

/** A whole memory directory as it was read. */
export interface MemoryTree {
  readonly topics: readonly Topic[];
  /** Text of MEMORY.md; null when there is none. */
  readonly index: string | null;
  /** Why MEMORY.md must not be written though it is there (`link`, `unreadable`, `utf-16`, ...); `index` is then null. */
  readonly indexLocked?: string | undefined;
  /** Every other name in the directory that must be known but is not a topic (reserved, daily logs, links, conflict copies). */
  readonly others: readonly string[];
  /** What is different about a directory of another agent's layout. */
  readonly layout?: TreeLayout | undefined;
}
