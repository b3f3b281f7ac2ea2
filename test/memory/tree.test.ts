import { describe, expect, it } from "vitest";
import { buildTree, foreignLayout, type TreeFile, treeNotices } from "../../src/memory/tree.ts";

const file = (name: string, text: string | null, kind: TreeFile["kind"] = "file"): TreeFile => ({
  name,
  bytes: text === null ? null : new TextEncoder().encode(text),
  kind,
  mtime: Date.UTC(2026, 10, 30),
});
const topic = (name: string) => file(name, `---\nname: x\ndescription: d\ntype: project\n---\n\nx\n`);

describe("a memory directory", () => {
  it("sorts names into topics, index and others", () => {
    const tree = buildTree([
      topic("b.md"),
      topic("a.md"),
      file("MEMORY.md", "# Memory\n"),
      file("2026-03-02.md", "- log"),
      file("link.md", null, "link"),
      file("pipe.md", null, "other"),
      file("team", null, "dir"),
      file("x (conflicted copy).md", "x"),
      file("a 2.md", "x"),
      file("phase 2.md", "x"),
      file(".hidden.md", "x"),
    ]);
    expect(tree.topics.map((t) => t.file)).toEqual(["a.md", "b.md", "phase 2.md"]);
    expect(tree.index).toBe("# Memory\n");
    expect(tree.others).toEqual([
      ".hidden.md",
      "2026-03-02.md",
      "a 2.md",
      "link.md",
      "pipe.md",
      "team",
      "x (conflicted copy).md",
    ]);
  });

  it("takes the file's time where front matter tells none", () => {
    const [plain, dated] = buildTree([
      topic("a.md"),
      file("b.md", "---\nname: b\nmodified: 2026-01-01\n---\nx"),
    ]).topics;
    expect([plain?.modified, dated?.modified]).toEqual(["2026-11-30T00:00:00.000Z", "2026-01-01"]);
  });

  it.each([
    ["a link", file("MEMORY.md", null, "link"), "link"],
    ["not readable", file("MEMORY.md", null), "unreadable"],
    ["a folder", file("MEMORY.md", null, "dir"), "dir"],
    ["UTF-16", { ...file("MEMORY.md", ""), bytes: new Uint8Array([0xff, 0xfe, 0x23, 0]) }, "utf-16"],
  ])("an index that is %s is not taken for a missing one", (_, index, word) => {
    expect(buildTree([index])).toMatchObject({ index: null, indexLocked: word });
    expect(treeNotices(buildTree([index])).map((n) => n.code)).toEqual(["index-locked"]);
  });

  it("reports names that collide, copies, and files that are not whole", () => {
    const tree = buildTree([
      topic("Testing.md"),
      topic("testing.md"),
      topic("caf\u00e9.md"),
      topic("cafe\u0301.md"),
      file("empty.md", ""),
      file("code.md", "---js\n{}\n---\n"),
      file("colon.md", "---\nname: colon\ndescription: a: b\n---\n"),
      file("plain.md", "words"),
      file("x~.md", "x"),
    ]);
    expect(treeNotices(tree).map((n) => [n.code, n.message])).toEqual([
      ["topic-locked", "code.md: executable-front-matter"],
      ["topic-problem", "colon.md: bad-yaml"],
      ["topic-locked", "empty.md: empty"],
      ["names-collide", "One name on systems that fold case or Unicode: Testing.md, testing.md"],
      ["names-collide", "One name on systems that fold case or Unicode: cafe\u0301.md, caf\u00e9.md"],
      ["conflict-copies", "Copies left by a sync tool or editor: x~.md"],
    ]);
    expect(tree.topics.find((t) => t.file === "Testing.md")?.entries).toHaveLength(1);
  });
});

describe("a directory that is no memory", () => {
  it.each([
    ["nothing in it", [], null],
    ["one topic with front matter", [topic("a.md"), file("notes.txt", "x")], null],
    ["topics without front matter that the index names", [file("a.md", "x"), file("MEMORY.md", "- [A](a.md)\n")], null],
    ["an index of prose alone", [file("MEMORY.md", "# Project state\n\nPhase two runs.\n")], null],
    ["only code where front matter should be", [file("code.md", "---js\n{}\n---\n")], null],
    ["front matter of a web page", [file("a.md", "---\ntitle: x\nlayout: page\n---\n\nx\n")], "no-known-topic"],
    ["only files of zero bytes", [file("a.md", ""), file("MEMORY.md", "")], null],
    ["daily logs beside an index", [file("MEMORY.md", "Words"), file("2026-03-02.md", "x")], null],
    [
      "notes that nothing points to",
      [file("README.md", "x"), file("design.md", "x"), file("MEMORY.md", "Words")],
      "no-known-topic",
    ],
    ["a program's files", [file("MEMORY.md", "Words"), file("package.json", "{}")], "other-files"],
  ])("%s", (_, files, expected) => {
    expect(foreignLayout(buildTree(files))).toBe(expected);
  });
});
