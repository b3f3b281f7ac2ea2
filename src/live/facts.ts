/** What only the running daemon knows. Everything else that `status` tells stands on the disk, and is true without it. */

/** A dream that goes on now. */
export interface Dreaming {
  readonly store: string;
  /** Null until the run has its id. */
  readonly run: string | null;
  /** A step's name of the design. */
  readonly step: string;
  /** The step's figures, for people. */
  readonly detail: string;
  /** ISO time at which the run began. */
  readonly since: string;
}

/** What the daemon will look at next. */
export interface NextLook {
  readonly store: string;
  /** ISO time; null when no time opens the gate. */
  readonly at: string | null;
  /** The gate that is closed until then; null when none is. */
  readonly gate: string | null;
}

/** Something wrong with the daemon itself, or with a store as only it can see it (a watcher that failed). */
export interface LiveCondition {
  readonly code: string;
  /** Null for the daemon as a whole. */
  readonly store: string | null;
  readonly message: string;
  readonly hint: string;
  /** ISO time at which it was first seen. */
  readonly since: string;
}

export interface LiveFacts {
  readonly version: string;
  readonly pid: number;
  /** ISO time at which the daemon started. */
  readonly since: string;
  /** Folders that are watched; 0 when it only scans. */
  readonly watching: number;
  /** Oldest first; more than one with `daemon.parallel` above 1. Empty when none goes on. */
  readonly dreaming: readonly Dreaming[];
  readonly next: NextLook | null;
  /** ISO time at which the configuration in effect was loaded. */
  readonly configLoadedAt: string;
  readonly conditions: readonly LiveCondition[];
}
