/** What a request may cost, and what it did cost. */
import { estimateTokens } from "../../base/text.ts";
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

/** Tokens of a request's body before it is sent. */
export function inputEstimate(body: object): number {
  return estimateTokens(JSON.stringify(body));
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
