import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../src/base/ids.ts";
import { editPins } from "../../src/memory/pin.ts";
import { topicOf } from "../../src/memory/topic.ts";
import { chooseEntries, pinEntries } from "../../src/steps/pin.ts";
import { chooseUndo, undoRun } from "../../src/steps/undo.ts";
import { readMemory } from "../../src/store/read.ts";
import { DAY, type Home, makeHome, START, talk } from "../support/home.ts";
import { inWorld, statements } from "./world.ts";

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

const mark = (words: string, { pinned = true, all = false } = {}) => {
  home.clock.move(60_000);
  return inWorld(home, async (world) => {
    const [named] = chooseEntries([{ world, snapshot: readMemory(world.files, home.memory) }], { words, all });
    if (!named) throw new Error("no entry");
    const done = await pinEntries(named, pinned);
    if ("held" in done) throw new Error(done.held);
    return done;
  });
};

const LIMITS =
  "---\nname: limits\ndescription: size limits\ntype: project\n---\n\n- Queue limit is 300 jobs (2026-01-10).\n- Worker limit is 12 (2026-01-10).\n";
const CORRECTION = "Correction: the queue limit is 500 jobs, not 300 jobs. Please fix your notes.";

describe("a pinned entry", () => {
  it("is changed by no dream, until it is unpinned", async () => {
    home.topic("limits.md", LIMITS);
    expect(await mark("queue 300")).toMatchObject({
      entries: 1,
      files: { created: [], updated: ["limits.md"], archived: [] },
      conflicts: [],
    });
    expect(home.read("limits.md")).toBe(LIMITS.replace("(2026-01-10).\n- Worker", "(2026-01-10). [pinned]\n- Worker"));
    home.session("a", talk([CORRECTION], START - DAY));
    const { report } = await home.dream();
    expect(home.read("limits.md")).toContain("300 jobs");
    expect(report.operations.rejected.map(({ rule }) => rule)).toContain("pinned");
    await mark("queue 300", { pinned: false });
    home.clock.move(DAY);
    home.session("b", talk([CORRECTION], home.clock.now()));
    await home.dream();
    expect(home.read("limits.md")).toContain("500 jobs");
  });

  it("can be unpinned by undoing the pin, byte for byte", async () => {
    home.topic("limits.md", LIMITS);
    const { run } = await mark("worker");
    await inWorld(home, async (world) => undoRun(world, { ...chooseUndo([world], run ?? ""), force: false }));
    expect(home.read("limits.md")).toBe(LIMITS);
  });

  it("keeps its evidence, and its form when memd wrote it", async () => {
    home.session("a", talk(["Bugs are tracked in the Linear project ORBIT."], START - DAY));
    await home.dream();
    const before = statements(home);
    await mark("ORBIT");
    const { tree } = readMemory(home.world().files, home.memory);
    expect(tree.topics.flatMap((topic) => topic.entries).map(({ ours, pinned }) => ({ ours, pinned }))).toEqual([
      { ours: true, pinned: true },
    ]);
    expect(statements(home)).toEqual(before);
    expect(tree.topics.flatMap((topic) => topic.entries)[0]?.raw).toMatch(/ \[pinned\] \[created: /);
  });

  it("changes nothing when it was pinned already, and writes no run", async () => {
    home.topic("limits.md", LIMITS);
    await mark("worker");
    const before = sha256(readFileSync(`${home.memory}/limits.md`));
    expect(await mark("worker")).toMatchObject({ run: null, entries: 0 });
    expect(sha256(readFileSync(`${home.memory}/limits.md`))).toBe(before);
  });

  it("must be named closely: more than one match is listed and nothing is changed, unless all are meant", async () => {
    home.topic("limits.md", LIMITS);
    await expect(mark("limit")).rejects.toMatchObject({
      code: "ambiguous-entry",
      message: expect.stringContaining("Worker limit is 12"),
    });
    await expect(mark("nothing like it")).rejects.toMatchObject({ code: "no-such-entry" });
    expect(home.read("limits.md")).toBe(LIMITS);
    expect(await mark("limit", { all: true })).toMatchObject({ entries: 2 });
    expect(home.read("limits.md").match(/\[pinned\]/g)).toHaveLength(2);
  });

  it("in a file that cannot be written is refused by name", async () => {
    home.topic("odd.md", "---js\nmodule.exports = 1\n---\n\n- A standing fact.\n");
    expect(await mark("standing fact")).toMatchObject({
      run: null,
      entries: 0,
      conflicts: [{ file: "odd.md", reason: "not-writable" }],
    });
  });
});

describe("the mark", () => {
  const FRONT = "---\nname: x\n---\n\n# X\n\n";
  it.each([
    ["a plain item", "* staging sleeps at night", "* staging sleeps at night [pinned]"],
    ["an item with a child", "- staging sleeps\n  - at night", "- staging sleeps [pinned]\n  - at night"],
    ["a wrapped item", "- staging sleeps\n  at night", "- staging sleeps\n  at night [pinned]"],
    [
      "an item with a reason",
      "- staging sleeps  \n  Why: it is cheap",
      "- staging sleeps [pinned]  \n  Why: it is cheap",
    ],
    ["a dated item", "- staging sleeps [created: 2026-01-01]", "- staging sleeps [pinned] [created: 2026-01-01]"],
    ["CRLF", "* staging sleeps\r\n* other", "* staging sleeps [pinned]\r\n* other"],
    ["Chinese", "1. 预发环境晚上休眠。", "1. 预发环境晚上休眠。 [pinned]"],
    ["a paragraph", "Staging sleeps\nat night.", "Staging sleeps\nat night. [pinned]"],
  ])("on %s touches no other byte, and comes off again", (_, before, after) => {
    const topic = topicOf("x.md", `${FRONT}${before}\n`);
    const [entry] = topic.entries;
    const pinned = editPins(topic, new Set([entry?.id ?? ""]), true);
    expect(pinned?.text).toBe(`${FRONT}${after}\n`);
    const again = topicOf("x.md", pinned?.text ?? "");
    expect(again.entries[0]?.pinned).toBe(true);
    expect(again.entries[0]?.id).toBe(entry?.id);
    expect(editPins(again, new Set([entry?.id ?? ""]), false)?.text).toBe(topic.text);
  });
});
