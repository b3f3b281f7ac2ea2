/** English phrases of time. Weeks start on Monday: "next Friday" is the Friday of next week, "last Friday" the most recent one. */
import { dayOf, nearestWeekday, partsOf, weekdayOf, weekOf } from "./calendar.ts";
import { isHabit } from "./english-habit.ts";
import { englishDirection, ownDirection, STOPS } from "./english-tense.ts";
import { type Form, type Phrase, type Place, RANGE, RECURRING, readForms, relative, sentenceAround } from "./phrase.ts";

export const WEEKDAY =
  "(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)(?![a-z])\\.?";
const NUMBER = "\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const NUMBERS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** `two` -> 2, `a` -> 1. */
export function englishNumber(word: string): number {
  const lower = word.toLowerCase();
  if (/^\d+$/.test(lower)) return Number(lower);
  return /^an?$/.test(lower) ? 1 : NUMBERS.indexOf(lower);
}

/** 0 for Monday; null for a short form in lower case, which is another word ("sat", "sun", "wed"). */
export function englishWeekday(word: string): number | null {
  if (!/day$/i.test(word) && !/^[A-Z]/.test(word)) return null;
  return DAYS.indexOf(word.slice(0, 3).toLowerCase());
}

const daysIn = (unit: string) => (/^week/i.test(unit) ? 7 : /^fortnight/i.test(unit) ? 14 : 1);

const SCHEDULE = /\b(?:every|each|always|usually|weekly|recurring|normally|whenever)\b/i;
const RULE = /\b(?:never|no|not|nothing|nobody|don'?t|do not|avoid|only|any|all|most|can'?t|cannot)\b/i;
const ONCE =
  /\b(?:by|until|till|before|due|since|as of|eod|cob|starting|starts|begins|moved to|pushed to|postponed to)\s+(?:on\s+)?$/i;
const TIED = /\b(?:on|from|for|is|was|to|at|of|after|happens|landed|landing|lands|decided|decision)\s+$/i;

/** A weekday alone: one day only where the sentence ties it down; "no deploys on Friday" is a schedule. */
function bareWeekday(word: string, place: Place): ReturnType<Form["read"]> {
  const weekday = englishWeekday(word);
  if (weekday === null) return null;
  const { before, after } = sentenceAround(place, STOPS);
  if (/^s\b|^[-/–]|^ ?night/.test(after) || SCHEDULE.test(before) || SCHEDULE.test(after)) return RECURRING;
  // "on a Friday": any of them.
  if (/\b(?:an?|any|per) $/i.test(before)) return RECURRING;
  if (isHabit(before, after)) return RECURRING;
  const once = ONCE.test(before);
  if (!once && (RULE.test(before) || RULE.test(after))) return RECURRING;
  const ends = /^\s*(?:$|[,)]|(?:and|at|because|so|since|when|if|we|i|they|morning|afternoon|evening)\b)/i.test(after);
  if (!once && !TIED.test(before) && !ends) return RECURRING;
  return relative((today) => nearestWeekday(today, weekday, ownDirection(place) || englishDirection(place)));
}

const WEEK: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1, "week after next": 2 };

function weekdayOfWeek(word: string, week: string): ReturnType<Form["read"]> {
  const weekday = englishWeekday(word);
  const offset = WEEK[week.toLowerCase()];
  if (weekday === null || offset === undefined) return null;
  return relative((today) => weekOf(today) + 7 * offset + weekday);
}

function qualifiedWeekday(which: string, word: string, place: Place): ReturnType<Form["read"]> {
  const weekday = englishWeekday(word);
  if (weekday === null) return null;
  if (/^(?:last|past|this past)$/i.test(which))
    return relative((today) => nearestWeekday(today, weekday, -1) ?? today - 7);
  if (/^next$/i.test(which)) return relative((today) => weekOf(today) + 7 + weekday);
  return relative((today) => nearestWeekday(today, weekday, englishDirection(place)) ?? today);
}

/** "Tokens expire in 30 days" states a term, not a date. */
const TERM =
  /\b(?:expires? (?:after )?|expire|times? out|every|each|always|takes?|finish(?:es)?|completes?|runs?|retried|rotates?|older than|valid)\s*$/i;
const OF_WORK = /^\s+of\b/i;

function inDays(count: string, unit: string, place: Place): ReturnType<Form["read"]> {
  const { before, after } = sentenceAround(place, STOPS);
  // "23 files in a day" is a rate; "in a week" may be one.
  const rate =
    englishNumber(count) === 1 && (/^day/i.test(unit) || (/\S/.test(before) && englishDirection(place) <= 0));
  const plural = /\b[a-z]{3,}s\s+expire\s*$/i.test(before);
  if (rate || plural || (TERM.test(before) && !/\bexpires\s*$/i.test(before)) || OF_WORK.test(after)) return null;
  return relative((today) => today + englishNumber(count) * daysIn(unit));
}

function monthDay(shift: number, date: number): ReturnType<Form["read"]> {
  return relative((today) => {
    const { year, month } = partsOf(today);
    const months = year * 12 + month - 1 + shift;
    return dayOf(Math.floor(months / 12), (months % 12) + 1, date);
  }, false);
}

/** "by the 18th": the nearest such day, within two months. */
function bareOrdinal(date: number, place: Place): ReturnType<Form["read"]> {
  const direction = ownDirection(place) || englishDirection(place);
  return relative((today) => {
    const { date: now } = partsOf(today);
    const shift = direction < 0 ? (date > now ? -1 : 0) : date < now ? 1 : 0;
    return monthDay(shift, date)?.resolve(today) ?? null;
  }, false);
}

const i = (source: string) => new RegExp(`(?<![A-Za-z0-9_/.-])(?:${source})(?![A-Za-z0-9_]|-[a-z])`, "gi");

const FORMS: readonly Form[] = [
  {
    pattern: i("(?:the )?day (?<which>after tomorrow|before yesterday)"),
    read: (g) => relative((t) => t + (/^a/i.test(g.which ?? "") ? 2 : -2)),
  },
  { pattern: i("today|tonight|this (?:morning|afternoon|evening)"), read: () => relative((t) => t) },
  { pattern: i("yesterday|last night"), read: () => relative((t) => t - 1) },
  { pattern: i("tomorrow"), read: () => relative((t) => t + 1) },
  {
    pattern: i(`in (?:exactly )?(?<n>${NUMBER}) (?<unit>days?|weeks?|fortnights?)(?:['’]? time)?`),
    read: (g, place) => inDays(g.n ?? "", g.unit ?? "", place),
  },
  {
    pattern: i(`(?<n>${NUMBER}) (?<unit>days?|weeks?|fortnights?) from (?:now|today)(?! on\\b)`),
    read: (g) => relative((t) => t + englishNumber(g.n ?? "") * daysIn(g.unit ?? "")),
  },
  {
    pattern: i(`(?<n>${NUMBER}) (?<unit>days?|weeks?|fortnights?) ago`),
    read: (g) => relative((t) => t - englishNumber(g.n ?? "") * daysIn(g.unit ?? "")),
  },
  {
    pattern: i(`(?<n>${NUMBER}) (?<unit>days?|weeks?) (?:from|after) tomorrow`),
    read: (g) => relative((t) => t + 1 + englishNumber(g.n ?? "") * daysIn(g.unit ?? "")),
  },
  {
    pattern: i(
      `(?<n>${NUMBER}) (?<day>${WEEKDAY}|(?:mon|tues|wednes|thurs|fri|satur|sun)days) from (?:now|today)(?! on\\b)`,
    ),
    read: (g) => {
      const weekday = englishWeekday((g.day ?? "").replace(/days$/i, "day"));
      if (weekday === null) return null;
      return relative((t) => (nearestWeekday(t, weekday, 1) ?? t + 7) + 7 * (englishNumber(g.n ?? "") - 1));
    },
  },
  {
    pattern: i(`(?<n>${NUMBER}) weeks? (?:from|after|on) (?<day>${WEEKDAY})`),
    read: (g) => {
      const weekday = englishWeekday(g.day ?? "");
      if (weekday === null) return null;
      return relative((t) => t + ((weekday - weekdayOf(t) + 7) % 7 || 7) + 7 * englishNumber(g.n ?? ""));
    },
  },
  {
    pattern: i(
      `(?:the )?(?<day>${WEEKDAY}),? (?:(?:of|in) )?(?:the )?(?:(?<week>next|this|last) week|(?<after>week after next))`,
    ),
    read: (g) => weekdayOfWeek(g.day ?? "", g.week ?? g.after ?? ""),
  },
  {
    pattern: i(`(?<week>next|this|last) week(?:['’]s)?,? (?:on )?(?<day>${WEEKDAY})`),
    read: (g) => weekdayOfWeek(g.day ?? "", g.week ?? ""),
  },
  { pattern: i(`(?:the )?(?<day>${WEEKDAY}) after next`), read: (g) => weekdayOfWeek(g.day ?? "", "week after next") },
  {
    pattern: i(`(?:the )?(?<which>next|last|this past|past|this coming|coming|upcoming|this) (?<day>${WEEKDAY})`),
    read: (g, place) => qualifiedWeekday(g.which ?? "", g.day ?? "", place),
  },
  { pattern: i(`(?:${WEEKDAY}) ?(?:-|–|to|through|thru|and|or|&|/|,) ?(?:${WEEKDAY})`), read: () => RECURRING },
  {
    pattern: i(`(?:${WEEKDAY}),? the (?<n>\\d{1,2})(?:st|nd|rd|th)`),
    read: (g, place) => bareOrdinal(Number(g.n), place),
  },
  { pattern: i(`(?<day>${WEEKDAY})`), read: (g, place) => bareWeekday(g.day ?? "", place) },
  {
    pattern: i("(?:the )?(?<n>\\d{1,2})(?:st|nd|rd|th) of (?<which>next|this|last) month"),
    read: (g) => monthDay(WEEK[(g.which ?? "").toLowerCase()] ?? 0, Number(g.n)),
  },
  {
    pattern:
      /(?<=\b(?:on|by|until|till|before|since|from|due) )the (?<n>\d{1,2})(?:st|nd|rd|th)(?=[.,;!?)]|\s*$|\s(?:and|at|because|so|if|when|instead)\b)/gim,
    read: (g, place) => bareOrdinal(Number(g.n), place),
  },
  {
    pattern: i(
      "(?:later |earlier |early |late )?(?:next|last|this|this coming|this past|the coming|the past) (?:week(?:end)?|month|quarter|year|spring|summer|autumn|fall|winter|night)|(?:the )?(?:week(?:end)?|month|quarter) after next",
    ),
    read: () => RANGE,
  },
  {
    pattern: i(
      `the other day|(?:a (?:few|couple(?: of)?)|several|some|many|${NUMBER}) (?:days|weeks|months?|years?|hours?|minutes?) ago|(?:months|weeks|years|days) ago`,
    ),
    read: () => RANGE,
  },
  {
    pattern: i(
      `in (?:a (?:few|couple(?: of)?)|several|${NUMBER}) (?:months?|quarters?)|in (?:a (?:few|couple(?: of)?)|several) (?:days|weeks)`,
    ),
    read: () => RANGE,
  },
];

/** All English phrases of time in a text, overlapping ones included. */
export function englishPhrases(text: string): Phrase[] {
  return readForms(text, FORMS);
}
