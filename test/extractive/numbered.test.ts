import { describe, expect, it } from "vitest";
import { extract } from "../../src/distill/extractive/index.ts";
import { areNumberedApart } from "../../src/memory/language/labels.ts";
import { briefOf } from "./dialogue.ts";

const texts = (...said: string[]) =>
  extract(briefOf({ said: ["@2026-03-12T09:00", ...said.map((line) => `u: ${line}`)] })).operations.flatMap((op) =>
    op.op === "add" ? [op.text] : [],
  );

describe("things that only a number tells apart", () => {
  it("are each remembered, a later one does not replace an earlier one", () => {
    expect(
      texts("Worker 1 runs on port 7001.", "Worker 2 runs on port 7002.", "Worker 3 runs on port 7003."),
    ).toHaveLength(3);
    expect(texts("Sprint 12 ends on 2026-10-02.", "Sprint 13 ends on 2026-10-16.")).toHaveLength(2);
  });

  it.each([
    ["Worker 1 runs on port 7001", "Worker 2 runs on port 7002", true],
    ["Box number 1 is called heron", "box number 2 is called crane", true],
    ["3号机在机房甲", "4号机在机房乙", true],
    ["Node 20 is required", "Node 22 is required", false],
    ["The limit is 40 MB", "The limit is 25 MB", false],
    ["Worker 1 runs on port 7001", "Worker 1 runs on port 7009", false],
  ])("%s / %s", (a, b, apart) => {
    expect(areNumberedApart(a, b)).toBe(apart);
  });
});

describe("what is asked for in the second half of a sentence", () => {
  it("is remembered without the first half, also when that holds a secret", () => {
    const asked = "but remember that deploys go through the blue runner.";
    expect(texts(`I pasted the token [redacted:github] by accident, ${asked}`)).toEqual([
      "deploys go through the blue runner.",
    ]);
    expect(texts(`I pasted the note by accident, ${asked}`)).toEqual(["deploys go through the blue runner."]);
  });
});
