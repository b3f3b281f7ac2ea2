/**
 * Whole days without clocks or zones: a day is the number of days since 1970-01-01. Only `dayIn` knows a zone, so that an hour
 * that summer time skips or repeats can never shift a date.
 */
export type Day = number;

const MS_PER_DAY = 86_400_000;

/** The day of a calendar date; null when there is no such date (30 February) or its year is outside 1970..2199. */
export function dayOf(year: number, month: number, day: number): Day | null {
  if (year < 1970 || year > 2199 || month < 1 || month > 12 || day < 1 || day > 31) return null;
  const ms = Date.UTC(year, month - 1, day);
  return new Date(ms).getUTCDate() === day ? ms / MS_PER_DAY : null;
}

/** `2026-12-03` */
export function isoDay(day: Day): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** The parts of a day; month from 1. */
export function partsOf(day: Day): { year: number; month: number; date: number } {
  const at = new Date(day * MS_PER_DAY);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() };
}

/** 0 is Monday, 6 is Sunday (ISO 8601 weeks). */
export function weekdayOf(day: Day): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Monday of the day's week. */
export function weekOf(day: Day): Day {
  return day - weekdayOf(day);
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/**
 * The calendar day of an instant in a zone.
 * @throws RangeError for a zone that Intl does not know
 */
export function dayIn(epochMs: number, timeZone: string): Day {
  let format = FORMATS.get(timeZone);
  if (!format) {
    // Making one costs about 0.1 ms; a digest asks thousands of times, always for the same zone.
    format = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
      timeZone,
      year: "numeric",
      month: "numeric",
      day: "numeric",
    });
    FORMATS.set(timeZone, format);
  }
  const parts = format.formatToParts(epochMs);
  const part = (type: string) => Number(parts.find((p) => p.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day")) / MS_PER_DAY;
}

/** Which way a date without a year, or a bare weekday, points: back, ahead, or unknown. */
export type Direction = -1 | 0 | 1;

/** The weekday nearest to today in a direction (unknown: ahead); null on that very weekday, which may mean either week. */
export function nearestWeekday(today: Day, weekday: number, direction: Direction): Day | null {
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  if (ahead === 0) return null;
  return direction < 0 ? today + ahead - 7 : today + ahead;
}

/** People name the year of a day that is further away than this. */
const FAR_DAYS = 275;

/**
 * The year of a date without one: the last in the past unless that is far, the next ahead, or (unknown) the next ahead unless the
 * last is much nearer: plans are spoken of more than history.
 */
export function nearestYearDay(today: Day, month: number, date: number, direction: Direction = 0): Day | null {
  const { year } = partsOf(today);
  const days = [-4, -3, -2, -1, 0, 1, 2, 3, 4].flatMap((n) => dayOf(year + n, month, date) ?? []);
  const last = days.findLast((day) => day <= today) ?? null;
  const next = days.find((day) => day >= today) ?? null;
  if (last === null || next === null || direction > 0) return next;
  const [back, ahead] = [today - last, next - today];
  if (direction < 0) return back <= FAR_DAYS || back <= ahead ? last : next;
  return ahead <= FAR_DAYS && ahead <= 2 * back ? next : ahead <= back ? next : last;
}
