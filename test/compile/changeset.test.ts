import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CompileInput, compile } from "../../src/memory/compile.ts";
import { renderDiff } from "../../src/memory/diff.ts";
import { judge } from "../../src/memory/judge.ts";
import { BUDGET, type MemoryTree } from "../../src/memory/model.ts";
import type { AcceptedOperation, Citation, Operation } from "../../src/memory/operation.ts";
import { sizeOf, topicOf } from "../../src/memory/topic.ts";
import { citesOf, contextOf, NOW, topicWith, treeOf, type Words } from "../rules/stage.ts";

const RUN = "20261130T120000000-abcdef";

function accept(operation: Operation, at: string | null = "2026-11-24T10:00:00.000Z"): AcceptedOperation {
  const cited = {
    session: "s",
    client: "claude-code",
    file: "/s.jsonl",
    line: 1,
    record: "r",
    speaker: "user",
    at,
    quote: "q",
  };
  return { operation, citations: "cites" in operation ? [cited] : [] };
}

const run = (tree: MemoryTree, accepted: readonly AcceptedOperation[], more: Partial<CompileInput> = {}) =>
  compile({ tree, accepted, now: NOW, run: RUN, ownLines: [], ...more });

/** The memory as it stands on disk after a changeset. */
function applied(tree: MemoryTree, files: readonly { file: string; after: string | null }[]): MemoryTree {
  const changed = new Map(files.map(({ file, after }) => [file, after]));
  const names = new Set([...tree.topics.map(({ file }) => file), ...changed.keys()]);
  const topics = Array.from(names)
    .sort()
    .flatMap((file) => {
      if (file === "MEMORY.md") return [];
      const text = changed.has(file) ? changed.get(file) : tree.topics.find((topic) => topic.file === file)?.text;
      return typeof text === "string" ? [topicOf(file, text)] : [];
    });
  const index = changed.get("MEMORY.md");
  return { ...tree, topics, index: index === undefined ? tree.index : index };
}

const fact = (text: string, topic = "limits"): Operation => ({ op: "add", topic, text, cites: [] });
const create: Operation = {
  op: "create-topic",
  topic: "limits",
  type: "project",
  title: "Size limits",
  description: "Read before changing an upload or a size limit",
};

describe("a new topic", () => {
  const { files, changes, evidence, ownLines, conditions } = run(treeOf(), [
    accept(create),
    accept(fact("Upload limit is 25 MB")),
  ]);

  it("is written whole, the fact dated by the words and not by the run", () => {
    expect(files.map(({ file, before }) => [file, before])).toEqual([
      ["limits.md", null],
      ["MEMORY.md", null],
    ]);
    expect(files[0]?.after).toContain(
      "# Size limits\n\n- Upload limit is 25 MB [created: 2026-11-24, updated: 2026-11-24]\n",
    );
    expect(files[1]?.after).toContain("- [Size limits](limits.md) — Read before changing an upload or a size limit");
  });

  it("tells what changed and on whose words", () => {
    expect(changes.map(({ operation, topic }) => `${operation} ${topic}`)).toEqual([
      "create-topic limits",
      "add limits",
      "index MEMORY",
    ]);
    expect(evidence).toMatchObject([
      { run: RUN, operation: "add", topic: "limits", key: "upload limit is 25 mb", at: NOW },
    ]);
    expect(evidence[0]?.citations).toHaveLength(1);
    expect(ownLines).toHaveLength(1);
    expect(conditions).toEqual([]);
  });

  it("is not made without a fact", () => {
    const { files: none, changes: nothing } = run(treeOf(), [accept(create)]);
    expect([none, nothing]).toEqual([[], []]);
  });
});

describe("a memory that stands already", () => {
  const limits = topicWith("limits", "project", [
    "Upload limit is 40 MB [created: 2026-01-10, updated: 2026-01-10]",
    "Avatar limit is 2 MB [created: 2026-01-10, updated: 2026-01-10]",
  ]);
  const tree = treeOf(limits);
  const [upload, avatar] = limits.entries.map(({ id }) => id);
  const settled = applied(tree, run(tree, []).files);
  const own = run(tree, []).ownLines;

  it("does not change without operations", () => {
    expect(run(settled, [], { ownLines: own }).files).toEqual([]);
  });

  it("keeps the old text of a revised fact in the archive, and its first date", () => {
    const revise: Operation = {
      op: "revise",
      topic: "limits",
      entry: upload ?? "",
      text: "Upload limit is 25 MB",
      cites: [],
    };
    const { files, retired, changes } = run(settled, [accept(revise)], { ownLines: own });
    expect(files[0]?.after).toContain(
      "- Upload limit is 25 MB [created: 2026-01-10, updated: 2026-11-24]\n- Avatar limit is 2 MB [",
    );
    expect(files[0]?.after).not.toContain("40 MB");
    expect(retired).toEqual([{ topic: "limits", text: limits.entries[0]?.raw, reason: "superseded" }]);
    expect(changes[0]).toMatchObject({ operation: "revise", before: limits.entries[0]?.raw });
  });

  it("accounts for every merged fact and carries their evidence", () => {
    const prior: Citation = {
      session: "old",
      client: "c",
      file: "/o",
      line: 3,
      record: null,
      speaker: "user",
      at: null,
      quote: "2 MB",
    };
    const merge: Operation = {
      op: "merge",
      topic: "limits",
      entries: [upload ?? "", avatar ?? ""],
      text: "Limits: upload 40 MB, avatar 2 MB",
      cites: [],
    };
    const { retired, evidence, files } = run(settled, [{ operation: merge, citations: [] }], {
      ownLines: own,
      evidenceOf: (_topic, key) => (key.startsWith("avatar") ? [prior] : []),
    });
    expect(retired.map(({ reason }) => reason)).toEqual(["merged", "merged"]);
    expect(evidence[0]?.citations).toEqual([prior]);
    expect(files[0]?.after).toContain(
      "- Limits: upload 40 MB, avatar 2 MB [created: 2026-01-10, updated: 2026-01-10]\n",
    );
  });

  it("loses a topic whose last fact moved away, and the moved fact takes its evidence along", () => {
    const one = topicWith("avatars", "project", ["Avatar limit is 3 MB [created: 2026-01-10, updated: 2026-01-10]"]);
    const both = treeOf(one, limits);
    const prior: Citation = {
      session: "old",
      client: "c",
      file: "/o",
      line: 3,
      record: null,
      speaker: "user",
      at: null,
      quote: "3 MB",
    };
    const move: Operation = {
      op: "move",
      topic: "avatars",
      entry: one.entries[0]?.id ?? "",
      to: "limits",
      reason: "one subject",
    };
    const { files, evidence, retired } = run(both, [accept(move)], { evidenceOf: () => [prior] });
    expect(files.find(({ file }) => file === "avatars.md")?.after).toBeNull();
    expect(files.find(({ file }) => file === "limits.md")?.after).toContain(
      "- Avatar limit is 3 MB [created: 2026-01-10",
    );
    expect(evidence).toMatchObject([{ operation: "move", topic: "limits", citations: [prior] }]);
    expect(retired.map(({ reason }) => reason)).toEqual(["empty topic"]);
  });

  it("leaves what is gone, full, or in someone else's hands, and says so", () => {
    const gone: Operation = { op: "retire", topic: "limits", entry: "limits#00000000", reason: "x", cites: [] };
    const { files, conditions } = run(settled, [accept(gone), accept(fact("Video limit is 90 MB"))], {
      ownLines: own,
      leave: new Set(["limits.md"]),
    });
    expect(files).toEqual([]);
    expect(conditions.map(({ code }) => code)).toEqual(["operation-left", "operation-left"]);
  });

  it("dates a fact by the user's own day", () => {
    const { files } = run(settled, [accept(fact("Video limit is 90 MB"), "2026-11-24T23:30:00.000Z")], {
      ownLines: own,
      timeZone: "Asia/Tokyo",
    });
    expect(files[0]?.after).toContain("Video limit is 90 MB [created: 2026-11-25,");
  });
});

describe("a correction by the user over another's text", () => {
  it("leaves one current value, in the topic and in the index", () => {
    const text =
      "---\nname: limits\ndescription: size limits\ntype: project\n---\n\n- Upload limit is 40 MB (2026-01-10).\n- Avatar limit is 2 MB (2026-01-10).\n";
    const tree = {
      ...treeOf(topicOf("limits.md", text)),
      index: "# Memory\n\n- [Limits](limits.md) - upload limit 40 MB\n",
    };
    const words: Words[] = [
      {
        text: "Correction: the upload limit is 25 MB, not 40 MB. Please fix your notes.",
        at: "2026-03-27T09:00:00.000Z",
      },
    ];
    const add: Operation = { op: "add", topic: "limits", text: "Upload limit is 25 MB", cites: citesOf(words) };
    const { accepted } = judge({ operations: [add] }, contextOf(words, { tree }));
    const { files } = run(tree, accepted);
    const after = new Map(files.map(({ file, after }) => [file, after]));
    expect(after.get("limits.md")).toContain(
      "- Upload limit is 25 MB [created: 2026-03-27, updated: 2026-03-27]\n- Avatar limit is 2 MB (2026-01-10).\n",
    );
    expect(after.get("limits.md")).not.toContain("40 MB");
    expect(after.get("MEMORY.md")).not.toContain("40 MB");
  });
});

describe("what stands twice", () => {
  const text =
    "---\nname: style\ndescription: writing style\ntype: feedback\n---\n\n- Prefers short answers\n- prefers short answers.\n- Prefers short answers \n- 喜欢简短的回答\n";
  const tree = treeOf(topicOf("style.md", text));
  const words: Words[] = ["Keep your answers short please."];
  const add: Operation = { op: "add", topic: "style", text: "Keep answers short", cites: citesOf(words) };

  it("is one line after a run, and stays as it is in the next", () => {
    const first = run(tree, judge({ operations: [add] }, contextOf(words, { tree })).accepted);
    const after = applied(tree, first.files);
    expect(after.topics[0]?.entries.map(({ raw }) => raw)).toEqual(["- Prefers short answers", "- 喜欢简短的回答"]);
    expect(first.retired).toHaveLength(2);
    const second = run(after, judge({ operations: [add] }, contextOf(words, { tree: after })).accepted, {
      ownLines: first.ownLines,
    });
    expect(second.files).toEqual([]);
  });

  it("is left alone while it is fresh from another's hand", () => {
    const originOf = () => ({ by: "agent", foreignSince: NOW }) as const;
    expect(judge({ operations: [] }, contextOf(words, { tree, originOf })).accepted).toEqual([]);
  });
});

describe("a diff", () => {
  it("shows the lines of each file", () => {
    const before = "a\nb\nc\n";
    expect(renderDiff({ files: [{ file: "x.md", before, after: "a\nB\nc\n" }] })).toBe(
      "--- a/x.md\n+++ b/x.md\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
    );
    expect(renderDiff({ files: [{ file: "x.md", before: null, after: "a\n" }] })).toBe(
      "--- /dev/null\n+++ b/x.md\n@@ -0,0 +1,1 @@\n+a\n",
    );
    expect(renderDiff({ files: [] })).toBe("");
  });

  it("shows what a terminal would obey instead of sending it", () => {
    expect(renderDiff({ files: [{ file: "x.md", before: null, after: "a\u001b[2J\u202e\n" }] })).toContain(
      "+a\\u001b[2J\\u202e",
    );
  });
});

describe("whatever is accepted", () => {
  const word = fc.stringMatching(/^[a-z]{3,9}$/);
  const sentence = fc.array(word, { minLength: 3, maxLength: 9 }).map((words) => words.join(" "));
  const statement = fc.oneof(
    sentence,
    fc.constantFrom(
      "统一用整数分存储",
      "Ports: 80, 443 & 8443 (never 22)",
      "Use `a | b` and **c**",
      "1. first 2. second",
    ),
  );

  it("reads back as the same facts, within the budgets, and compiles to nothing a second time", () => {
    fc.assert(
      fc.property(fc.uniqueArray(statement, { minLength: 1, maxLength: 12 }), fc.boolean(), (texts, crlf) => {
        const old = topicWith("limits", "project", ["Upload limit is 40 MB"]);
        const tree = treeOf(crlf ? topicOf(old.file, old.text.replaceAll("\n", "\r\n")) : old);
        const result = run(
          tree,
          texts.map((text) => accept(fact(text))),
        );
        const after = applied(tree, result.files);
        const topic = after.topics[0];
        const left = result.conditions.filter(({ code }) => code === "operation-left").length;
        expect(topic?.entries.slice(1).map((entry) => entry.statement)).toEqual(texts.slice(0, texts.length - left));
        expect(sizeOf(topic?.text ?? "").bytes).toBeLessThanOrEqual(BUDGET.topicBytes);
        expect(run(after, [], { ownLines: result.ownLines }).files).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
