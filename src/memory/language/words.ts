/** Words as the rules compare them: folded, stemmed, function words apart; Chinese by characters and their pairs. */
import { isFunctionWord, isGlue, isGlueCharacter } from "./glue.ts";
import { simplified } from "./han.ts";

export interface Word {
  /** Stem of a word, or one CJK character. */
  readonly term: string;
  /** As it stands in the text, folded. */
  readonly text: string;
  /** Position in the folded text (UTF-16 units, end exclusive). */
  readonly start: number;
  readonly end: number;
  readonly cjk: boolean;
}

/** Compatibility forms (full-width digits, ligatures), case and the script of Chinese are no difference; curly apostrophes are straight. */
export function fold(text: string): string {
  return foldForms(text).toLowerCase();
}

/** As `fold`, but keeps case: names and identifiers are found by it. */
export function foldForms(text: string): string {
  return simplified(text.normalize("NFKC").replace(/[’‘ʼ]/g, "'"));
}

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{M}\p{N}_'])*/gu;
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;

/** All words of a text in order. `text` must be folded. */
export function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(WORD), (match) => {
    const word = match[0];
    const cjk = CJK.test(word);
    return { term: cjk ? word : stem(word), text: word, start: match.index, end: match.index + word.length, cjk };
  });
}

/**
 * Takes plural, tense and possessive off an English word. Deliberately light (two forms of one word must meet, two words must not):
 * a full Porter stemmer also joins `policy` and `police`, `universal` and `university`.
 */
export function stem(word: string): string {
  const bare = word.replace(/'(s|re|ve|ll|d|m)?$/, "");
  if (bare.length <= 3 || !/^[a-z]+$/.test(bare)) return bare;
  const single = bare.endsWith("ies")
    ? `${bare.slice(0, -3)}y`
    : bare.replace(/(s|x|z|ch|sh)es$/, "$1").replace(/(?<![su'i])s$/, "");
  const tensed = single.replace(/(?<=[a-z]{3})(ing|ed)$/, "").replace(/([bdgmnprt])\1$/, "$1");
  const root = /[aeiouy]/.test(tensed) ? tensed : single;
  return root.length >= 4 ? root.replace(/e$/, "").replace(/y$/, "i") : root;
}

function meaningful(text: string, isFree: (word: Word) => boolean): Word[] {
  const folded = fold(text);
  const glue = glueSpans(folded);
  const words = wordsOf(folded);
  const chinese = words.some((word) => word.cjk);
  return words.filter((word) => {
    if (word.cjk) return !glue.has(word.start);
    return !/^\d/.test(word.text) && (chinese || !isFree(word));
  });
}

/**
 * The words that carry meaning: no function words, no numbers (details.ts compares those exactly), no CJK characters of function words.
 * An English word inside a Chinese text is always a name of something (`别用 any`).
 */
export function contentWords(text: string): Word[] {
  return meaningful(text, (word) => isGlue(word.text, word.term));
}

/** The words that can be asserted or denied: content words and common verbs. */
export function assertedWords(text: string): Word[] {
  return meaningful(text, (word) => isFunctionWord(word.text));
}

/** Positions of CJK characters that belong to function words; longest word first, so that 时候 is not read as 时 + 候. */
function glueSpans(folded: string): ReadonlySet<number> {
  const spans = new Set<number>();
  for (let i = 0; i < folded.length; i += 1) {
    const length = isGlueCharacter(folded, i);
    for (let j = 0; j < length; j += 1) spans.add(i + j);
    if (length > 1) i += length - 1;
  }
  return spans;
}

/**
 * What two texts are compared by: stems of English content words, and pairs of neighbouring CJK content characters (one character
 * alone says too little: 分 is both "cent" and "divide").
 */
export function termsOf(text: string): Set<string> {
  const folded = fold(text);
  return new Set(pairUp(contentWords(folded), folded).map((word) => word.term));
}

/**
 * English words as they are, CJK characters joined to overlapping pairs (a lone character stays alone). Function words between two
 * characters do not part them, punctuation does. `text` is the folded text that the words were taken from.
 */
export function pairUp(words: readonly Word[], text: string): Word[] {
  const joins = (left: Word | undefined, right: Word | undefined): right is Word =>
    left?.cjk === true && right?.cjk === true && !/[\p{P}\s]/u.test(text.slice(left.end, right.start));
  return words.flatMap((word, i) => {
    if (!word.cjk) return [word];
    const next = words[i + 1];
    if (joins(word, next))
      return [{ ...word, term: word.term + next.term, text: word.text + next.text, end: next.end }];
    return joins(words[i - 1], word) ? [] : [word];
  });
}

/** Share of `part` that stands in `whole`; 1 for an empty part. */
export function coverage(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  if (part.size === 0) return 1;
  let found = 0;
  for (const term of part) if (whole.has(term)) found += 1;
  return found / part.size;
}
