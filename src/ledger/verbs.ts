/** What a ledger can do, whatever it is kept in. "The filesystem decides, the ledger remembers": losing it costs no memory. */
import type { Change, Notice } from "../memory/changeset.ts";
import type { RunReport, RunSummary } from "./report.ts";

export type Found =
  | { readonly state: "found"; readonly run: RunReport }
  | { readonly state: "none" }
  | { readonly state: "ambiguous"; readonly ids: readonly string[] };

export interface PastChange {
  readonly run: string;
  readonly store: string;
  /** ISO time of the run. */
  readonly at: string;
  readonly change: Change;
}

export interface PastRefusal {
  readonly run: string;
  readonly store: string;
  readonly at: string;
  readonly operation: string;
  readonly rule: string;
  readonly detail: string;
  readonly text: string;
}

export interface Retention {
  /** Runs and refusals older than this go. */
  readonly days: number;
  /** Beyond this size of the database the oldest runs go; the latest stays. */
  readonly bytes: number;
  /** Cached extractions go when not used for this long, and the longest unused ones beyond the size. */
  readonly cacheDays: number;
  readonly cacheBytes: number;
}

export interface Forgotten {
  /** Rows that are gone or changed. */
  readonly rows: number;
  /** False when another program kept the file open, so that old bytes may stay in it until the next time. */
  readonly erased: boolean;
}

export interface Verbs {
  /** Takes the place of an earlier record of the same run. */
  recordRun(report: RunReport): void;
  /** Latest first; of all stores when none is named. */
  history(filter: {
    readonly stores?: readonly string[] | undefined;
    readonly limit?: number | undefined;
  }): RunSummary[];
  /** A run by `last`, its id, or a prefix of it that only one run has. */
  find(run: string, store?: string): Found;
  changesOf(run: string): Change[];
  /** Best match first. */
  changesMatching(text: string): PastChange[];
  refusedMatching(text: string): PastRefusal[];
  /** @param now epoch ms; a value that is used stays longer */
  cacheGet(key: string, now: number): string | null;
  cachePut(key: string, value: string, now: number): void;
  /** Removes every trace of these texts; pass an entry's statement and the quotes that support it. */
  forget(texts: readonly string[]): Forgotten;
  trim(retention: Retention, now: number): void;
}

export interface Ledger extends Verbs {
  /** What is wrong with the ledger now, or null. */
  readonly condition: Notice | null;
  close(): void;
}

/** Longest list that a search gives back. */
export const MATCHES = 50;
export const HISTORY = 20;
