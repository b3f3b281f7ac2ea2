import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderEntry } from "../../src/memory/entry.ts";
import { editTopic, newTopic, parseTopic, sizeOf, type TopicEdit, titleOf, topicOf } from "../../src/memory/topic.ts";

const NOW = "2026-11-30T10:00:00.000Z";
const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => topicOf("t.md", text);
const edited = (text: string, ...edits: TopicEdit[]) => editTopic(read(text), edits, { now: NOW });
const idOf = (text: string, at: number) => read(text).entries[at]?.id ?? "";

const flat = "---\nname: t\ndescription: d\ntype: project\n---\n\n";

describe("files that memd cannot write are reported, never a crash", () => {
  const utf16 = (text: string) => new Uint8Array([0xff, 0xfe, ...Buffer.from(text, "utf16le")]);
  it.each([
    ["zero bytes", bytes(""), "empty"],
    ["blanks only", bytes("   \n\n"), "empty"],
    ["a lone BOM", bytes("\uFEFF"), "empty"],
    ["UTF-16", utf16("---\nname: x\n---\n"), "utf-16"],
    ["UTF-16 without a mark", new Uint8Array(Buffer.from("---\nname", "utf16le")), "utf-16"],
    ["NULs", bytes("a\0b\0\0c"), "binary"],
    ["Latin-1", new Uint8Array([0x63, 0x61, 0x66, 0xe9]), "not-utf-8"],
    ["a dump", new Uint8Array(300_000).fill(0x61), "too-large"],
    ["no permission", null, "unreadable"],
    ["code", bytes("---js\n{}\n---\n"), "executable-front-matter"],
  ])("%s", (_, data, word) => {
    const topic = parseTopic("t.md", data);
    expect(topic).toMatchObject({ slug: "t", locked: word, problems: [word] });
    expect(editTopic(topic, [{ edit: "append", entry: "- x" }], { now: NOW })).toBeNull();
  });

  it("never throws on any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
        expect(parseTopic("t.md", data).file).toBe("t.md");
      }),
    );
  });
});

describe("adding an entry", () => {
  it.each([
    ["to a list", `${flat}- a\n- b\n`, `- a\n- b\n- new\n`],
    ["below a paragraph", `${flat}Body.\n`, `Body.\n\n- new\n`],
    ["to a list without a last line end", `${flat}- a`, `- a\n- new\n`],
    ["to an empty body", flat.trimEnd(), `\n- new\n`],
    ["above trailing blank lines", `${flat}- a\n\n\n`, `- a\n- new\n\n\n`],
    ["in front of a closing comment", `${flat}- a\n\n<!-- end -->\n`, `- a\n- new\n\n<!-- end -->\n`],
  ])("%s", (_, text, body) => {
    const result = edited(text, { edit: "append", entry: "- new" });
    expect(result?.endsWith(body)).toBe(true);
    expect(result).toContain(`type: project\nmodified: "${NOW}"\n---\n`);
  });

  it("keeps BOM and CRLF", () => {
    const text = "\uFEFF---\r\nname: x\r\nmodified: 2026-01-01\r\n---\r\n\r\nLine one.\r\nLine two.\r\n";
    expect(edited(text, { edit: "append", entry: "- a\n  Why: b" })).toBe(
      `${text.replace("2026-01-01", `"${NOW}"`)}\r\n- a\r\n  Why: b\r\n`,
    );
  });

  it("leaves a file without front matter without front matter", () => {
    expect(edited("- a\n", { edit: "append", entry: "- b" })).toBe("- a\n- b\n");
  });

  it("updates the nested time where the file has metadata", () => {
    const text = "---\nname: n\nmetadata: \n  type: user\n  modified: 2026-08-04T16:04:24.602Z\n---\n\n- a\n";
    expect(edited(text, { edit: "append", entry: "- b" })).toBe(
      text.replace("2026-08-04T16:04:24.602Z", `"${NOW}"`).replace("- a\n", "- a\n- b\n"),
    );
  });

  it("updates the time wherever the file tells it, and nowhere when there is no line for it", () => {
    const both = "---\nmodified: 2026-01-01\nmetadata:\n  modified: 2026-01-02\n---\n- a\n";
    expect(edited(both, { edit: "append", entry: "- b" })).toBe(
      `---\nmodified: "${NOW}"\nmetadata:\n  modified: "${NOW}"\n---\n- a\n- b\n`,
    );
    const braces = "---\nmetadata: {type: user}\n---\n- a\n";
    expect(edited(braces, { edit: "append", entry: "- b" })).toBe(`${braces}- b\n`);
    const timed = "---\nmetadata: {modified: 2026-01-01}\n---\n- a\n";
    expect(edited(timed, { edit: "append", entry: "- b" })).toBeNull();
  });

  it("keeps all values that YAML would change", () => {
    const head =
      "---\nname: 0123\ndescription: 1.10 # x\ncreated: 2026-01-15\nstandup: 14:30\nsha: 1e10\nactive: yes\n# hi\n";
    expect(edited(`${head}---\n\nx\n`, { edit: "append", entry: "- b" })).toBe(
      `${head.replace("# hi\n", `# hi\nmodified: "${NOW}"\n`)}---\n\nx\n\n- b\n`,
    );
  });

  it.each([
    ["a fence stays open at the end", `${flat}\`\`\`\n- a\n`, "- new"],
    ["the entry would be two", flat, "- one\n- two"],
    ["the entry opens a fence", flat, "- ```js"],
    ["the entry is a heading", flat, "# x"],
    ["the entry is empty", flat, ""],
  ])("gives up when %s", (_, text, entry) => {
    const followed = entry === "- ```js" ? [{ edit: "append", entry: "- next" } as const] : [];
    expect(edited(text, { edit: "append", entry }, ...followed)).toBeNull();
  });
});

describe("changing and removing entries", () => {
  const text = `${flat}# T\n\n- a\n  - child\n- b\n\nWords.\n\nMore words.\n`;

  it("replaces a block and nothing else", () => {
    const result = edited(text, { edit: "replace", id: idOf(text, 0), entry: "- z" });
    expect(result).toBe(text.replace("- a\n  - child", "- z").replace("project\n", `project\nmodified: "${NOW}"\n`));
  });

  it.each([
    [0, "# T\n\n- b\n\nWords.\n\nMore words.\n"],
    [1, "# T\n\n- a\n  - child\n\nWords.\n\nMore words.\n"],
    [2, "# T\n\n- a\n  - child\n- b\n\nMore words.\n"],
    [3, "# T\n\n- a\n  - child\n- b\n\nWords.\n\n"],
  ])("removes entry %i with its line", (at, body) => {
    expect(edited(text, { edit: "remove", id: idOf(text, at) })?.endsWith(`---\n\n${body}`)).toBe(true);
  });

  it("does several things at once", () => {
    const result = edited(
      text,
      { edit: "remove", id: idOf(text, 0) },
      { edit: "replace", id: idOf(text, 1), entry: "- B" },
      { edit: "append", entry: "- c" },
      { edit: "describe", description: "when: it rains" },
    );
    expect(result).toBe(
      `---\nname: t\ndescription: "when: it rains"\ntype: project\nmodified: "${NOW}"\n---\n\n# T\n\n- B\n\nWords.\n\nMore words.\n\n- c\n`,
    );
  });

  it("puts a new entry in the place of the last one when that goes", () => {
    const list = `${flat}- a\n- b\n`;
    const swap = edited(list, { edit: "remove", id: idOf(list, 1) }, { edit: "append", entry: "- c\n  Why: d" });
    expect(swap?.endsWith("- a\n- c\n  Why: d\n")).toBe(true);
    const all = edited(
      list,
      { edit: "remove", id: idOf(list, 0) },
      { edit: "remove", id: idOf(list, 1) },
      { edit: "append", entry: "- c" },
    );
    expect(all?.endsWith("---\n\n- c\n")).toBe(true);
  });

  it("tells an unknown entry by null", () => {
    expect(edited(text, { edit: "remove", id: "t#00000000" })).toBeNull();
  });

  it("gives the same text when nothing changes", () => {
    expect(edited(text)).toBe(text);
    expect(edited(text, { edit: "describe", description: "d" })).toBe(text);
    expect(edited(text, { edit: "replace", id: idOf(text, 1), entry: "- b" })).toBe(text);
  });

  it("touches no byte outside of the edit, for any body", () => {
    const piece = fc.constantFrom(
      "- a",
      "- b",
      "  - c",
      "text",
      "",
      "# h",
      "```",
      "---",
      "| x |",
      "Why: y",
      "1. z",
      "<!-- x -->",
    );
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom("\n", "\r\n"), fc.nat(), (pieces, eol, pick) => {
        const file = flat.replaceAll("\n", eol) + pieces.join(eol);
        const topic = read(file);
        const entry = topic.entries[pick % Math.max(1, topic.entries.length)];
        if (!entry) return;
        const result = editTopic(topic, [{ edit: "replace", id: entry.id, entry: "- new fact" }], { now: NOW });
        if (result === null) return;
        const added = `modified: "${NOW}"${eol}`;
        const plain = `${file.slice(0, entry.start)}- new fact${file.slice(entry.end)}`;
        expect(result.replace(added, "")).toBe(plain);
      }),
    );
  });

  it("adding and removing an entry leaves the body as it was", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("- a", "- b", "  - c", "", "# h")), (pieces) => {
        const file = `${flat}${pieces.join("\n")}\n- last\n`;
        const added = editTopic(read(file), [{ edit: "append", entry: "- new" }], { now: NOW }) ?? "";
        const again = read(added);
        const removed = editTopic(again, [{ edit: "remove", id: again.entries.at(-1)?.id ?? "" }], { now: NOW }) ?? "";
        expect(removed.replace(`modified: "${NOW}"\n`, "")).toBe(file);
      }),
    );
  });
});

describe("a new topic", () => {
  const parts = {
    slug: "upload-limits",
    type: "project",
    title: "Upload limits",
    description: "Read when: uploads fail",
    createdAt: NOW,
  } as const;

  it("reads back as it was made", () => {
    const text = newTopic(parts, [renderEntry({ statement: "Limit is 25 MB.", created: "2026-11-30" })]);
    const topic = topicOf("upload-limits.md", text);
    expect(text.endsWith("---\n\n# Upload limits\n\n- Limit is 25 MB. [created: 2026-11-30]\n")).toBe(true);
    expect(topic).toMatchObject({
      name: "upload-limits",
      type: "project",
      description: parts.description,
      problems: [],
      locked: null,
    });
    expect(topic.entries.map((e) => e.statement)).toEqual(["Limit is 25 MB."]);
    expect(titleOf(topic)).toBe("Upload limits");
  });

  it("takes entries later", () => {
    const topic = topicOf("upload-limits.md", newTopic(parts, []));
    expect(
      editTopic(topic, [{ edit: "append", entry: "- a" }], { now: NOW })?.endsWith("# Upload limits\n\n- a\n"),
    ).toBe(true);
  });
});

describe("what budgets count", () => {
  it.each([
    ["", { bytes: 0, lines: 0 }],
    ["a\n", { bytes: 2, lines: 1 }],
    ["名\n名", { bytes: 7, lines: 2 }],
  ])("%j", (text, size) => {
    expect(sizeOf(text)).toEqual(size);
  });
});

describe("titles", () => {
  it("come from the heading, else from the name", () => {
    expect(titleOf(topicOf("a-b.md", "x"))).toBe("A b");
    expect(titleOf(topicOf("a-b.md", "words\n\n# 数据库 C#\n"))).toBe("数据库 C#");
    expect(titleOf(topicOf("a-b.md", "```\n# code\n```\n"))).toBe("A b");
  });
});
