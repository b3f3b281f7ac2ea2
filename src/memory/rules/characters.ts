/** What a text may be made of: no invisible or look-alike characters, no secrets, no marks that only memd may set. */
import { hasInvisible } from "../../base/text.ts";
import { secretsIn } from "../../digest/redact.ts";
import { type Rule, violation, wordsOf } from "./rule.ts";

/** Letters of two alphabets inside one word: Cyrillic `а` in `pаypal` reads like Latin. */
const MIXED =
  /(?=[\p{L}]*\p{Script=Latin})(?=[\p{L}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}])\p{L}+/u;
/** Mathematical and enclosed letters pass every word list and still read as words. */
const FANCY = /[\u{1D400}-\u{1D7FF}\u{1F130}-\u{1F189}\u{2460}-\u{24FF}]/u;

export const invisibleCharacter: Rule = (operation) => {
  for (const text of wordsOf(operation)) {
    if (hasInvisible(text)) return violation("invisible-character", "the text holds invisible or control characters");
    if (MIXED.test(text) || FANCY.test(text)) {
      return violation("invisible-character", "the text holds letters that only look like others");
    }
  }
  return null;
};

export const secret: Rule = (operation) => {
  for (const text of wordsOf(operation)) {
    const found = text.includes("[redacted:") ? "redacted" : secretsIn(text)[0];
    if (found !== undefined) return violation("secret", `the text holds a secret (${found}); leave it out`);
  }
  return null;
};

/** Marks of entries, comments, tags and headings: a statement is plain words. */
const MARKUP =
  /\[(?:created|updated)\s*:|\[(?:pinned|unconfirmed)\]|<!--|-->|<\/?(?:system|session|user|assistant|human|memory|instructions?|tool|reminder|utterance|transcript|brief)[\w-]*\b[^>]*>|^\s*(?:#{1,6}\s|-{3,}|[-*+]\s|>\s|```)|!\[|\]\((?:javascript|data):/i;

export const forgedMark: Rule = (operation) => {
  const found = wordsOf(operation).find((text) => MARKUP.test(text));
  return found === undefined
    ? null
    : violation("forged-mark", "write plain words: no marks, tags, headings or bullets");
};
