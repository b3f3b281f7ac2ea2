/** One of a series never takes the place of another, whoever proposes it. */
import { describe, expect, it } from "vitest";
import { judge } from "../../src/memory/judge.ts";
import type { Operation } from "../../src/memory/operation.ts";
import { addRule, citesOf, contextOf, ruleFor, topicWith, treeOf } from "./stage.ts";

const PAIRS: readonly (readonly [string, string])[] = [
  ["The s0 service is owned by team 0.", "The s1 service is owned by team 1."],
  ["The s0 service is owned by Anna.", "The s1 service is owned by Anna."],
  ["The v1 endpoint returns XML.", "The v2 endpoint returns JSON, not XML."],
  ["node-1 is in Berlin.", "node-2 is in Berlin."],
  ["Phase 1 is owned by Anna.", "Phase 2 is owned by Ben now, no longer Carol."],
  ["Team A deploys on port 8080.", "Team B deploys on port 9090."],
  ["1号机房由张伟负责。", "2号机房由李娜负责。"],
  ["第一阶段由张伟负责。", "第二阶段由李娜负责。"],
  ["A组负责支付服务。", "B组负责支付服务。"],
];

const contextFor = (older: string, newer: string) =>
  contextOf([newer], { tree: treeOf(topicWith("notes", "project", [older])) });

function entryOf(older: string, newer: string): string {
  const entry = contextFor(older, newer).tree.topics[0]?.entries[0];
  if (!entry) throw new Error("no entry");
  return entry.id;
}

describe("what only a number or a letter tells apart", () => {
  it.each(PAIRS)("is added beside the other: %s / %s", (older, newer) => {
    const add: Operation = { op: "add", topic: "notes", text: newer, cites: citesOf([newer]) };
    const { accepted } = judge({ operations: [add] }, contextFor(older, newer));
    expect(accepted.map(({ operation }) => operation.op)).toEqual(["add"]);
  });

  it.each(PAIRS)("is neither revised nor retired by words about the other: %s / %s", (older, newer) => {
    const context = contextFor(older, newer);
    const entry = entryOf(older, newer);
    const cites = citesOf([newer]);
    expect(ruleFor({ op: "revise", topic: "notes", entry, text: newer, cites }, context)).toBe("different-subject");
    expect(ruleFor({ op: "retire", topic: "notes", entry, reason: "replaced", cites }, context)).toBe(
      "retire-without-cause",
    );
  });

  it.each([
    ["The api listens on port 8080.", "The api listens on port 9090 now."],
    ["The s0 service listens on port 7001.", "The s0 service listens on port 7009 now."],
    ["1号机房由张伟负责。", "1号机房改由李娜负责。"],
  ])("may get another value itself: %s / %s", (older, newer) => {
    const entry = entryOf(older, newer);
    const cites = citesOf([newer]);
    expect(ruleFor({ op: "revise", topic: "notes", entry, text: newer, cites }, contextFor(older, newer))).toBeNull();
  });
});

describe("a weekday of what is done as a rule", () => {
  it.each(["Staging deploys go out on Monday.", "The backups run on Sunday at 02:00.", "Invoices are sent on Friday."])(
    "needs no date: %s",
    (text) => {
      expect(addRule([text], text)).toBeNull();
    },
  );

  it("is its date where one day is meant", () => {
    expect(addRule(["The demo is on Monday."], "The demo is on Monday.")).toBe("relative-date");
  });
});
