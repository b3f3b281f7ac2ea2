import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { emptyBook, loadBook, MAX_SEEN, remember, saveBook, stateOf } from "../../src/sources/cursors.ts";
import { put, tempFolder } from "./world.ts";

describe("the file of cursors", () => {
  it.each([
    ["is not JSON", "{"],
    ["is empty", ""],
    ["is of another kind", "[]"],
    ["is of another version", '{"schema":2,"files":{},"seen":[]}'],
    ["has parts of another kind", '{"schema":1,"files":[],"seen":{}}'],
  ])("starts over, and says so, when it %s", (_why, content) => {
    const read = loadBook(nodeFiles, put(join(tempFolder(), "cursors.json"), content));
    expect(read.book).toEqual(emptyBook());
    expect(read.startedOver).not.toBeNull();
  });

  it("starts over when it is missing", () => {
    expect(loadBook(nodeFiles, join(tempFolder(), "cursors.json")).startedOver).toBe("missing");
  });

  it("loses only the entries that make no sense", () => {
    const good = { cursor: null, ahead: null, turns: 0, cwds: [] };
    const bad = [
      1,
      null,
      {},
      { ...good, cursor: { offset: -1 } },
      { ...good, turns: "3" },
      { ...good, ahead: { groups: 1 } },
      { ...good, cwds: [1] },
    ];
    const files = Object.fromEntries([good, ...bad].map((entry, i) => [`/${i}`, entry]));
    const path = put(join(tempFolder(), "cursors.json"), JSON.stringify({ schema: 1, files, seen: ["a", 2, "b"] }));
    const { book } = loadBook(nodeFiles, path);
    expect([[...book.files], [...book.seen]]).toEqual([[["/0", good]], ["a", "b"]]);
  });

  it("is its owner's alone", () => {
    const path = join(tempFolder(), "state", "cursors.json");
    saveBook(nodeFiles, path, emptyBook(), "t");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("remembers the newest turns, and no more than it may", () => {
    const book = emptyBook();
    remember(
      book,
      Array.from({ length: MAX_SEEN + 5 }, (_, i) => `k${i}`),
    );
    expect([book.seen.size, book.seen.has("k4"), book.seen.has("k5")]).toEqual([MAX_SEEN, false, true]);
  });

  it("makes one state per file", () => {
    const book = emptyBook();
    stateOf(book, "/a").turns = 3;
    expect(stateOf(book, "/a").turns).toBe(3);
  });
});
