import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type IndexPlan, parseIndex, planIndex, type Superseded } from "../../src/memory/index-file.ts";
import { BUDGET, type MemoryTree, type MemoryType } from "../../src/memory/model.ts";
import { sizeOf, topicOf } from "../../src/memory/topic.ts";
import { buildTree } from "../../src/memory/tree.ts";

interface Fact {
  readonly type?: MemoryType;
  readonly description?: string;
  readonly modified?: string;
  readonly body?: string;
}

function treeOf(
  index: string | null,
  topics: Readonly<Record<string, Fact>>,
  others: readonly string[] = [],
): MemoryTree {
  const files = Object.entries(topics).map(([name, fact]) => {
    const { type = "project", description = `about ${name}`, modified = "2026-01-01", body = "- x" } = fact;
    return topicOf(
      `${name}.md`,
      `---\nname: ${name}\ndescription: ${description}\ntype: ${type}\nmodified: ${modified}\n---\n\n${body}\n`,
    );
  });
  return { topics: files, index, others };
}

const plan = (tree: MemoryTree, own: Iterable<string> = [], superseded: readonly Superseded[] = []) =>
  planIndex(tree, { own: new Set(own), superseded });

/** The tree as it stands after the plan was applied. */
function applied(tree: MemoryTree, done: IndexPlan): MemoryTree {
  const topics = tree.topics.filter((t) => t.file !== "more-topics.md");
  const more = done.more === null ? [] : [topicOf("more-topics.md", done.more)];
  return { ...tree, index: done.text, topics: [...topics, ...more] };
}

function expectStable(tree: MemoryTree, done: IndexPlan): void {
  const again = plan(applied(tree, done), done.ownLines);
  expect(again.text).toBe(done.text);
  expect(again.more).toBe(done.more);
  expect([...again.ownLines].sort()).toEqual([...done.ownLines].sort());
  expect(again.archived).toEqual([]);
}

describe("what a line of the index is", () => {
  it.each([
    ["- [A](a.md) — hook", "pointer", ["a.md"]],
    ["- [A](a.md) - hook", "pointer", ["a.md"]],
    ["* [A](./a.md): hook", "pointer", ["a.md"]],
    ["1. [A](a.md)", "pointer", ["a.md"]],
    ["- **[A](a.md)** – hook", "pointer", ["a.md"]],
    ["- [A [x]](<my file.md>) — hook", "pointer", ["my file.md"]],
    ["- [A](my%20file.md#part) — hook", "pointer", ["my file.md"]],
    ["- [A](old/a.md)", "pointer", ["old/a.md"]],
    ["[A](a.md)", "pointer", ["a.md"]],
    ["- [[a]] — hook", "pointer", ["a.md"]],
    ["- a.md — hook", "pointer", ["a.md"]],
    ["- `a.md`: hook", "pointer", ["a.md"]],
    ["- 主题.md — 说明", "pointer", ["主题.md"]],
    ["| [A](a.md) | hook |", "mention", ["a.md"]],
    ["| a.md | hook |", "mention", ["a.md"]],
    ["See [A](a.md) and b.md for more.", "mention", ["a.md", "b.md"]],
    ["- [A](a.md) explains it all", "mention", ["a.md"]],
    ["a.md describes the build", "mention", ["a.md"]],
    ["- [Site](https://example.com/a.md)", "prose", []],
    ["- plain fact: staging uses port 8443", "prose", []],
    ["- [score=0.850 recalls=0]", "prose", []],
    ["- ## Decision", "prose", []],
    ["# Memory", "heading", []],
    ["", "blank", []],
  ])("%j: %s", (text, kind, targets) => {
    const [line] = parseIndex(text === "" ? "\n" : text);
    expect(line).toMatchObject({ kind, targets });
  });

  it("a pointer with lines below it keeps them, so it is no line of its own", () => {
    expect(parseIndex("- [A](a.md) — x\n  more about it\n- [B](b.md)\n").map((l) => l.kind)).toEqual([
      "mention",
      "prose",
      "pointer",
    ]);
  });

  it("a comment is no pointer", () => {
    expect(parseIndex("<!--\n- [A](a.md)\n-->\n<!-- [B](b.md) -->\n- [C](c.md)\n").map((l) => l.kind)).toEqual([
      "prose",
      "prose",
      "prose",
      "prose",
      "pointer",
    ]);
  });

  it("code is no pointer", () => {
    expect(parseIndex("```\n- [A](a.md)\n```\n- [B](b.md)\n").map((l) => l.kind)).toEqual([
      "prose",
      "prose",
      "prose",
      "pointer",
    ]);
  });

  it("lines joined again are the text, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom("- [A](a.md)", "\n", "\r\n", "\r", "x", " ", "[", "](", ")", "`", "|", ".md"),
        }),
        (text) => {
          expect(
            parseIndex(text)
              .map((l) => l.text + l.eol)
              .join(""),
          ).toBe(text);
        },
      ),
    );
  });
});

describe("building an index", () => {
  it.each([null, "", "  \n\n"])("a missing or blank one (%j) is built from the topics, newest first", (index) => {
    const tree = treeOf(index, { "old-one": { modified: "2026-01-01" }, "new-one": { modified: "2026-02-01" } });
    const done = plan(tree);
    expect(done.text).toBe(
      "# Memory\n\n- [New one](new-one.md) — about new-one\n- [Old one](old-one.md) — about old-one\n",
    );
    expectStable(tree, done);
  });

  it("is left out where there is nothing to say", () => {
    expect(plan(treeOf(null, {}))).toEqual({ text: null, more: null, ownLines: [], archived: [], notices: [] });
  });

  it("leaves out files that nobody can read, and keeps pointers to them", () => {
    const empty = {
      topics: [
        topicOf("empty.md", ""),
        topicOf("spaces.md", "  \n"),
        topicOf("good.md", "---\nname: good\n---\n\nUse eu-2.\n"),
      ],
      others: [],
    };
    expect(plan({ ...empty, index: "" }).text).toBe("# Memory\n\n- [Good](good.md) — Use eu-2.\n");
    const named = "- [E](empty.md) — x\n- [G](good.md) — y\n";
    expect(plan({ ...empty, index: named }).text).toBe(named);
  });

  it("keeps own lines within 150 characters, on one line, with a link that works", () => {
    const tree = treeOf(null, { "a b (c)": { description: `${"很长的说明 ".repeat(40)}[x](y.md)` } });
    const line = plan(tree).text?.split("\n")[2] ?? "";
    expect([...line].length).toBeLessThanOrEqual(BUDGET.pointerChars);
    expect(line.startsWith("- [A b (c)](<a b (c).md>) — 很长的说明")).toBe(true);
    expectStable(tree, plan(tree));
  });
});

describe("what others wrote in the index", () => {
  const human = "# Memory\n\nKeep this sentence, a person wrote it.\n\n";

  it("stays; dead and double pointers go to the archive; orphans get a line; daily logs none", () => {
    const index = `${human}- [Alive](alive.md) - exists\n- [Gone](gone.md) - file was removed\n- [Gone too](old/gone2.md) - folder was removed\n- [Alive again](alive.md) - duplicate pointer\n- plain fact without a file: staging uses port 8443\n`;
    const tree = treeOf(
      index,
      { alive: {}, one: { type: "reference", modified: "2026-01-02" }, two: { type: "user", modified: "2026-01-03" } },
      ["2026-03-02.md"],
    );
    const done = plan(tree);
    expect(done.text).toBe(
      `${human}- [Two](two.md) — about two\n- [One](one.md) — about one\n- [Alive](alive.md) - exists\n- plain fact without a file: staging uses port 8443\n`,
    );
    expect(done.archived).toEqual([
      { line: "- [Gone](gone.md) - file was removed", reason: "dead-pointer" },
      { line: "- [Gone too](old/gone2.md) - folder was removed", reason: "dead-pointer" },
      { line: "- [Alive again](alive.md) - duplicate pointer", reason: "double-pointer" },
    ]);
    expect(done.notices.map((n) => n.code)).toEqual(["index-lines-archived"]);
    for (const { line } of done.archived) expect(done.notices[0]?.message).toContain(line);
    expectStable(tree, done);
  });

  it.each([
    ["a link", "- [Build](build.md) - how to build"],
    ["another link", "- [[build]]"],
    ["a table row", "| [Build](build.md) | how |"],
    ["a bare path", "- build.md: how to build"],
    ["a sentence", "How to build stands in build.md, mostly."],
    ["another case", "- [Build](Build.md) - x"],
    ["a path with the folder", "- [Build](memory/build.md) - x"],
  ])("a topic that %s names gets no second line", (_, line) => {
    const index = `# Memory\n\n${line}\n`;
    expect(plan(treeOf(index, { build: {} })).text).toBe(index);
  });

  it("junk stays byte for byte and is never taken up", () => {
    const junk =
      "# Memory\n\n- [Build](build.md) - how to build\n- Candidate: User: could you try again; confidence: 0.00 evidence: log:12-14 status: staged\n" +
      "- `sudo apt remove libfoo && git clone https://example.invalid/x`\n- ## Decision\n- [score=0.850 recalls=0 avg=0.620]\n- " +
      `${"very long single line ".repeat(60)}\n`;
    expect(plan(treeOf(junk, { build: {} }))).toMatchObject({ text: junk, archived: [], notices: [] });
  });

  it.each([
    ["CRLF", "# Memory\r\n\r\n- [A](a.md) - x\r\n", "# Memory\r\n\r\n- [B](b.md) — about b\r\n- [A](a.md) - x\r\n"],
    ["BOM", "\uFEFF# Memory\n\n- [A](a.md) - x\n", "\uFEFF# Memory\n\n- [B](b.md) — about b\n- [A](a.md) - x\n"],
    ["no last line end", "# Memory\n\n- [A](a.md) - x", "# Memory\n\n- [B](b.md) — about b\n- [A](a.md) - x"],
    ["no heading", "- [A](a.md) - x\n", "- [B](b.md) — about b\n- [A](a.md) - x\n"],
    [
      "a table",
      "# M\n\n| f | h |\n|---|---|\n| a.md | x |\n",
      "# M\n\n- [B](b.md) — about b\n\n| f | h |\n|---|---|\n| a.md | x |\n",
    ],
    ["prose alone", "State: a.md runs.\n", "- [B](b.md) — about b\n\nState: a.md runs.\n"],
    ["front matter", "---\ntitle: x\n---\na.md runs.\n", "---\ntitle: x\n---\n\n- [B](b.md) — about b\n\na.md runs.\n"],
    ["a heading alone", "# Memory", "# Memory\n\n- [B](b.md) — about b\n"],
  ])("its form is kept: %s", (_, index, expected) => {
    const tree = treeOf(index, index === "# Memory" ? { b: {} } : { a: { type: "user" }, b: {} });
    const done = plan(tree);
    expect(done.text).toBe(expected);
    expectStable(tree, done);
  });

  it("dead files among other words are reported, not cut", () => {
    const index =
      "See [gone](gone.md) for the plan.\n| [lost](lost.md) | x |\n- [Deep](deep.md) — x\n  with words below\n";
    const done = plan(treeOf(index, {}));
    expect(done.text).toBe(index);
    expect(done.notices.map((n) => n.code)).toEqual(["index-dead-mention"]);
    expect(done.notices[0]?.message).toContain("gone.md, lost.md, deep.md");
  });

  it.each([
    "- [Up](../CLAUDE.md) — x",
    "- [Abs](/etc/notes.md)",
    "- README.md — the project's",
    "- docs/setup.md: steps",
    "- [Team](team/rules.md) — x",
    "- [Log](2026-03-02.md) — x",
  ])("what cannot be judged from here stays: %s", (line) => {
    expect(plan(treeOf(`${line}\n`, {}, ["team", "2026-03-02.md"]))).toMatchObject({
      text: `${line}\n`,
      archived: [],
      notices: [],
    });
  });

  it("an index that cannot be read is not replaced", () => {
    const tree = { ...treeOf(null, { a: {} }), indexLocked: "link" };
    expect(plan(tree, ["abc"])).toMatchObject({ text: null, ownLines: ["abc"] });
  });
});

describe("where memd puts its lines", () => {
  const sections = "# Memory\n\n## People\n\n- [U](u.md) — x\n\n## Work\n\n- [P](p.md) — x\n- [Q](q.md) — x\n";
  const known = { u: { type: "user" }, p: {}, q: {} } as const;

  it("in the section of the topic's type, newest first", () => {
    const tree = treeOf(sections, {
      ...known,
      me: { type: "user" },
      "n-old": { modified: "2026-02-01" },
      "n-new": { modified: "2026-03-01" },
    });
    const done = plan(tree);
    expect(done.text).toBe(
      "# Memory\n\n## People\n\n- [Me](me.md) — about me\n- [U](u.md) — x\n\n## Work\n\n- [N new](n-new.md) — about n-new\n- [N old](n-old.md) — about n-old\n- [P](p.md) — x\n- [Q](q.md) — x\n",
    );
    expectStable(tree, done);
  });

  it("in a block near the top when no section fits", () => {
    const tree = treeOf(sections, { ...known, site: { type: "reference" } });
    const done = plan(tree);
    expect(done.text).toBe(sections.replace("## People", "- [Site](site.md) — about site\n\n## People"));
    expectStable(tree, done);
  });

  it("follows a topic's new description in its own line, and leaves a line that a person changed", () => {
    const first = plan(treeOf(null, { a: {}, b: {} }));
    const index = (first.text ?? "").replace("about b", "edited by hand");
    const done = plan(
      treeOf(index, { a: { description: "now this" }, b: { description: "and that" } }),
      first.ownLines,
    );
    expect(done.text).toBe("# Memory\n\n- [A](a.md) — now this\n- [B](b.md) — edited by hand\n");
    expect(done.ownLines).toHaveLength(1);
  });

  it("gives way to a pointer that somebody else added", () => {
    const first = plan(treeOf(null, { a: {} }));
    const done = plan(treeOf(`${first.text}- [Mine](a.md) — better\n`, { a: {} }), first.ownLines);
    expect(done).toMatchObject({ text: "# Memory\n\n- [Mine](a.md) — better\n", archived: [], ownLines: [] });
  });

  it("drops its own line with the topic, without a word", () => {
    const first = plan(treeOf(null, { a: {}, b: {} }));
    expect(plan(treeOf(first.text, { a: {} }), first.ownLines)).toMatchObject({
      text: "# Memory\n\n- [A](a.md) — about a\n",
      archived: [],
    });
  });
});

describe("a pointer that tells a value which has changed", () => {
  const index = "# Memory\n\n- [Limits](limits.md) - upload limit 40 MB\n";
  const limits = { limits: { description: "size limits", body: "- Upload limit is 25 MB\n- Avatar limit is 2 MB" } };
  const change = { file: "limits.md", before: "Upload limit is 40 MB (2026-01-10).", after: "Upload limit is 25 MB" };

  it("gets the new statement as its hook, and the old line is kept in the archive", () => {
    const tree = treeOf(index, limits);
    const done = plan(tree, [], [change]);
    expect(done.text).toBe("# Memory\n\n- [Limits](limits.md) - Upload limit is 25 MB\n");
    expect(done.archived).toEqual([{ line: "- [Limits](limits.md) - upload limit 40 MB", reason: "stale-hook" }]);
    expectStable(tree, done);
  });

  it("gets the description when the statement went", () => {
    expect(plan(treeOf(index, limits), [], [{ ...change, after: null }]).text).toBe(
      "# Memory\n\n- [Limits](limits.md) - size limits\n",
    );
  });

  it("is found by words too, where one statement took another's place", () => {
    const ci = { ci: { description: "where builds run", body: "- The CI provider is GitHub Actions" } };
    const tree = treeOf("- [CI](ci.md) — builds on Buildkite\n", ci);
    const moved = { file: "ci.md", before: "The CI provider is Buildkite", after: "The CI provider is GitHub Actions" };
    expect(plan(tree, [], [moved]).text).toBe("- [CI](ci.md) — The CI provider is GitHub Actions\n");
  });

  it("is reported where other words stand around the link", () => {
    const table = "| [Limits](limits.md) | upload limit 40 MB |\n";
    const done = plan(treeOf(table, limits), [], [change]);
    expect(done.text).toBe(table);
    expect(done.notices.map((n) => n.code)).toEqual(["index-stale-words"]);
  });

  it("stays when it tells nothing of what changed", () => {
    const other = index.replace("upload limit 40 MB", "all size limits, avatar 2 MB");
    expect(plan(treeOf(other, limits), [], [change]).text).toBe(other);
  });
});

describe("limits of the index", () => {
  const hook = "关于这项服务的部署习惯、回滚步骤、值班联系方式以及历史上出现过的三类故障的处理要点，详见文件正文说明";
  const many = (count: number) => Array.from({ length: count }, (_, i) => `topic-${String(i).padStart(3, "0")}`);
  const facts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, {}]));
  const within = (text: string | null) => {
    const size = sizeOf(text ?? "");
    expect(size.lines).toBeLessThanOrEqual(BUDGET.indexLines);
    expect(size.bytes).toBeLessThanOrEqual(BUDGET.indexBytes);
  };

  it("own pointers that do not fit go to one generated topic, oldest first", () => {
    const names = many(260);
    const dated = Object.fromEntries(
      names.map((name, i) => [
        name,
        { modified: `2026-01-01T00:00:${String(i % 60).padStart(2, "0")}.${String(i).padStart(3, "0")}Z` },
      ]),
    );
    const tree = treeOf(null, dated);
    const done = plan(tree);
    within(done.text);
    expect(done.text).toContain("- [More topics](more-topics.md)");
    expect(done.text).toContain("topic-239.md");
    expect(done.more).toContain("topic-000.md");
    for (const name of names)
      expect((done.text ?? "").includes(`(${name}.md)`)).toBe(!done.more?.includes(`(${name}.md)`));
    expectStable(tree, done);
  });

  it.each([
    ["bytes", many(170).map((name, i) => `- [主题${i}](${name}.md) — ${hook}`), "# 记忆索引\n\n"],
    ["lines", many(238).map((name) => `- [T](${name}.md) - x`), "# Memory\n\n"],
  ])(
    "an index that others made too long (%s): pointers move word for word, words stay, the last line survives",
    (_, lines, head) => {
      const index = `${head}${lines.join("\n")}\n- [Rule](rule.md) - the line that must survive\n`;
      const tree = treeOf(index, { ...facts(many(lines.length)), rule: {} });
      const done = plan(tree);
      within(done.text);
      expect(done.text?.startsWith(head)).toBe(true);
      expect(done.text?.endsWith("- [Rule](rule.md) - the line that must survive\n")).toBe(true);
      expect(done.archived).toEqual([]);
      const moved = lines.filter((line) => !done.text?.includes(`${line}\n`));
      expect(moved.length).toBeGreaterThan(0);
      for (const line of moved) expect(done.more).toContain(`${line}\n`);
      const notice = done.notices.find((n) => n.code === "index-pointers-moved");
      for (const line of moved) expect(notice?.message).toContain(line);
      expectStable(tree, done);
    },
  );

  it("an index whose files are all missing loses no pointer: a sync may not have finished", () => {
    const lines = many(238).map((name) => `- [T](${name}.md) - x`);
    const index = `# Memory\n\n${lines.join("\n")}\n- [Rule](rule.md) - the line that must survive\n`;
    const tree = treeOf(index, {});
    const done = plan(tree);
    within(done.text);
    expect(done.archived).toEqual([]);
    expect(done.text?.endsWith("- [Rule](rule.md) - the line that must survive\n")).toBe(true);
    for (const line of lines) expect(`${done.text}${done.more}`).toContain(`${line}\n`);
    expect(done.notices.map((n) => n.code)).toContain("index-without-topics");
    expectStable(tree, done);
  });

  it("own pointers give way before those of others", () => {
    const foreign = many(196).map((name) => `- [T](${name}.md) - x`);
    const tree = treeOf(`# M\n\n${foreign.join("\n")}\n`, {
      ...facts(many(196)),
      "mine-a": {},
      "mine-b": {},
      "mine-c": {},
    });
    const done = plan(tree);
    within(done.text);
    for (const line of foreign) expect(done.text).toContain(`${line}\n`);
    expect(done.more).toContain("mine-c.md");
    expectStable(tree, done);
  });

  it("words of others that are too long by themselves are never cut, and the text does not grow", () => {
    const index = `# M\n\n${"A line of prose.\n".repeat(220)}- [A](a.md) — x\n`;
    const tree = treeOf(index, { a: {}, b: {} });
    const done = plan(tree);
    expect(done).toMatchObject({ text: index, more: null, archived: [] });
    expect(done.notices.map((n) => n.code)).toEqual(["index-over-limit"]);
    expectStable(tree, done);
  });

  it("own pointers leave an index that others have filled", () => {
    const first = plan(treeOf(null, { a: {}, b: {} }));
    const tree = treeOf(`${first.text}${"A line of prose.\n".repeat(220)}`, { a: {}, b: {} });
    const done = plan(tree, first.ownLines);
    expect(sizeOf(done.text ?? "").lines).toBeLessThanOrEqual(sizeOf(tree.index ?? "").lines);
    expect(done.more).toContain("- [A](a.md) — about a");
    expect(done.text).toContain("more-topics.md");
    expectStable(tree, done);
  });

  it("warns before the limit", () => {
    const tree = treeOf(
      `${many(155)
        .map((name) => `- [T](${name}.md)`)
        .join("\n")}\n`,
      facts(many(155)),
    );
    expect(plan(tree).notices.map((n) => n.code)).toEqual(["index-long"]);
  });

  it("the generated topic loses pointers to topics that went, and goes when it is empty", () => {
    const names = many(260);
    const first = plan(treeOf(null, facts(names)));
    const left = names.slice(0, 3);
    const base = treeOf(first.text, facts(left));
    const tree = { ...base, topics: [...base.topics, topicOf("more-topics.md", first.more ?? "")] };
    const done = plan(tree, first.ownLines);
    expect(done.more).toBeNull();
    expect(done.text).not.toContain("more-topics");
    for (const name of left) expect(done.text).toContain(`(${name}.md)`);
    expectStable(tree, done);
  });
});

describe("any name and any index at all", () => {
  it("whatever a file is called, its own line finds it again", () => {
    const name = fc.string({
      unit: fc.oneof(
        fc.constantFrom("%", "#", "?", "<", ">", "(", ")", "[", "]", " ", "\n", "\\", "|", "\u202E", "é", "名"),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
      ),
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(name, (raw) => {
        const file = `${raw.replaceAll("/", "").replaceAll("\0", "")}.md`;
        fc.pre(!/^(?:~|\.)/.test(file));
        const tree = { topics: [topicOf(file, "- fact\n")], index: "Prose.\n", others: [] };
        const done = plan(tree);
        expect(done.ownLines).toHaveLength(1);
        expectStable(tree, done);
      }),
    );
  });

  const piece = fc.oneof(
    fc.constantFrom(
      "# Memory",
      "## A",
      "",
      "- [A](a.md) — x",
      "- [Gone](gone.md)",
      "| a.md | x |",
      "See [b](b.md).",
      "- b.md: y",
      "```",
      "prose",
      "  child",
      "- item",
      "[[c]]",
      "- [More](more-topics.md)",
    ),
    fc.string({ unit: "grapheme" }),
  );
  const types = fc.constantFrom<MemoryType>("user", "feedback", "project", "reference");

  it("planning twice changes nothing, own lines are never doubled, prose stays", () => {
    fc.assert(
      fc.property(
        fc.array(piece),
        fc.constantFrom("\n", "\r\n"),
        fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.record({ type: types })),
        (pieces, eol, topics) => {
          const tree = treeOf(pieces.join(eol), topics);
          const done = plan(tree);
          expectStable(tree, done);
          const dropped = new Set(done.archived.map((a) => a.line));
          let from = 0;
          for (const line of parseIndex(tree.index ?? "")) {
            if (dropped.has(line.text) || line.text.trim() === "") continue;
            const at = (done.text ?? "").indexOf(line.text, from);
            expect(at).toBeGreaterThanOrEqual(0);
            from = at;
          }
        },
      ),
    );
  });

  it("never throws on arbitrary bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const tree = buildTree([{ name: "MEMORY.md", bytes, kind: "file", mtime: 0 }]);
        expect(plan(tree).archived).toBeInstanceOf(Array);
      }),
    );
  });
});
