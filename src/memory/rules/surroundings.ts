/** What stands around a quote and tells how it was meant: its sentence, the heading of its list, the words that take it back. */
import { denies } from "../language/negation.ts";
import { fold } from "../language/words.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A full stop ends a sentence only before white space: `decimal.js` and `v2026.11.25` go on. */
const SENTENCE_END = /[。！？!?；;\n]|\.(?=\s|$)| {3,}/g;

/** The span widened to the sentences it stands in, and to a sentence behind it that takes them back: `That is wrong.` */
export function sentenceAround(text: string, span: Span): Span {
  let start = 0;
  for (const match of text.matchAll(SENTENCE_END)) {
    const after = match.index + match[0].length;
    if (after <= span.start) start = after;
    else if (after >= span.end) return { start, end: withTakenBack(text, after) };
  }
  return { start, end: text.length };
}

const TAKES_BACK =
  /^\s*(?:(?:and|but) )?(?:that|this|which|it|all of (?:that|this))(?: is|'s|’s| was) [^.!?。！？\n]{0,40}\b(?:wrong|false|untrue|nonsense|rubbish|bullshit|incorrect|(?:a )?(?:lie|myth|joke)|not (?:true|right|so|the case))\b[^.!?。！？\n]*[.!?。！？]?/i;

function withTakenBack(text: string, from: number): number {
  const match = TAKES_BACK.exec(text.slice(from, from + 200));
  return match ? from + match[0].length : from;
}

const ITEM = /^\s*(?:[-*+•]\s|\(?\d{1,2}[.)、]\s?)/;
const HEADING = /[:：]\s*(?:\*\*|__)?\s*$/;
/** Headings that disown what follows without a denial of it. */
const DISOWNS =
  /^\W*(?:(?:very |really )?(?:bad|wrong|incorrect)(?: (?:examples?|ways?|ideas?|patterns?))?|anti-?patterns?|counter-?examples?|do ?n['’]?ts|反例|错误(?:示例|做法|写法)?|反面教材)\W*$/i;
/** The same before a colon in one line, where a lone `wrong:` may also fault what was done and go on with what is right. */
const DISOWNS_INLINE =
  /^\W*(?:bad (?:examples?|ways?|ideas?)|anti-?patterns?|counter-?examples?|what (?:i|we) (?:do not|don't|never) (?:want|like|do)|not like this|反例|错误示例)\s*[:：]\s*/i;
/** Longest list that is looked through for its heading. */
const MAX_LINES = 40;

/** The line with which a list begins, of which the line at `at` is an item; null where it is none. */
function headingOf(text: string, at: number): string | null {
  const lines = text.slice(0, at).split("\n");
  const last = text.slice(text.lastIndexOf("\n", at - 1) + 1).split("\n", 1)[0] ?? "";
  if (!ITEM.test(last)) return null;
  for (const line of lines.slice(0, -1).slice(-MAX_LINES).reverse()) {
    if (line.trim() === "" || ITEM.test(line)) continue;
    return HEADING.test(line) ? line.trim() : null;
  }
  return null;
}

/** `Don't forget:` asks for what follows. */
const REMINDS = /\b(?:forget|miss)\b|忘/;

function disowns(heading: string): boolean {
  const words = fold(heading.replace(HEADING, ""));
  return DISOWNS.test(words) || (denies(words) && !REMINDS.test(words));
}

const CHINESE = /\p{Script=Han}/u;
const denied = (words: string) => (CHINESE.test(words) ? `不要${words}` : `never ${words}`);

/** A sentence as it is meant where it stands: an item below `Never:` is denied, and so is what follows `bad example:`. */
export function meant(sentence: string, text: string, span: Span): string {
  const inline = DISOWNS_INLINE.exec(fold(sentence));
  if (inline) return denied(sentence.slice(inline[0].length));
  const above = headingOf(text, span.start);
  let disowned = above !== null && disowns(above);
  const lines = sentence.split("\n").map((line, i) => {
    if (i > 0 && line.trim() !== "" && !ITEM.test(line)) disowned = HEADING.test(line) && disowns(line);
    if (i === 0 && above === null) disowned = HEADING.test(line) && disowns(line);
    const isItem = ITEM.test(line) || (i === 0 && above !== null);
    return disowned && isItem ? denied(line.replace(ITEM, "")) : line;
  });
  return lines.join("\n");
}

/** True when the place stands in a line that its writer took over from somebody else, as mail does it: `> always use tabs`. */
export function isTakenOver(text: string, { start }: Span): boolean {
  return /^\s{0,3}>/.test(text.slice(text.lastIndexOf("\n", start - 1) + 1));
}
