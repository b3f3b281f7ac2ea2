import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { readFrontMatter } from "../../src/memory/front-matter.ts";
import { editFrontMatter, newFrontMatter } from "../../src/memory/front-matter-edit.ts";

const block = (...lines: string[]) => `---\n${lines.join("\n")}\n---\n\nBody.\n`;
const described = (value: string) => block("name: x", `description: ${value}`, "type: project");

describe("front matter that strict YAML refuses is still read", () => {
  it.each([
    ["Rule: run the tests before each push"],
    ["Re: plan for the move: see thread"],
    ["@scope/pkg is internal"],
    ["`npm ci` first, then build"],
    ["*always* squash"],
    ["[wip] half done"],
    ["%d items per page"],
    ["fix for issue #12 and later #40"],
    ["fix # note"],
    ["{name} is a placeholder"],
    ["! important"],
    ["1.10"],
    ["0123"],
    ["14:30"],
    ["2026-01-15"],
    ["yes"],
    ['don\'t "quote" me'],
    ["- a dash"],
    ["数据库: 只读副本 # 12"],
  ])("description: %s", (value) => {
    const read = readFrontMatter(described(value));
    expect(read.description).toBe(value);
    expect(read.type).toBe("project");
    expect(read.locked).toBeNull();
  });

  it.each([
    ['"Quoted: colon is fine"', "Quoted: colon is fine"],
    ["'it''s fine'", "it's fine"],
    ['"say \\"hi\\"" # by ana', 'say "hi"'],
    ["|\n  two\n  lines", "two\nlines"],
    [">-\n  folded\n  text", "folded text"],
    ["goes on\n  in the next line", "goes on in the next line"],
  ])("YAML's own forms keep their meaning: %j", (value, expected) => {
    expect(readFrontMatter(described(value)).description).toBe(expected);
  });

  it.each(["", "~", "null", '""'])("no description: %j", (value) => {
    expect(readFrontMatter(described(value)).description).toBeNull();
  });
});

describe("what a file tells about itself", () => {
  it("takes the nested type before the flat one", () => {
    const nested = block("type: user", "metadata: ", "  node_type: memory", "  type: feedback");
    expect(readFrontMatter(nested).type).toBe("feedback");
    expect(readFrontMatter(block("type: user")).type).toBe("user");
    expect(readFrontMatter(block("metadata: {type: reference, pinned: true}"))).toMatchObject({
      type: "reference",
      pinned: true,
    });
  });

  it("reads a type with a comment behind it, and reports one it does not know", () => {
    expect(readFrontMatter(block("type: project # chosen by ana")).type).toBe("project");
    expect(readFrontMatter(block("type: opinion"))).toMatchObject({ type: null, problems: ["unknown-type"] });
  });

  it("keeps dates as they are written", () => {
    const read = readFrontMatter(block("created: 2026-01-15", "metadata:", "  modified: 2026-08-04T16:04:24.602Z"));
    expect([read.created, read.modified]).toEqual(["2026-01-15", "2026-08-04T16:04:24.602Z"]);
  });

  it.each([
    ["BOM", "\uFEFF---\nname: bom\n---\nx"],
    ["CRLF", "---\r\nname: bom\r\n---\r\nx"],
    ["BOM and CRLF", "\uFEFF---\r\nname: bom\r\n---\r\nx"],
    ["mixed line ends", "---\r\nname: bom\n---\r\nx"],
    ["a blank line above", "\n\n---\nname: bom\n---\nx"],
    ["blanks behind the fences", "---  \nname: bom\n---\t\nx"],
    ["a yaml tag", "---yaml\nname: bom\n---\nx"],
  ])("%s hides nothing", (_, text) => {
    const read = readFrontMatter(text);
    expect(read.name).toBe("bom");
    expect(text.slice(read.body)).toBe("x");
  });

  it("two reads of the same broken text are equal and share nothing", () => {
    const text = described("Note: both files have the same bytes");
    const [first, second] = [readFrontMatter(text), readFrontMatter(text)];
    expect(second).toEqual(first);
    expect(second.data).not.toBe(first.data);
  });

  it("of a double key the first one counts, and it is reported", () => {
    const read = readFrontMatter(block("name: dup", "name: dup-two", "description: two names"));
    expect(read).toMatchObject({ name: "dup", description: "two names", problems: ["duplicate-key"], locked: null });
  });

  it.each([
    ["no block", "Just text.\n"],
    ["a longer rule", "----\nname: x\n----\n"],
    ["a rule across the page below a blank line", "\n---\nSome words\n---\n"],
  ])("%s is a body, not front matter", (_, text) => {
    expect(readFrontMatter(text)).toMatchObject({ block: null, body: 0, problems: ["no-front-matter"], locked: null });
  });
});

describe("front matter that memd must not touch", () => {
  const canary = globalThis as { memdCanary?: number };
  afterEach(() => {
    delete canary.memdCanary;
  });

  it.each(["js", "javascript", " js ", "JS", "JavaScript", "coffee", "coffeescript", "cson"])(
    "---%s is never run",
    (tag) => {
      const text = `---${tag}\n{ name: (globalThis.memdCanary = 1, "code") }\n---\n\nbody\n`;
      expect(readFrontMatter(text)).toMatchObject({ name: null, locked: "executable-front-matter" });
      expect(editFrontMatter(text, { name: "y" })).toBeNull();
      expect(canary.memdCanary).toBeUndefined();
    },
  );

  it.each([
    ["json", '---json\n{"name":"x"}\n---\n', "foreign-front-matter"],
    ["an engine from the prototype", "---constructor\nname: x\n---\n", "foreign-front-matter"],
    ["a list", "---\n- not\n- a\n- mapping\n---\n\nText", "not-a-map"],
    ["a scalar", "---\njust words\n---\n\nText", "not-a-map"],
    ["no end", "---\nname: open\ndescription: never closes\n\nBody\n", "unclosed-front-matter"],
    ["more than 8 KB", `---\nname: x\nnote: ${"y".repeat(9000)}\n---\n`, "front-matter-too-large"],
  ])("%s", (_, text, word) => {
    expect(readFrontMatter(text)).toMatchObject({ locked: word, problems: [word] });
    expect(editFrontMatter(text, { name: "y" })).toBeNull();
  });

  it("a block without an end still tells its name", () => {
    expect(readFrontMatter("---\nname: open\ntype: user\n\nBody\n")).toMatchObject({ name: "open", type: "user" });
  });

  it.each([
    ["alias bomb", "a: &a [x, x]\nb: &b [*a, *a]\nname: safe"],
    ["merge key", "base: &b {type: user}\n<<: *b\nname: safe"],
    ["a tag that asks for code", "f: !!js/function 'function () {}'\nname: safe"],
    ["deep nesting", `name: safe\nx: ${"[".repeat(8000)}`],
    ["deep nesting of lists", `name: safe\nx:\n  ${"- ".repeat(4000)}y`],
  ])("%s is read as text", (_, yaml) => {
    const read = readFrontMatter(`---\n${yaml}\n---\n`);
    expect(read.name).toBe("safe");
    expect(read.type).toBeNull();
  });

  it("keys of the prototype are keys like others", () => {
    const read = readFrontMatter(
      block("__proto__:", "  type: user", "  polluted: yes", "constructor: x", "name: safe"),
    );
    expect(read.name).toBe("safe");
    expect(read.type).toBeNull();
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(read.data)).toBeNull();
  });
});

describe("editing front matter", () => {
  const rich = [
    "---",
    "name: extra",
    "description: has keys memd does not know # part of it",
    "type: project   # chosen by ana",
    "pinned: true",
    'tags: [infra, "c#"]',
    "x-team: {lead: ana, size: 4}",
    "standup: 14:30",
    "sha: 1e10",
    "owner: null",
    "list:",
    "- one",
    "- two",
    "# a comment a person wrote",
    "---",
    "",
    "x",
    "",
  ].join("\n");

  it("changes one value and no other byte", () => {
    const after = editFrontMatter(rich, { description: 'New: "words" # all' });
    expect(after).toBe(rich.replace(/description: .*/, 'description: "New: \\"words\\" # all"'));
  });

  it("keeps the comment behind a value that cannot hold one", () => {
    expect(editFrontMatter(rich, { type: "user" })).toBe(rich.replace("type: project   #", "type: user   #"));
  });

  it("adds a missing key at the end of its map, before nothing else moves", () => {
    const nested = block("name: n", "metadata: ", "  node_type: memory", "  type: user", "after: 1");
    expect(editFrontMatter(nested, { "metadata.modified": "2026-11-30T10:00:00.000Z" })).toBe(
      nested.replace("  type: user\n", '  type: user\n  modified: "2026-11-30T10:00:00.000Z"\n'),
    );
    expect(editFrontMatter(block("name: n"), { modified: "2026-11-30" })).toBe(
      block("name: n", 'modified: "2026-11-30"'),
    );
    expect(editFrontMatter(block("name: n"), { "metadata.modified": "2026-11-30" })).toBe(
      block("name: n", "metadata:", '  modified: "2026-11-30"'),
    );
  });

  it("keeps CRLF and BOM", () => {
    const text = "\uFEFF---\r\nname: x\r\ntype: user\r\n---\r\n\r\nBody\r\n";
    expect(editFrontMatter(text, { name: "y", modified: "2026-11-30" })).toBe(
      '\uFEFF---\r\nname: "y"\r\ntype: user\r\nmodified: "2026-11-30"\r\n---\r\n\r\nBody\r\n',
    );
  });

  it("edits beside a line that YAML refuses and leaves that line alone", () => {
    const text = block("name: x", "description: Rule: run the tests", "modified: 2026-01-01");
    expect(editFrontMatter(text, { modified: "2026-11-30" })).toBe(text.replace("2026-01-01", '"2026-11-30"'));
  });

  it("replaces a value over several lines as a whole", () => {
    const text = block("name: x", "description: >-", "  folded", "  text", "type: user");
    expect(editFrontMatter(text, { description: "short" })).toBe(
      block("name: x", 'description: "short"', "type: user"),
    );
  });

  it.each([
    ["the key stands twice", block("name: a", "name: b"), { name: "c" }],
    ["a map stands where a value should", block("name:", "  first: x"), { name: "c" }],
    ["the map is written in braces", block("metadata: {type: user}"), { "metadata.modified": "2026-11-30" }],
    ["there is no block", "Body\n", { name: "c" }],
  ])("gives up when %s", (_, text, edits) => {
    expect(editFrontMatter(text, edits)).toBeNull();
  });

  it("whatever is written reads back the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (value) => {
        fc.pre(value.trim() !== "");
        const after = editFrontMatter(rich, { description: value });
        expect(after).not.toBeNull();
        const read = readFrontMatter(after ?? "");
        expect(read.data.description).toBe(value);
        expect(after?.replace(/description: .*/, "")).toBe(rich.replace(/description: .*/, ""));
      }),
    );
  });

  it("never throws and never damages, whatever the block holds", () => {
    const line = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "name: x",
        "metadata:",
        "  type: user",
        "- a",
        "# c",
        "modified: 1",
        "---x",
        "a: |",
        "  b",
        "? [",
        "'",
        "<<: *a",
      ),
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom("\n", "\r\n"), (lines, eol) => {
        const text = ["---", ...lines, "---", "Body", ""].join(eol);
        const after = editFrontMatter(text, { modified: "2026-11-30" });
        if (after === null) return;
        expect(readFrontMatter(after).modified ?? "2026-11-30").toBeTypeOf("string");
        expect(after.slice(readFrontMatter(after).body)).toBe(text.slice(readFrontMatter(text).body));
      }),
    );
  });
});

describe("front matter that memd creates", () => {
  it("is quoted, nested, and reads back", () => {
    const parts = {
      name: "upload-limits",
      description: "Limits: read when # uploads fail",
      type: "project",
      created: "2026-11-30T10:00:00.000Z",
      modified: "2026-11-30T10:00:00.000Z",
    } as const;
    const text = newFrontMatter(parts);
    expect(text).toBe(
      [
        "---",
        'name: "upload-limits"',
        'description: "Limits: read when # uploads fail"',
        "metadata:",
        "  node_type: memory",
        "  type: project",
        '  created: "2026-11-30T10:00:00.000Z"',
        '  modified: "2026-11-30T10:00:00.000Z"',
        "---",
        "",
      ].join("\n"),
    );
    expect(readFrontMatter(text)).toMatchObject({ ...parts, problems: [], locked: null, body: text.length });
  });
});
