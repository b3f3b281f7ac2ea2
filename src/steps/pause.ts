/** Whether a store rests, by whose word, and how to go on. Asked anew at each gate: a daemon outlives a pause. */
import { type Pause, pauseIn } from "../ledger/pause.ts";
import type { Files, Store } from "../ports.ts";

export interface Paused {
  /** `all`: memd pause; `store`: memd pause --store NAME; `config`: `paused: true` of this store. */
  readonly by: "all" | "store" | "config";
  /** ISO time, where it is known. */
  readonly since: string | null;
  readonly hint: string;
}

/** @param state the state directory */
export function pausesOf(files: Files, state: string, store: Store): readonly Paused[] {
  return pausesUnder(pauseIn(files, state), files, store);
}

/** @param all the pause of all stores, where it is known */
export function pausesUnder(all: Pause | null, files: Files, store: Store): readonly Paused[] {
  const own = pauseIn(files, store.state);
  return [
    ...(all ? [{ by: "all" as const, since: all.since, hint: "memd resume ends the pause of all stores." }] : []),
    ...(own
      ? [
          {
            by: "store" as const,
            since: own.since,
            hint: `memd resume ends the pause; with --store ${store.name} of this store alone.`,
          },
        ]
      : []),
    ...(store.paused
      ? [{ by: "config" as const, since: null, hint: "Set paused: false for this store in the configuration." }]
      : []),
  ];
}
