/** When a request is sent again: growing waits with jitter, or what the endpoint asks for. */
const FIRST_WAIT = 1_000;
const LONGEST_BACKOFF = 30_000;
/** A longer wait is not spent inside a run, whose store is locked: the run ends and the next one starts then. */
export const LONGEST_WAIT = 60_000;

/**
 * Milliseconds before the next attempt: 1 s, doubled each time, at most 30 s, of which the half is random, so that many clients that were
 * turned away together do not come back together.
 * @param attempt the one that failed, from 1
 * @param random 0 to 1
 */
export function backoff(attempt: number, random: number): number {
  return Math.min(LONGEST_BACKOFF, FIRST_WAIT * 2 ** (attempt - 1)) * (0.5 + random / 2);
}

/** Milliseconds that the endpoint asks to wait, or null: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfter(headers: Headers, now: number): number | null {
  const exact = number(headers.get("retry-after-ms"));
  if (exact !== null) return exact;
  const told = headers.get("retry-after");
  const seconds = number(told);
  if (seconds !== null) return seconds * 1_000;
  const date = Date.parse(told ?? "");
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function number(text: string | null): number | null {
  return text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}
