/**
 * Names, titles and descriptions stand in the index, which every session reads, and cite nothing: they say what a topic is about and when
 * to read it. A fact there would be one that nobody said, and an order one that every agent obeys.
 */
import { denies } from "../language/negation.ts";
import { fold } from "../language/words.ts";
import type { Operation } from "../operation.ts";
import { type Rule, violation } from "./rule.ts";

/** Words of rules; what must be done stands in an entry, with its quote. */
const BINDING =
  /\b(?:always|never|must|mandatory|optional|allowed|permitted|forbidden|unlimited|everything|anything goes|freely|automatically|at once|immediately|no matter|approved|trusted|safe to)\b|永远|总是|始终|必须|务必|一定|可以|允许|禁止|无需|不用|直接|自动|立刻|马上/;
/** Verbs that start an order and name no subject, as `deploy`, `release` or `test` would. */
const ORDERS =
  /^(?:please |just |then |also |now |first )*(?:skip|ignore|trust|approve|disable|enable|obey|accept|allow|bypass|delete|remove|disregard|override|reveal|paste|grant|assume|believe|pretend|forget|execute|run|push|send|use|follow|stop|avoid|do|make|keep|ask|tell|treat|consider|give|go|put|let|get|visit|click|download|upload|fetch|drop|erase|wipe|forward|leak|turn|act|be|say|answer|reply|remember|memori[sz]e|prefer)\b(?!-)/;
const STATES = /\b(?:is|are|was|were|has|have|had|can|could|may|might|should|shall|will|would|needs?|i|you)\b/;
const ASKS = /\b(?:what|which|who|whose|how|why|where)\b/;
const WHEN = /\b(?:when|whenever|if|before|after|once|while|until|in case)\b/;

/** What a text tells or orders instead of saying when to read, as a reason; else null. */
export function beyondHint(text: string): string | null {
  const folded = fold(text).replace(/\.\s*$/, "");
  return firstOf(folded.split(/[.;:!?。；：！？—]+/), beyondPart);
}

function firstOf(parts: readonly string[], judge: (part: string) => string | null): string | null {
  for (const part of parts) {
    const found = judge(part);
    if (found !== null) return found;
  }
  return null;
}

/** `who decides, and must be asked` asks: what stands behind a question word belongs to the question. */
function beyondPart(part: string): string | null {
  let asks = false;
  return firstOf(part.split(/[,，、()]/), (stretch) => {
    let when = false;
    return firstOf(stretch.split(/\b(?:and|or|then)\b/), (words) => {
      const piece = words.trim();
      const states = STATES.exec(piece)?.index ?? Infinity;
      asks ||= ASKS.test(piece);
      when ||= (WHEN.exec(piece)?.index ?? Infinity) < states;
      const shown = `"${piece.slice(0, 40)}"`;
      if (ORDERS.test(piece) && !asks) return `${shown} is an order`;
      if (states < Infinity && !asks && !when) return `${shown} is a statement`;
      return (BINDING.test(piece) && !asks) || denies(piece) ? `${shown} is a rule` : null;
    });
  });
}

function textsOf(operation: Operation): string[] {
  if (operation.op === "describe-topic") return [operation.description];
  return operation.op === "create-topic"
    ? [operation.topic.replaceAll("-", " "), operation.title, operation.description]
    : [];
}

export const hintOnly: Rule = (operation) => {
  const found = textsOf(operation)
    .map(beyondHint)
    .find((reason) => reason !== null);
  return found === undefined || found === null
    ? null
    : violation("not-a-hint", `${found}: say only when to read the topic; what holds goes into its entries`);
};
