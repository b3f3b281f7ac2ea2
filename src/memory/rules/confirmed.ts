/** When an assistant's words count: only a person who says yes to them makes them evidence. */
import { fold } from "../language/words.ts";
import type { ResolvedCite } from "./quote.ts";
import { isPersons } from "./speaker.ts";

/** What a person begins with who agrees to the words just before. */
const ASSENT =
  /^[\s"'(]*(?:(?:oh|ah|hmm|well|and),?\s+)?(?:yes|yep|yeah|yup|exactly|correct|perfect|great|agreed|absolutely|sure|lgtm|ok(?:ay)?|right(?! now)|good(?! (?:question|point|morning|evening|luck|grief))|fine(?!-)|sounds (?:good|right|fine)|that(?:'s| is) (?:right|correct|it|good|fine)|please do|do (?:it|that|so)|go ahead|keep (?:doing|it)|👍)(?![\w-])|^[\s“"]*(?:对(?!不起)|是的|好(?!像)|可以|没错|就这样|就这么|行(?!不)|同意|嗯|没问题)/;
/** What takes the yes back, or asks for it. */
const DOUBT =
  /\b(?:but|however|instead|wrong|no|not|never|stop|wait|unless|except|why|maybe|perhaps)\b|n't\b|[?？]|但|不过|可是|别|不(?!错)|没(?!错|问题)|吗/;

const firstSentence = (text: string) => text.split(/[.!。！\n]/).find((part) => /[\p{L}👍]/u.test(part)) ?? "";

/** True when the person's words are the next that anybody said after the assistant's, and agree. */
function confirms(person: ResolvedCite, assistant: ResolvedCite): boolean {
  if (person.session.label !== assistant.session.label) return false;
  const { utterances } = assistant.session;
  const said = utterances.findIndex(({ label }) => label === assistant.label);
  const next = utterances.slice(said + 1).find(({ speaker }) => speaker === "user");
  if (next?.label !== person.label) return false;
  // A question that follows takes a yes back as little as a new task does; within the sentence it does.
  const sentence = fold(firstSentence(next.text.slice(0, 400)) + (/^[^.!。！\n]*[?？]/.test(next.text) ? "?" : ""));
  return ASSENT.test(sentence) && !DOUBT.test(sentence);
}

/**
 * The cites that may carry a statement: an assistant's words without the yes of the person who answered them are what a model once
 * thought, and a nod of that person to something else must not lend them weight.
 */
export function carryingCites(cites: readonly ResolvedCite[]): readonly ResolvedCite[] {
  const persons = cites.filter(isPersons);
  return cites.filter((cite) => cite.utterance.trust !== "assistant" || persons.some((one) => confirms(one, cite)));
}
