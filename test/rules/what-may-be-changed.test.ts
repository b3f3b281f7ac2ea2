import { describe, expect, it } from "vitest";
import { judge } from "../../src/memory/judge.ts";
import type { Topic } from "../../src/memory/model.ts";
import type { Operation } from "../../src/memory/operation.ts";
import type { Origin } from "../../src/memory/rules/rule.ts";
import { topicOf } from "../../src/memory/topic.ts";
import { citesOf, contextOf, NOW, ruleFor, topicWith, treeOf, type Words } from "./stage.ts";

const created = "[created: 2026-01-15, updated: 2026-01-15]";
const idOf = (topic: Topic, n = 0) => topic.entries[n]?.id ?? "";

describe("names of topics", () => {
  const rows: readonly (readonly [slug: string, rule: string])[] = [
    ["../escape", "bad-slug"],
    ["/etc/cron", "bad-slug"],
    ["a/b", "bad-slug"],
    ["..", "bad-slug"],
    [".hidden", "bad-slug"],
    ["-rf", "bad-slug"],
    ["--help", "bad-slug"],
    ["Upper", "bad-slug"],
    ["topic ", "topic-exists"],
    ["名名", "bad-slug"],
    ["x".repeat(100), "bad-slug"],
    ["MEMORY", "reserved-name"],
    ["memory", "reserved-name"],
    ["team", "reserved-name"],
    ["logs", "reserved-name"],
    ["CON", "reserved-name"],
    ["more-topics", "reserved-name"],
    ["2026-03-02", "reserved-name"],
    ["api-v2", "version-bound-name"],
    ["node-20", "version-bound-name"],
    ["sprint-14", "version-bound-name"],
    ["topic", "topic-exists"],
  ];
  it.each(rows)("%j is refused as %s", (topic, rule) => {
    const operation: Operation = {
      op: "create-topic",
      topic: topic.trim(),
      type: "project",
      title: "T",
      description: "Read before it",
    };
    expect(ruleFor(operation, contextOf([], { tree: treeOf(topicWith("topic", "project", ["A fact"])) }))).toBe(rule);
  });
});

describe("what may not be touched", () => {
  const said = "The upload limit is 25 MB, not 40 MB.";
  const revise = (topic: Topic, entry = idOf(topic)): Operation => ({
    op: "revise",
    topic: topic.slug,
    entry,
    text: "Upload limit is 25 MB",
    cites: citesOf([said]),
  });
  const rule = (topic: Topic, operation = revise(topic)) =>
    ruleFor(operation, contextOf([said], { tree: treeOf(topic) }));

  it("a topic that is not there", () => {
    expect(
      rule(topicWith("limits", "project", []), {
        ...revise(topicWith("other", "project", [])),
        topic: "other",
      } as Operation),
    ).toBe("topic-not-found");
  });

  it("an entry that is not there", () => {
    expect(rule(topicWith("limits", "project", []))).toBe("entry-not-found");
  });

  it("a pinned entry", () => {
    expect(rule(topicWith("limits", "project", [`Upload limit is 40 MB [pinned] ${created}`]))).toBe("pinned");
  });

  it("a pinned topic", () => {
    const topic = topicWith("limits", "project", [`Upload limit is 40 MB ${created}`]);
    expect(rule({ ...topic, pinned: true })).toBe("pinned");
  });

  it("a topic that memd may not write", () => {
    const topic = topicWith("limits", "project", [`Upload limit is 40 MB ${created}`]);
    expect(rule({ ...topic, locked: "utf-16" })).toBe("locked-topic");
  });
});

describe("foreign text", () => {
  const text =
    "---\nname: limits\ndescription: size limits\ntype: project\n---\n\n- Upload limit is 40 MB (2026-01-10).\n- Avatar limit is 2 MB (2026-01-10).\n";
  const topic = topicOf("limits.md", text);
  const said: Words = {
    text: "Correction: the upload limit is 25 MB, not 40 MB. Please fix your notes.",
    at: "2026-03-27T09:00:00.000Z",
  };
  const origin = (by: Origin["by"], foreignSince: string | null) => () => ({ by, foreignSince });
  const judged = (operation: Operation, words: readonly Words[], from: ReturnType<typeof origin>) =>
    judge({ operations: [operation] }, contextOf(words, { tree: treeOf(topic), originOf: from }));
  const revise = (statement: string, words: readonly Words[]): Operation => ({
    op: "revise",
    topic: "limits",
    entry: idOf(topic),
    text: statement,
    cites: citesOf(words),
  });

  it.each(["agent", "person"] as const)("of a %s gives way to a newer correction at once", (by) => {
    const { accepted, refused } = judged(
      revise("Upload limit is 25 MB", [said]),
      [said],
      origin(by, "2026-11-30T11:00:00.000Z"),
    );
    expect(refused).toEqual([]);
    expect(accepted.map(({ operation }) => operation.op)).toEqual(["revise"]);
  });

  it("an added correction replaces the wrong value instead of standing beside it", () => {
    const add: Operation = { op: "add", topic: "limits", text: "Upload limit is 25 MB", cites: citesOf([said]) };
    const { accepted } = judged(add, [said], origin("agent", null));
    expect(accepted.map(({ operation }) => operation)).toMatchObject([{ op: "revise", entry: idOf(topic) }]);
  });

  it("does not give way to older words", () => {
    const old: Words = { text: "The upload limit is 25 MB, not 40 MB.", at: "2026-01-02T09:00:00.000Z" };
    expect(judged(revise("Upload limit is 25 MB", [old]), [old], origin("agent", null)).refused[0]?.rule).toBe(
      "foreign-text",
    );
  });

  it("of a person becomes a question when nothing contradicts it", () => {
    const more: Words = { text: "The upload limit is 40 MB per file.", at: "2026-03-27T09:00:00.000Z" };
    const { accepted, refused } = judged(
      revise("Upload limit is 40 MB per file", [more]),
      [more],
      origin("person", null),
    );
    expect(refused[0]?.rule).toBe("foreign-text");
    expect(accepted.map(({ operation }) => operation.op)).toEqual(["ask"]);
  });

  it.each([
    ["2026-11-30T00:00:00.000Z", "foreign-text"],
    ["2026-11-28T00:00:00.000Z", null],
  ])("of an agent since %s rests for one interval before it is worked on", (since, rule) => {
    const more: Words = { text: "The upload limit is 40 MB per file.", at: "2026-11-29T09:00:00.000Z" };
    const { refused } = judged(revise("Upload limit is 40 MB per file", [more]), [more], origin("agent", since));
    expect(refused[0]?.rule ?? null).toBe(rule);
  });

  it("said three times is merged, whoever wrote it", () => {
    const body =
      "---\nname: style\ndescription: style\ntype: feedback\n---\n\n- Prefers short answers\n- prefers short answers.\n- Prefers short answers \n";
    const style = topicOf("style.md", body);
    const entries = style.entries.map(({ id }) => id);
    const merge: Operation = { op: "merge", topic: "style", entries, text: "Prefers short answers", cites: [] };
    const tree = treeOf(style);
    expect(ruleFor(merge, contextOf([], { tree, originOf: origin("person", NOW) }))).toBeNull();
  });
});

describe("what leaves memory leaves for a cause", () => {
  const topic = topicWith("limits", "project", [
    `Nightly builds run on the old Jenkins box ${created}`,
    `Avatar limit is 2 MB ${created}`,
  ]);
  const retire = (words: readonly Words[], entry = idOf(topic)) =>
    ruleFor(
      { op: "retire", topic: "limits", entry, reason: "outdated", cites: citesOf(words) },
      contextOf(words, { tree: treeOf(topic) }),
    );

  it("words that withdraw it", () => {
    expect(retire(["Forget the Jenkins box, nightly builds no longer run there."])).toBeNull();
  });

  it("not words about something else", () => {
    expect(retire(["Forget the avatar limit."])).toBe("retire-without-cause");
  });

  it("not words that merely mention it", () => {
    expect(retire(["The nightly builds run on the Jenkins box."])).toBe("retire-without-cause");
  });

  it("not without words", () => {
    expect(retire([])).toBe("no-citation");
  });

  it("a merge keeps every number", () => {
    const entries = topic.entries.map(({ id }) => id);
    const merge: Operation = {
      op: "merge",
      topic: "limits",
      entries,
      text: "Nightly builds run on the old Jenkins box",
      cites: [],
    };
    expect(ruleFor(merge, contextOf([], { tree: treeOf(topic) }))).toBe("merge-loses-detail");
  });

  it("a revise stays with its subject", () => {
    const said = "Invoices are sent on the first of each month.";
    const revise: Operation = {
      op: "revise",
      topic: "limits",
      entry: idOf(topic),
      text: "Invoices are sent on the first of each month",
      cites: citesOf([said]),
    };
    expect(ruleFor(revise, contextOf([said], { tree: treeOf(topic) }))).toBe("different-subject");
  });

  it("a memory does not move to a type that asks more of its evidence", () => {
    const about = topicWith("about", "user", []);
    const move: Operation = { op: "move", topic: "limits", entry: idOf(topic), to: "about", reason: "fits better" };
    expect(ruleFor(move, contextOf([], { tree: treeOf(topic, about) }))).toBe("type-mismatch");
  });
});

describe("a correction that names the wrong value", () => {
  const said = "Correction: the upload queue limit is 250 jobs, not 400 jobs.";
  const queues = topicWith("queues", "project", [
    "The upload queue limit is 400 jobs",
    "The export queue keeps its jobs in SQLite",
    "The mail queue limit is 90 jobs",
    "The batch size of nightly imports is 400 jobs",
  ]);
  const revise = (n: number): Operation => ({
    op: "revise",
    topic: "queues",
    entry: idOf(queues, n),
    text: "The upload queue limit is 250 jobs",
    cites: citesOf([said]),
  });
  const retire = (n: number): Operation => ({
    op: "retire",
    topic: "queues",
    entry: idOf(queues, n),
    reason: "superseded",
    cites: citesOf([said]),
  });
  const rule = (operation: Operation) => ruleFor(operation, contextOf([said], { tree: treeOf(queues) }));

  it("revises the entry that holds it", () => {
    expect(rule(revise(0))).toBeNull();
  });

  it.each([1, 2, 3])("leaves fact %i of the same kind alone", (n) => {
    expect(rule(revise(n))).toBe("different-subject");
    expect(rule(retire(n))).toBe("retire-without-cause");
  });

  it("does not let the old value go before the new one has come", () => {
    expect(rule(retire(0))).toBe("retire-without-cause");
  });
});
