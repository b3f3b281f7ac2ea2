/** The share of the endpoint's rate limits that is left to the user's own work. */
import { MemdError } from "../../base/errors.ts";

/** As in `anthropic-ratelimit-KIND-remaining`; compatible endpoints send some or none. */
const KINDS = ["requests", "tokens", "input-tokens", "output-tokens"];

export interface RateShare {
  /** Reads the headers of an answer. */
  note(headers: Headers): void;
  /** Why no request may be sent now, or null. */
  check(now: number): MemdError | null;
}

interface Low {
  readonly kind: string;
  readonly percent: number;
  /** Epoch ms at which the limit is full again; null when not told. */
  readonly resetAt: number | null;
}

/** @param keepPercent 0: all may be used */
export function openRateShare(keepPercent: number): RateShare {
  let low: Low | null = null;
  return {
    note: (headers) => {
      low = KINDS.map((kind) => lowOf(headers, kind, keepPercent)).reduce(later, null);
    },
    check: (now) => (low === null || (low.resetAt !== null && low.resetAt <= now) ? null : spared(low, keepPercent)),
  };
}

function lowOf(headers: Headers, kind: string, keepPercent: number): Low | null {
  const [limit, remaining] = ["limit", "remaining"].map((what) => headers.get(`anthropic-ratelimit-${kind}-${what}`));
  if (!limit || !remaining || !(Number(limit) > 0)) return null;
  const percent = (100 * Number(remaining)) / Number(limit);
  if (!(percent < keepPercent)) return null;
  const reset = Date.parse(headers.get(`anthropic-ratelimit-${kind}-reset`) ?? "");
  return { kind, percent, resetAt: Number.isNaN(reset) ? null : reset };
}

function later(a: Low | null, b: Low | null): Low | null {
  if (!a || !b) return a ?? b;
  return (b.resetAt ?? Number.POSITIVE_INFINITY) > (a.resetAt ?? Number.POSITIVE_INFINITY) ? b : a;
}

function spared({ kind, percent, resetAt }: Low, keepPercent: number): MemdError {
  return new MemdError({
    code: "rate-share",
    family: "unavailable",
    message: `only ${Math.floor(percent)} % of the endpoint's limit on ${kind} is left; ${keepPercent} % is kept for your own work`,
    hint: "memd tries again by itself when the limit is full again; model.keepRatePercent sets the share.",
    retryAt: resetAt,
  });
}
