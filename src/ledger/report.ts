/** What one run did, as plain data: the same record feeds `--json`, the log, the ledger and the last-run file. */
import type { Change } from "../memory/changeset.ts";
import type { Refusal } from "../memory/operation.ts";
import type { Estimate, Usage } from "../ports.ts";

export type RunOutcome = "done" | "unchanged" | "skipped" | "failed" | "undone" | "dry-run";

/** Every field as the command line contract prints it; absent values are null, times are ISO 8601 UTC, stamps are epoch ms. */
export interface RunReport {
  /** Sortable run id (`runId`). */
  readonly id: string;
  /** Name of the store. */
  readonly store: string;
  /** Absolute path of the memory directory. */
  readonly memory: string;
  /** What asked for the run: `scan`, `hint`, `cron`, `now`, `undo`, ... */
  readonly cause: string;
  readonly distiller: string;
  readonly outcome: RunOutcome;
  /** Stable kebab-case word for skipped and failed runs. */
  readonly reason: string | null;
  /** Error code of a failed run. */
  readonly code: string | null;
  readonly hint: string | null;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly stampBefore: number;
  readonly stampAfter: number;
  readonly sessions: {
    readonly seen: number;
    readonly counted: number;
    readonly read: number;
    readonly left: number;
    /** Sessions that were not counted, by reason. */
    readonly dropped: Readonly<Record<string, number>>;
  };
  readonly records: { readonly lines: number; readonly bad: number; readonly unfinished: number };
  readonly utterances: number;
  readonly evidenceTokens: number;
  /** Secrets found, by rule; never a value. */
  readonly redacted: Readonly<Record<string, number>>;
  readonly operations: {
    readonly proposed: number;
    readonly accepted: number;
    readonly rejected: readonly Refusal[];
  };
  readonly files: {
    readonly created: readonly string[];
    readonly updated: readonly string[];
    readonly archived: readonly string[];
  };
  readonly usage: Usage;
  /** What the distiller expected to spend; null where nobody had to be asked. Absent in records of before. */
  readonly estimate?: Estimate | null;
  /** Questions that this run raised. */
  readonly questions: number;
  /** What held the distiller; null when none ran. */
  readonly fence: string | null;
  readonly changes: readonly Change[];
}

/** A run without its changes: what a list of runs needs. */
export type RunSummary = Omit<RunReport, "changes">;

/** The part of a report that lists show. */
export function summaryOf(report: RunReport): RunSummary {
  const { changes: _, ...summary } = report;
  return summary;
}
