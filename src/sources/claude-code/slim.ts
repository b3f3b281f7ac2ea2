/**
 * Cuts very long strings out of a record's bytes before it is decoded. One line can hold an image or a tool output of
 * megabytes; parsing 16 MB takes longer than a lock heartbeat may wait, and almost all of it would be thrown away.
 */

interface Keep {
  /** Lines up to this many bytes are parsed as they are; so much takes a fraction of a millisecond. */
  readonly small: number;
  /** Strings above this many bytes are cut. */
  readonly above: number;
  readonly head: number;
  readonly tail: number;
}

/** Of a tool's output only a label and its first words are kept. Below this size parsing all of it is faster than looking for them. */
const OUTPUT: Keep = { small: 131_072, above: 4_096, head: 2_048, tail: 0 };
/** Of a person's text 8,000 characters are kept; each can take six bytes (an escaped one). */
const WORDS: Keep = { small: 262_144, above: 196_608, head: 98_304, tail: 49_152 };

/** Part of `"tool_result"` that begins with a rare byte, which makes the search ten times as fast. */
const TOOL_RESULT = Buffer.from("_result");
const ELLIPSIS = Buffer.from("…");
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Bytes before a cut that must hold no backslash, so that the cut is not inside an escape. */
const ESCAPE_BYTES = 5;
/** How far a cut may move to find such a place. */
const REACH = 4_096;

/** The line itself when it is small or holds no long string; valid JSON stays valid. */
export function slimLine(line: Buffer): Buffer {
  if (line.length <= OUTPUT.small) return line;
  const keep = line.includes(TOOL_RESULT) ? OUTPUT : WORDS;
  if (line.length <= keep.small) return line;
  const parts: Buffer[] = [];
  let from = 0;
  for (let open = line.indexOf(QUOTE); open >= 0; ) {
    const close = closingQuote(line, open);
    if (close < 0) break;
    if (close - open > keep.above) {
      const head = cutBefore(line, open + 1 + keep.head);
      const tail = keep.tail === 0 ? close : cutBefore(line, close - keep.tail);
      if (head > open && tail > head) {
        parts.push(line.subarray(from, head), ELLIPSIS);
        from = tail;
      }
    }
    open = line.indexOf(QUOTE, close + 1);
  }
  return parts.length === 0 ? line : Buffer.concat([...parts, line.subarray(from)]);
}

/** Keys and short values end within this. */
const NEAR = 48;

/**
 * The quote that ends the string opened at `open`, or -1. Three ways, each the fastest where it ends: byte by byte through what is short,
 * by one search through what has no escapes (an image), else byte by byte again (printed JSON has a quote every few bytes).
 */
function closingQuote(line: Buffer, open: number): number {
  const near = unescapedQuote(line, open + 1, Math.min(line.length, open + 1 + NEAR));
  if (line[near] === QUOTE) return near;
  const far = line.indexOf(QUOTE, near);
  if (far < 0 || line[far - 1] !== BACKSLASH) return far;
  const last = unescapedQuote(line, near, line.length);
  return last < line.length ? last : -1;
}

/** The first quote at or after `from` that no backslash escapes, else the first place not looked at. */
function unescapedQuote(line: Buffer, from: number, until: number): number {
  let at = from;
  for (; at < until; at++) {
    const byte = line[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return at;
}

/** The nearest place at or before `at` that is neither inside an escape nor inside a character; -1 when none is near. */
function cutBefore(line: Buffer, at: number): number {
  for (let place = at; place > at - REACH; place--) {
    if (((line[place] ?? 0) & 0xc0) === 0x80) continue;
    const slash = line.lastIndexOf(BACKSLASH, place - 1);
    if (slash < place - ESCAPE_BYTES) return place;
  }
  return -1;
}
