import { describe, expect, it } from "vitest";
import type { SessionWords } from "../../src/digest/utterance.ts";
import { withoutIgnored } from "../../src/steps/ignored-text.ts";

const said = (...texts: string[]): SessionWords => ({
  session: "s",
  client: "claude-code",
  file: "/s.jsonl",
  cwd: null,
  headless: false,
  utterances: texts.map((text, i) => ({
    speaker: "user",
    trust: "user",
    text,
    at: null,
    line: i + 1,
    offset: i,
    record: null,
  })),
});
const texts = (words: readonly SessionWords[]) => words.map((item) => item.utterances.map(({ text }) => text));

describe("a pattern of what is never read", () => {
  it("hides every utterance that it matches, whatever the case", () => {
    const words = [said("My salary is 1.", "Use tabs."), said("SALARY again")];
    expect(texts(withoutIgnored(words, ["salary"]))).toEqual([["Use tabs."], []]);
  });

  it("that tries without end stops the run and is named, instead of holding the process", () => {
    const words = [said(`${"a".repeat(40)}!`)];
    expect(() => withoutIgnored(words, ["tabs", "(a+)+$"], 50)).toThrow(
      expect.objectContaining({ code: "slow-pattern", family: "misconfigured" }),
    );
  });
});
