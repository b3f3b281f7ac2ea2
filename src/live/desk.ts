/** What the daemon answers on its socket. The socket room brings the questions; the daemon has the answers. */
import type { LiveFacts } from "./facts.ts";

export interface DreamAsk {
  /** Names; empty means every store. */
  readonly stores: readonly string[];
  /** As `dream --now`. */
  readonly now: boolean;
}

/** `held`: it is being dreamt of right now; `refused`: paused, unknown, or the daemon is stopping. */
export interface DreamAnswer {
  readonly accepted: readonly string[];
  readonly held: readonly string[];
  readonly refused: readonly { readonly store: string; readonly reason: string }[];
}

/** `kept`: the new configuration is broken, so the old one stays. */
export interface ReloadAnswer {
  readonly outcome: "reloaded" | "kept";
  readonly message: string;
}

/** Something happened; who follows looks again. Steps of a dream come by here too, which the event log does not keep. */
export type LiveEvent = Readonly<Record<string, unknown>> & { readonly event: string };

export interface Desk {
  facts(): LiveFacts;
  dream(ask: DreamAsk): Promise<DreamAnswer>;
  reload(): Promise<ReloadAnswer>;
}
