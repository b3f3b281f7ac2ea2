/** What a run changes: files for apply, entries for people, evidence for `why`. */
import type { Citation, Operation } from "./operation.ts";

export interface FileChange {
  /** Relative to the memory directory. */
  readonly file: string;
  /** Text as it was read; null: the file is new. */
  readonly before: string | null;
  /** Text to write; null: the file goes (topics only; its text is in `retired`). */
  readonly after: string | null;
}

/** One change as people see it. */
export interface Change {
  readonly operation: Operation["op"] | "index";
  /** Slug, or `MEMORY` for the index. */
  readonly topic: string;
  /** The entry's block before and after; null when there was or is none. */
  readonly before: string | null;
  readonly after: string | null;
  readonly reason: string;
  readonly citations: readonly Citation[];
}

/** Text that leaves memory; it goes to the archive with date, run and reason. */
export interface Retired {
  readonly topic: string;
  readonly text: string;
  readonly reason: string;
}

/** One line of evidence.jsonl: the support of one entry. */
export interface EvidenceRecord {
  readonly run: string;
  readonly operation: Operation["op"];
  readonly topic: string;
  /** `statementKey` of the entry's statement. */
  readonly key: string;
  /** The statement, so that `why` can show it when the entry has moved on. */
  readonly statement: string;
  /** ISO time of the run. */
  readonly at: string;
  readonly citations: readonly Citation[];
}

export interface Changeset {
  /** Topics first (by name), then MEMORY.md: the order of apply. */
  readonly files: readonly FileChange[];
  readonly changes: readonly Change[];
  readonly retired: readonly Retired[];
  readonly evidence: readonly EvidenceRecord[];
  /** Hashes (`shortHash`) of index lines that are memd's own after this run. */
  readonly ownLines: readonly string[];
  /** Operations that compile could not place (topic full, entry gone): they stay unread work or are refused. */
  readonly conditions: readonly Notice[];
}

/** Something a person should know; becomes a condition in status. */
export interface Notice {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}
