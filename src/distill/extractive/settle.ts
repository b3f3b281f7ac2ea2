/** Settles what stands at the end: later words replace earlier ones, withdrawn ones go, repeated ones count once. */

import { dateKey, datesIn } from "../../memory/language/dates.ts";
import { areNumberedApart } from "../../memory/language/labels.ts";
import { contentWords, coverage } from "../../memory/language/words.ts";
import { alsoSaid, type Fact, type Heard, type Part, sessionOf, textOf, type Withdrawal } from "./fact.ts";
import {
  type Gist,
  gistOf,
  hasOtherDate,
  hasOtherValue,
  holds,
  isAboutSame,
  isCovered,
  isSwitched,
  isTurned,
  shared,
} from "./likeness.ts";
import { isMeant, singular, targetWords } from "./meant.ts";
import { isAkin, isPushed, movesByStretch } from "./moved.ts";
import { isReassigned, isRedated } from "./reassigned.ts";
import { isGivenAnew } from "./reassigned-english.ts";
import { kin, newShelf, put, type Shelf } from "./shelf.ts";
import { isTalk, TALK, withoutTalk } from "./talk.ts";
import { isRevalued } from "./topic.ts";
import { clausesOf, endSentence } from "./wording.ts";

export interface Standing {
  readonly fact: Fact;
  readonly gist: Gist;
}

const standing = (fact: Fact): Standing => ({ fact, gist: gistOf(textOf(fact)) });

/** "Squash commits" and "never squash commits". */
const isOpposite = (newer: Gist, older: Gist) => coverage(older.terms, newer.terms) >= 0.75 && isTurned(newer, older);

/** The later fact leaves nothing of the earlier one's value. */
export function replaces(newer: Standing, older: { readonly gist: Gist; readonly settled: boolean }): boolean {
  if (areNumberedApart(newer.gist.text, older.gist.text)) return false;
  if (older.settled && isPushed(newer.gist, older.gist)) return true;
  if (isOtherTalk(newer, older.gist) && contentWords(older.gist.text).length <= 3) return true;
  if (hasOtherValue(newer.gist, older.gist) || isOpposite(newer.gist, older.gist)) return true;
  if (newer.fact.changes && (hasOtherDate(newer.gist, older.gist) || isRedated(newer.gist, older.gist))) return true;
  if (newer.fact.changes && !older.settled && isSwitched(newer.gist, older.gist)) return true;
  if (newer.fact.changes && isRevalued(newer.gist, older.gist)) return true;
  if (newer.fact.changes && (isReassigned(newer.gist, older.gist) || isGivenAnew(newer.gist, older.gist))) return true;
  if (newer.fact.outdated.some((value) => holds(older.gist.text, value)) && isRelated(newer.gist, older.gist))
    return true;
  return (
    // Words that name what is outdated are about the statements that hold it, and those were found above.
    older.settled &&
    newer.fact.changes &&
    newer.fact.outdated.length === 0 &&
    isAboutSame(newer.gist, older.gist) &&
    !isCovered(newer.gist, older.gist)
  );
}

const isOtherTalk = (newer: Standing, older: Gist) =>
  newer.fact.kind === "person" && isTalk(newer.gist) && isTalk(older);
const isRelated = (a: Gist, b: Gist) => shared(a, b) > 0;
const isSettled = (fact: Fact) => fact.type === "project" && fact.kind !== "procedure";

const ISO = /^\d{4}-\d\d-\d\d$/;

/** Many newer statements ask it of the same part. */
const DAYS = new WeakMap<Part, readonly string[]>();

/** The days that a part's quote names, as far as it names them: `12-03`, `2026-12-03`. */
function daysOf(part: Part): readonly string[] {
  const known = DAYS.get(part) ?? datesIn(part.cite.quote.toLowerCase()).map(dateKey);
  DAYS.set(part, known);
  return known;
}

/** The part rests on the value: in its words, or as a day that its quote names without a year. */
function restsOn(part: Part, value: string): boolean {
  if (holds(part.text, value)) return true;
  return ISO.test(value) && daysOf(part).some((day) => value.endsWith(day));
}

const ISO_IN = /\d{4}-\d\d-\d\d/;
const TIED =
  /^(?:[前后之]|第二天|次日|隔天|它|其|也|都)|\b(?:days?|weeks?|(?:mon|tues|wednes|thurs|fri|satur|sun)day) (?:after|before) (?:that|then|it)\b|^(?:it|they|that|this|which)\b/i;

/** What is left of a part without the clauses that hold such a value; empty when its first clause does, or a clause is the value alone. */
function trimmed(part: Part, values: readonly string[]): string {
  const has = (text: string) => values.some((value) => holds(text, value));
  const [first = "", ...rest] = clausesOf(part.text);
  // ", the 18th of December" explains the clause before it, which then rests on that day too.
  const isBare = (clause: string) => has(clause) && contentWords(clause).length === 0;
  if (has(first) || !has(part.text) || rest.some(isBare)) return "";
  return endSentence([first, ...rest.filter((clause) => !has(clause))].join(""));
}

/** The fact without what rests on a value that stands no longer. Null: the statement itself does. */
function without(fact: Fact, values: readonly string[]): Fact | null {
  const rests = (part: Part) => values.some((value) => restsOn(part, value));
  const parts = fact.parts
    .map((part) => (rests(part) ? { ...part, text: trimmed(part, values) } : part))
    .filter((part, i) => i === 0 || part.text !== "");
  if (parts[0]?.text === "") {
    // "Launch is on June 9. The freeze starts June 2.": the second day may stand without the first.
    const own = parts.slice(1).filter((part) => ISO_IN.test(part.text) && !TIED.test(part.cite.quote));
    return own.length === 0 ? null : { ...fact, parts: own, why: [], also: [] };
  }
  return { ...fact, parts, why: fact.why.filter((part) => !rests(part)), also: [] };
}

function same(newer: Standing, older: Standing): boolean {
  if (areNumberedApart(newer.gist.text, older.gist.text)) return false;
  const enough = newer.fact.restates ? 0.5 : 0.8;
  return isCovered(newer.gist, older.gist, enough) || isCovered(older.gist, newer.gist);
}

/** One statement for two that say the same: the fuller words, a reason if either has one, and both places. */
function merged(older: Standing, newer: Standing): Standing {
  const isFuller = !newer.fact.restates && newer.gist.text.length > older.gist.text.length;
  const [fuller, other] = isFuller ? [newer, older] : [older, newer];
  const why = fuller.fact.why.length > 0 ? fuller.fact.why : other.fact.why;
  return {
    fact: { ...fuller.fact, why, also: alsoSaid(fuller.fact, other.fact), at: newer.fact.at },
    gist: fuller.gist,
  };
}

const DAY = /^\d{4}-(\d\d-\d\d)$/;

/** Words to find a statement by: its terms and values, and the days that its quotes name without a year. */
function wordsOf({ fact, gist }: Standing): string[] {
  const days = fact.parts.flatMap((part) =>
    !/\d/.test(part.cite.quote)
      ? []
      : datesIn(part.cite.quote.toLowerCase()).map((date) => dateKey({ ...date, year: null })),
  );
  return [...gist.words, ...gist.terms, ...gist.values, ...days, ...talkOf(fact, gist)];
}

const talkOf = (fact: Fact, gist: Gist) => (fact.kind === "person" && isTalk(gist) ? [TALK] : []);

/** Words of the statements that a newer one may touch. */
function touchedBy({ fact, gist }: Standing): string[] {
  const outdated = fact.outdated.flatMap((value) => [...gistOf(value).terms, ...gistOf(value).values]);
  return [
    ...talkOf(fact, gist),
    ...gist.terms,
    ...outdated,
    ...outdated.flatMap((value) => DAY.exec(value)?.[1] ?? []),
  ];
}

const isProcedure = ({ fact }: Standing) => fact.kind === "procedure";

function isTwin(newer: Standing, older: Standing): boolean {
  // Steps share words with other steps: only a procedure that is told again, word for word, is the same one.
  if (isProcedure(older) || isProcedure(newer))
    return newer.fact.subject === older.fact.subject && newer.gist.text === older.gist.text;
  return same(newer, older) && !hasOtherValue(newer.gist, older.gist) && !isTurned(newer.gist, older.gist);
}

/** "The audit is on May 4. The pilot starts May 9.": what has a day of its own stands when the other moves. */
function withoutReplaced({ fact }: Standing, newer: Standing, settled: boolean): Standing | null {
  const left = fact.parts.filter((part) => !replaces(newer, { gist: gistOf(part.text), settled }));
  const stands = (part: Part) => part === fact.parts[0] || ISO_IN.test(part.text);
  const own = left.filter((part) => stands(part) && !TIED.test(part.cite.quote));
  return own.length === 0 || left.length === fact.parts.length
    ? null
    : standing({ ...fact, parts: own, why: [], also: [] });
}

/** What is left of an older statement beside the newer one; null: nothing. */
function beside(older: Standing, newer: Standing): Standing | null {
  if (older.fact.parts[0]?.cite.utterance === newer.fact.parts[0]?.cite.utterance) return older;
  if (areNumberedApart(newer.gist.text, older.gist.text)) return older;
  if (isOtherTalk(newer, older.gist)) {
    const rest = withoutTalk(older.fact);
    return rest === null ? null : standing(rest);
  }
  const outdated = newer.fact.outdated.filter((value) => older.fact.parts.some((part) => restsOn(part, value)));
  const trimmable = outdated.filter((value) => /\d/.test(value) || isRelated(newer.gist, older.gist));
  if (trimmable.length > 0 && newer.fact.changes) {
    const rest = without(older.fact, trimmable);
    // Two things may fall on one day: only one that is akin goes whole.
    const isOther = trimmable.every((value) => ISO.test(value)) && !isAkin(newer.gist, older.gist);
    if (rest === null) return isOther ? older : null;
    return standing(rest);
  }
  const settled = isSettled(older.fact) && isSettled(newer.fact);
  return replaces(newer, { gist: older.gist, settled }) ? withoutReplaced(older, newer, settled) : older;
}

/** Every test of two statements asks for this share of the smaller one's words at least. */
const LEAST_SHARED = 0.4;

/** A change may share a single word with a statement of so few. */
const SHORT = 4;

/** The statements that a newer one may touch. Without days and values to find others by, few shared words settle that it does not. */
function nearTo(newer: Standing, shelf: Shelf<Standing>): [id: number, older: Standing][] {
  const touched = touchedBy(newer);
  const { gist, fact } = newer;
  const isPlain = gist.dates.length + fact.outdated.length + talkOf(fact, gist).length === 0 && !movesByStretch(gist);
  const isNear = ({ gist: { terms } }: Standing, count: number) => {
    const least = Math.min(gist.terms.size, terms.size);
    return count >= (fact.changes ? Math.min(2, terms.size / SHORT) : LEAST_SHARED * least);
  };
  return kin(shelf, touched, isPlain ? isNear : undefined).map(([id, older]) => [id, older]);
}

function addFact(shelf: Shelf<Standing>, fact: Fact): void {
  const newer = standing(fact);
  const near = nearTo(newer, shelf);
  const twin = near.find(([, older]) => isTwin(newer, older));
  for (const [id, older] of near) {
    if (id === twin?.[0]) continue;
    const left = beside(older, newer);
    if (left === null) shelf.items.delete(id);
    else if (left !== older) shelf.items.set(id, left);
  }
  const kept = twin ? merged(twin[1], newer) : newer;
  if (twin && kept.gist === twin[1].gist) shelf.items.set(twin[0], kept);
  else put(shelf, kept, wordsOf(kept), twin?.[0]);
}

/** "Scratch that": the last thing said in the session. */
const POINTING = /^(?:all )?(?:that|it|this|those)$|^(?:这个|那个|刚才那个|上面那个)$/i;

/** A procedure says at its start what it is for. */
const NAME_CHARS = 40;

/** "I'm an analyst, SQL mostly, so draw me the order first": taking back the wish leaves the person. */
function withoutClause(part: Part, words: ReadonlySet<string>): Part | null {
  const clauses = clausesOf(part.text);
  const left = clauses.filter((clause) => !isMeant(words, gistOf(clause)));
  if (left.length < 2 || left.length === clauses.length || left[0] !== clauses[0]) return null;
  return { ...part, text: endSentence(left.join("")) };
}

/** What is left where only a later part of a statement was meant: who somebody is outlives what they asked for. Null: nothing. */
function withoutMeant(fact: Fact, words: ReadonlySet<string>): Fact | null {
  const [first, ...later] = fact.parts;
  const own = first && fact.type === "user" ? withoutClause(first, words) : null;
  if (own !== null) return { ...fact, parts: [own, ...later], also: [] };
  const rest = later.filter((part) => !isMeant(words, gistOf(part.text)));
  return first === undefined || rest.length === later.length || isMeant(words, gistOf(first.text))
    ? null
    : { ...fact, parts: [first, ...rest], also: [] };
}

function takeBack(shelf: Shelf<Standing>, { target, cite }: Withdrawal): void {
  if (POINTING.test(target.trim())) {
    const [id, last] = [...shelf.items].at(-1) ?? [];
    const isNear = last?.fact.parts[0]?.cite.utterance.startsWith(sessionOf(cite.utterance)) ?? false;
    if (id !== undefined && isNear) shelf.items.delete(id);
    return;
  }
  const words = targetWords(target);
  for (const [id, { fact, gist }] of kin(shelf, [...words, ...[...words].map(singular)])) {
    // A step's word does not mean the procedure: its name does.
    const named = fact.kind === "procedure" ? gistOf(gist.text.slice(0, NAME_CHARS)) : gist;
    if (!isMeant(words, named)) continue;
    const left = withoutMeant(fact, words);
    if (left === null) shelf.items.delete(id);
    else shelf.items.set(id, standing(left));
  }
}

/**
 * @param heard in the order of time
 * @returns the facts that stand, and the withdrawals (which memory must hear of too)
 */
export function settle(heard: readonly Heard[]): { facts: Standing[]; withdrawals: Withdrawal[] } {
  const shelf = newShelf<Standing>();
  const withdrawals: Withdrawal[] = [];
  for (const item of heard) {
    if ("fact" in item) addFact(shelf, item.fact);
    else {
      withdrawals.push(item.withdrawal);
      takeBack(shelf, item.withdrawal);
    }
  }
  return { facts: [...shelf.items.values()], withdrawals };
}
