/** When a newer statement says the same as an older one, or something else about the same subject. */
import { type DetailKind, detailsOf } from "../../memory/language/details.ts";
import { simplified } from "../../memory/language/han.ts";
import { areNumberedApart } from "../../memory/language/labels.ts";
import type { FoundNumber } from "../../memory/language/numbers.ts";
import { contentWords, coverage, fold, pairUp } from "../../memory/language/words.ts";
import { contradicts } from "../../memory/rules/likeness.ts";

/** What two statements are compared by. */
export interface Gist {
  readonly text: string;
  /** Stems of words and single CJK characters. */
  readonly words: ReadonlySet<string>;
  /** Stems of words and pairs of CJK characters. */
  readonly terms: ReadonlySet<string>;
  /** Keys of numbers, dates, addresses, paths and identifiers. */
  readonly values: ReadonlySet<string>;
  readonly numbers: readonly FoundNumber[];
  /** It says no to something; two statements turned against each other differ in this. */
  readonly denies: boolean;
  /** `2026-12-03` */
  readonly dates: readonly string[];
}

const DENIAL = /\b(?:not?|never|none|nothing|nobody|without|cannot|avoid|stop|skip|\w+n['’]t)\b|[不别没勿禁]/i;

const VALUES = new Set<DetailKind>(["number", "date", "url", "path", "identifier", "code"]);

export function gistOf(text: string): Gist {
  const details = detailsOf(text);
  const words = contentWords(text);
  return {
    text,
    words: new Set(words.map((word) => word.term)),
    terms: new Set(pairUp(words, fold(text)).map((word) => word.term)),
    values: new Set(details.filter((d) => VALUES.has(d.kind)).map((d) => d.key)),
    denies: DENIAL.test(text),
    numbers: details.flatMap((d) => (d.number ? [d.number] : [])),
    dates: details.flatMap((d) => (d.date ? [d.key] : [])),
  };
}

/** Share of the smaller statement's words that stand in the larger one. */
export function shared(a: Gist, b: Gist): number {
  const [small, large] = a.terms.size <= b.terms.size ? [a, b] : [b, a];
  return small.terms.size === 0 ? 0 : coverage(small.terms, large.terms);
}

function sharedCount(a: Gist, b: Gist): number {
  let count = 0;
  for (const term of a.terms) if (b.terms.has(term)) count += 1;
  return count;
}

/** The newer statement adds nothing: its words and values stand in the older one. */
export function isCovered(newer: Gist, older: Gist, enough = 0.8): boolean {
  if (newer.terms.size === 0) return false;
  if (coverage(newer.terms, older.terms) < enough) return false;
  return [...newer.values].every((value) => older.values.has(value) || older.text.toLowerCase().includes(value));
}

/** One asserts what the other denies; the exact check costs 0.1 ms and is left to pairs that may. */
export function isTurned(newer: Gist, older: Gist): boolean {
  return newer.denies !== older.denies && contradicts(newer.text, older.text);
}

/** Each names something that the other does not: the port of the parcel service, the port of the login service. */
const areApart = (newer: Gist, older: Gist) =>
  coverage(older.terms, newer.terms) < 1 && coverage(newer.terms, older.terms) < 1;

/** Same subject, same unit, another number: "the timeout is 30 minutes", "the timeout is 45 minutes". */
export function hasOtherValue(newer: Gist, older: Gist): boolean {
  if (areNumberedApart(newer.text, older.text)) return false;
  if (coverage(older.terms, newer.terms) < 0.75 || older.terms.size === 0 || areApart(newer, older)) return false;
  return older.numbers.some((before) => {
    const now = newer.numbers.filter((number) => number.unit === before.unit).map((number) => number.value);
    return now.length > 0 && !now.includes(before.value);
  });
}

/** Words of a date are no words of the subject. */
const subjectOf = (gist: Gist) => new Set([...gist.terms].filter((term) => !/\d/.test(term)));

const MOVED =
  /\b(?:(?:has |have |is |was |got |gets |will )?(?:slipped|slips|slides?|slid|moved|moves|move|postponed|pushed|rescheduled|delayed|shifted|(?:brought|pulled|put) (?:forward|in|back|off))|(?:is|are|starts?|will be) (?:now |[\w-]+ (?:days?|weeks?|months?) )?(?:earlier|later|sooner)|is now|changed|changes)\b/i;

const MOVES_IT =
  /\b(?:moved|pushed|postponed|delayed|extended|prolonged|shifted|brought forward|pulled forward|put off) (?:the |our |their )?(?!(?:back|out|forward|to|by|until|till)\b)([\w -]{3,30}?) (?:back |out |forward )?(?:to|until|till|by)\b/i;

/** "Submission slipped to 2026-10-30": all that is named before the verb stands in the older statement. */
function isMoved(newer: Gist, older: Gist): boolean {
  const at = newer.text.search(MOVED);
  const subject = MOVES_IT.exec(newer.text)?.[1] ?? newer.text.slice(0, Math.max(0, at));
  const named = subjectOf(gistOf(subject));
  return named.size > 0 && coverage(named, older.terms) === 1;
}

/** Same subject, another day: "launch is on 2026-08-03", "we launch on 2026-08-17 instead". */
export function hasOtherDate(newer: Gist, older: Gist): boolean {
  if (areNumberedApart(newer.text, older.text)) return false;
  const now = newer.dates;
  const before = older.dates;
  if (now.length === 0 || before.length === 0 || before.every((date) => now.includes(date))) return false;
  const subject = subjectOf(older);
  const [first, ...rest] = older.text.split(/, (?:and|but|so) /);
  const opening =
    rest.length > 0 && first !== undefined && /\d{4}-\d\d/.test(first) ? subjectOf(gistOf(first)) : subject;
  const said = Math.max(coverage(subject, newer.terms), opening.size > 1 ? coverage(opening, newer.terms) : 0);
  return subject.size > 0 && (said >= 0.75 || isMoved(newer, older));
}

/** Words of a change about the subject of the older statement. */
export function isAboutSame(newer: Gist, older: Gist): boolean {
  // Where both name amounts, only the same subject with another amount is a change.
  if (newer.numbers.length > 0 && older.numbers.length > 0) return false;
  const count = sharedCount(newer, older);
  return count >= 2 && count / Math.max(1, Math.min(older.terms.size, newer.terms.size)) >= 0.4;
}

const SWITCH =
  /\b(?:switch(?:es|ed|ing)? (?:over |back )?to|instead|no longer|replace[sd]?|moves? (?:over )?to|changes? to|in place of)\b|改用|改成|换成|改为|改回|不再/i;

/** "Use British spelling in the docs", "docs switch to American spelling": a rule that got another value. */
export const isSwitched = (newer: Gist, older: Gist) =>
  SWITCH.test(newer.text) &&
  shared(newer, older) >= 0.5 &&
  [...older.terms].filter((term) => newer.terms.has(term)).length >= 2 &&
  !isCovered(newer, older);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** True when the value stands in the text as a word of its own. */
export function holds(text: string, value: string): boolean {
  const word = simplified(value.replace(/^[`'"“‘]+|[`'"”’]+$/g, ""));
  if (word.length < 2) return false;
  const words = simplified(text);
  // Making the expression costs more than most of its uses.
  if (!words.toLowerCase().includes(word.toLowerCase())) return false;
  return new RegExp(`(?<![A-Za-z0-9])${escaped(word)}(?![A-Za-z0-9])`, "i").test(words);
}
