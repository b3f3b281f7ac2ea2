/** The words of a session, as every source delivers them and every later step reads them. */

/** Who said it. `log` is a line of a daily log, whose writer (agent or person) is not known. */
export type Speaker = "user" | "assistant" | "tool" | "log";

/**
 * How far a speaker's words may carry a memory:
 * `user` everything; `headless` (print mode, SDK: may be a script) everything, but never the only support of a `user` memory;
 * `log` project and reference memories; `assistant` context only; `tool` never.
 */
export type Trust = "user" | "headless" | "log" | "assistant" | "tool";

export interface Utterance {
  readonly speaker: Speaker;
  readonly trust: Trust;
  /** Well-formed, without NULs and control characters; at most UTTERANCE_CHARS. */
  readonly text: string;
  /** Epoch ms as recorded, or null. */
  readonly at: number | null;
  /** Physical line in `file`, from 1. */
  readonly line: number;
  /** Byte offset at which that line starts: a cursor may stop there. */
  readonly offset: number;
  /** The client's own record id, or null. */
  readonly record: string | null;
}

/** Longest text kept of one utterance, in characters; longer ones keep head and tail around an ellipsis. */
export const UTTERANCE_CHARS = 8_000;

/** What one pass over one transcript brought: only what is new since the cursor. */
export interface SessionWords {
  /** Session id as the client names it. */
  readonly session: string;
  /** `claude-code`, `daily-log`, ... */
  readonly client: string;
  /** Absolute path of the transcript. */
  readonly file: string;
  /** Working directory inside the records at the first utterance; null where the format has none. */
  readonly cwd: string | null;
  readonly headless: boolean;
  readonly utterances: readonly Utterance[];
}
