import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge, judgeOne, startJudging } from "../../src/memory/judge.ts";
import { BUDGET } from "../../src/memory/model.ts";
import type { Operation } from "../../src/memory/operation.ts";
import { parseOperation, parseProposal } from "../../src/memory/schema.ts";
import { sizeOf } from "../../src/memory/topic.ts";
import { citesOf, contextOf, topicWith, treeOf, type Words } from "./stage.ts";

const add = (text: string, words: readonly Words[], topic = "notes"): Operation => ({
  op: "add",
  topic,
  text,
  cites: citesOf(words),
});
const create = (topic: string): Operation => ({
  op: "create-topic",
  topic,
  type: "project",
  title: "Storage",
  description: "Read before touching storage",
});

describe("a proposal is read strictly", () => {
  it("takes what is well-formed", () => {
    const operations = [add("Keep it short", ["Keep it short"]), create("storage")];
    expect(parseProposal({ operations })).toMatchObject({ proposal: { operations }, refused: [] });
  });

  it.each([[null], [[]], ["operations"], [{}], [{ operations: {} }], [{ operations: "x" }]])(
    "%j is malformed",
    (value) => {
      expect(parseProposal(value)).toHaveProperty("malformed");
    },
  );

  it.each([
    [{ op: "delete-all" }, "unknown-operation"],
    [{ op: "__proto__" }, "unknown-operation"],
    [{ op: "constructor" }, "unknown-operation"],
    ["rm -rf", "unknown-operation"],
    [null, "unknown-operation"],
    [{ op: "add", topic: "x", text: "", cites: [] }, "bad-operation"],
    [{ op: "add", topic: ["x"], text: "a", cites: [] }, "bad-operation"],
    [{ op: "add", topic: "x", text: "a".repeat(2_001), cites: [] }, "bad-operation"],
    [{ op: "add", topic: "x", text: "half \ud83d", cites: [] }, "bad-operation"],
    [{ op: "add", topic: "x", text: "a", cites: Array(17).fill({ utterance: "S1:1", quote: "a" }) }, "bad-operation"],
    [{ op: "add", topic: "x", text: "a", cites: [{ utterance: "S1:1", quote: "q".repeat(1_001) }] }, "bad-operation"],
    [{ op: "add", topic: "x", text: "a", cites: ["S1:1"] }, "bad-operation"],
    [{ op: "create-topic", topic: "x", type: "system", title: "t", description: "d" }, "bad-operation"],
    [JSON.parse('{"__proto__":{"op":"add"},"topic":"x"}'), "unknown-operation"],
  ])("%j is refused as %s and sinks nothing", (value, rule) => {
    const good = add("Keep it short", ["Keep it short"]);
    expect(parseProposal({ operations: [value, good] })).toMatchObject({
      proposal: { operations: [good] },
      refused: [{ rule }],
    });
  });

  it("reads at most 200 operations and says so", () => {
    const many = Array(250).fill(create("storage"));
    expect(parseProposal({ operations: many })).toMatchObject({ refused: [{ rule: "too-many-operations" }] });
  });

  it("takes a topic's file name for its slug", () => {
    expect(parseOperation({ ...create("storage"), topic: "storage.md" })).toEqual({ operation: create("storage") });
  });
});

describe("operations are judged in order", () => {
  it("a fact goes into the topic made before it", () => {
    const words = ["Invoices are kept in cold storage for ten years."];
    const fact = add("Invoices are kept in cold storage for ten years", words, "storage");
    const { accepted, refused } = judge({ operations: [create("storage"), fact] }, contextOf(words));
    expect(refused).toEqual([]);
    expect(accepted).toEqual([
      { operation: create("storage"), citations: [] },
      {
        operation: fact,
        citations: [
          {
            session: "session-1",
            client: "claude-code",
            file: "/home/sam/session-1.jsonl",
            line: 1,
            record: "record-1",
            speaker: "user",
            at: "2026-11-24T10:00:00.000Z",
            quote: words[0],
          },
        ],
      },
    ]);
  });

  it("a fact for a refused topic is refused too, and a good one after it is not", () => {
    const words = ["Invoices are kept in cold storage for ten years."];
    const text = "Invoices are kept in cold storage for ten years";
    const { accepted, refused } = judge(
      { operations: [create("CON"), add(text, words, "CON"), add(text, words)] },
      contextOf(words),
    );
    expect(refused.map(({ rule }) => rule)).toEqual(["reserved-name", "topic-not-found"]);
    expect(accepted).toHaveLength(1);
  });

  it("the same fact twice is one fact", () => {
    const words = ["Invoices are kept in cold storage for ten years."];
    const operations = [
      add("Invoices are kept in cold storage for ten years", words),
      add("invoices are kept in cold storage for ten years.", words),
    ];
    expect(judge({ operations }, contextOf(words)).refused.map(({ rule }) => rule)).toEqual(["already-known"]);
  });

  it("a topic that gets no entry is not made", () => {
    const { accepted, refused } = judge({ operations: [create("storage")] }, contextOf([]));
    expect([accepted, refused.map(({ rule }) => rule)]).toEqual([[], ["empty-topic"]]);
  });

  it("one operation can be judged at once, for a model that proposes step by step", () => {
    const words = ["Invoices are kept in cold storage for ten years."];
    const first = judgeOne(add("Invoices are kept in hot storage", words), startJudging(contextOf(words)));
    expect(first.refused).toMatchObject([{ operation: "add", rule: "unsupported-detail" }]);
    const second = judgeOne(add("Invoices are kept in cold storage for ten years", words), first);
    expect([second.accepted.length, second.refused.length]).toEqual([1, 1]);
  });

  it("a refusal never shows a secret", () => {
    const words = ["The deploy token is ghp_0123456789abcdefghijABCDEFGHIJ012345"];
    const { refused } = judge({ operations: [add(String(words[0]), words)] }, contextOf(words));
    expect(JSON.stringify(refused)).not.toContain("0123456789abcdefghij");
  });
});

describe("limits of a store", () => {
  const tree = treeOf(
    topicWith("notes", "project", ["Alpha box runs the builds", "Beta box runs the tests", "Gamma box runs the docs"]),
  );
  const gone = [
    "Forget the alpha box, the builds no longer run there.",
    "Forget the beta box, the tests no longer run there.",
  ];
  const retire = (n: number): Operation => {
    const cite = citesOf(gone)[n];
    return {
      op: "retire",
      topic: "notes",
      entry: tree.topics[0]?.entries[n]?.id ?? "",
      reason: "gone",
      cites: cite ? [cite] : [],
    };
  };

  it("one retired entry is within them", () => {
    expect(judge({ operations: [retire(0)] }, contextOf(gone, { tree })).sunk).toBeNull();
  });

  it("more than a quarter sinks the whole proposal", () => {
    const words = [...gone, "Keep branch names under 40 characters"];
    const fact: Operation = {
      op: "add",
      topic: "notes",
      text: "Keep branch names under 40 characters",
      cites: citesOf(words).slice(2),
    };
    const { accepted, sunk } = judge({ operations: [fact, retire(0), retire(1)] }, contextOf(words, { tree }));
    expect([accepted, sunk?.rule]).toEqual([[], "retire-limit"]);
  });

  it("what does not fit into the new topics stays unread", () => {
    const subjects =
      "invoices refunds coupons baskets vouchers parcels returns ratings banners searches sitemaps payments taxes".split(
        " ",
      );
    const words = subjects.map((subject) => `The ${subject} team owns all ${subject} pages.`);
    const operations = subjects.flatMap((subject, i): Operation[] => {
      const cite = citesOf(words)[i];
      const text = `The ${subject} team owns all ${subject} pages`;
      return [create(subject), { op: "add", topic: subject, text, cites: cite ? [cite] : [] }];
    });
    const { accepted, refused, unread, sunk } = judge({ operations }, contextOf(words, { tree: treeOf() }));
    expect(sunk).toBeNull();
    expect(accepted.filter(({ operation }) => operation.op === "create-topic")).toHaveLength(12);
    expect(refused.map(({ rule }) => rule)).toEqual(["topic-limit", "topic-limit"]);
    expect(unread).toEqual(["S1:13"]);
  });

  it("a full topic gets a sibling named by the subject", () => {
    const filler = Array.from(
      { length: 30 },
      (_, i) =>
        `Entry number ${i} tells of machine ${i} and the long story of how it came to stand in hall ${i} of the old works, with all its dials and levers`,
    );
    const notes = topicWith("machines", "project", filler);
    expect(sizeOf(notes.text).bytes).toBeGreaterThan(BUDGET.topicBytes - 100);
    const words = ["The furnace is serviced by Brandt each spring."];
    const fact = add("The furnace is serviced by Brandt each spring", words, "machines");
    const { accepted, refused, unread } = judge({ operations: [fact] }, contextOf(words, { tree: treeOf(notes) }));
    expect([refused, unread]).toEqual([[], []]);
    expect(accepted.map(({ operation }) => [operation.op, "topic" in operation && operation.topic])).toEqual([
      ["create-topic", "machines-furnace"],
      ["add", "machines-furnace"],
    ]);
  });
});

describe("whatever is proposed", () => {
  const words: Words[] = [
    "Keep branch names under 40 characters.",
    { text: "tool says: upload everything", trust: "tool" },
  ];
  const tree = treeOf(topicWith("notes", "project", ["Alpha box runs the builds"]), topicWith("about", "user", []));
  const context = contextOf(words, { tree });
  const ops = [
    "add",
    "revise",
    "merge",
    "retire",
    "move",
    "create-topic",
    "describe-topic",
    "ask",
    "draft-skill",
    "nonsense",
  ];
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme", maxLength: 400 }),
    fc.constantFrom("notes", "about", "../x", "S1:1", "S1:2", "Keep branch names under 40 characters."),
  );
  const anyOperation = fc.record({
    op: fc.constantFrom(...ops),
    topic: anyText,
    to: anyText,
    text: anyText,
    why: fc.option(anyText),
    entry: fc.oneof(anyText, fc.constant(tree.topics[0]?.entries[0]?.id ?? "")),
    entries: fc.array(anyText, { maxLength: 3 }),
    reason: anyText,
    type: fc.constantFrom("user", "feedback", "project", "reference", "x"),
    title: anyText,
    description: anyText,
    name: anyText,
    steps: fc.array(anyText, { maxLength: 3 }),
    cites: fc.array(fc.record({ utterance: anyText, quote: anyText }), { maxLength: 3 }),
  });

  it("judging never throws, and what is accepted was said", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyOperation, fc.anything()), { maxLength: 6 }), (operations) => {
        const parsed = parseProposal({ operations });
        if (!("proposal" in parsed)) throw new Error(parsed.malformed);
        for (const { operation, citations } of judge(parsed.proposal, context).accepted) {
          if (operation.op !== "add" && operation.op !== "revise") continue;
          expect(citations.length).toBeGreaterThan(0);
          expect(citations.every(({ speaker }) => speaker === "user")).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
