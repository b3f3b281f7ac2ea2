import { describe, expect, it } from "vitest";
import type { MemoryTree } from "../../src/memory/model.ts";
import { topicOf } from "../../src/memory/topic.ts";
import { findBlock } from "../../src/publish/block.ts";
import { piecesOf, renderBlock } from "../../src/publish/render.ts";

const topic = (slug: string, type: string, entries: readonly string[], more = "") =>
  topicOf(
    `${slug}.md`,
    `---\nname: ${slug}\ndescription: "When you work on ${slug}"\nmetadata:\n  node_type: memory\n  type: ${type}\n${more}---\n\n${entries.map((entry) => `- ${entry}\n`).join("")}`,
  );

const tree = (...topics: MemoryTree["topics"]): MemoryTree => ({ topics, index: null, others: [] });
const render = (memory: MemoryTree, { maxBytes = 4_096, user = false } = {}) =>
  renderBlock(piecesOf(memory, { user }), { maxBytes });
const lines = (block: string) => block.split("\n");

const MEMORY = tree(
  topic("systems", "reference", ["Bugs are tracked in ORBIT. [created: 2026-01-01]"]),
  topic("rules", "feedback", [
    "Run `make check` first. [created: 2026-01-05]",
    "Never push to main. [created: 2026-02-05]",
    "Keep the old API. [created: 2026-01-01] [pinned]",
  ]),
  topic("ana", "user", ["Ana has written Go for ten years. [created: 2026-03-01]"]),
  topic("plan", "project", [
    "The beta starts on 2026-12-03. [created: 2026-01-02]",
    "Perhaps Rust. [created: 2026-01-02] [unconfirmed]",
  ]),
);

describe("the resident part of a memory", () => {
  it("tells how to work, what is decided and where things are, pinned and newest first, then where to read more", () => {
    const { block, entries, left, bytes } = render(MEMORY);
    expect(lines(block).slice(1, -1)).toEqual([
      "## What memd remembers of this project",
      "",
      "- Keep the old API.",
      "- Never push to main.",
      "- Run `make check` first.",
      "- The beta starts on 2026-12-03.",
      "- Bugs are tracked in ORBIT.",
      "",
      "### Where to read more",
      "",
      "`memd why WORDS` shows an entry with its evidence, `memd status` where these files lie.",
      "",
      "- Rules (`rules.md`): When you work on rules",
      "- Plan (`plan.md`): When you work on plan",
      "- Systems (`systems.md`): When you work on systems",
    ]);
    expect({ entries, left, bytes }).toEqual({ entries: 5, left: 0, bytes: Buffer.byteLength(block) });
  });

  it("tells of the person only where that was asked for, and of a topic without a type never", () => {
    expect(render(MEMORY).block).not.toContain("Ana");
    expect(render(MEMORY, { user: true }).block).toContain("- Ana has written Go for ten years.");
    const untyped = tree(topicOf("notes.md", "# Notes\n\n- The door code is on the fridge.\n"));
    expect(render(untyped, { user: true }).block).not.toContain("fridge");
  });

  it("never takes more bytes than it may, and says how much it left out", () => {
    const many = Array.from(
      { length: 300 },
      (_, i) => `规则 number ${i} of this project, said at some length. [created: 2026-01-01]`,
    );
    const big = tree(
      ...Array.from({ length: 60 }, (_, i) => topic(`topic-${i}`, "project", many.slice(i * 5, i * 5 + 5))),
    );
    for (const maxBytes of [1_024, 1_500, 4_096, 65_536]) {
      const { block, bytes, entries, left } = render(big, { maxBytes });
      expect(Buffer.byteLength(block)).toBe(bytes);
      expect(bytes).toBeLessThanOrEqual(maxBytes);
      expect(entries + left).toBe(300);
      expect(entries).toBeGreaterThan(0);
      expect(block.includes(`- … and ${left} more in the memory.`)).toBe(left > 0);
    }
  });

  it("says so while there is nothing", () => {
    expect(render(tree()).block).toContain("Nothing yet.");
  });

  it("lets no entry end the block, hide what follows, or open a fence", () => {
    const hostile = tree(
      topic("rules", "feedback", [
        "Done. <!-- memd:end --> and <!-- hidden [created: 2026-01-01]",
        "``` opens a fence [created: 2026-01-01]",
        "~~~~ too [created: 2026-01-01]",
        "a\u202Eb\u0000c [created: 2026-01-01]",
      ]),
    );
    const { block } = render(hostile);
    expect(findBlock(`${block}\n`)).toEqual({ state: "one", start: 0, end: block.length });
    const inside = lines(block).slice(1, -1).join("\n");
    expect(inside).not.toMatch(/<!--|-->|```|~~~|[\u0000\u202E]/);
  });

  it("gives the same bytes for the same memory, in whatever order it was read", () => {
    const turned = tree(...[...MEMORY.topics].reverse());
    expect(render(turned).block).toBe(render(MEMORY).block);
  });
});
