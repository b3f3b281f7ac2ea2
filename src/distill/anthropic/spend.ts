/** What a request may cost, and what it did cost. */
import type { Usage } from "../../ports.ts";
import type { Reservation } from "../protocol.ts";
import type { Price } from "./settings.ts";

/** Tokens as the API counts them: the three kinds of input are apart. */
export interface Counts {
  readonly input: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
  readonly output: number;
}

export const NO_COUNTS: Counts = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };

/** Vendors say that English with code in it has about 2.5 characters to a token, and none of its tokens is shorter than a byte. */
const ASCII_PER_TOKEN = 2.5;
/** A character of Chinese takes three bytes and mostly one token, an emoji four bytes and two or three. */
const OTHER_BYTES_PER_TOKEN = 1.5;
const OTHER = /[^\u0000-\u007f]+/g;

/**
 * The most tokens that a request's body may come to, before it is sent: what is reserved for it. Budgets of texts go by the mean
 * (`estimateTokens`, four characters), which code, numbers and other scripts exceed.
 */
export function inputAtMost(body: object): number {
  const text = JSON.stringify(body);
  const others = (text.match(OTHER) ?? []).join("");
  return Math.ceil((text.length - others.length) / ASCII_PER_TOKEN + Buffer.byteLength(others) / OTHER_BYTES_PER_TOKEN);
}

/** The most that a request may cost: nothing read from the cache, all of it written there, the longest answer. */
export function reservationOf(inputTokens: number, outputTokens: number, price: Price | null): Reservation {
  const dearest = price === null ? 0 : Math.max(price.input, price.cacheWrite);
  return {
    inputTokens,
    outputTokens,
    costUsd: perMillion(inputTokens * dearest + outputTokens * (price?.output ?? 0)),
  };
}

/** One request's usage: `inputTokens` were paid in full (those written to the cache among them), `cachedTokens` were read from the cache. */
export function usageOf({ input, cacheWrite, cacheRead, output }: Counts, price: Price | null): Usage {
  const p = price ?? { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
  return {
    requests: 1,
    inputTokens: input + cacheWrite,
    cachedTokens: cacheRead,
    outputTokens: output,
    costUsd: perMillion(input * p.input + cacheWrite * p.cacheWrite + cacheRead * p.cacheRead + output * p.output),
  };
}

function perMillion(value: number): number {
  return value / 1_000_000;
}
