/** Cuts that keep what people put first and last. */

/** True when cutting `text` before `index` would part a surrogate pair. */
function insidePair(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  const before = text.charCodeAt(index - 1);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}

/** The first `max` UTF-16 units of a text, one less where that would part a pair. */
export function headOf(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(0, insidePair(text, max) ? max - 1 : max);
}

/** The last `max` UTF-16 units of a text, one less where that would part a pair. */
export function tailOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const from = text.length - max;
  return text.slice(insidePair(text, from) ? from + 1 : from);
}

/**
 * At most `max` UTF-16 units: two thirds from the head, the rest from the tail, an ellipsis between. Redact before cutting: half
 * a key is still worth stealing, and no longer looks like one. A marker `[redacted:...]` is never cut in two.
 */
export function headAndTail(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 3) return headOf(text, Math.max(0, max));
  const head = headOf(text, Math.ceil(((max - 1) * 2) / 3)).replace(/\[redacted(?::[a-z-]*)?$/, "");
  const tail = tailOf(text, max - 1 - Math.ceil(((max - 1) * 2) / 3)).replace(/^(?:[a-z]{0,8}:)?[a-z-]{0,20}\]/, "");
  return `${head}…${tail}`;
}
