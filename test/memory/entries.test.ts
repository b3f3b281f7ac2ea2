import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entriesOf, entryId, parseEntry, renderEntry } from "../../src/memory/entry.ts";

const raws = (text: string) => entriesOf(text, 0, "t").map((entry) => entry.raw);

describe("what counts as one entry", () => {
  it.each([
    ["items", "- a\n- b\n* c\n1. d\n2) e\n", ["- a", "- b", "* c", "1. d", "2) e"]],
    ["an item with children", "- a\n  - a1\n  more\n\n  still a\n- b\n", ["- a\n  - a1\n  more\n\n  still a", "- b"]],
    ["a numbered item with children", "1. a\n   - a1\n2. b\n", ["1. a\n   - a1", "2. b"]],
    ["a sloppy sibling", "- a\n - b\n- c\n", ["- a", " - b", "- c"]],
    ["tab indent", "- a\n\t- a1\n- b\n", ["- a\n\t- a1", "- b"]],
    ["paragraphs", "One\nline two\n\nTwo\n", ["One\nline two", "Two"]],
    ["a lazy line", "- a\ncontinues\n- b\n", ["- a\ncontinues", "- b"]],
    ["a paragraph below a list", "- a\n\nPlain.\n", ["- a", "Plain."]],
    ["a list directly below a paragraph", "These:\n- a\n- b\n", ["These:", "- a", "- b"]],
    ["headings and rules are none", "# H\n\ntext\n## H2\n---\n- a\n***\n- b\n", ["text", "- a", "- b"]],
    ["a table is one", "| a | b |\n|---|---|\n| 1 | 2 |\n", ["| a | b |\n|---|---|\n| 1 | 2 |"]],
    [
      "a fence is one",
      "```sh\n- not an item\n\n---\n# no heading\n```\n\nafter\n",
      ["```sh\n- not an item\n\n---\n# no heading\n```", "after"],
    ],
    ["a fence below words", "Run:\n```\nx\n\n- y\n```\n- a\n", ["Run:\n```\nx\n\n- y\n```", "- a"]],
    ["a fence inside an item", "- a\n  ```\n- b\n  ```\n- c\n", ["- a\n  ```\n- b\n  ```", "- c"]],
    [
      "a fence, a table and a quote right below an item are none of it",
      "- a\n```\nx\n```\n- b\n| t |\n|---|\n- c\n> q\n",
      ["- a", "```\nx\n```", "- b", "| t |\n|---|", "- c", "> q"],
    ],
    ["a longer fence", "````\n```\n- x\n````\n- a\n", ["````\n```\n- x\n````", "- a"]],
    ["a fence that never ends", "- a\n\n~~~\n- b\n", ["- a", "~~~\n- b\n"]],
    ["inline code is no fence", "- ```js run``` it\n- b\n", ["- ```js run``` it", "- b"]],
    ["comments are none", "<!-- note\n- x\n-->\n- a\n", ["- a"]],
    [
      "Why and How below a rule",
      "Rule.\n\n**Why:** w\n\n**How to apply:** h\n\nNext.\n",
      ["Rule.\n\n**Why:** w\n\n**How to apply:** h", "Next."],
    ],
    ["a label below a heading stands alone", "- a\n\n## Why\n\nWhy: b\n", ["- a", "Why: b"]],
    ["CRLF", "- a\r\n  b\r\n\r\n- c\r\n", ["- a\r\n  b", "- c"]],
    ["nothing", "\n \n", []],
  ])("%s", (_, text, expected) => {
    expect(raws(text)).toEqual(expected);
  });

  it("offsets give the block back, in order and without overlap, for any text", () => {
    const piece = fc.constantFrom(
      "- a",
      "  - b",
      "text",
      "",
      "# h",
      "```",
      "~~~",
      "---",
      "| x |",
      "Why: y",
      "\t",
      "1. z",
      "<!--",
      "-->",
      "  deep",
      "\r",
    );
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom("\n", "\r\n"), (pieces, eol) => {
        const text = pieces.join(eol);
        let last = 0;
        for (const entry of entriesOf(text, 0, "t")) {
          expect(text.slice(entry.start, entry.end)).toBe(entry.raw);
          expect(entry.start).toBeGreaterThanOrEqual(last);
          expect(entry.raw.trim()).not.toBe("");
          last = entry.end;
        }
      }),
    );
  });
});

describe("what an entry says", () => {
  const nothing = { why: null, how: null, created: null, updated: null, pinned: false, unconfirmed: false, ours: true };

  it.each([
    ["- Use tabs.", { statement: "Use tabs." }],
    ["* Use tabs.", { statement: "Use tabs.", ours: false }],
    ["Use tabs.", { statement: "Use tabs.", ours: false }],
    ["- Use tabs. [created: 2026-01-15]", { statement: "Use tabs.", created: "2026-01-15" }],
    [
      "- Use tabs. [created: 2026-01-15, updated: 2026-03-10]",
      { statement: "Use tabs.", created: "2026-01-15", updated: "2026-03-10" },
    ],
    ["- Use tabs. [pinned]", { statement: "Use tabs.", pinned: true }],
    [
      "- Use tabs. [unconfirmed] [created: 2026-01-15]",
      { statement: "Use tabs.", unconfirmed: true, created: "2026-01-15" },
    ],
    ["- Use tabs [in Go]", { statement: "Use tabs [in Go]" }],
    ["- Upload limit is 40 MB (2026-01-10).", { statement: "Upload limit is 40 MB (2026-01-10)." }],
    ["- A.\n  Why: b\n  How to apply: c", { statement: "A.", why: "b", how: "c" }],
    ["A.\n\n**Why:** b\nmore\n\n**How to apply:** c", { statement: "A.", why: "b more", how: "c", ours: false }],
    ["- A.\n  - **Why**: b", { statement: "A.", why: "b", ours: false }],
    [
      "- 用制表符。\n  原因：团队习惯\n  怎么做：保存时格式化",
      { statement: "用制表符。", why: "团队习惯", how: "保存时格式化", ours: false },
    ],
    ["- A [created: 2026-01-15]\n  - child", { statement: "A child", created: "2026-01-15", ours: false }],
    ["Why: it stands alone", { statement: "Why: it stands alone", ours: false }],
  ])("%j", (raw, expected) => {
    expect(parseEntry(raw)).toEqual({ raw, ...nothing, ...expected });
  });

  it("what memd writes reads back the same", () => {
    const words = fc.string({ unit: "grapheme-ascii", minLength: 1 }).map((s) => `Fact ${s} end`.replace(/\s+/g, " "));
    const date = fc.option(fc.constantFrom("2026-01-15", "2026-03-10"));
    const parts = fc.record({
      statement: words,
      why: fc.option(words),
      how: fc.option(words),
      created: date,
      updated: date,
      pinned: fc.boolean(),
      unconfirmed: fc.boolean(),
    });
    fc.assert(
      fc.property(parts, (written) => {
        const raw = renderEntry(written);
        expect(parseEntry(raw)).toEqual({ raw, ...written, ours: true });
        expect(raws(raw)).toEqual([raw]);
      }),
    );
  });
});

describe("entry ids", () => {
  it("stay while the statement keeps its key, and tell equal ones apart", () => {
    expect(entryId("style", "Prefers short answers")).toBe(entryId("style", "prefers short answers."));
    const id = entryId("style", "Prefers short answers");
    const entries = entriesOf(
      "- Prefers short answers\n- prefers short answers.\n- Prefers short answers \n",
      0,
      "style",
    );
    expect(entries.map((entry) => entry.id)).toEqual([id, `${id}~2`, `${id}~3`]);
  });
});
