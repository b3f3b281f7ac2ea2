/** What an endpoint understands of the Messages API; learnt from its refusals, kept for one run. */
import type { Trouble } from "./trouble.ts";

export interface Features {
  /** `output_config` with a JSON schema; the prompt asks for JSON in any case. */
  readonly answer: boolean;
  /** `cache_control`. */
  readonly cache: boolean;
  /** The version of the API that the SDK was made for; else the one that every endpoint knows. */
  readonly version: boolean;
}

/** The API's version before the SDK's own: what compatible endpoints were written against. */
export const OLD_VERSION = { "anthropic-version": "2023-06-01" };

const NAMED: readonly (readonly [RegExp, keyof Features])[] = [
  [/output_config|output_format|json_schema|structured/i, "answer"],
  [/cache_control/i, "cache"],
  [/anthropic-version/i, "version"],
];

export const ALL_FEATURES: Features = { answer: true, cache: true, version: true };

/**
 * What is left after a refusal, or null when the refusal is not about a feature. One that names no reason may be about any of them: all
 * go at once, so that it costs one request more and not three.
 * @param body the request that was refused
 */
export function without(features: Features, trouble: Trouble, body: Record<string, unknown>): Features | null {
  if (trouble.kind !== "status" || (trouble.status !== 400 && trouble.status !== 422)) return null;
  const named = NAMED.find(([words, key]) => features[key] && words.test(trouble.message))?.[1];
  if (named) return { ...features, [named]: false };
  const used = { answer: "output_config" in body, cache: JSON.stringify(body).includes('"cache_control":') };
  return used.answer || used.cache ? { ...features, answer: false, cache: false } : null;
}
