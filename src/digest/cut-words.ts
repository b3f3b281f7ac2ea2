/**
 * Words that a cut went through before redaction could see them: sources clip long texts around an ellipsis. Half a key has lost
 * the shape that would tell it, and half a word says nothing, so machine-made halves go.
 */
import { runStart, type Span } from "./spans.ts";

const TOKEN = /[A-Za-z0-9+/_=.~-]/;
const AFTER_CUT = /[A-Za-z0-9+/_=.~-]{1,4096}/y;
const LONGEST = 4_096;

/** Eight characters or more, letters and digits: shorter halves give little away, and words have no digits. */
function isHalf(word: string): boolean {
  return word.length >= 8 && /\d/.test(word) && /[A-Za-z]/.test(word);
}

/** Halves of keys on either side of an ellipsis. Before it, only where a word goes on behind it: prose ends with one. */
export function findCutWords(text: string): Span[] {
  const spans: Span[] = [];
  for (let cut = text.indexOf("…"); cut >= 0; cut = text.indexOf("…", cut + 1)) {
    const start = runStart(text, cut, TOKEN, LONGEST);
    AFTER_CUT.lastIndex = cut + 1;
    const after = AFTER_CUT.exec(text)?.[0] ?? "";
    if (/[^\s…]/.test(text[cut + 1] ?? "") && isHalf(text.slice(start, cut)))
      spans.push({ start, end: cut, rule: "cut" });
    if (isHalf(after)) spans.push({ start: cut + 1, end: cut + 1 + after.length, rule: "cut" });
  }
  return spans;
}
