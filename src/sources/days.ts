/**
 * How often a session counts: once a day, however much is said in it. Some agents have a single session that goes on for months, and
 * would otherwise never be worth a dream. A day is 24 hours from a turn that counted, so that no evening counts twice.
 */
const DAY = 86_400_000;

/** Enough for any number of sessions that a gate asks for; the newest are kept. */
const MAX_DAYS = 64;

/** The turns that count. @param times epoch ms, in any order */
export function daysOf(times: readonly number[]): readonly number[] {
  const days: number[] = [];
  for (const at of [...times].sort((a, b) => a - b)) {
    const last = days.at(-1);
    if (last === undefined || at >= last + DAY) days.push(at);
  }
  return days.slice(-MAX_DAYS);
}
