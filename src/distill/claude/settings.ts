/** What one run of Claude Code is given beside its brief. */
import type { Price } from "../anthropic/settings.ts";

export interface ClaudeSettings {
  /** Absolute path of the program. */
  readonly program: string;
  /** Null: its own default. */
  readonly model: string | null;
  /** Null for a model whose price nobody knows: then only Claude Code itself counts the money. */
  readonly priceOf: (model: string) => Price | null;
  readonly maxTurns: number;
  /** Longest answer to one request, tokens. */
  readonly maxTokens: number;
  /** What the caps leave to the run. */
  readonly left: { readonly usd: number; readonly requests: number };
  /** No event for that long: not even the longest request takes it. */
  readonly silentMs: number;
  /** Share of the plan's limits that is left to the user's own work, 0 to 100; 0: none. */
  readonly keepRatePercent: number;
  readonly tone: string | null;
  /** What it needs to start and to find its sign-in; all that it inherits. */
  readonly env: Readonly<Record<string, string>>;
  /** The key or token among it, kept out of all that comes back; null when it signs in by itself. */
  readonly secret: string | null;
  /** Whom the run's cost falls to, for people. */
  readonly payer: string;
}
