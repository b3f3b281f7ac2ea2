/** The distiller that asks a model: a small one reads each session, a larger one proposes what changes. Runs in the forked child. */
import { MemdError } from "../../base/errors.ts";
import type { Operation, Proposal } from "../../memory/operation.ts";
import type { Brief } from "../../ports.ts";
import { extract } from "../extractive/index.ts";
import type { Candidate } from "./candidate.ts";
import { consolidate, isSettled } from "./consolidate.ts";
import type { End } from "./conversation.ts";
import { extractAll, type Stage } from "./extract.ts";
import type { Endpoint } from "./messages.ts";
import { PROMPT_VERSION } from "./prompts/version.ts";
import type { AnthropicSettings } from "./settings.ts";

/**
 * A conversation that only ends with words says that nothing is to be done. One that repeats itself, meets its limits or is refused counts
 * for nothing: no part of it is proposed, and the run fails, so that its words stay unread. When the next one does not finish either,
 * the built-in rules speak for them: no word waits for ever for a model that cannot finish.
 * @throws MemdError of the endpoint; rejected `unfinished`; what was extracted until then is cached
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
  const strike = `unfinished ${settings.consolidate.name} ${PROMPT_VERSION}`;
  const struck = (await home.cacheGet(strike)) === "yes";
  const isOver = "operations" in result || result.unfinished === "no-finish";
  if (isOver === struck) home.cachePut(strike, isOver ? "no" : "yes");
  if ("operations" in result) return { ...result, passed: leftOut(candidates, result.operations) };
  if (result.unfinished === "no-finish") {
    home.progress("consolidate: the model ended with words alone; nothing is changed");
    return { operations: [], passed: leftOut(candidates, []) };
  }
  if (!struck) throw unfinished(result.unfinished);
  home.progress(
    `consolidate: the model did not finish again (${result.unfinished}); the built-in rules propose instead`,
  );
  return extract(brief);
}

const leftOut = (candidates: readonly Candidate[], taken: readonly Operation[]): string[] =>
  candidates.filter((candidate) => !isSettled(candidate, taken)).map(({ statement }) => statement);

function unfinished(end: End): MemdError {
  return new MemdError({
    code: "unfinished",
    family: "rejected",
    message: `the model did not finish its work (${end}); nothing of it counts`,
    hint: "Its words stay unread. If it happens again the built-in rules propose; a larger model.consolidate or model.maxTokens may help.",
  });
}
