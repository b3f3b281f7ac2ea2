/** Whether one word of a quote was put in the place of another: `cold storage` told as `hot storage`. */
import { isGlue } from "../language/glue.ts";
import { assertedWords, fold, type Word } from "../language/words.ts";
import type { Evidence } from "./evidence.ts";

/** Asserted words with their neighbours; a neighbour beyond punctuation, or none, is an edge. */
interface Placed {
  readonly word: Word;
  readonly before: Word | null;
  readonly after: Word | null;
}

function placed(text: string): Placed[] {
  const words = assertedWords(text);
  const joins = (left: Word | undefined, right: Word | undefined) =>
    left !== undefined && right !== undefined && !/[.,:;!?()，。；：！？（）]/.test(text.slice(left.end, right.start));
  return words.map((word, i) => {
    const [left, right] = [words[i - 1], words[i + 1]];
    return { word, before: left && joins(left, word) ? left : null, after: right && joins(word, right) ? right : null };
  });
}

const isContent = ({ cjk, text, term }: Word) => cjk || !isGlue(text, term);

/** True when both stand in the same place: the same neighbour behind, or the same in front and nothing or the same behind. */
function samePlace(fresh: Placed, said: Placed): boolean {
  const behind = fresh.after?.term === said.after?.term;
  const front = fresh.before !== null && fresh.before.term === said.before?.term;
  return (fresh.after !== null && behind) || (front && behind);
}

/** `is writable`: what is said of the subject, and all that the clause says. */
function isPredicate({ word, after }: Placed, text: string): boolean {
  return after === null && /(?:\b(?:is|are|was|were|be|stays?|remains?)|是)\s*$/.test(text.slice(0, word.start));
}

/** Complaint about a new word that stands where the quotes have another, which the claim lacks; else null. */
export function substitution(claim: string, evidence: Evidence): string | null {
  const told = placed(fold(claim));
  const terms = new Set(told.map(({ word }) => word.term));
  const { quotes, entries } = evidence;
  const isNew = ({ word }: Placed) => isContent(word) && !quotes.words.has(word.term) && !entries.words.has(word.term);
  const fresh = told.filter(isNew);
  if (fresh.length === 0) return null;
  const predicate = fresh.find((one) => isPredicate(one, fold(claim)));
  if (predicate) return `nothing in the quotes says "${predicate.word.text}"`;
  const left = quotes.texts.flatMap(placed).filter(({ word }) => isContent(word) && !terms.has(word.term));
  for (const one of fresh) {
    const other = left.find((said) => said.word.cjk === one.word.cjk && samePlace(one, said));
    if (other) return `the quotes say "${other.word.text}" where the statement says "${one.word.text}"`;
  }
  return null;
}
