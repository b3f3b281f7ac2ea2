/** What a run gathered, and what `commit` needs to know of each transcript. */
import type { SessionWords } from "../digest/utterance.ts";
import type { Cursor, FileWrite, TranscriptFile } from "../ports.ts";
import type { Notice, RecordCounts, SessionCounts, Target } from "./plan.ts";

/** A turn that was read, and the names under which a copy of it would be known. */
export interface KeyedTurn {
  readonly offset: number;
  readonly keys: readonly string[];
  readonly isCopy: boolean;
  readonly cwd: string | null;
  /** Epoch ms. */
  readonly at: number;
  readonly headless: boolean;
}

/** What `commit` needs to know of one transcript. */
export interface CollectedFile {
  readonly target: Target;
  /** Where reading began; offset 0 when the file had been replaced. */
  readonly start: { readonly offset: number; readonly lines: number };
  readonly end: Cursor;
  /**
   * `words`: gathered; the digest decides how far they are taken. `advance`: nothing in it can ever count, the place moves
   * on. `stay`: a rule of the plan refuses it, and another plan may not.
   */
  readonly fate: "words" | "advance" | "stay";
  /** More follows behind `end`. */
  readonly more: boolean;
  /** Turns that were read, copies too. */
  readonly said: number;
  /** The turns themselves, in the order of the file; empty for a file that was not opened. */
  readonly turns: readonly KeyedTurn[];
  /** Line starts at which a place may stop. */
  readonly stops: readonly { readonly offset: number; readonly line: number }[];
  readonly bad: number;
  readonly unfinished: number;
  readonly cwds: readonly (string | null)[];
}

export interface Collected {
  readonly words: readonly SessionWords[];
  readonly files: readonly CollectedFile[];
  readonly sessions: SessionCounts & {
    /** Transcripts whose words are in `words`. */
    readonly read: number;
    /** Transcripts that stay unread because `maxChars` was reached. */
    readonly left: number;
  };
  /** Sessions of which their clients say that they are to be forgotten; other reasons to leave one out say nothing of what was learned before. */
  readonly forgotten: readonly TranscriptFile[];
  readonly records: RecordCounts;
  /** What agents wrote below `ReadPlan.writesBelow`. */
  readonly writes: readonly FileWrite[];
  readonly notices: readonly Notice[];
}
