/** Whatever lies in a memory directory: it is read without a throw, what is not understood keeps every byte, and what is written reads back. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile } from "../../../src/memory/compile.ts";
import { entriesOf, parseEntry, renderEntry } from "../../../src/memory/entry.ts";
import { readFrontMatter } from "../../../src/memory/front-matter.ts";
import { editFrontMatter } from "../../../src/memory/front-matter-edit.ts";
import { parseIndex } from "../../../src/memory/index-lines.ts";
import type { MemoryTree } from "../../../src/memory/model.ts";
import type { AcceptedOperation } from "../../../src/memory/operation.ts";
import { editTopic, parseTopic, topicOf } from "../../../src/memory/topic.ts";
import { buildTree } from "../../../src/memory/tree.ts";
import { PATIENCE } from "../settings.ts";
import { holds } from "./holds.ts";
import { pieces, strangeBytes, strangeText, strangeTopic } from "./texts.ts";

const NOW = "2026-11-30T08:00:00.000Z";
const oneLine = fc
  .oneof(fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }), pieces)
  .map((text) => `Fact ${text.replace(/\s+/g, " ").trim()} end.`);

describe("a topic of any text", { timeout: PATIENCE }, () => {
  it("is read, and its entries are pieces of it, in order and apart", async () => {
    await holds(
      fc.property(strangeBytes, (bytes) => {
        const topic = parseTopic("x.md", bytes);
        let at = 0;
        for (const { start, end, raw } of topic.entries) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(topic.text.slice(start, end)).toBe(raw);
          at = end;
        }
      }),
      12_000,
    );
  });

  it("loses nothing but the entry that is taken out, and gains nothing but the one that is put in", async () => {
    await holds(
      fc.property(
        strangeTopic,
        oneLine,
        fc.nat(30),
        fc.constantFrom("append", "replace", "remove"),
        (text, statement, pick, kind) => {
          const topic = topicOf("x.md", text);
          if (topic.locked !== null) return;
          const entry = renderEntry({ statement, created: "2026-11-30", updated: "2026-11-30" });
          const target = topic.entries[pick % Math.max(1, topic.entries.length)];
          if (kind !== "append" && !target) return;
          const edit =
            kind === "append"
              ? ({ edit: "append", entry } as const)
              : kind === "replace"
                ? ({ edit: "replace", id: target?.id ?? "", entry } as const)
                : ({ edit: "remove", id: target?.id ?? "" } as const);
          const after = editTopic(topic, [edit], { now: NOW });
          if (after === null) return;
          const again = topicOf("x.md", after);
          const kept = topic.entries.filter((one) => kind === "append" || one !== target).map(({ raw }) => raw);
          const found = again.entries.map(({ raw }) => raw.replaceAll("\r\n", "\n"));
          for (const raw of kept) expect(found).toContain(raw.replaceAll("\r\n", "\n"));
          expect(found.length).toBe(kept.length + (kind === "remove" ? 0 : 1));
          if (!readFrontMatter(text).block) return;
          const keys = (front: string) =>
            front
              .split(/\r?\n/)
              .map((line) => line.trimEnd())
              .filter((line) => line.trim() !== "" && !/modified|^metadata:$/.test(line));
          const head = readFrontMatter(text).body;
          expect(keys(after.slice(0, readFrontMatter(after).body)).join("\n")).toBe(
            keys(text.slice(0, head)).join("\n"),
          );
        },
      ),
      12_000,
    );
  });
});

describe("front matter of any text", { timeout: PATIENCE }, () => {
  it("takes a new value so that it reads back, and keeps all other lines, or is not touched", async () => {
    await holds(
      fc.property(strangeTopic, fc.oneof(oneLine, strangeText), (text, description) => {
        const before = readFrontMatter(text);
        const after = editFrontMatter(text, { description });
        if (after === null) return;
        const read = readFrontMatter(after);
        expect(after.slice(read.body)).toBe(text.slice(before.body));
        expect([read.name, read.type, read.pinned]).toEqual([before.name, before.type, before.pinned]);
        expect(read.locked).toBe(before.locked);
      }),
      14_000,
    );
  });
});

describe("an entry of any words", { timeout: PATIENCE }, () => {
  it("is written so that it reads back as one entry that says the same", async () => {
    const date = fc.option(fc.constantFrom("2026-01-15", "2026-11-30"));
    await holds(
      fc.property(
        oneLine,
        fc.option(oneLine),
        fc.option(oneLine),
        date,
        fc.boolean(),
        (statement, why, how, created, pinned) => {
          const raw = renderEntry({ statement, why, how, created, updated: created, pinned });
          const read = parseEntry(raw);
          expect(renderEntry(read)).toBe(raw);
          expect(entriesOf(raw, 0, "x").length).toBeLessThanOrEqual(1 + raw.split("\n").length);
        },
      ),
      10_000,
    );
  });
});

describe("an index of any text", { timeout: PATIENCE }, () => {
  it("is cut into lines that make it up again", async () => {
    await holds(
      fc.property(strangeText, (text) => {
        expect(
          parseIndex(text)
            .map(({ text: line, eol }) => line + eol)
            .join(""),
        ).toBe(text);
      }),
      12_000,
    );
  });
});

const treeOf = (topics: readonly string[], index: string | null): MemoryTree =>
  buildTree([
    ...topics.map((text, i) => ({
      name: `topic${i === 0 ? "" : `-${"abcdefgh"[i]}`}.md`,
      kind: "file" as const,
      mtime: 0,
      bytes: Buffer.from(text),
    })),
    ...(index === null ? [] : [{ name: "MEMORY.md", kind: "file" as const, mtime: 0, bytes: Buffer.from(index) }]),
  ]);

describe("an index whose code or comment never ends", { timeout: PATIENCE }, () => {
  it.each([
    "---\n```\n---\n",
    "---\n<!-- c\n---\n",
    "```\nx\n",
    "# Memory\n<!--\n",
    "- [Gone](gone.md)\n    [a](<b c.md>)\n",
  ])("%j gets each pointer once", (text) => {
    const topic = '---\nname: topic\ndescription: "d"\nmetadata:\n  node_type: memory\n  type: project\n---\n\n- a\n';
    const first = compile({ tree: treeOf([topic], text), accepted: [], now: NOW, run: "r", ownLines: [] });
    const after = first.files.find(({ file }) => file === "MEMORY.md")?.after ?? text;
    const second = compile({
      tree: treeOf([topic], after),
      accepted: [],
      now: NOW,
      run: "s",
      ownLines: first.ownLines,
    });
    expect(after).toContain("](topic.md)");
    expect(second.files).toEqual([]);
  });
});

describe("a changeset over any tree", { timeout: PATIENCE }, () => {
  it("touches only the topic it is for and the index, keeps others' words there, and leaves nothing to do for a second one", async () => {
    const citation = {
      session: "s",
      client: "claude-code",
      file: "/s.jsonl",
      line: 1,
      record: null,
      speaker: "user",
      at: NOW,
      quote: "q",
    };
    await holds(
      fc.property(
        fc.array(strangeTopic, { minLength: 1, maxLength: 4 }),
        fc.option(strangeText),
        oneLine,
        fc.boolean(),
        (topics, index, text, isEmpty) => {
          const tree = treeOf(topics, index);
          const accepted: AcceptedOperation[] = isEmpty
            ? []
            : [{ operation: { op: "add", topic: "topic", text, cites: [] }, citations: [citation] }];
          const made = compile({ tree, accepted, now: NOW, run: "r", ownLines: [] });
          for (const { file, before } of made.files) {
            expect(["topic.md", "MEMORY.md", "more-topics.md"]).toContain(file);
            if (before !== null) expect([...tree.topics.map((topic) => topic.text), tree.index]).toContain(before);
          }
          const after = made.files.find(({ file }) => file === "MEMORY.md")?.after;
          // Dead and double pointers go, to the archive; no other line does.
          const gone = made.retired.map((item) => item.text).join("\n");
          for (const { text: bare, kind } of parseIndex(tree.index ?? "")) {
            const line = bare.replace(/^\uFEFF/, "");
            if (typeof after !== "string" || kind === "pointer" || line.trim() === "") continue;
            expect(after.includes(line) || gone.includes(line.trim())).toBe(true);
          }
          const texts = new Map(tree.topics.map((topic) => [topic.file, topic.text]));
          for (const { file, after: text } of made.files) if (text !== null) texts.set(file, text);
          const next = [...texts]
            .filter(([file]) => file !== "MEMORY.md")
            .map(([name, body]) => ({ name, kind: "file" as const, mtime: 0, bytes: Buffer.from(body) }));
          const newIndex = after ?? index;
          const files =
            newIndex === null
              ? next
              : [...next, { name: "MEMORY.md", kind: "file" as const, mtime: 0, bytes: Buffer.from(newIndex) }];
          expect(
            compile({ tree: buildTree(files), accepted: [], now: NOW, run: "s", ownLines: made.ownLines }).files.map(
              ({ file }) => file,
            ),
          ).toEqual([]);
        },
      ),
      5_000,
    );
  });
});
