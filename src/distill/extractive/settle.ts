/** Settles what stands at the end: later words replace earlier ones, withdrawn ones go, repeated ones count once. */

import { dateKey, datesIn } from "../../memory/language/dates.ts";
import { contentWords, coverage } from "../../memory/language/words.ts";
import { type Fact, type Heard, type Part, textOf, type Withdrawal } from "./fact.ts";
import { type Gist, gistOf, hasOtherDate, hasOtherValue, holds, isAboutSame, isCovered, shared } from "./likeness.ts";
import { clausesOf, endSentence } from "./wording.ts";

export interface Standing {
  readonly fact: Fact;
  readonly gist: Gist;
}

const standing = (fact: Fact): Standing => ({ fact, gist: gistOf(textOf(fact)) });

/** Share of the words of taking back that must stand in a statement; Chinese counts by character. */
const MEANT = 0.7;

const FILLER =
  /\b(?:things?|bits?|stuff|ideas?|rules?|parts?|approach|plans?|requests?|notes?|whole|entire)\b|那条|那个|这条|的事/gi;

const wordsIn = (text: string) => new Set(contentWords(text).map((word) => word.term));

/** True when the user's words of taking back mean this statement. */
export function isMeant(target: string, statement: string): boolean {
  const words = wordsIn(target.replace(FILLER, " "));
  return words.size > 0 && coverage(words, wordsIn(statement)) >= MEANT;
}

/** The later fact leaves nothing of the earlier one's value. */
export function replaces(newer: Standing, older: { readonly gist: Gist; readonly settled: boolean }): boolean {
  if (hasOtherValue(newer.gist, older.gist)) return true;
  if (newer.fact.changes && hasOtherDate(newer.gist, older.gist)) return true;
  if (newer.fact.outdated.some((value) => holds(older.gist.text, value)) && isRelated(newer.gist, older.gist))
    return true;
  return (
    older.settled && newer.fact.changes && isAboutSame(newer.gist, older.gist) && !isCovered(newer.gist, older.gist)
  );
}

const isRelated = (a: Gist, b: Gist) => shared(a, b) > 0;
const isSettled = (fact: Fact) => fact.type === "project" && fact.kind !== "procedure";

/** The part rests on the value: in its words, or as a day that its quote names without a year. */
function restsOn(part: Part, value: string): boolean {
  if (holds(part.text, value)) return true;
  return (
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    datesIn(part.cite.quote.toLowerCase()).some((date) => value.endsWith(dateKey(date)))
  );
}

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
  if (parts[0]?.text === "") return null;
  return { ...fact, parts, why: fact.why.filter((part) => !rests(part)) };
}

function same(newer: Standing, older: Standing): boolean {
  const enough = newer.fact.restates ? 0.5 : 0.8;
  return isCovered(newer.gist, older.gist, enough) || isCovered(older.gist, newer.gist);
}

/** One statement for two that say the same: the fuller words, both quotes. */
function merged(older: Standing, newer: Standing): Standing {
  const fuller = !newer.fact.restates && newer.gist.text.length > older.gist.text.length ? newer.fact : older.fact;
  const other = fuller === older.fact ? newer.fact : older.fact;
  const why = fuller.why.length > 0 ? fuller.why : other.why;
  return standing({ ...fuller, why, at: newer.fact.at });
}

function addFact(all: Standing[], fact: Fact): Standing[] {
  const newer = standing(fact);
  const twin = all.findIndex(
    (older) =>
      older.fact.kind !== "procedure" &&
      fact.kind !== "procedure" &&
      same(newer, older) &&
      !hasOtherValue(newer.gist, older.gist),
  );
  const kept = all.flatMap((older, i): Standing[] => {
    if (i === twin || older.fact.parts[0]?.cite.utterance === fact.parts[0]?.cite.utterance) return [older];
    const outdated = fact.outdated.filter((value) => older.fact.parts.some((part) => restsOn(part, value)));
    const trimmable = outdated.filter((value) => /\d/.test(value) || isRelated(newer.gist, older.gist));
    if (trimmable.length > 0 && fact.changes) {
      const rest = without(older.fact, trimmable);
      return rest === null ? [] : [standing(rest)];
    }
    return replaces(newer, { gist: older.gist, settled: isSettled(older.fact) && isSettled(fact) }) ? [] : [older];
  });
  const older = twin >= 0 ? all[twin] : undefined;
  if (older === undefined) return [...kept, newer];
  return kept.map((s) => (s === older ? merged(older, newer) : s));
}

/**
 * @param heard in the order of time
 * @returns the facts that stand, and the withdrawals (which memory must hear of too)
 */
export function settle(heard: readonly Heard[]): { facts: Standing[]; withdrawals: Withdrawal[] } {
  let facts: Standing[] = [];
  const withdrawals: Withdrawal[] = [];
  for (const item of heard) {
    if ("fact" in item) facts = addFact(facts, item.fact);
    else {
      withdrawals.push(item.withdrawal);
      facts = facts.filter((s) => !isMeant(item.withdrawal.target, s.gist.text));
    }
  }
  return { facts, withdrawals };
}
