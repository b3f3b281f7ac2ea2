import { describe, expect, it } from "vitest";
import { extract } from "../../src/distill/extractive/index.ts";
import { applied, briefOf, dialogues, type Score, scoreOf } from "./dialogue.ts";

function pooled(file: string): { recall: number; precision: number; typed: number; forbidden: string[] } {
  const scores = dialogues(file).map((dialogue): Score => {
    const brief = briefOf(dialogue);
    return scoreOf(dialogue, applied(brief.memory, extract(brief).operations));
  });
  const sum = (key: "facts" | "kept" | "typed" | "entries" | "carrying") =>
    scores.reduce((total, s) => total + s[key], 0);
  return {
    recall: sum("kept") / sum("facts"),
    precision: sum("carrying") / sum("entries"),
    typed: sum("typed") / sum("kept"),
    forbidden: scores.flatMap((s) => s.faults.filter((fault) => fault.startsWith("forbidden"))),
  };
}

describe("what people said becomes memory", () => {
  // The floors are below what the rules reach; they are there to catch a rule that breaks another.
  it.each([
    ["tuned.json", 0.9],
    ["measured.json", 0.8],
  ])("of %s at least the floor is found, and little else", (file, floor) => {
    const { recall, precision, typed, forbidden } = pooled(file);
    expect({ recall: recall >= floor, precision: precision >= floor, typed: typed >= floor }).toEqual({
      recall: true,
      precision: true,
      typed: true,
    });
    expect(forbidden).toEqual([]);
  });
});
