/** Days that a month is asked for: "the third Monday of next month", "the last day of November", 下个月的第一个周三. */
import { type Day, dayOf, nearestYearDay, partsOf, weekdayOf } from "./calendar.ts";
import { chineseNumber } from "./chinese-dates.ts";
import { englishWeekday, WEEKDAY } from "./english-dates.ts";
import { ownDirection } from "./english-tense.ts";
import { type Form, type Phrase, type Place, RANGE, RECURRING, readForms, relative } from "./phrase.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const ORDINALS = ["", "first", "second", "third", "fourth", "fifth"];
const ORDINAL = "first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th";

/** -1: the last one. */
function ordinalOf(word: string): number {
  const lower = word.toLowerCase();
  if (lower === "last") return -1;
  return /^\d/.test(lower) ? Number.parseInt(lower, 10) : ORDINALS.indexOf(lower);
}

/** The n-th weekday of a month (null: the n-th day), -1 the last; months counted from year 0. */
function inMonth(months: number, n: number, weekday: number | null): Day | null {
  const [year, month] = [Math.floor(months / 12), (months % 12) + 1];
  const first = dayOf(year, month, 1);
  const next = dayOf(month === 12 ? year + 1 : year, month === 12 ? 1 : month + 1, 1);
  if (first === null || next === null) return null;
  if (weekday === null) return n < 0 ? next - 1 : first + n - 1;
  const day =
    n < 0
      ? next - 1 - ((weekdayOf(next - 1) - weekday + 7) % 7)
      : first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (n - 1);
  return day < next ? day : null;
}

const monthsAt = (today: Day) => partsOf(today).year * 12 + partsOf(today).month - 1;

/** Of next month, or of a month by name; its year is told by the words around. */
function english(groups: Readonly<Record<string, string | undefined>>, place: Place): ReturnType<Form["read"]> {
  const n = ordinalOf(groups.n ?? "");
  const weekday = groups.day === undefined ? null : englishWeekday(groups.day);
  if (groups.day !== undefined && weekday === null) return null;
  if (groups.rel !== undefined) {
    const shift = { last: -1, this: 0, next: 1 }[groups.rel.toLowerCase()] ?? 0;
    return relative((today) => inMonth(monthsAt(today) + shift, n, weekday), false);
  }
  const month = MONTHS.indexOf((groups.month ?? "").slice(0, 3).toLowerCase());
  if (month < 0 || !/^[A-Z]/.test(groups.month ?? "")) return null;
  if (groups.year !== undefined) {
    const day = inMonth(Number(groups.year) * 12 + month, n, weekday);
    return { kind: "explicit", adverb: false, resolve: () => day };
  }
  return relative((today) => {
    const middle = nearestYearDay(today, month + 1, 15, ownDirection(place));
    return middle === null ? null : inMonth(partsOf(middle).year * 12 + month, n, weekday);
  }, false);
}

const SHIFTS: Readonly<Record<string, number>> = {
  上上: -2,
  上: -1,
  本: 0,
  这: 0,
  這: 0,
  当: 0,
  當: 0,
  下: 1,
  下下: 2,
};
const SIGNS = "一二三四五六日";

function chinese(groups: Readonly<Record<string, string | undefined>>): ReturnType<Form["read"]> {
  const n = groups.n === undefined ? -1 : chineseNumber(groups.n);
  const sign = groups.day === "天" ? "日" : groups.day;
  const weekday = sign === undefined ? null : SIGNS.indexOf(sign);
  if (n === null) return null;
  if (groups.shift !== undefined) {
    const shift = SHIFTS[groups.shift] ?? 0;
    return relative((today) => inMonth(monthsAt(today) + shift, n, weekday), false);
  }
  const month = chineseNumber(groups.month ?? "");
  if (month === null || month < 1 || month > 12) return null;
  return relative((today) => {
    const middle = nearestYearDay(today, month, 15);
    return middle === null ? null : inMonth(partsOf(middle).year * 12 + month - 1, n, weekday);
  }, false);
}

const i = (source: string) => new RegExp(`(?<![A-Za-z0-9_/.-])(?:${source})(?![A-Za-z0-9_]|-[a-z])`, "gi");
const OF = `(?:of|in) (?:(?<rel>next|this|last) month|(?<month>${MONTH})(?:,? (?<year>\\d{4}))?)`;
const CHINESE_MONTH =
  "(?:(?<shift>上上|下下|上|下|本|这|這|当|當)(?:个|個)?月|(?<![\\d一二三四五六七八九十])(?<month>\\d{1,2}|[一二三四五六七八九十]{1,2})\\s?月(?:份)?)(?:的|里的|裡的)?\\s?";
const CHINESE_WEEKDAY = "(?:周|週|星期|礼拜|禮拜)(?<day>[一二三四五六日天])";
const NTH = "第\\s?(?<n>[一二三四五1-5])\\s?(?:个|個)";
const EVERY = "每(?:个|個)?月的?\\s?(?:第\\s?[一二三四五1-5]\\s?(?:个|個)|最[后後]一(?:个|個))";

const FORMS: readonly Form[] = [
  { pattern: i(`(?:the )?(?<n>${ORDINAL}) (?<day>${WEEKDAY}) ${OF}`), read: english },
  { pattern: i(`(?<!next to )(?:the )?(?<n>last|first) day ${OF}`), read: english },
  {
    pattern: i(
      `(?:the )?(?:${ORDINAL}) (?:${WEEKDAY}|(?:working |business )?day) (?:of|in) (?:(?:the|each|every|a) )?(?:month|quarter|sprint|year)`,
    ),
    read: () => RECURRING,
  },
  {
    pattern: i(
      "(?:the )?(?:last|first) (?:working|business) day (?:of|in) (?:next|this|last) (?:month|quarter|year)|(?:by|before|until|till) (?:the )?(?:end|start|beginning|middle) of (?:the )?(?:week|month|quarter|year)|(?:the )?(?:end|start|beginning|middle) of (?:next|this|last) (?:week|month|quarter|year)",
    ),
    read: () => RANGE,
  },
  { pattern: new RegExp(`${EVERY}${CHINESE_WEEKDAY}`, "g"), read: () => RECURRING },
  { pattern: new RegExp(`(?<!每(?:个|個)?)${CHINESE_MONTH}${NTH}${CHINESE_WEEKDAY}`, "g"), read: chinese },
  { pattern: new RegExp(`(?<!每(?:个|個)?)${CHINESE_MONTH}最[后後]一(?:个|個)${CHINESE_WEEKDAY}`, "g"), read: chinese },
  { pattern: new RegExp(`(?<!每(?:个|個)?)${CHINESE_MONTH}最[后後]一天`, "g"), read: chinese },
];

/** All such phrases in a text, overlapping ones included. */
export function monthPhrases(text: string): Phrase[] {
  return readForms(text, FORMS);
}
