/** When an assistant's words count: only a person who says yes to them makes them evidence. */
import { contentTerms } from "../language/clauses.ts";
import { fold } from "../language/words.ts";
import type { ResolvedCite } from "./quote.ts";
import { isPersons } from "./speaker.ts";

/** What a person begins with who agrees to the words just before. */
const ASSENT =
  /^[\s"'“(]*(?:(?:oh|ah|hmm|well|and),?\s+)?(?:yes|yep|yeah|yup|exactly|correct|perfect|great|agreed|absolutely|lgtm|right(?! now)|good(?! (?:question|point|morning|evening|luck|grief))|sounds (?:good|right|fine)|that(?:'s| is) (?:right|correct|it|good|fine)|please do|do (?:it|that|so)|go ahead|keep (?:doing|it)|👍)(?![\w-])|^[\s“"]*(?:对(?!不起)|是的|没错|就这样|就这么|同意)/;
/** As well said to end one matter before the next: `ok thanks, run git status`. */
const NOD = /^[\s"'“(]*(?:ok(?:ay)?|sure|fine(?!-)|alright)(?![\w-])|^[\s“"]*(?:好(?!像)|可以|行(?!不)|嗯|没问题)/;
/** What takes the yes back, or asks for it. */
const DOUBT =
  /\b(?:but|however|instead|wrong|no|not|never|stop|wait|unless|except|why|maybe|perhaps)\b|n't\b|[?？]|但|不过|可是|别|不(?!错)|没(?!错|问题)|吗/;
/** What a yes may go on with and still be about the words before it alone. */
const MORE_ASSENT =
  /\b(?:yes|exactly|correct|perfect|great|good|fine|sounds?|agreed|right|way|forever|always|doing|from now on|going forward|every time)\b|以后|今后|永远|都|就|这样|那样|这么|继续|保持|好的?|对的?|是的|可以|没错|没问题|同意|吧|的/g;

const firstSentence = (text: string) => /^[^.!?。！？\n]*[.!?。！？\n]?/.exec(text.trim())?.[0] ?? "";

/** A yes that goes on about something of its own says yes to that. */
function isAbout(answer: string, { sentence }: ResolvedCite): boolean {
  const rest = contentTerms(answer.replace(MORE_ASSENT, " ")).map(({ term }) => term);
  const said = new Set(contentTerms(sentence).map(({ term }) => term));
  return rest.length === 0 || rest.some((term) => said.has(term));
}

/** True when the person's words are the next that anybody said after the assistant's, and agree to them. */
function confirms(person: ResolvedCite, assistant: ResolvedCite): boolean {
  if (person.session.label !== assistant.session.label) return false;
  const { utterances } = assistant.session;
  const said = utterances.findIndex(({ label }) => label === assistant.label);
  const next = utterances.slice(said + 1).find(({ speaker }) => speaker === "user");
  if (next?.label !== person.label) return false;
  const answer = fold(next.text.slice(0, 400));
  const first = firstSentence(answer);
  const isNod = NOD.test(first);
  return (isNod || ASSENT.test(first)) && !DOUBT.test(first) && isAbout(isNod ? answer : first, assistant);
}

/**
 * The cites that may carry a statement: an assistant's words without the yes of the person who answered them are what a model once
 * thought, and a nod of that person to something else must not lend them weight.
 */
export function carryingCites(cites: readonly ResolvedCite[]): readonly ResolvedCite[] {
  const persons = cites.filter(isPersons);
  return cites.filter((cite) => cite.utterance.trust !== "assistant" || persons.some((one) => confirms(one, cite)));
}
