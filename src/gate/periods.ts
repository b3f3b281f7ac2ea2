/** Where a day and a month begin and end in a person's own time zone: what "per day" and "per month" mean. */
import { type Day, dayIn, dayOf, partsOf } from "../digest/calendar.ts";

/** Epoch ms; `from` is the first instant, `to` the first of the next. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** No zone is further from UTC than 14 hours. */
const FURTHEST = 15 * 60 * MINUTE;

/** The local day and month around an instant. @param timeZone IANA */
export function periodsAt(now: number, timeZone: string): { readonly day: Span; readonly month: Span } {
  const today = dayIn(now, timeZone);
  const { year, month } = partsOf(today);
  const first = dayOf(year, month, 1) ?? today;
  const next = (month === 12 ? dayOf(year + 1, 1, 1) : dayOf(year, month + 1, 1)) ?? today + 1;
  const at = (day: Day) => startOf(day, timeZone);
  return { day: { from: at(today), to: at(today + 1) }, month: { from: at(first), to: at(next) } };
}

/** The first minute that belongs to a day. By halves and not by an offset: where summer time begins at midnight, a day has no 00:00. */
function startOf(day: Day, timeZone: string): number {
  let before = day * DAY - FURTHEST;
  let after = day * DAY + FURTHEST;
  while (after - before > MINUTE) {
    const middle = before + Math.floor((after - before) / (2 * MINUTE)) * MINUTE;
    if (dayIn(middle, timeZone) >= day) after = middle;
    else before = middle;
  }
  return after;
}
