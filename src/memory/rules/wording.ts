/** A statement is made of its quotes' own words: a paraphrase drifts with each dream, and says things that nobody said. */
import { contentTerms } from "../language/clauses.ts";
import type { Word } from "../language/words.ts";
import type { Evidence } from "./evidence.ts";
import { type Case, claimsOf, type Rule, violation } from "./rule.ts";

/**
 * Share of a claim's content words that must stand in its quotes. At 0.7 one word in four may be new (`Answers are kept short` from
 * `Keep your answers short please`), while a statement joined from half a quote and half an idea is refused.
 */
const OWN_WORDS = 0.7;
/** A conclusion marked `[unconfirmed]` is worded by the model; its details must stand all the same. */
const OWN_WORDS_UNCONFIRMED = 0.4;
/** A stretch of this many new Chinese characters is a new statement, however long the rest is. */
const NEW_RUN = 4;

function known(evidence: Evidence): (word: Word) => boolean {
  const { quotes, entries } = evidence;
  return ({ term, cjk }) =>
    quotes.terms.has(term) ||
    entries.terms.has(term) ||
    // Function words of the quotes count where the statement uses them as content; so does a lone Chinese character.
    ((!cjk || term.length === 1) && (quotes.words.has(term) || entries.words.has(term)));
}

/** New words of a claim, and how many content words it has; a Chinese character counts as half a word. */
function newWords(claim: string, evidence: Evidence): { total: number; fresh: Word[]; run: string } {
  const isKnown = known(evidence);
  const pairs = contentTerms(claim);
  const fresh = pairs.filter((word) => !isKnown(word));
  return { total: pairs.reduce((sum, { cjk }) => sum + weight(cjk), 0), fresh, run: longestRun(pairs, fresh) };
}

const weight = (cjk: boolean) => (cjk ? 0.5 : 1);

/** The longest stretch of Chinese whose every pair is new. */
function longestRun(pairs: readonly Word[], fresh: readonly Word[]): string {
  const isNew = new Set(fresh);
  let run = "";
  let longest = "";
  for (const word of pairs) {
    if (!word.cjk || !isNew.has(word)) run = "";
    else run = run === "" ? word.term : run + word.term.slice(-1);
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

function complaint(claim: string, evidence: Evidence, share: number): string | null {
  const { total, fresh, run } = newWords(claim, evidence);
  const strange = fresh.reduce((sum, { cjk }) => sum + weight(cjk), 0);
  if (run.length > NEW_RUN && share === OWN_WORDS) return `"${run}" is not said in the quotes`;
  if (total > 0 && 1 - strange / total >= share) return null;
  if (total === 0) return evidence.quotes.words.size > 0 ? null : "no word of it stands in the quotes";
  const words = fresh.slice(0, 5).map((word) => `"${word.text}"`);
  return `use the words of the quotes, in their language: ${words.join(", ")} are not among them`;
}

export const wording: Rule = (operation, given: Case) => {
  const share = operation.op === "add" && operation.unconfirmed ? OWN_WORDS_UNCONFIRMED : OWN_WORDS;
  for (const claim of claimsOf(operation)) {
    const found = complaint(claim, given.evidence, share);
    if (found !== null) return violation("not-own-words", found);
  }
  return null;
};
