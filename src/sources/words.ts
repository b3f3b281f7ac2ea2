/** Text as it may leave a source: well-formed, without control characters, bounded, and not holding on to its record. */
import { stripInvisible, withoutHalves } from "../base/text.ts";

/** Share of a clipped text that its head gets; the rest is its tail, where people put what they want. */
const HEAD_SHARE = 0.75;

/** Code units looked at per unit kept, so that cleaning never walks through megabytes that are cut anyway. */
const SLACK = 64;

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** Head and tail around an ellipsis, at most `max` UTF-16 units, no pair cut in half. */
function clipMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  let head = Math.floor((max - 1) * HEAD_SHARE);
  let tail = text.length - (max - 1 - head);
  if (isHigh(text.charCodeAt(head - 1))) head--;
  if (isLow(text.charCodeAt(tail))) tail++;
  return `${text.slice(0, head)}…${text.slice(tail)}`;
}

/** A copy with memory of its own: V8 keeps all of a text alive behind a slice of it. Joining makes a new one, faster than bytes and back. */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}

/** English and Chinese text that needs no cleaning: what three lookups for rare characters would find is not in it. */
const ORDINARY = /^[\t\n\x20-\x7E\u2013\u2014\u2018-\u201D\u2026\u3000-\u303F\u4E00-\u9FFF\uFF01-\uFF5E]*$/;

/** Cleans and clips what somebody said; empty when nothing is left. */
export function cleanText(text: string, max: number): string {
  const near = clipMiddle(text, max + SLACK);
  const clean = clipMiddle((ORDINARY.test(near) ? near : stripInvisible(withoutHalves(near))).trim(), max);
  return text.length > max || clean.length * 2 < text.length ? detached(clean) : clean;
}
