/** Times and spans for people. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `3 min`, `5 h`, `2 d`: one unit, never negative. */
export function span(ms: number): string {
  const size = Math.max(0, ms);
  if (size < MINUTE) return `${Math.round(size / 1_000)} s`;
  if (size < HOUR) return `${Math.round(size / MINUTE)} min`;
  if (size < 2 * DAY) return `${Math.round(size / HOUR)} h`;
  return `${Math.round(size / DAY)} d`;
}

/** `3 h ago`, or `never` for null and 0. @param at epoch ms */
export function ago(at: number | null, now: number): string {
  return at === null || at <= 0 ? "never" : `${span(now - at)} ago`;
}

/** `in 4 h`, `now` when it is past, or `-` for null. @param at epoch ms */
export function until(at: number | null, now: number): string {
  if (at === null) return "-";
  return at <= now ? "now" : `in ${span(at - now)}`;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, min: MINUTE, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };

/** Epoch ms of `2026-11-30`, an ISO time, or a span before now (`90min`, `2h`, `3d`); null for what is none of these. */
export function sinceWhen(text: string, now: number): number | null {
  const span = /^(\d{1,6})(s|min|m|h|d|w)$/.exec(text);
  if (span) return now - Number(span[1]) * (UNITS[span[2] ?? ""] ?? 0);
  if (!/^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
