/** Utterances that match a pattern of the user's are never read; their place moves on all the same. */
import { createContext, runInContext } from "node:vm";
import { MemdError, systemCode } from "../base/errors.ts";
import type { SessionWords } from "../digest/utterance.ts";

/** One pattern over all words of a run: a sound one takes some ms for half a million characters. */
const PATTERN_MS = 5_000;

/**
 * @param patterns regular expressions, checked with the configuration
 * @throws MemdError misconfigured `slow-pattern`: without it nothing is read, since what it should hide is not known
 */
export function withoutIgnored(
  words: readonly SessionWords[],
  patterns: readonly string[],
  limitMs = PATTERN_MS,
): readonly SessionWords[] {
  let kept = words;
  for (const [index, pattern] of patterns.entries()) kept = within(limitMs, index, () => without(kept, pattern));
  return kept;
}

function without(words: readonly SessionWords[], pattern: string): SessionWords[] {
  const ignored = new RegExp(pattern, "iu");
  return words.map((item) => ({
    ...item,
    utterances: item.utterances.filter(({ text }) => !ignored.test(text)),
  }));
}

/**
 * `(a+)+$` tries a line of forty letters for hours, in one call that hears neither a signal nor the run's own wall time; only the
 * machine's interrupt behind `timeout` ends it.
 */
function within<T>(limitMs: number, index: number, act: () => T): T {
  try {
    return runInContext("act()", createContext({ act }), { timeout: limitMs });
  } catch (error) {
    if (systemCode(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new MemdError({
      code: "slow-pattern",
      family: "misconfigured",
      message: `sources.ignore.text[${index}] was not done with the sessions after ${limitMs / 1_000} s; nothing was read`,
      hint: "Write the pattern without a repeat inside a repeat, as (a+)+ is one.",
      cause: error,
    });
  }
}
