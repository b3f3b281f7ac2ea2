/** When a newer statement says the same as an older one, or something else about the same subject. */
import { type Detail, detailsOf } from "../../memory/language/details.ts";
import { coverage, termsOf } from "../../memory/language/words.ts";

/** What two statements are compared by. */
export interface Gist {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  /** Numbers, dates, identifiers, names. */
  readonly details: readonly Detail[];
}

export function gistOf(text: string): Gist {
  return { text, terms: termsOf(text), details: detailsOf(text) };
}

const VALUES = new Set(["number", "date", "url", "path", "identifier", "code"]);
const valuesOf = (gist: Gist) => new Set(gist.details.filter((d) => VALUES.has(d.kind)).map((d) => d.key));

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
  const values = valuesOf(older);
  return (
    coverage(newer.terms, older.terms) >= enough &&
    [...valuesOf(newer)].every((value) => values.has(value) || older.text.toLowerCase().includes(value))
  );
}

const unitsOf = (gist: Gist) => gist.details.flatMap((d) => (d.number ? [d.number] : []));

/** Same subject, same unit, another number: "the timeout is 30 minutes", "the timeout is 45 minutes". */
export function hasOtherValue(newer: Gist, older: Gist): boolean {
  if (coverage(older.terms, newer.terms) < 0.75 || older.terms.size === 0) return false;
  const now = unitsOf(newer);
  const before = unitsOf(older);
  if (now.length === 0 || before.length === 0) return false;
  const known = new Set(now.map((n) => n.value));
  return before.some((n) => !known.has(n.value) && now.some((m) => m.unit === n.unit));
}

const datesOf = (gist: Gist) => gist.details.flatMap((d) => (d.date ? [d.key] : []));
/** Words of a date are no words of the subject. */
const subjectOf = (gist: Gist) => new Set([...gist.terms].filter((term) => !/\d/.test(term)));

/** Same subject, another day: "launch is on 2026-08-03", "we launch on 2026-08-17 instead". */
export function hasOtherDate(newer: Gist, older: Gist): boolean {
  const now = datesOf(newer);
  const before = datesOf(older);
  if (now.length === 0 || before.length === 0 || before.every((date) => now.includes(date))) return false;
  const subject = subjectOf(older);
  return subject.size > 0 && coverage(subject, newer.terms) >= 0.75;
}

/** Words of a change about the subject of the older statement. */
export function isAboutSame(newer: Gist, older: Gist): boolean {
  // Where both name amounts, only the same subject with another amount is a change.
  if (unitsOf(newer).length > 0 && unitsOf(older).length > 0) return false;
  const count = sharedCount(newer, older);
  return count >= 2 && count / Math.max(1, Math.min(older.terms.size, newer.terms.size)) >= 0.4;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** True when the value stands in the text as a word of its own. */
export function holds(text: string, value: string): boolean {
  const word = value.replace(/^[`'"“‘]+|[`'"”’]+$/g, "");
  if (word.length < 2) return false;
  return new RegExp(`(?<![A-Za-z0-9])${escaped(word)}(?![A-Za-z0-9])`, "i").test(text);
}
