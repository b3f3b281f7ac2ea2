/** Which sentences need the one before them: they explain it, ground it, or go on with it. */
import { contentWords, coverage, termsOf } from "../../memory/language/words.ts";
import type { Fact } from "./fact.ts";
import { any, cue, kindOf, type Sentence, TYPES } from "./kind.ts";
import { ENOUGH, isLight } from "./weigh.ts";

/** "A retry once doubled forty salaries": what happened, and nothing about what to do. */
const isIncident = (sentence: Sentence) =>
  any(sentence, (l) => l.incident?.test(sentence.bare) ?? false) &&
  !sentence.dated &&
  cue(sentence, "transient") === 0 &&
  cue(sentence, "question") === 0 &&
  (["order", "rule", "norm", "decision", "owner", "pointer", "fact", "generic", "confirm"] as const).every(
    (name) => cue(sentence, name) < 2,
  );

/** "Because ...", "last time ...": no statement by itself. */
export const givesReason = (sentence: Sentence): boolean =>
  (any(sentence, (l) => l.reason.test(sentence.bare)) || isIncident(sentence)) &&
  cue(sentence, "ask") === 0 &&
  cue(sentence, "profile") < 3;

const isAnaphoric = (sentence: Sentence) => any(sentence, (l) => l.anaphora.test(sentence.bare));

/** "... leave it alone", "... don't rerun that": says about what only with the sentence before. */
export const pointsBack = (sentence: Sentence): boolean => any(sentence, (l) => l.pointsBack.test(sentence.bare));

/** "That is his wish.", "Same for imports.": no statement where nothing stands before it. */
export const isOrphan = (sentence: Sentence): boolean => any(sentence, (l) => l.orphan?.test(sentence.bare) ?? false);

/** "In code, in docs, anywhere." */
export const isTail = (sentence: Sentence): boolean => any(sentence, (l) => l.tail?.test(sentence.bare) ?? false);

/** "Seriously." */
export const isEmphasis = (sentence: Sentence): boolean =>
  any(sentence, (l) => l.emphasis?.test(sentence.bare) ?? false);

/** How to explain things to a person belongs to who the person is. */
const EXPLAINING = /explain|describe|relate|compar|analog|example|解释|讲|类比|例子|打比方/i;

/** Words with a subject of their own whatever stands before them. */
const isOwn = (sentence: Sentence) =>
  (["decision", "owner", "pointer", "ask"] as const).some((name) => cue(sentence, name) >= 3);

/** What a vendor accepts, a contract forbids or an auditor demands, after what was decided or told. */
function isGround(sentence: Sentence, last: Fact): boolean {
  if (last.kind !== "decision" && last.kind !== "instruction" && last.kind !== "fact") return false;
  return !isOwn(sentence) && cue(sentence, "order") < 2 && any(sentence, (l) => l.grounds.test(sentence.bare));
}

/** ";" parts one thought, unless another kind of thing follows. */
function goesOn(sentence: Sentence, last: Fact): boolean {
  if (!sentence.piece.joined) return false;
  return pointsBack(sentence) || TYPES[kindOf(sentence)] === last.type || contentWords(sentence.bare).length < 3;
}

/** A date for a decision: "All converted before the launch on 2026-06-12." */
const isDeadline = (sentence: Sentence, last: Fact) =>
  last.kind === "decision" &&
  cue(sentence, "date") > 0 &&
  cue(sentence, "rule") + cue(sentence, "norm") < 3 &&
  cue(sentence, "decision") === 0;

/** Two instructions in a row about the same things are one, told twice: "No mocks here. Mocks hide schema drift: use the real thing." */
function repeats(sentence: Sentence, last: Fact): boolean {
  if (last.kind !== "instruction" || TYPES[kindOf(sentence)] !== "feedback" || isOwn(sentence)) return false;
  const before = termsOf(last.parts.at(-1)?.text ?? "");
  return before.size > 0 && coverage(before, termsOf(sentence.bare)) >= 0.5;
}

/** "We keep no rates of our own. Tax comes from the vendor.": what holds instead of what was turned down. */
function holdsInstead(sentence: Sentence, last: Fact): boolean {
  const isDenial = /\b(?:not|no longer|\w+n't|drop(?:ped|ping)?|scrap(?:ped|ping)?|no)\b/i.test(
    last.parts[0]?.text ?? "",
  );
  if (/\binstead\W*$/i.test(sentence.bare)) return last.kind === "instruction" || last.kind === "decision";
  return (
    last.kind === "decision" && last.parts.length === 1 && isDenial && cue(sentence, "dated") === 0 && !isOwn(sentence)
  );
}

/** "Spaces, width two. Trailing commas everywhere." */
const FRAGMENT_WORDS = 5;
const areFragments = (sentence: Sentence, last: Fact) =>
  last.kind === "instruction" &&
  kindOf(sentence) === "instruction" &&
  cue(sentence, "ask") + cue(sentence, "confirm") === 0 &&
  [sentence.bare, last.parts.at(-1)?.text ?? ""].every(
    (text) => !/[\u3400-\u9fff]/.test(text) && text.split(/\s+/).length <= FRAGMENT_WORDS,
  );

/** "PaymentsKit isn't ours.": more of the kind is about the same. */
const isBrief = (last: Fact) => last.parts.length === 1 && contentWords(last.parts[0]?.text ?? "").length < 2;

const ISO = /\d{4}-\d\d-\d\d/;
const TIED =
  /^(?:[前后之]|第二天|次日|隔天|它|其|也|都|从那|这)|[前后](?:一|两|三|[\d])?天|\b(?:before|after|until) (?:that|then|it)\b|\b(?:instead|too|also|as well)\b/i;

/** "The audit is on May 4. The pilot starts on May 9.": each moves without the other. */
const hasOwnDay = (sentence: Sentence, last: Fact) =>
  sentence.dated &&
  sentence.weighing.score >= ENOUGH &&
  !TIED.test(sentence.bare) &&
  !sentence.piece.joined &&
  last.kind !== "decision" &&
  last.parts.some(({ text }) => ISO.test(text));

/** "No mocks here. Feature branches start from develop.": of other things, and whole by itself. */
const isGeneral = (sentence: Sentence, last: Fact) =>
  cue(sentence, "generic") >= ENOUGH &&
  last.kind !== "decision" &&
  coverage(termsOf(sentence.bare), termsOf(last.parts.map(({ text }) => text).join(" "))) === 0;

/** True when the sentence completes the statement before it rather than making its own. */
export function belongs(sentence: Sentence, last: Fact): boolean {
  if (isAnaphoric(sentence) || isTail(sentence)) return true;
  if (hasOwnDay(sentence, last)) return false;
  if (last.type === "user") {
    return sentence.piece.joined || cue(sentence, "profile") > 0 || EXPLAINING.test(sentence.said);
  }
  if (goesOn(sentence, last) || isDeadline(sentence, last) || isGround(sentence, last)) return true;
  if (holdsInstead(sentence, last) || areFragments(sentence, last)) return true;
  if (repeats(sentence, last) || (isBrief(last) && kindOf(sentence) === last.kind)) return true;
  // "No decimals." is too short to say what of.
  const isShort = contentWords(sentence.bare).length < 3;
  if ((pointsBack(sentence) || isShort) && kindOf(sentence) === last.kind) return true;
  if (!isOwn(sentence) && (pointsBack(sentence) || isShort)) return true;
  if (cue(sentence, "confirm") > 0 && last.kind === "instruction") return true;
  if (isGeneral(sentence, last)) return false;
  return isLight(sentence.weighing) && last.kind !== "pointer";
}
