/** Which statement the user's words of taking back mean: "the emojis in commits", "Postman 用例". */
import { contentWords, coverage, termsOf } from "../../memory/language/words.ts";
import type { Gist } from "./likeness.ts";

/** Share of the words of taking back that must stand in a statement; Chinese counts by character. */
const MEANT = 0.7;

const FILLER =
  /\b(?:things?|bits?|stuff|ideas?|rules?|parts?|approach|plans?|requests?|notes?|whole|entire)\b|那条|那个|这条|这个|的事|(?:之前|先前|上次|以前|原来|刚才|前面|当初|早先)(?:我|我们|咱们)?(?:说|定|提|讲|要求|约定|决定)?(?:好|过|了)?的?|本来|原本/gi;

const CJK = /[\u3400-\u9fff]/;
/** Neighbouring characters: those of a Chinese sentence scattered over another one are not its words. */
const pairsOf = (text: string) => [...termsOf(text)].filter((term) => term.length === 2 && CJK.test(term));

export const targetWords = (target: string): ReadonlySet<string> =>
  new Set([
    ...contentWords(target.replace(FILLER, " ")).map((word) => word.term),
    ...pairsOf(target.replace(FILLER, " ")),
  ]);

/** "emojis", "PRs": what stemming leaves as it is. */
export const singular = (word: string) => (/^[a-z]+[^s]s$/.test(word) ? word.slice(0, -1) : word);

/** True when the user's words of taking back mean this statement. */
export function isMeant(words: ReadonlySet<string>, gist: Gist): boolean {
  // One Chinese character is no word.
  if (words.size === 0 || (words.size === 1 && [...words].every((word) => CJK.test(word)))) return false;
  const said = new Set([...gist.words, ...gist.terms].map(singular));
  return coverage(new Set([...words].map(singular)), said) >= MEANT;
}
