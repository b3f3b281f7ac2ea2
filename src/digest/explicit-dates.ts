/** Dates that name their day. Numbers are read here, the names of months by the readers that are passed in. */
import { type Day, dayOf, nearestYearDay } from "./calendar.ts";
import { chineseYearDay } from "./chinese-dates.ts";
import { ownDirection } from "./english-tense.ts";
import type { Phrase, Place } from "./phrase.ts";

/** A date as a reader of natural language sees it, at the start and end where its words stand. */
export interface ReadDate {
  readonly start: number;
  readonly end: number;
  /** Null when the words name no year. */
  readonly year: number | null;
  readonly month: number;
  readonly date: number;
}

/** The first single day in words that can be a date, or null. */
export type DateReader = (words: string) => ReadDate | null;

export interface DateReaders {
  readonly english: DateReader;
  readonly chinese: DateReader;
}

function explicit(place: Place, resolve: Phrase["resolve"]): Phrase {
  return { start: place.start, end: place.end, kind: "explicit", adverb: false, resolve };
}

/** 2026-12-18, 2026/12/18; not the date of a time stamp, a file name, a path, a version or a tag (`v2026-11-25`). */
const YEAR_FIRST = /(?<![\w./#-])(?<y>\d{4})(?<sep>[-/])(?<m>\d{1,2})\k<sep>(?<d>\d{1,2})(?![\w/-]|\.\w)/g;
/** 12/18/2026: only where the day can be told from the month. */
const YEAR_LAST = /(?<![\w./#-])(?<a>\d{1,2})\/(?<b>\d{1,2})\/(?<y>\d{4})(?![\w/-]|\.\w)/g;

function numericPhrases(text: string): Phrase[] {
  const phrases: Phrase[] = [];
  for (const match of text.matchAll(YEAR_FIRST)) {
    const day = dayOf(Number(match.groups?.y), Number(match.groups?.m), Number(match.groups?.d));
    if (day !== null) phrases.push(explicit(placeOf(text, match), () => day));
  }
  for (const match of text.matchAll(YEAR_LAST)) {
    const [a, b, year] = [Number(match.groups?.a), Number(match.groups?.b), Number(match.groups?.y)];
    if (a <= 12 && b <= 12 && a !== b) continue;
    const day = a > 12 ? dayOf(year, b, a) : dayOf(year, a, b);
    if (day !== null) phrases.push(explicit(placeOf(text, match), () => day));
  }
  return phrases;
}

function placeOf(text: string, match: RegExpExecArray): Place {
  return { text, start: match.index, end: match.index + match[0].length };
}

/**
 * A reader sees only the words around a month that can belong to a date: a whole text costs it 20 ms per 8,000 characters, and
 * its times, ranges and relative readings are not wanted.
 */
const MONTH_NAME =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/gi;
const LEFT =
  /(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s)?(?:the\s)?(?:\d{1,2}(?:st|nd|rd|th)?(?:\sof)?[\s-])?$/i;
const RIGHT = /^\.?(?:[\s-]\d{1,2}(?!\d|:)(?:st|nd|rd|th)?)?(?:,?[\s-]\d{4}(?!\d))?/i;
const SIGHT = 32;
/** A text with more month names than this is a calendar or an attack. */
const MOST_MONTHS = 64;

const NOT_A_MONTH = /\b(?:may|march|mar)\b/;
const MAY_THE_VERB = /^\s+(?:be|have|need|not|also|still|cause|take|get|want|use|only|then)\b/;
/** What follows makes it a range, a number with a unit, or a fraction. */
const NOT_ONE_DAY_AFTER =
  /^[\w%]|^[.:]\d|^\s?[-–/]\s?\d|^\s(?:to|through|thru|and|or)\s\d{1,2}(?:st|nd|rd|th)?\b(?!\s[A-Z][a-z])/;
const NOT_ONE_DAY_BEFORE =
  /[\w/.–-]$|(?<!(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s)(?<![-/.\d])\b\d{1,2}(?:st|nd|rd|th)?\s(?:to|through|thru|and|or)\s$/i;

function monthNamePhrase(text: string, month: Place, read: DateReader): Phrase | null {
  const left = LEFT.exec(text.slice(Math.max(0, month.start - SIGHT), month.start))?.[0] ?? "";
  const right = RIGHT.exec(text.slice(month.end, month.end + SIGHT))?.[0] ?? "";
  const from = month.start - left.length;
  const found = read(text.slice(from, month.end + right.length));
  if (!found) return null;
  const start = /^the\s/i.test(left) ? from : from + found.start;
  const end = from + found.end;
  const [words, before, after] = [
    text.slice(start, end),
    text.slice(Math.max(0, start - SIGHT), start),
    text.slice(end, end + 12),
  ];
  if (NOT_ONE_DAY_AFTER.test(after) || NOT_ONE_DAY_BEFORE.test(before) || NOT_A_MONTH.test(words)) return null;
  if (/May$/.test(words) && MAY_THE_VERB.test(after)) return null;
  return withMonthDay(found, { text, start, end }, false);
}

function monthNamePhrases(text: string, read: DateReader): Phrase[] {
  const months = [...text.matchAll(MONTH_NAME)].slice(0, MOST_MONTHS);
  return months.flatMap((month) => monthNamePhrase(text, placeOf(text, month), read) ?? []);
}

function withMonthDay({ year, month, date }: ReadDate, place: Place, chinese: boolean): Phrase {
  if (year !== null) {
    const day = dayOf(year, month, date);
    return explicit(place, () => day);
  }
  const resolve = (today: Day) =>
    chinese ? chineseYearDay(today, month, date, place) : nearestYearDay(today, month, date, ownDirection(place));
  return explicit(place, (today) => (today === null ? null : resolve(today)));
}

const CHINESE_DATE =
  /(?:(?:\d{4}|[〇零一二三四五六七八九]{4})\s?年\s?)?(?<![\d一二三四五六七八九十])(?:\d{1,2}|[一二三四五六七八九十]{1,2})\s?月\s?(?:\d{1,2}|[一二三四五六七八九十]{1,3})\s?[日号號]/g;
/** 12月18日到20日 is a range: its first end is no day by itself. */
const RANGE_AFTER = /^\s?(?:到|至|-|~|—|～)\s?[\d一二三四五六七八九十]{1,3}\s?[日号號]/;

function chineseMonthPhrases(text: string, read: DateReader): Phrase[] {
  const matches = [...text.matchAll(CHINESE_DATE)].slice(0, MOST_MONTHS);
  return matches.flatMap((match) => {
    const place = placeOf(text, match);
    const found = read(match[0].replace(/[號号]$/, "日"));
    if (!found || RANGE_AFTER.test(text.slice(place.end, place.end + 8))) return [];
    return [withMonthDay(found, place, true)];
  });
}

/** All dates in a text that name their day. */
export function explicitPhrases(text: string, read: DateReaders): Phrase[] {
  return [...numericPhrases(text), ...monthNamePhrases(text, read.english), ...chineseMonthPhrases(text, read.chinese)];
}
