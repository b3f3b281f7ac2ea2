import { describe, expect, it } from "vitest";
import { areAlternatives } from "../../src/memory/rules/alternatives.ts";

describe("two instructions exclude each other", () => {
  it.each([
    ["Always answer in English.", "Always answer in Chinese."],
    ["Always answer in English.", "From now on, answer in Chinese."],
    ["回答一律用中文。", "回答请用英文。"],
    ["Use tabs for indentation.", "Always use spaces for indentation."],
    ["Install packages with pnpm.", "Always install packages with npm"],
    ["Write strings in single quotes.", "Write strings in double quotes."],
    ["Name functions in camelCase.", "Name functions in snake_case."],
  ])("%s / %s", (a, b) => {
    expect([areAlternatives(a, b), areAlternatives(b, a)]).toEqual([true, true]);
  });

  it.each([
    ["the same again", "Always answer in English.", "Answer in English"],
    ["another subject", "Always answer in English.", "Write the release notes in Chinese."],
    ["one case of the other", "Always answer in English.", "Answer questions about the Tokyo office in Japanese."],
    ["two files that may both be meant", "Always update README.md.", "Always update CHANGELOG.md."],
    ["two tools that may both be run", "Always run make lint.", "Always run make test."],
    ["both named already", "Answer in English and Chinese.", "Answer in English and Japanese."],
    ["nothing but the word", "Use npm.", "Use tabs."],
  ])("not: %s", (_, a, b) => {
    expect([areAlternatives(a, b), areAlternatives(b, a)]).toEqual([false, false]);
  });
});
