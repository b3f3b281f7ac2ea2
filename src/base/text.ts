/** UTF-16 safe text: nothing here ever leaves half a character behind. */

/** Characters that are invisible, reorder text, or control a terminal; tab and newline are not among them. */
const INVISIBLE =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]|[\uFE00-\uFE0E]/gu;

const HALF = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Replaces unpaired surrogates by U+FFFD. (String.prototype.toWellFormed exists on Node 20, but not in lib es2023.) */
export function wellFormed(text: string): string {
  return text.replace(HALF, "\uFFFD");
}

/** Drops unpaired surrogates: what somebody said is remembered without the marks of a cut emoji. */
export function withoutHalves(text: string): string {
  return text.replace(HALF, "");
}

/** Removes control, invisible and bidirectional characters; CRLF becomes LF. */
export function stripInvisible(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(INVISIBLE, "");
}

/** True when the text holds a character that `stripInvisible` would remove (a lone CR counts). */
export function hasInvisible(text: string): boolean {
  INVISIBLE.lastIndex = 0;
  return text.includes("\r") || INVISIBLE.test(text);
}

/** The first `max` characters (code points); a cut text ends with an ellipsis, which counts. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = [...text];
  return points.length <= max ? text : `${points.slice(0, Math.max(0, max - 1)).join("")}…`;
}

/** Length in characters as people count them for limits (code points). */
export function lengthOf(text: string): number {
  return text.length < 64 && !/[\uD800-\uDFFF]/.test(text) ? text.length : [...text].length;
}

const CJK = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF\u{20000}-\u{3FFFF}]/gu;

/**
 * Rough token count without a tokenizer: one per CJK character, one per four others.
 * Errs high for English prose, so that a budget is kept rather than crossed.
 */
export function estimateTokens(text: string): number {
  const wide = text.match(CJK)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / 4);
}

/** White space folded to single blanks, ends trimmed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
