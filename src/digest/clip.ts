/** Cuts that keep what people put first and last, and never part a character or a marker. */

/** Longest marker that a redaction leaves, `[redacted:authorization]`, with room. */
const MARKER_CHARS = 40;

/** The marker `[redacted:RULE]` that a cut before `index` would part; null when there is none. */
function markerAt(text: string, index: number): { start: number; end: number } | null {
  const from = Math.max(0, index - MARKER_CHARS);
  for (const match of text.slice(from, index + MARKER_CHARS).matchAll(/\[redacted:[a-z0-9-]+\]/g)) {
    const [start, end] = [from + match.index, from + match.index + match[0].length];
    if (start < index && index < end) return { start, end };
  }
  return null;
}

/** True when cutting before `index` would part a surrogate pair. */
function insidePair(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  const before = text.charCodeAt(index - 1);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}

/** The first `max` UTF-16 units of a text, fewer where that would part a pair or a marker. */
export function headOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = markerAt(text, max)?.start ?? max;
  return text.slice(0, insidePair(text, end) ? end - 1 : end);
}

/** The last `max` UTF-16 units of a text, fewer where that would part a pair or a marker. */
export function tailOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const from = markerAt(text, text.length - max)?.end ?? text.length - max;
  return text.slice(insidePair(text, from) ? from + 1 : from);
}

/**
 * At most `max` UTF-16 units: two thirds from the head, the rest from the tail, an ellipsis between. Redact before cutting: half
 * a key is still worth stealing, and no longer looks like one.
 */
export function headAndTail(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 3) return headOf(text, Math.max(0, max));
  const head = Math.ceil(((max - 1) * 2) / 3);
  return `${headOf(text, head)}…${tailOf(text, max - 1 - head)}`;
}
