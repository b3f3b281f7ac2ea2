import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { recordTree } from "../../src/sources/claude-code/tree.ts";
import { claudeCodeSource } from "../../src/sources/claude-code.ts";
import { conversation, type Json, jsonl, put, readAt, tempFolder, turnsOf } from "./world.ts";

const source = claudeCodeSource(nodeFiles);

async function turns(records: readonly Json[]): Promise<string[]> {
  const root = tempFolder();
  put(join(root, "5e55.jsonl"), jsonl(records));
  return turnsOf(await readAt(source, root));
}

describe("words on a branch that the user took back", () => {
  it("are dropped when the message was edited", async () => {
    const talk = conversation();
    const start = [talk.user("Let us pick a cache."), talk.agent("Which one?")];
    const fork = start[1] ?? null;
    const first = [
      talk.user("Use Redis."),
      talk.agent("Redis then."),
      talk.user("And document it."),
      talk.agent("Done."),
    ];
    talk.rewindTo(fork);
    const second = [talk.user("Use Postgres."), talk.agent("Postgres then.")];
    expect(await turns([...start, ...first, ...second])).toEqual(["Let us pick a cache.", "Use Postgres."]);
  });

  it("are dropped when the very first message was edited", async () => {
    const talk = conversation();
    const first = [talk.user("Use Redis."), talk.agent("Redis then.")];
    talk.rewindTo(null);
    expect(await turns([...first, talk.user("Use Postgres."), talk.agent("Ok.")])).toEqual(["Use Postgres."]);
  });

  it("are dropped when a command took their place, and across records that hold no words", async () => {
    const talk = conversation();
    const start = [talk.user("Hello."), talk.agent("Hi."), talk.attachment({ type: "date", value: "x" })];
    const fork = start[2] ?? null;
    const first = [talk.attachment({ type: "environment" }), talk.user("Use Redis."), talk.agent("Ok.")];
    talk.rewindTo(fork);
    const second = [talk.user("<command-name>/plan</command-name>"), talk.agent("Here is a plan.")];
    expect(await turns([...start, ...first, ...second])).toEqual(["Hello."]);
  });

  it("are dropped when the fork lies before what was read earlier", async () => {
    const talk = conversation();
    const old = [talk.user("Hello."), talk.agent("Hi.")];
    const fork = old[1] ?? null;
    const first = [talk.user("Use Redis."), talk.agent("Ok.")];
    talk.rewindTo(fork);
    const root = tempFolder();
    const path = put(join(root, "5e55.jsonl"), jsonl(old));
    const { end } = await readAt(source, root);
    put(path, jsonl([...old, ...first, talk.user("Use Postgres."), talk.agent("Ok.")]));
    expect(turnsOf(await readAt(source, root, end))).toEqual(["Use Postgres."]);
  });
});

describe("words are never dropped", () => {
  it("because lines between them are lost", async () => {
    const talk = conversation();
    const all = [
      talk.user("one"),
      talk.agent("1"),
      talk.user("two"),
      talk.agent("2"),
      talk.user("three"),
      talk.agent("3"),
    ];
    for (let lost = 0; lost < all.length; lost++) {
      const left = all.filter((_, i) => i !== lost);
      const expected = ["one", "two", "three"].filter((_, i) => i * 2 !== lost);
      expect(await turns(left)).toEqual(expected);
    }
  });

  it("because the conversation was compacted", async () => {
    const talk = conversation();
    const before = [talk.user("one"), talk.agent("1")];
    const last = before[1]?.uuid;
    const boundary = talk.record("system", { subtype: "compact_boundary", parentUuid: null, logicalParentUuid: last });
    const summary = talk.user("This session is being continued from…", { isCompactSummary: true });
    expect(await turns([...before, boundary, summary, talk.user("two"), talk.agent("2")])).toEqual(["one", "two"]);
    const orphan = { ...boundary, logicalParentUuid: "gone" };
    expect(await turns([...before, orphan, summary, talk.user("three")])).toEqual(["one", "three"]);
  });

  it("because several tools ran at once", async () => {
    const talk = conversation();
    const ask = talk.user("one");
    const [a, b] = [talk.call("Read", { file_path: "a" }), talk.call("Read", { file_path: "b" })];
    talk.rewindTo(a);
    const resultA = talk.user([{ type: "tool_result", tool_use_id: "x", content: "a" }]);
    talk.rewindTo(b);
    const resultB = talk.user([{ type: "tool_result", tool_use_id: "y", content: "b" }]);
    talk.rewindTo(resultA);
    const stop = talk.user("wait, not b");
    talk.rewindTo(resultB);
    expect(await turns([ask, a, b, resultA, resultB, stop])).toEqual(["one", "wait, not b"]);
  });

  it("because a late answer hangs on an earlier message", async () => {
    const talk = conversation();
    const ask = talk.user("one");
    const failed = talk.agent("", { isApiErrorMessage: true });
    const again = talk.user("try again, and use pnpm");
    talk.rewindTo(ask);
    expect(await turns([ask, failed, again, talk.agent("late answer")])).toEqual(["one", "try again, and use pnpm"]);
  });

  it("because a second terminal wrote into the same session after it", async () => {
    const talk = conversation();
    const ask = talk.user("one");
    const left = talk.user("left");
    talk.rewindTo(ask);
    const right = talk.user("right");
    talk.rewindTo(left);
    expect(await turns([ask, left, right, talk.agent("ok"), talk.user("left again")])).toContain("right");
  });

  it("because parents go round in a circle", async () => {
    const talk = conversation();
    const one = talk.user("one", { uuid: "a", parentUuid: "b" });
    const two = talk.user("two", { uuid: "b", parentUuid: "a" });
    expect(await turns([one, two])).toEqual(["one", "two"]);
  });

  it("because a client used one record id for two texts", async () => {
    const talk = conversation();
    const one = talk.user("one");
    talk.rewindTo(null);
    expect(await turns([one, talk.user("two", { uuid: one.uuid })])).toEqual(["one", "two"]);
  });

  it("because the file has no tree at all", async () => {
    for (const parentUuid of [undefined, null]) {
      const talk = conversation({ parentUuid });
      expect(await turns([talk.user("one"), talk.agent("1"), talk.user("two"), talk.user("three")])).toEqual([
        "one",
        "two",
        "three",
      ]);
    }
  });

  it("because a client wrote another session into the file", async () => {
    const other = conversation({ sessionId: "other" });
    expect(await turns([conversation().user("one"), other.user("two"), other.agent("ok")])).toEqual(["one", "two"]);
  });

  it("because an agent of its own wrote between them", async () => {
    const talk = conversation();
    const inner = conversation({ sessionId: "inner", isSidechain: true });
    expect(
      await turns([talk.user("one"), inner.user("Search."), inner.agent("Found."), talk.agent("ok"), talk.user("two")]),
    ).toEqual(["one", "two"]);
  });
});

describe("the record tree", () => {
  it("holds a hundred thousand records, each found again", () => {
    const tree = recordTree();
    const count = 100_000;
    for (let i = 1; i <= count; i++)
      tree.add({ id: `id-${i}`, parent: i === 1 ? null : `id-${i - 1}`, kind: i % 2 ? "turn" : "message", seq: i });
    const forked = tree.add({ id: "fork", parent: "id-500", kind: "turn", seq: 600.5 });
    tree.add({ id: `id-${count}`, parent: null, kind: "message", seq: count });
    expect(tree.add({ id: "id-77", parent: null, kind: "other", seq: 1 })).toEqual({ node: 76, again: true });
    const withdrawn = tree.withdrawn();
    expect([withdrawn(76), withdrawn(forked.node)]).toEqual([false, false]);
  });
});
