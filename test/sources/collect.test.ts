import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collect } from "../../src/sources/collect.ts";
import { loadBook, saveBook } from "../../src/sources/cursors.ts";
import { everything, storeWorld, talk, turnTexts } from "./store-world.ts";
import { conversation, jsonl, tempFolder } from "./world.ts";

describe("collecting the unread words", () => {
  it("brings the oldest first, and nothing a second time", async () => {
    const world = storeWorld();
    world.session("-x/new.jsonl", 12, talk("new", ["three"]));
    world.session("-x/old.jsonl", 10, talk("old", ["one", "two"]));
    const first = await world.dream();
    expect(turnTexts(first)).toEqual(["one", "two", "three"]);
    expect(first.sessions).toEqual({ seen: 2, read: 2, left: 0, dropped: {} });
    expect(first.records).toEqual({ lines: 6, bad: 0, unfinished: 0 });
    world.files.reset();
    const second = await world.dream();
    expect([turnTexts(second), world.files.opened]).toEqual([[], []]);
  });

  it("changes nothing until it is committed", async () => {
    const world = storeWorld();
    world.session("-x/a.jsonl", 10, talk("a", ["one"]));
    expect(turnTexts(await world.collect())).toEqual(["one"]);
    expect(turnTexts(await world.collect())).toEqual(["one"]);
    expect(world.book.files.size).toBe(0);
  });

  it("brings only what was appended since", async () => {
    const world = storeWorld();
    const made = conversation({ sessionId: "a" });
    const path = world.session("-x/a.jsonl", 10, [made.user("one"), made.agent("ok")]);
    await world.dream();
    appendFileSync(path, jsonl([made.user("two")]));
    world.files.reset();
    const { words } = await world.dream();
    expect(words.flatMap(({ utterances }) => utterances.map(({ text, line }) => [text, line]))).toEqual([["two", 3]]);
    expect(world.files.opened).toEqual([path]);
  });

  it("leaves unread what was not taken, to the byte", async () => {
    const world = storeWorld();
    world.session("-x/a.jsonl", 10, talk("a", ["one", "two", "three"]));
    const partly = await world.dream({}, ({ words }) => {
      const third = words[0]?.utterances.find(({ text }) => text === "two");
      return [{ file: words[0]?.file ?? "", until: third?.offset ?? 0 }];
    });
    expect(turnTexts(partly)).toEqual(["one", "two", "three"]);
    world.files.reset();
    expect((await world.scan()).sessions).toMatchObject({ counted: 1, unread: 1 });
    expect(world.files.opened).toEqual([]);
    const rest = await world.dream();
    expect(rest.words[0]?.utterances.map(({ text, line }) => [text, line])).toEqual([
      ["two", 3],
      ["ok", 4],
      ["three", 5],
      ["ok", 6],
    ]);
    expect((await world.scan()).sessions.unread).toBe(0);
  });

  it("leaves a session unread when nothing of it was taken, or nobody says what was", async () => {
    const world = storeWorld();
    world.session("-x/a.jsonl", 10, talk("a", ["one"]));
    await world.dream({}, ({ words }) => words.map(({ file }) => ({ file, until: 0 })));
    await world.dream({}, () => []);
    expect(turnTexts(await world.dream())).toEqual(["one"]);
  });

  it("opens no further file once enough is gathered; what is left comes next", async () => {
    const world = storeWorld();
    for (let i = 0; i < 5; i++) world.session(`-x/${i}.jsonl`, 10 + i, talk(`${i}`, [`${i} ${"x".repeat(100)}`]));
    const first = await world.dream({ maxChars: 200 });
    expect(first.sessions).toMatchObject({ read: 2, left: 3 });
    expect(world.files.opened).toHaveLength(2);
    const second = await world.dream();
    expect(second.sessions).toMatchObject({ read: 3, left: 0 });
    expect([...turnTexts(first), ...turnTexts(second)].map((text) => text[0])).toEqual(["0", "1", "2", "3", "4"]);
  });

  it("brings a turn once, however many files hold it, with what the agent said before a new one", async () => {
    const world = storeWorld();
    const made = conversation({ sessionId: "a" });
    const original = [
      made.user("one"),
      made.agent("first answer"),
      made.user("two"),
      made.agent("Shall it be one PR?"),
    ];
    world.session("-x/a.jsonl", 10, original);
    world.session("-y/a.jsonl", 11, original);
    world.session(
      "-x/f.jsonl",
      12,
      [...original, made.user("Yes, exactly."), made.agent("Done.")].map((record) => ({ ...record, sessionId: "f" })),
    );
    const { words, sessions } = await world.dream();
    expect(words.map(({ utterances }) => utterances.map(({ text }) => text))).toEqual([
      ["one", "first answer", "two", "Shall it be one PR?"],
      ["Shall it be one PR?", "Yes, exactly.", "Done."],
    ]);
    expect(sessions).toMatchObject({ read: 2, dropped: { copy: 1 } });
    expect(turnTexts(await world.dream())).toEqual([]);
  });

  it("moves past what can never count, and keeps the place before what another plan may take", async () => {
    const world = storeWorld();
    world.session("-x/a.jsonl", 10, [conversation().agent("nobody spoke")]);
    world.session("-x/b.jsonl", 10, talk("b", ["one"], { entrypoint: "sdk-cli" }));
    const first = await world.dream();
    expect(first.sessions).toMatchObject({ read: 0, dropped: { "no-user-words": 1, headless: 1 } });
    world.files.reset();
    expect((await world.dream()).sessions.dropped).toEqual({ headless: 1 });
    expect(world.files.opened).toEqual([]);
    expect(turnTexts(await world.dream({ headless: "include" }))).toEqual(["one"]);
  });

  it("takes a headless session from its first turn on, once it has a second", async () => {
    const world = storeWorld();
    const made = conversation({ sessionId: "a", entrypoint: "sdk-ts" });
    const path = world.session("-x/a.jsonl", 10, [made.user("one")]);
    expect(turnTexts(await world.dream())).toEqual([]);
    appendFileSync(path, jsonl([made.user("two")]));
    expect(turnTexts(await world.dream())).toEqual(["one", "two"]);
    appendFileSync(path, jsonl([made.user("three")]));
    expect((await world.scan()).sessions.counted).toBe(1);
    expect(turnTexts(await world.dream())).toEqual(["three"]);
  });

  it("gives one session per project, also when it moved about inside it", async () => {
    const world = storeWorld();
    const home = tempFolder();
    const made = conversation({ sessionId: "a" });
    const at = (text: string, cwd: string) => made.user(text, { cwd });
    world.session("-x/a.jsonl", 10, [at("one", `${home}/app`), at("two", `${home}/lib`), at("three", `${home}/app`)]);
    const both = await world.collect();
    expect(both.words.map(({ cwd, utterances }) => [cwd, utterances.length])).toEqual([
      [`${home}/app`, 2],
      [`${home}/lib`, 1],
    ]);
    const one = await world.dream({ project: `${home}/app` });
    expect(turnTexts(one)).toEqual(["one", "three"]);
  });

  it("does not bring again what one part of a file gave, when the other part was cut", async () => {
    const world = storeWorld();
    const made = conversation({ sessionId: "a" });
    world.session("-x/a.jsonl", 10, [
      made.user("one", { cwd: "/home/sam/app" }),
      made.user("two", { cwd: "/home/sam/lib" }),
      made.user("three", { cwd: "/home/sam/app" }),
    ]);
    const cut = await world.dream({}, ({ words }) =>
      words.map(({ file }, i) => ({ file, until: i === 0 ? "all" : 0 })),
    );
    expect(turnTexts(cut)).toEqual(["one", "three", "two"]);
    expect(turnTexts(await world.dream())).toEqual(["two"]);
  });

  it("survives a file that vanishes between listing and reading", async () => {
    const world = storeWorld();
    const path = world.session("-x/a.jsonl", 10, talk("a", ["one"]));
    world.session("-x/b.jsonl", 11, talk("b", ["two"]));
    await world.scan();
    const plan = world.plan();
    const gone = { ...plan, progress: () => rmSync(path, { force: true }) };
    const result = await collect(gone);
    expect(turnTexts(result)).toEqual(["two"]);
    expect(result.sessions.dropped).toEqual({ gone: 1 });
  });

  it("reads an unfinished record exactly once", async () => {
    const world = storeWorld();
    const made = conversation({ sessionId: "a" });
    const path = world.session("-x/a.jsonl", 10, [made.user("one")]);
    const line = jsonl([made.user("two")]);
    appendFileSync(path, line.slice(0, 50));
    expect((await world.dream()).records.unfinished).toBe(1);
    appendFileSync(path, line.slice(50));
    expect(turnTexts(await world.dream())).toEqual(["two"]);
    expect(turnTexts(await world.dream())).toEqual([]);
  });
});

describe("the book", () => {
  it("remembers over a restart", async () => {
    const world = storeWorld();
    world.session("-x/a.jsonl", 10, talk("a", ["one"]));
    world.session("-x/b.jsonl", 11, talk("b", ["two"]));
    await world.scan();
    await world.dream({}, (collected) => everything(collected).slice(0, 1));
    const path = join(tempFolder(), "state", "cursors.json");
    saveBook(world.files, path, world.book, "t");
    const read = loadBook(world.files, path);
    expect(read.startedOver).toBeNull();
    expect(read.book).toEqual(world.book);
    expect(turnTexts(await world.collect({ book: read.book }))).toEqual(["two"]);
  });
});
