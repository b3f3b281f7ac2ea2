/**
 * When something was meant: phrases of time resolved against the time at which they were said, and put in their place.
 * chrono (this file is its only home) reads the names of months and Chinese numerals. Phrases relative to today are our own
 * grammar: chrono takes "last week" for a day, "next Friday" for another one than people mean, and knows no 下下周三.
 */
import { strict, zh } from "chrono-node";
import { anchoredPhrases } from "./anchored-dates.ts";
import { dayIn, isoDay } from "./calendar.ts";
import { chinesePhrases } from "./chinese-dates.ts";
import type { ResolvedDate } from "./digest.ts";
import { englishPhrases } from "./english-dates.ts";
import { type DateReader, explicitPhrases } from "./explicit-dates.ts";
import { followingPhrases } from "./following-dates.ts";
import { monthPhrases } from "./month-days.ts";
import { type Phrase, withoutOverlap } from "./phrase.ts";

/** Only components are taken, never `.date()`, so that no zone comes in; the reference is a leap year, so that 29 February is a date. */
const REFERENCE = { instant: new Date(Date.UTC(2024, 0, 1, 12)), timezone: 0 };

function reader(parser: Pick<typeof strict, "parse">): DateReader {
  return (words) => {
    const [result] = parser.parse(words, REFERENCE);
    if (!result || result.end || !result.start.isCertain("day") || !result.start.isCertain("month")) return null;
    return {
      start: result.index,
      end: result.index + result.text.length,
      year: result.start.isCertain("year") ? result.start.get("year") : null,
      month: result.start.get("month") ?? 0,
      date: result.start.get("day") ?? 0,
    };
  };
}

/** The simplified reader knows both scripts. */
const READERS = { english: reader(strict), chinese: reader(zh.hans) };

/** Nothing without one of these can hold a phrase of time; most utterances are done here. */
const WORTH_A_LOOK =
  /\d|day|week|month|year|quarter|night|morning|afternoon|evening|tomorrow|ago\b|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|spring|summer|autumn|fall\b|winter|[天日周週月年晚早晨夜]|星期|[礼禮]拜|季度|小[时時]/i;

function phrasesOf(text: string): Phrase[] {
  if (!WORTH_A_LOOK.test(text)) return [];
  const explicit = withoutOverlap(explicitPhrases(text, READERS));
  const found = withoutOverlap([
    ...anchoredPhrases(text, explicit),
    ...explicit,
    ...englishPhrases(text),
    ...chinesePhrases(text),
    ...monthPhrases(text),
  ]);
  return found.length === 0 ? found : withoutOverlap([...followingPhrases(text, found), ...found]);
}

/**
 * The single days that a text names, as seen from the time of speaking. Ranges ("last week", 上周, "next month") and schedules
 * ("every Friday", "Monday to Friday") are left alone.
 * @param at epoch ms of the utterance; null: only dates with their year are resolved
 * @param timeZone IANA zone of the speaker
 * @throws RangeError for an unknown zone
 */
export function resolveDates(text: string, at: number | null, timeZone: string): ResolvedDate[] {
  const today = at === null ? null : dayIn(at, timeZone);
  return phrasesOf(text).flatMap(({ start, end, resolve }) => {
    const day = resolve(today);
    return day === null ? [] : [{ phrase: text.slice(start, end), index: start, date: isoDay(day) }];
  });
}

/**
 * Phrases that mean something else tomorrow, in the order of the text: "yesterday", "next week", 上周, "two days ago". A schedule
 * ("every Friday") is true on any day, and a date without its year is not listed.
 */
export function relativeWords(text: string): string[] {
  return phrasesOf(text)
    .filter((phrase) => phrase.kind === "relative")
    .map(({ start, end }) => text.slice(start, end));
}

const CJK = /[\u2e80-\u9fff\uf900-\ufaff]/;
const SENTENCE_START = /(?:^|[.!?:;]\s+|\n\s*(?:[-*+]\s+)?|^\s*[-*+]\s+)$/;
/** "Yesterday's build", "this Friday is the demo": the phrase is a noun. */
const NOUN_USE = /^(?:['’]s\b|\s+(?:is|was|works|suits)\b)/i;
/** After these an English date stands without "on". */
const TAKES_A_DATE =
  /(?:\b(?:on|by|until|till|before|after|since|from|for|of|to|than|as of|between|and|or|around|about|is|are|was|were|be|start|starts|started|begin|begins|began|due|dated|the|not|EOD|COB)|[-–(,/"'=])\s*$/i;

/** What stands in place of a phrase. English adverbs ("yesterday") become "on DATE", at the start of a sentence "On DATE". */
function replacement(text: string, { phrase, index, date }: ResolvedDate, adverb: boolean): string {
  const before = text.slice(Math.max(0, index - 40), index);
  const after = text.slice(index + phrase.length, index + phrase.length + 12);
  const spaceBefore = CJK.test(before.slice(-1)) ? " " : "";
  const spaceAfter = CJK.test(after.slice(0, 1)) ? " " : "";
  const takesOn = adverb && !CJK.test(phrase) && !NOUN_USE.test(after);
  if (takesOn && SENTENCE_START.test(before)) return `On ${date}${spaceAfter}`;
  return `${spaceBefore}${takesOn && !TAKES_A_DATE.test(before) ? "on " : ""}${date}${spaceAfter}`;
}

/**
 * The text with each resolved phrase replaced by its date: "starts Thursday of next week" -> "starts 2026-12-03",
 * "Yesterday we froze it" -> "On 2026-03-07 we froze it", 昨天换了 -> 2026-03-07 换了.
 * @param dates of this very text; one whose phrase does not stand at its index is skipped
 */
export function absolute(text: string, dates: readonly ResolvedDate[]): string {
  const adverbs = new Set(phrasesOf(text).flatMap((p) => (p.adverb ? [p.start] : [])));
  let result = "";
  let from = 0;
  for (const date of [...dates].sort((a, b) => a.index - b.index)) {
    if (date.index < from || !text.startsWith(date.phrase, date.index)) continue;
    result += text.slice(from, date.index) + replacement(text, date, adverbs.has(date.index));
    from = date.index + date.phrase.length;
  }
  return result + text.slice(from);
}
