import { describe, expect, it } from "vitest";
import { entriesOf, relation, statementKey } from "../../src/memory/entry.ts";
import { readFrontMatter } from "../../src/memory/front-matter.ts";
import { parseIndex } from "../../src/memory/index-file.ts";
import { nameKind } from "../../src/memory/names.ts";
import { editTopic, titleOf, topicOf } from "../../src/memory/topic.ts";

/** Pieces that, repeated, drive a careless pattern into quadratic time: then these tests run into the runner's own limit. */
const PIECES = [
  "[",
  "[[",
  "(",
  "[x](",
  "- ",
  " ",
  "\t",
  "*",
  "-",
  "`",
  "a.",
  "./",
  "**",
  "\n",
  "- a\n",
  "---\n",
  "[created: ",
  "not ",
  ", ",
  "不",
  "<!--",
  "# ",
  "A-",
  "@",
  "~",
  ".",
];
const LENGTH = 40_000;

describe.each(PIECES)("a memory file that repeats %j without end", (piece) => {
  const long = piece.repeat(LENGTH / piece.length);

  it.each([long, `- ${long}!`])("is read like any other", (text) => {
    const topic = topicOf("x.md", text);
    expect(titleOf(topic)).not.toBe("");
    expect(editTopic(topic, [], { now: "2026-11-30T00:00:00.000Z" }) ?? text).toBe(text);
    expect(parseIndex(text).length).toBeGreaterThan(0);
    expect(entriesOf(text, 0, "x")).toBeInstanceOf(Array);
    expect(readFrontMatter(`---\n${text.slice(0, 2_000)}\n---\n`).name).toBeNull();
    expect(statementKey(text).length).toBeLessThanOrEqual(text.length);
    expect(relation(text, `${text}x`)).toBeTypeOf("string");
    expect(nameKind(text)).toBeTypeOf("string");
  });
});
