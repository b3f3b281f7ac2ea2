/** The distiller that asks a model: a small one reads each session, a larger one proposes what changes. Runs in the forked child. */
import type { Operation, Proposal } from "../../memory/operation.ts";
import type { Brief } from "../../ports.ts";
import { extract } from "../extractive/index.ts";
import type { Candidate } from "./candidate.ts";
import { consolidate, isSettled } from "./consolidate.ts";
import { extractAll, type Stage } from "./extract.ts";
import type { Endpoint } from "./messages.ts";
import type { AnthropicSettings } from "./settings.ts";

/**
 * A conversation that only ends with words says that nothing is to be done. One that repeats itself, meets its limits or is refused counts
 * for nothing: no part of it is proposed. The words were read all the same, so the built-in rules speak for them: nothing is lost, and
 * the next run does not pay for the same failure.
 * @throws MemdError of the endpoint; what was extracted until then is cached
 */
export async function anthropic(
  brief: Brief,
  home: Stage["home"],
  endpoint: Endpoint,
  settings: AnthropicSettings,
): Promise<Proposal> {
  const stage: Stage = { brief, home, endpoint, settings };
  const candidates = await extractAll(stage);
  if (candidates.length === 0) {
    home.progress("consolidate: nothing to consolidate");
    return { operations: [] };
  }
  const result = await consolidate(candidates, stage);
  if ("operations" in result) return { ...result, passed: leftOut(candidates, result.operations) };
  if (result.unfinished === "no-finish") {
    home.progress("consolidate: the model ended with words alone; nothing is changed");
    return { operations: [], passed: leftOut(candidates, []) };
  }
  home.progress(`consolidate: the model did not finish (${result.unfinished}); the built-in rules propose instead`);
  return extract(brief);
}

const leftOut = (candidates: readonly Candidate[], taken: readonly Operation[]): string[] =>
  candidates.filter((candidate) => !isSettled(candidate, taken)).map(({ statement }) => statement);
