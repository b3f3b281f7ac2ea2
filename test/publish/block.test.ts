import { describe, expect, it } from "vitest";
import {
  blockOf,
  blockText,
  findBlock,
  insertBlock,
  removeBlock,
  replaceBlock,
  withoutBlock,
} from "../../src/publish/block.ts";

const BLOCK = blockOf(["## Memory", "", "- One fact."]);
const NEXT = blockOf(["## Memory", "", "- Another fact.", "- And one more."]);

function only(text: string) {
  const found = findBlock(text);
  if (found.state !== "one") throw new Error(JSON.stringify(found));
  return found;
}

const FILES: readonly (readonly [name: string, text: string])[] = [
  ["an ordinary file", "# Rules\n\nUse pnpm.\n"],
  ["one that ends in a blank line", "# Rules\n\n"],
  ["one without a last line end", "# Rules\nUse pnpm."],
  ["an empty one", ""],
  ["Windows line ends", "# Rules\r\n\r\nUse pnpm.\r\n"],
  ["Windows line ends without a last one", "# Rules\r\nUse pnpm."],
  ["a byte order mark", "\uFEFF# Rules\nUse pnpm.\n"],
  ["a byte order mark alone", "\uFEFF"],
  ["blanks at its ends", "  \n# Rules  \n\t\n  "],
  ["a fence that nobody closed", "```\nmake\n"],
  ["a lone carriage return", "a\rb"],
];

describe("a block in a file of others", () => {
  it.each(FILES)("leaves %s as it was, to the byte, when it is put in, renewed and taken out", (_, text) => {
    const put = insertBlock(text, BLOCK);
    expect(put.text.startsWith(text)).toBe(true);
    expect(blockText(put.text, only(put.text))).toBe(BLOCK);
    const renewed = replaceBlock(put.text, only(put.text), NEXT);
    expect(blockText(renewed, only(renewed))).toBe(NEXT);
    expect(replaceBlock(renewed, only(renewed), BLOCK)).toBe(put.text);
    expect(removeBlock(renewed, only(renewed), put.edges)).toBe(text);
  });

  it("takes the file's own line ends, and gives a file without a last one none", () => {
    expect(insertBlock("a\r\nb\r\n", BLOCK).text.replaceAll("\r\n", "")).not.toContain("\n");
    expect(insertBlock("a", BLOCK).text.endsWith("-->")).toBe(true);
  });

  it("stays with words that were written around it later", () => {
    const { text, edges } = insertBlock("# Rules\n", BLOCK);
    const edited = `Read this first.\n${text}\n## More\n`;
    expect(replaceBlock(edited, only(edited), NEXT)).toBe(edited.replace(BLOCK, NEXT));
    expect(removeBlock(edited, only(edited), edges)).toBe("Read this first.\n# Rules\n\n## More\n");
  });

  it("knows a block whose line ends another system has changed, and one of an older wording", () => {
    const windows = insertBlock("# Rules\n", BLOCK).text.replaceAll("\n", "\r\n");
    expect(blockText(windows, only(windows))).toBe(BLOCK);
    expect(findBlock("<!-- memd:begin -->\n- x\n<!-- memd:end -->\n").state).toBe("one");
  });

  const DAMAGED: readonly (readonly [what: string, text: string])[] = [
    ["a mark without its other one", `# Rules\n${BLOCK.replace("<!-- memd:end -->", "")}`],
    ["an end alone", "# Rules\n<!-- memd:end -->\n"],
    ["two blocks", `${BLOCK}\n\n${BLOCK}\n`],
    ["one block inside another", BLOCK.replace("- One fact.", BLOCK)],
    ["marks in the wrong order", "<!-- memd:end -->\n- x\n<!-- memd:begin -->\n"],
    ["a mark among other words", `See ${BLOCK}`],
    ["a mark in a quotation", BLOCK.replaceAll("<!--", "> <!--")],
    ["a mark that was cut", BLOCK.replace("<!-- memd:end -->", "<!-- memd:end")],
    ["words behind a mark", `${BLOCK} and more`],
    ["both marks on one line", "<!-- memd:begin --><!-- memd:end -->"],
  ];

  it.each(DAMAGED)("is damaged by %s", (_, text) => {
    expect(findBlock(text).state).toBe("damaged");
  });

  it("is left out of what the project itself says, damaged or not", () => {
    const { text } = insertBlock("# Rules\n\nUse pnpm.\n", BLOCK);
    expect(withoutBlock(`${text}\nUse node 20.\n`)).toBe("# Rules\n\nUse pnpm.\n\n\n\nUse node 20.\n");
    expect(withoutBlock(`${text}${text}`)).not.toContain("One fact");
    expect(withoutBlock(text.replace("<!-- memd:end -->", ""))).not.toContain("One fact");
    expect(withoutBlock("Use <!-- a note --> pnpm.")).toBe("Use <!-- a note --> pnpm.");
  });

  it("takes no longer for thousands of marks than for a few", () => {
    const many = "<!-- memd:begin ".repeat(20_000);
    expect(findBlock(many).state).toBe("damaged");
    expect(withoutBlock(many)).toBe("");
  });
});
