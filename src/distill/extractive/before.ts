/** A sentence that was too light to be kept, and the next one that makes a statement of both. */
import { contentWords } from "../../memory/language/words.ts";
import { isOrphan, isTail, pointsBack } from "./join.ts";
import { any, cue, type Sentence } from "./kind.ts";
import { ENOUGH, isPassing } from "./weigh.ts";

/** "PaymentsKit isn't ours." names its subject, and nothing more. */
const THIN = 2;
/** "Loki choked. Victoria it is.": what was found wanting goes. */
const VERDICT = /\b(?:it is|then)\W*$/i;
/** "You ran prettier on everything. Please don't, ...": the reproach says what. */
const REFUSAL = /^(?:please )?(?:don'?t|never|no|stop)(?: (?:ever )?(?:do )?(?:that|it|this)(?: again)?)?[,.!:;]/i;
const ANSWER_WORDS = 14;
const wordCount = (sentence: Sentence) => sentence.bare.split(/\s+/).length;

/** "Who merges?", "infra/dns?": its speaker goes on to answer. */
export const asksItself = (sentence: Sentence): boolean =>
  any(sentence, (l) => l.topicQuestion?.test(sentence.bare) ?? false);

/** The answer is the speaker's own: no report, no wish for help. */
const answers = (sentence: Sentence) =>
  wordCount(sentence) <= ANSWER_WORDS && !/^I (?!do\b|am\b)|^(?:can|could|please)\b/i.test(sentence.bare);

const isThin = (sentence: Sentence) => contentWords(sentence.bare).length < THIN && sentence.weighing.score >= ENOUGH;

/** "We had hoped to open on 7 December.": a day that held once; what holds comes next, or nothing does. */
export const PAST_PLAN =
  /\bhad (?:hoped|planned|meant|intended|expected|wanted|thought)\b|\b(?:was|were) (?:meant|planned|supposed|due|set|scheduled|booked|originally|going|hoping|planning)\b|\bused to be\b|\bwill not happen\b|\b(?:was|were) (?=(?:on )?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|本来|原定|原本|原计划/i;
export const isPastPlan = (sentence: Sentence, days: number): boolean => days === 1 && PAST_PLAN.test(sentence.said);

export const redates = (sentence: Sentence, before: Sentence): boolean =>
  sentence.dated && before.dated && PAST_PLAN.test(before.said);

/** "The public portal.", "Also, the moisture field.": names what the next sentences are about. */
const TOPIC =
  /^(?:(?:also|now|and|next|then|so|right|ok),? )?(?:the|our|about|as for|regarding|on) (?:(?:the|our) )?[\w'-]+(?: [\w'-]+){0,3}[.:]$/i;
export const isTopic = ({ bare }: Sentence): boolean =>
  TOPIC.test(bare) && !/\b(?:is|are|was|were|has|have|had|will|must|should|can|[a-z]+ed)\b/i.test(bare);
export const needsTopic = (text: string): boolean => /\b(?:it|that|they|them)\b/i.test(text);

/** True when the sentence completes the one before it: the confirmed way, the answered question, the pronoun's noun, the name of the thing. */
export function completes(sentence: Sentence, before: Sentence): boolean {
  if (redates(sentence, before)) return true;
  if (asksItself(before)) return answers(sentence);
  if (isReproach(before)) return REFUSAL.test(sentence.piece.text);
  if (isOrphan(sentence) || pointsBack(sentence) || isTail(sentence)) return true;
  if (cue(before, "praise") > 0 && (cue(sentence, "confirm") > 0 || /^(?:please )?keep \w+ing\b/i.test(sentence.bare)))
    return true;
  if (
    cue(before, "praise") > 0 &&
    /\bsuch an?\b|\b(?:like|of) (?:that|this) kind\b|\b(?:those|these)\b/i.test(sentence.bare)
  )
    return true;
  if (cue(sentence, "decision") >= 3 && VERDICT.test(sentence.bare)) return true;
  return isThin(before) || (isThin(sentence) && wordCount(before) <= 6);
}

/** The two weigh enough together. */
export function isEnough(sentence: Sentence, before: Sentence): boolean {
  if (isTail(sentence) || asksItself(before) || (before.dated && PAST_PLAN.test(before.said))) return true;
  return Math.max(sentence.weighing.score, before.weighing.score) >= ENOUGH;
}

const isReproach = ({ weighing }: Sentence) =>
  (weighing.cues.complaint ?? 0) < 0 && (weighing.cues.question ?? 0) === 0 && (weighing.cues.bug ?? 0) === 0;

/** Worth holding on to until the next sentence: nothing speaks against it. */
export function isLeaning(sentence: Sentence): boolean {
  const { weighing } = sentence;
  if (asksItself(sentence) || isReproach(sentence)) return true;
  return (
    (!isOrphan(sentence) || cue(sentence, "praise") > 0) &&
    weighing.score > -1 &&
    !isPassing(weighing) &&
    (weighing.cues.bug ?? 0) === 0
  );
}

/** "Kafka is out. NATS.": a name alone is what holds instead. */
export const namesOnly = (sentence: Sentence): boolean =>
  contentWords(sentence.bare).length > 0 &&
  (wordCount(sentence) <= 3 || (wordCount(sentence) <= 6 && sentence.weighing.score >= 0)) &&
  !/\b(?:is|are|was|were|I|you|that|this|it)\b/i.test(sentence.bare);

/** "The bot does that now." excuses a withdrawal and says nothing that lasts. */
export function excuses(sentence: Sentence): boolean {
  const strong = (["order", "norm", "rule", "fact"] as const).some((name) => cue(sentence, name) >= 2);
  const own = (["owner", "pointer", "confirm", "profile", "ask"] as const).some((name) => cue(sentence, name) >= 3);
  const ended = /\b(?:dropped|removed|retired|killed|stopped|cancelled|abandoned|gave up)\b/i.test(sentence.bare);
  return !strong && !own && (cue(sentence, "decision") < 2 || ended);
}
