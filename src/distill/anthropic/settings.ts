/** What the parent sets the anthropic child up with. It travels over the channel alone, for it holds the key: never in argv, environment or a file. */
import { isRecord } from "../../base/json.ts";

/** USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
  readonly output: number;
}

export interface ModelChoice {
  readonly name: string;
  /** Null for a model whose price nobody knows: then tokens are capped, money is not. */
  readonly price: Price | null;
}

const AUTHS = ["auto", "bearer", "x-api-key"] as const;

export interface AnthropicSettings {
  /** Null for an endpoint that wants none. */
  readonly key: string | null;
  /** Without the `/v1/messages` of the Messages API; `http:` or `https:`. */
  readonly baseURL: string;
  /** `http:` address of a proxy that the requests go through, credentials included; null: none. */
  readonly proxy: string | null;
  /** `auto`: a bearer token to Anthropic, both headers to any other endpoint. */
  readonly auth: (typeof AUTHS)[number];
  readonly extract: ModelChoice;
  readonly consolidate: ModelChoice;
  /** Longest answer to one request. */
  readonly maxTokens: number;
  /** Requests at the same time. */
  readonly parallel: number;
  /** Silence, before or within an answer, after which a request is given up. */
  readonly idleSeconds: number;
  /** Longest single request, answer included. */
  readonly requestSeconds: number;
  /** Share of the endpoint's rate limits that is left to others, 0 to 100; 0: none. */
  readonly keepRatePercent: number;
  /** A sentence of the user's for the prompts. */
  readonly tone: string | null;
  /** The extract stage may go as a batch, and the run end before its answers. */
  readonly batch: boolean;
}

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string" && value.length > 0 && value.length <= 4_000;
const positive: Check = (value) => typeof value === "number" && value > 0 && value <= 1e9;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const fields =
  (shape: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && misfit(value, shape) === null;

const usd: Check = (value) => typeof value === "number" && value >= 0 && value <= 1e6;
const model = fields({
  name: text,
  price: orNull(fields({ input: usd, cacheWrite: usd, cacheRead: usd, output: usd })),
});

const SHAPE: Readonly<Record<keyof AnthropicSettings, Check>> = {
  key: orNull((value) => text(value) && /^[\x21-\x7e]+$/.test(String(value))), // what a header can hold
  baseURL: (value) => typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  proxy: orNull((value) => URL.parse(String(value))?.protocol === "http:"),
  auth: (value) => AUTHS.some((name) => name === value),
  extract: model,
  consolidate: model,
  maxTokens: positive,
  parallel: positive,
  idleSeconds: positive,
  requestSeconds: positive,
  keepRatePercent: (value) => typeof value === "number" && value >= 0 && value <= 100,
  tone: orNull(text),
  batch: (value) => typeof value === "boolean",
};

/** The first key that does not fit, unknown ones included, or null. */
function misfit(value: Record<string, unknown>, shape: Readonly<Record<string, Check>>): string | null {
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(shape, key));
  if (unknown !== undefined) return unknown;
  return Object.entries(shape).find(([key, check]) => !Object.hasOwn(value, key) || !check(value[key]))?.[0] ?? null;
}

/**
 * What arrived over the channel, checked.
 * @throws TypeError that names the field, never its value: parent and child do not fit together, or the configuration was not checked
 */
export function readSettings(value: unknown): AnthropicSettings {
  const wrong = isRecord(value) ? misfit(value, SHAPE) : "all of it";
  if (wrong !== null) throw new TypeError(`the distiller was set up wrongly: ${wrong}`);
  return value as unknown as AnthropicSettings;
}

/** Null when nobody knows it. */
export function priceOf({ extract, consolidate }: AnthropicSettings, model: string): Price | null {
  return [extract, consolidate].find(({ name }) => name === model)?.price ?? null;
}

/** True for Anthropic's own API, which is spoken to without the allowances for endpoints that only know a part of it. */
export function isAnthropic(baseURL: string): boolean {
  return /(^|\.)anthropic\.com$/.test(new URL(baseURL).hostname);
}
