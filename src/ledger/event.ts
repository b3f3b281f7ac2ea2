/**
 * What happened, as the event log keeps it and `memd events` prints it: for people who build on memd. No event holds a quote, a
 * memory's text or a secret; who wants those asks `memd show RUN`.
 */
import { isRecord } from "../base/json.ts";
import type { Notice } from "../memory/changeset.ts";

/** Fields may be added under one version, never removed or given another meaning. */
export const EVENT_VERSION = 1;

/** What happened; the log adds version and time. */
export type Event =
  | { readonly event: "daemon-started"; readonly pid: number; readonly version: string }
  /** `reason`: the signal's name, or the code of the error that ended it. */
  | { readonly event: "daemon-stopped"; readonly pid: number; readonly reason: string }
  /** `kept`: the new configuration is broken, so the old one stays. */
  | { readonly event: "daemon-reloaded"; readonly outcome: "reloaded" | "kept"; readonly message: string }
  /** The store's verdict changed: open, or the first closed gate with its reason. That a gate was asked again is no event. */
  | {
      readonly event: "gate";
      readonly store: string;
      readonly open: boolean;
      readonly gate: string | null;
      readonly reason: string | null;
      readonly opensAt: string | null;
    }
  | { readonly event: "dream-began"; readonly store: string; readonly run: string; readonly cause: string }
  | { readonly event: "dream-step"; readonly store: string; readonly run: string; readonly step: string }
  | DreamEnded
  /** Names of files, relative to the memory directory. `cause`: of a dream `dream`, else the command, as `undo`. */
  | {
      readonly event: "memory-changed";
      readonly store: string;
      readonly run: string;
      readonly cause: string;
      readonly created: readonly string[];
      readonly updated: readonly string[];
      readonly archived: readonly string[];
    }
  /** The question itself: `memd questions`. */
  | { readonly event: "question-asked"; readonly store: string; readonly question: string }
  | {
      readonly event: "condition-raised";
      readonly store: string | null;
      readonly code: string;
      readonly message: string;
    }
  | { readonly event: "condition-cleared"; readonly store: string | null; readonly code: string }
  /** Four fifths of a cap are spent, or all of it. `cap` is the configuration's key. */
  | {
      readonly event: "budget-warning";
      readonly cap: string;
      readonly spent: number;
      readonly limit: number;
      readonly reached: boolean;
    };

export interface DreamEnded {
  readonly event: "dream-ended";
  readonly store: string;
  readonly run: string;
  /** As in the run's report. */
  readonly outcome: string;
  /** Stable kebab-case word: an error's code, or why nothing changed. */
  readonly reason: string | null;
  readonly tookMs: number;
  readonly sessions: { readonly seen: number; readonly read: number; readonly left: number };
  readonly operations: { readonly proposed: number; readonly accepted: number; readonly rejected: number };
  readonly usage: { readonly requests: number; readonly tokens: number; readonly costUsd: number };
}

/** One line of the log: `{"v":1,"at":"…","event":"…",…}`. */
export type LoggedEvent = { readonly v: number; readonly at: string } & Readonly<Record<string, unknown>> & {
    readonly event: string;
  };

/** An event of any version that has the fields which all have. */
export function isLoggedEvent(value: unknown): value is LoggedEvent {
  return (
    isRecord(value) &&
    typeof value["v"] === "number" &&
    typeof value["event"] === "string" &&
    typeof value["at"] === "string" &&
    !Number.isNaN(Date.parse(value["at"]))
  );
}

/** Where events go. Telling of something never fails what is told of. */
export interface EventSink {
  emit(event: Event): void;
  /** Why the last event could not be kept; null when it could. */
  readonly trouble: Notice | null;
}
