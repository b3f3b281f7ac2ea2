/** Titles, descriptions and questions carry no facts of their own: what they name exactly stands in memory or was said by a person. */
import { type Detail, detailsOf } from "../language/details.ts";
import { fold } from "../language/words.ts";
import { type Case, type Rule, violation } from "./rule.ts";
import { holds } from "./stands.ts";

const saidBy = (given: Case) => [...given.tree.topics.map(({ text }) => text), ...given.world.voices.userTexts];

function isSaid(detail: Detail, texts: readonly string[]): boolean {
  const word = detail.kind === "name" ? fold(detail.text) : detail.key;
  return texts.some((text) => holds(fold(text), word));
}

/** A capital at the start of a sentence, and in a title, is no name. */
function isName(detail: Detail, text: string): boolean {
  return detail.start > 0 && !/[.!?:：。]\s*$/.test(text.slice(0, detail.start));
}

/**
 * The other words are free: `Read before writing tests` need not be said by anyone. Words that only a tool said are caught by
 * `instruction-from-tool`.
 */
export const groundedDescription: Rule = (operation, given) => {
  if (operation.op !== "create-topic" && operation.op !== "describe-topic" && operation.op !== "ask") return null;
  const description = operation.op === "ask" ? operation.text : operation.description;
  const title = operation.op === "create-topic" ? detailsOf(operation.title).filter(({ kind }) => kind !== "name") : [];
  const named = detailsOf(description).filter((detail) => detail.kind !== "name" || isName(detail, description));
  const details = [...title, ...named].filter(({ kind }) => kind !== "quoted");
  if (details.length === 0) return null;
  const texts = saidBy(given);
  const missing = details.find((detail) => !isSaid(detail, texts));
  return missing ? violation("unsupported-detail", `nobody said "${missing.text}"`) : null;
};
