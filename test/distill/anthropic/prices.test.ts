import { describe, expect, it } from "vitest";
import { MODEL_KEYS } from "../../../src/config/model-keys.ts";
import { PRICE_SOURCE, priceOf } from "../../../src/distill/anthropic/prices.ts";

const NONE = { inputUsd: null, outputUsd: null };

describe("the price of a model", () => {
  it("is known for every model of the defaults, with the day on which it was read", () => {
    for (const { path, default: model } of MODEL_KEYS)
      if (path === "model.extract" || path === "model.consolidate")
        expect(priceOf(String(model), NONE, "short"), path).not.toBeNull();
    expect(PRICE_SOURCE.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it.each([
    ["claude-haiku-5-5", "short", { input: 0.1, cacheWrite: 0.125, cacheRead: 0.01, output: 0.5 }],
    ["claude-haiku-5-5", "long", { input: 0.5, cacheWrite: 0.625, cacheRead: 0.05, output: 2.5 }],
    ["claude-sonnet-5-5", "long", { input: 2, cacheWrite: 2.5, cacheRead: 0.1, output: 10 }],
    ["claude-haiku-4-5-20251001", "short", { input: 1, cacheWrite: 1.25, cacheRead: 0.1, output: 5 }],
  ] as const)("%s with %s prompts, in USD per million tokens", (model, prompts, expected) => {
    const price = priceOf(model, NONE, prompts);
    for (const [part, usd] of Object.entries(expected))
      expect(price?.[part as keyof typeof expected]).toBeCloseTo(usd, 9);
  });

  it.each(["qwen3:30b", "claude-sonnet-9", "constructor", "__proto__", ""])("is not guessed for %j", (model) => {
    expect(priceOf(model, NONE, "short")).toBeNull();
    expect(priceOf(model, { inputUsd: 3, outputUsd: null }, "long")).toBeNull();
  });

  it("is the configuration's where that has one", () => {
    expect(priceOf("qwen3:30b", { inputUsd: 0, outputUsd: 0 }, "short")).toMatchObject({ input: 0, output: 0 });
    expect(priceOf("claude-sonnet-5-5", { inputUsd: 1, outputUsd: 4 }, "long")).toMatchObject({ input: 1, output: 4 });
  });
});
