/**
 * What memd knows about one store between runs, as one small JSON file: enough for the gates and for `status`, without SQLite and
 * without opening a transcript. Losing it costs one scan and the cool-down, never a memory.
 */
import { childPath } from "../base/child-path.ts";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import type { Failure } from "../gate/cool-down.ts";

/** Something wrong now; `since` is kept while it stays wrong. */
export interface Condition {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** ISO time at which it was first seen. */
  readonly since: string;
}

export interface LastScan {
  /** Epoch ms. */
  readonly at: number;
  readonly seen: number;
  readonly counted: number;
  readonly unread: number;
  readonly dropped: Readonly<Record<string, number>>;
  /** mtime of the oldest session that is not read to its end, epoch ms. */
  readonly oldestUnread: number | null;
}

export interface StoreState {
  readonly lastScan: LastScan | null;
  readonly failure: Failure | null;
  /** Unread sessions that the last run left. */
  readonly left: number;
  readonly lastRun: {
    readonly id: string;
    readonly outcome: string;
    readonly reason: string | null;
    readonly at: string;
  } | null;
  readonly lastSuccessAt: string | null;
  /** End of the last dream that changed memory, ISO; one that found nothing to do is a success and no change. */
  readonly lastChangedAt: string | null;
  /** What the last check of the gates came to: `open`, or `gate: reason`. */
  readonly verdict: string | null;
  /** ISO time from which the sessions could not be read; null when they could at the last try. */
  readonly unreadableSince: string | null;
  /** Epoch ms at which a check first found a dream due, with no success since. */
  readonly dueSince: number | null;
  /** Size of the memory after the last run. */
  readonly shape: { readonly topics: number; readonly entries: number } | null;
  readonly questions: number;
  /** Ids of runs that were undone, and of the undos: `undo last` passes them by. */
  readonly undone: readonly string[];
  /** Sessions that their clients forgot, `client:session`, once memory holds nothing that rests on them alone. */
  readonly forgotten: readonly string[];
  readonly conditions: readonly Condition[];
}

const FRESH_STATE: StoreState = {
  lastScan: null,
  failure: null,
  left: 0,
  lastRun: null,
  lastSuccessAt: null,
  lastChangedAt: null,
  verdict: null,
  unreadableSince: null,
  dueSince: null,
  shape: null,
  questions: 0,
  undone: [],
  forgotten: [],
  conditions: [],
};

const FILE = "state.json";
const SCHEMA = 1;

/** The state file is ours and written atomically; one from another version or a damaged one is started over. */
export function loadStoreState(files: Files, folder: string): StoreState {
  const read = readJson(files, childPath(folder, FILE));
  if (read.state !== "read" || !isRecord(read.value) || read.value["schema"] !== SCHEMA) return FRESH_STATE;
  const { schema: _, ...state } = read.value;
  return { ...FRESH_STATE, ...(state as Partial<StoreState>) };
}

/** @param made.token unique to this call: two scans may write without a lock at the same moment */
export function saveStoreState(files: Files, folder: string, made: { state: StoreState; token: string }): void {
  writeJson(files, childPath(folder, FILE), { schema: SCHEMA, ...made.state }, made.token);
}

/** New conditions with the old ones' `since`; what is no longer wrong is gone. */
export function carryConditions(
  before: readonly Condition[],
  now: readonly Omit<Condition, "since">[],
  at: string,
): readonly Condition[] {
  const unique = new Map(now.map((condition) => [`${condition.code}\n${condition.message}`, condition]));
  return [...unique.values()].map((condition) => ({
    code: condition.code,
    message: condition.message,
    hint: condition.hint,
    since: before.find((old) => old.code === condition.code)?.since ?? at,
  }));
}
