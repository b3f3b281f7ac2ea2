/** What models cost, as far as memd knows. A price that is not here is unknown, and never guessed. */
import type { Price } from "./settings.ts";

/** Where the prices were read, and when. */
export const PRICE_SOURCE = {
  page: "https://platform.claude.com/docs/en/about-claude/pricing",
  date: "2026-10-24",
} as const;

/** A cache that lives five minutes costs this much more to write than plain input. */
const CACHE_WRITE = 1.25;

/** @param cacheRead share of the input's price that a read from the cache costs */
const price = (input: number, output: number, cacheRead = 0.1): Price => ({
  input,
  output,
  cacheWrite: input * CACHE_WRITE,
  cacheRead: input * cacheRead,
});

const PRICES: ReadonlyMap<string, Price> = new Map([
  ["claude-fable-5-1", price(10, 50, 0.025)],
  ["claude-fable-5", price(10, 50)],
  ["claude-opus-5-5", price(4, 20, 0.05)],
  ["claude-opus-5", price(5, 25)],
  ["claude-opus-4-8", price(5, 25)],
  ["claude-opus-4-7", price(5, 25)],
  ["claude-opus-4-6", price(5, 25)],
  ["claude-opus-4-5", price(5, 25)],
  ["claude-sonnet-5-5", price(2, 10, 0.05)],
  ["claude-sonnet-5", price(2, 10)],
  ["claude-sonnet-4-6", price(3, 15)],
  ["claude-sonnet-4-5", price(3, 15)],
  ["claude-haiku-5-5", price(0.1, 0.5)],
  ["claude-haiku-4-5", price(1, 5)],
]);

/** Models whose requests cost more, output included, once the prompt is longer than 100,000 tokens. */
const LONG_PROMPT: ReadonlyMap<string, Price> = new Map([["claude-haiku-5-5", price(0.5, 2.5)]]);

/** The Message Batches API costs half. */
export const BATCH_SHARE = 0.5;

/** Prices that the configuration gives, for models that memd does not know. */
export interface OwnPrice {
  readonly inputUsd: number | null;
  readonly outputUsd: number | null;
}

/**
 * Null when nobody knows. The configuration's price comes first, for whatever model: whoever sets one pays it.
 * @param prompts `long` where a prompt may grow beyond 100,000 tokens: then the higher price is counted from the first token on
 */
export function priceOf(model: string, own: OwnPrice, prompts: "short" | "long"): Price | null {
  if (own.inputUsd !== null && own.outputUsd !== null) return price(own.inputUsd, own.outputUsd);
  // A pinned version costs what its name costs.
  const name = model.replace(/-\d{8}$/, "");
  return (prompts === "long" ? LONG_PROMPT.get(name) : undefined) ?? PRICES.get(name) ?? null;
}
