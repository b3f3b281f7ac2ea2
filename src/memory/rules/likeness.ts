/** How a new statement relates to one that stands in memory already. */
import { clausesOf } from "../language/clauses.ts";
import { type Detail, detailsOf } from "../language/details.ts";
import { areNumberedApart } from "../language/labels.ts";
import { fold, termsOf } from "../language/words.ts";
import type { Entry } from "../model.ts";
import { statementKey } from "../statement.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { reversal } from "./polarity.ts";

/**
 * `known`: the memory says it already. `replaces`: same subject, another value, or the opposite. `extends`: says all of the old and more.
 * `other`: two facts, however alike they read (`page size of the product list`, `page size of the order list`).
 */
export type Likeness = "known" | "replaces" | "extends" | "other";

/** Dice coefficient above which statements can be about the same thing at all. */
const ALIKE = 0.6;
/** Above this, one differing word on each side is a matter of wording. */
const NEARLY_SAME = 0.9;

const CORRECTION =
  /\b(?:correction|corrected|actually|instead|no longer|any ?more|changed?|changes|update|wrong|incorrect|scrap|drop|forget|revert|switch(?:ed)?|moved?|postponed|replace[sd]?|supersedes?|outdated|obsolete|never mind|remove|delete)\b|不对|不是|改成|改为|改了|改到|更正|纠正|推迟|提前|换成|不再|取消|作废|忘掉|忘了|删掉|删除|错了|弃用|废弃/;

interface Facts {
  readonly key: string;
  readonly terms: ReadonlySet<string>;
  /** Exact details that are no names (those are terms) and no dates (those tell when, not what). */
  readonly details: ReadonlySet<string>;
}

const keyOf = ({ kind, key, number }: Detail) => `${kind}:${key}${number?.unit ?? ""}`;

function factsOf(statement: string): Facts {
  const details = detailsOf(statement).filter(({ kind }) => kind !== "name" && kind !== "date");
  const taken = new Set(details.map(({ key }) => key));
  const terms = new Set(Array.from(termsOf(statement)).filter((term) => !taken.has(term)));
  return { key: statementKey(statement), terms, details: new Set(details.map(keyOf)) };
}

/** Every add is compared with every entry: reading 2,400 entries anew for each of 200 adds would take most of a minute. */
const READ = new WeakMap<Entry, Facts>();

function factsOfEntry(entry: Entry): Facts {
  const known = READ.get(entry) ?? factsOf(entry.statement);
  READ.set(entry, known);
  return known;
}

const minus = (a: ReadonlySet<string>, b: ReadonlySet<string>) => Array.from(a).filter((item) => !b.has(item));

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const size = a.size + b.size;
  let shared = 0;
  for (const term of a) if (b.has(term)) shared += 1;
  return size === 0 ? 0 : (2 * shared) / size;
}

function asEntry(statement: string): Entry {
  const bare = { id: "", raw: statement, start: 0, end: 0, statement, why: null, how: null };
  return { ...bare, created: null, updated: null, pinned: false, unconfirmed: false, ours: false };
}

/** True when one statement asserts what the other denies. */
export function contradicts(a: string, b: string): boolean {
  return reversal(a, evidenceOf([], [asEntry(b)]), false) !== null;
}

/** True when the quotes deny a value that the entry names, or the reverse of it is what they say. */
function denied(entry: Entry, quotes: Evidence): boolean {
  const own = detailsOf(entry.statement).filter(({ kind }) => kind !== "date");
  const signs = own.map((detail) =>
    quotes.quotes.signs.get(detail.kind === "name" ? detail.key : `${detail.kind}:${detail.key}`),
  );
  if (signs.some((said) => said?.has("-") && !said.has("+"))) return true;
  return reversal(entry.statement, quotes, false) !== null;
}

/** True when the quotes are about the entry and say, by a value or by a word of correction, that it no longer holds. */
export function corrects(entry: Entry, quotes: Evidence): boolean {
  if (!sharesSubject(entry, quotes)) return false;
  return denied(entry, quotes) || quotes.quotes.texts.some((text) => CORRECTION.test(text));
}

interface Values {
  readonly right: readonly string[];
  readonly wrong: readonly string[];
}

/** Values that the words about these terms call right and wrong: `the upload limit is 25 MB, not 40 MB`. Days tell when, not what. */
function valuesAbout(terms: ReadonlySet<string>, quotes: Evidence): Values {
  const { clauses, signs } = quotes.quotes;
  const about = clauses.filter((clause) => Array.from(clause.about).some((term) => terms.has(term)));
  const named = about.flatMap(({ details }) => details.filter(({ kind }) => kind !== "name" && kind !== "date"));
  const isRight = ({ kind, key }: Detail) => signs.get(`${kind}:${key}`)?.has("+") === true;
  return {
    right: named.filter(isRight).map(({ key }) => key),
    wrong: named.filter((detail) => detail.sign === "-" && !isRight(detail)).map(({ key }) => key),
  };
}

/** How much of an entry's words must be said to put another value in its place: of `attachment limit` and `upload limit` half is the same. */
const SAME_SUBJECT = 0.6;

/** True when the words put a new value in the place of an old one, and less than half of what the shorter of the two says is in both. */
export function isApart(entry: Entry, statement: string, quotes: Evidence): boolean {
  const { terms } = factsOfEntry(entry);
  const fresh = factsOf(statement).terms;
  const { right, wrong } = valuesAbout(terms, quotes);
  const smaller = Math.min(terms.size, fresh.size);
  return right.length > 0 && wrong.length > 0 && (terms.size - minus(terms, fresh).length) / Math.max(1, smaller) < 0.5;
}

/** True when the words put a new value in the place of an old one, and that is another fact's, or the new one has not come into memory. */
export function isUnsucceeded(entry: Entry, quotes: Evidence, others: readonly Entry[]): boolean {
  const { terms } = factsOfEntry(entry);
  const { right, wrong } = valuesAbout(terms, quotes);
  if (right.length === 0 || wrong.length === 0) return false;
  const said = quotes.quotes.clauses.flatMap((clause) => clause.terms.map(({ term }) => term));
  const near = new Set([...said, ...quotes.quotes.terms]);
  if (1 - minus(terms, near).length / Math.max(1, terms.size) < SAME_SUBJECT) return true;
  return !others.some(({ statement }) => detailsOf(statement).some(({ key }) => right.includes(key)));
}

/**
 * The words name the value that is wrong, and the entry neither holds it nor speaks of nothing else: it is another fact of the same
 * kind. `The export limit is 25, not 40` does not touch the import limit of 30, nor how limits are stored.
 */
function isAnother(entry: Entry, near: ReadonlySet<string>, quotes: Evidence): boolean {
  const { terms } = factsOfEntry(entry);
  const { wrong } = valuesAbout(terms, quotes);
  if (wrong.length === 0 || minus(terms, near).length === 0) return false;
  const own = new Set(detailsOf(entry.statement).map(({ key }) => key));
  return !wrong.some((key) => own.has(key) || fold(entry.statement).includes(key));
}

/** At least a third of the entry's words, or one of its exact details, stands in the sentences of the quotes. */
export function sharesSubject(entry: Entry, quotes: Evidence): boolean {
  const { terms, details } = factsOfEntry(entry);
  const said = new Set(quotes.quotes.clauses.flatMap((clause) => clause.terms.map(({ term }) => term)));
  const near = new Set([...said, ...quotes.quotes.terms]);
  if (isAnother(entry, near, quotes)) return false;
  const shared = terms.size - minus(terms, near).length;
  if (terms.size > 0 && shared / terms.size >= 1 / 3) return true;
  const named = new Set(quotes.quotes.details.map(keyOf));
  return Array.from(details).some((detail) => named.has(detail));
}

/** True when both name a value of one kind (and unit) and the values differ. */
function differInValue(a: Facts, b: Facts): boolean {
  return minus(a.details, b.details).length > 0 || minus(b.details, a.details).length > 0;
}

/** A statement that is compared with many entries. */
export interface Reading {
  readonly statement: string;
  readonly facts: Facts;
}

export function readingOf(statement: string): Reading {
  return { statement, facts: factsOf(statement) };
}

/** Compares a new statement with an entry; `quotes` tell whether the user meant to correct it. */
export function likeness(reading: Reading, entry: Entry, quotes: Evidence): Likeness {
  const { statement, facts: fresh } = reading;
  const old = factsOfEntry(entry);
  const alike = dice(fresh.terms, old.terms);
  if (fresh.key === old.key) return "known";
  if (alike < ALIKE || areNumberedApart(statement, entry.statement)) return "other";
  const more = minus(fresh.terms, old.terms);
  const less = minus(old.terms, fresh.terms);
  const opposite = contradicts(statement, entry.statement);
  if (more.length === 0 && !opposite && minus(fresh.details, old.details).length === 0) return "known";
  if (more.length === 0 && less.length === 0) return "replaces";
  if (less.length === 0 && !opposite && minus(old.details, fresh.details).length === 0) return "extends";
  if (opposite || differInValue(fresh, old)) return denied(entry, quotes) ? "replaces" : "other";
  return alike >= NEARLY_SAME ? "extends" : "other";
}

/** True when the words themselves say that something is changed, whatever they deny. */
export function saysChange(text: string): boolean {
  return CORRECTION.test(fold(text));
}

/** True when any of the words is one of correction or withdrawal. */
export function withdraws(text: string): boolean {
  return saysChange(text) || clausesOf(text).some((clause) => clause.denies);
}
