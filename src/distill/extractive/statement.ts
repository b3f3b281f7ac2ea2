/** A sentence as the fact that it states, with the words it is cited by; and whether it is worth keeping. */
import type { DigestUtterance } from "../../digest/digest.ts";
import { detailsOf } from "../../memory/language/details.ts";
import { contentWords } from "../../memory/language/words.ts";
import { PAST_PLAN } from "./before.ts";
import type { Fact, Kind, Part } from "./fact.ts";
import { any, cue, kindOf, type Sentence, TYPES } from "./kind.ts";
import { ENOUGH, isAsked, languagesOf } from "./weigh.ts";
import { wordingOf } from "./wording.ts";

/** A longer utterance is mostly pasted: only what it asks to remember is the speaker's. */
const PASTED_CHARS = 2_500;

/** A list under "Conventions for this repo:" needs no cue of its own. */
function underHeading(sentence: Sentence): boolean {
  const heading = sentence.piece.heading;
  return heading !== null && languagesOf(heading).some((language) => language.heading.test(heading));
}

const EXACT = new Set(["identifier", "path", "code", "url"]);

/** Two words of content, or one that is exact or beside a date; "not X" alone only denies. */
export function hasContent(text: string, dated: boolean): boolean {
  const words = contentWords(text);
  // 都用 pnpm: in a Chinese sentence a Latin word is always the name of something.
  const named = /[\u3400-\u9fff]/.test(text) && words.some((word) => !word.cjk && word.text.length > 1) ? 1 : 0;
  // "Ask before installing anything."
  const isExact =
    dated ||
    /\b(?:anything|everything|nobody|anybody|anyone)\b/i.test(text) ||
    detailsOf(text).some(({ kind }) => EXACT.has(kind));
  return words.length + named >= (isExact ? 1 : 2) && !/^not [^,;]*$/i.test(text);
}

export function isKept(sentence: Sentence, utterance: DigestUtterance): boolean {
  // The weight is known already; finding words of content is what costs.
  return (
    weighsEnough(sentence, utterance) && !/[:：]\s*$/.test(sentence.bare) && hasContent(sentence.bare, sentence.dated)
  );
}

function weighsEnough(sentence: Sentence, utterance: DigestUtterance): boolean {
  const { weighing } = sentence;
  if (utterance.speaker === "log") return weighing.score >= ENOUGH || (sentence.dated && weighing.score > -ENOUGH);
  if (utterance.text.length > PASTED_CHARS && !isAsked(weighing)) return false;
  const bonus = underHeading(sentence) ? ENOUGH : 0;
  if (weighing.score + bonus >= ENOUGH) return true;
  return isAsked(weighing);
}

function matches(text: string, patterns: readonly RegExp[]): string[] {
  return patterns
    .flatMap((pattern) =>
      Array.from(text.matchAll(pattern), (match) => (match[1] ?? "").trim().replace(/[.,;:!]+$/, "")),
    )
    .filter((found) => found !== "");
}

export function partOf(sentence: Sentence, utterance: DigestUtterance, text: string): Part {
  return { text, cite: { utterance: utterance.label, quote: sentence.piece.text } };
}

/** Where and when a sentence was said. */
export interface Occasion {
  readonly utterance: DigestUtterance;
  /** Epoch ms. */
  readonly at: number;
  /** The sentence before took something back: this one says what holds instead. */
  readonly replaced: boolean;
  /** The speaker said that something was wrong: this one says what is right. */
  readonly corrects: boolean;
}

/** "will not be on November 13", 不是 12 号: the day that the words say it is not. */
const GONE =
  /(?:\bnot (?:be |go |ship |start )?(?:on|by|in)?|\bfrom|\binstead of|\brather than|\bno longer (?:on)?|不是|不在|而不是|不再是|从|原定(?:于|在|的)?|原来是?|本来是?)\s*(?:the )?$/i;

const goneDays = ({ piece }: Sentence, { utterance }: Occasion) =>
  utterance.dates
    .filter(({ index }) => index >= piece.start && index < piece.end)
    .filter(({ index }) => GONE.test(utterance.text.slice(Math.max(piece.start, index - 24), index)))
    .map(({ date }) => date);

const daysIn = ({ piece }: Sentence, { utterance }: Occasion) =>
  utterance.dates.filter(({ index }) => index >= piece.start && index < piece.end).map(({ date }) => date);

/** A value that is a day as the statements name it. */
const dayOf = (value: string, { utterance }: Occasion) =>
  utterance.dates.find(({ phrase }) => phrase.length > 2 && value.includes(phrase))?.date ?? value;

const COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** "Five is too low": the statements may have it as 5. */
function inDigits(value: string): string[] {
  const [word = "", ...rest] = value.toLowerCase().split(" ");
  const count = COUNTS.indexOf(word);
  return count < 0 ? [] : [[count, ...rest].join(" ")];
}

/** The heavier of two sentences says what they are; a confirmed way is one whatever it is about. */
function kindOfBoth(sentence: Sentence, before: Sentence | null): Kind {
  const isLess = before !== null && before.weighing.score > sentence.weighing.score && cue(sentence, "confirm") < 3;
  return kindOf(isLess ? before : sentence);
}

/** @param before a sentence that only makes a statement together with this one */
export function factOf(sentence: Sentence, occasion: Occasion, before: Sentence | null = null): Fact | null {
  const { dates } = occasion.utterance;
  const wording = wordingOf(sentence.piece, dates);
  const first = before && wordingOf(before.piece, dates);
  if (wording === null || (before !== null && first === null)) return null;
  if (!hasContent(`${first?.text ?? ""} ${wording.text}`.trim(), sentence.dated || (before?.dated ?? false)))
    return null;
  const kind = occasion.replaced ? "decision" : kindOfBoth(sentence, before);
  const said = [...(before ? [before] : []), sentence];
  const log = occasion.utterance.speaker === "log";
  const type = log && (TYPES[kind] === "user" || TYPES[kind] === "feedback") ? "project" : TYPES[kind];
  return {
    kind,
    type,
    parts: [
      ...(before && first ? [partOf(before, occasion.utterance, first.text)] : []),
      partOf(sentence, occasion.utterance, wording.text),
    ],
    why: wording.why === null ? [] : [partOf(sentence, occasion.utterance, wording.why)],
    at: occasion.at,
    changes: occasion.replaced || occasion.corrects || said.some((one) => any(one, (l) => l.change.test(one.said))),
    restates: cue(sentence, "restates") < 0 || cue(sentence, "complaint") < 0,
    outdated: said
      .flatMap((one) => one.languages.flatMap((l) => matches(one.said, l.outdated)))
      .concat(before !== null && cue(sentence, "decision") >= 3 ? matches(before.said, [/\b([A-Z][\w.-]+)/g]) : [])
      .flatMap((value) => [dayOf(value, occasion), ...inDigits(value)])
      .concat(goneDays(sentence, occasion))
      .concat(before && PAST_PLAN.test(before.said) ? daysIn(before, occasion) : []),
  };
}
