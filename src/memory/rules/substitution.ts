/** Whether one word of a quote was put in the place of another: `cold storage` told as `hot storage`. */

import { detailsOf } from "../language/details.ts";
import { isGlue } from "../language/glue.ts";
import { denies } from "../language/negation.ts";
import { assertedWords, fold, type Word } from "../language/words.ts";
import type { Evidence } from "./evidence.ts";

interface Side {
  /** Null: an edge, punctuation or nothing stands there. */
  readonly term: string | null;
  /** The function words in between, articles aside. */
  readonly gap: string;
}

/** An asserted word between its neighbours. */
interface Placed {
  readonly word: Word;
  readonly before: Side;
  readonly after: Side;
  /** Number of the stretch between punctuation that it stands in, and whether that denies. */
  readonly stretch: number;
  readonly denied: boolean;
}

const PARTED = /[.,:;!?()，。；：！？（）]/;

function sideOf(neighbour: Word | undefined, gap: string): Side {
  if (!neighbour || PARTED.test(gap)) return { term: null, gap: "" };
  return {
    term: neighbour.term,
    gap: gap
      .replace(/\b(?:the|an?|our|my|its?)\b/g, "")
      .replace(/\s+/g, " ")
      .trim(),
  };
}

/** Numbers and dates are no words here; they are compared exactly elsewhere. */
function placed(text: string): Placed[] {
  const exact = detailsOf(text).filter(({ kind }) => kind === "number" || kind === "date");
  const words = assertedWords(text).filter((word) => !exact.some((d) => word.start < d.end && d.start < word.end));
  const stretches = text.split(PARTED);
  return words.map((word, i) => {
    const [left, right] = [words[i - 1], words[i + 1]];
    const stretch = text.slice(0, word.start).split(PARTED).length - 1;
    return {
      word,
      before: sideOf(left, text.slice(left?.end ?? 0, word.start)),
      after: sideOf(right, text.slice(word.end, right?.start ?? text.length)),
      stretch,
      denied: denies(stretches[stretch] ?? ""),
    };
  });
}

const isContent = ({ cjk, text, term }: Word) => cjk || !isGlue(text, term);

const sameSide = (a: Side, b: Side) => a.term !== null && a.term === b.term;

/** True when a word fits a place on one side at least. */
const touches = (a: Placed, b: Placed) => sameSide(a.before, b.before) || sameSide(a.after, b.after);

/** True when two words stand in the very same place: same neighbours, or the same neighbour and an edge, and the same words between. */
function sameWholePlace(a: Placed, b: Placed): boolean {
  const same = (x: Side, y: Side) => x.term === y.term && x.gap === y.gap;
  return same(a.before, b.before) && same(a.after, b.after) && touches(a, b);
}

const isAtEdge = ({ before, after }: Placed) => before.term === null || after.term === null;

/** `is writable`: what is said of the subject, and all that the clause says. */
function isPredicate({ word, after }: Placed, text: string): boolean {
  return after.term === null && /(?:\b(?:is|are|was|were|be|stays?|remains?)|是)\s*$/.test(text.slice(0, word.start));
}

interface Texts {
  readonly told: readonly Placed[];
  readonly said: readonly Placed[];
}

/**
 * The word that the quotes have in this place; null when none was replaced. A word that the quotes lack is a stranger beside any
 * neighbour; one that they have may have moved, but not into another's whole place. A single Chinese character meets too many neighbours:
 * a new one must take a whole place, one that they have is not looked at.
 */
function rivalOf(one: Placed, isNew: boolean, { told, said }: Texts): Word | null {
  const near = new Set(told.filter(({ stretch }) => stretch === one.stretch).map(({ word }) => word.term));
  const own = said.filter(({ word }) => word.term === one.word.term);
  if (!isNew && (one.word.cjk || own.length === 0)) return null;
  const rests = own.some((place) => touches(one, place));
  const whole = (place: Placed) => sameWholePlace(one, place) && !(rests && isAtEdge(place));
  const fits = isNew && !one.word.cjk ? (place: Placed) => touches(one, place) : whole;
  const rivals = said.filter(
    ({ word, denied }) => isContent(word) && !denied && word.cjk === one.word.cjk && !near.has(word.term),
  );
  return rivals.find(fits)?.word ?? null;
}

/** Complaint about a word that stands where the quotes have another, which the claim lacks there; else null. */
export function substitution(claim: string, evidence: Evidence): string | null {
  const text = fold(claim);
  const told = placed(text);
  const { quotes, entries } = evidence;
  const isNew = ({ word }: Placed) => !quotes.words.has(word.term) && !entries.words.has(word.term);
  const said = quotes.texts.flatMap(placed);
  for (const one of told.filter(({ word }) => isContent(word))) {
    if (isNew(one) && isPredicate(one, text)) return `nothing in the quotes says "${one.word.text}"`;
    if (entries.words.has(one.word.term)) continue;
    const rival = rivalOf(one, isNew(one), { told, said });
    if (rival) return `the quotes say "${rival.text}" where the statement says "${one.word.text}"`;
  }
  return null;
}
