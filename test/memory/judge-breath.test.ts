import { expect, it } from "vitest";
import { judge, judgeWithBreath } from "../../src/memory/judge.ts";
import type { Operation } from "../../src/memory/operation.ts";

it("takes a breath after each operation, and comes to the same judgement", async () => {
  const add = (text: string): Operation => ({
    op: "add",
    topic: "notes",
    text,
    cites: [{ utterance: "S1:1", quote: text }],
  });
  const proposal = { operations: [add("Use tabs."), add("Use pnpm."), add("Ship on Fridays.")] };
  const context = {
    now: "2026-11-30T09:00:00.000Z",
    digest: { sessions: [], tokens: 0, redacted: {}, taken: [] },
    context: [],
    tree: { topics: [], index: null, others: [] },
    isTombstone: () => false,
    originOf: () => ({ by: "ours", foreignSince: null }) as const,
    foreignRest: 0,
  };
  let breaths = 0;
  const judged = await judgeWithBreath(proposal, context, () => {
    breaths += 1;
    return undefined;
  });
  expect(breaths).toBe(3);
  expect(judged).toEqual(judge(proposal, context));
  expect(judged.refused).toHaveLength(3);
});
