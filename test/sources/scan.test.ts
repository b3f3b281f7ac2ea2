import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dailyLogSource } from "../../src/sources/daily-log.ts";
import { storeWorld, talk } from "./store-world.ts";
import { conversation, jsonl, put, tempFolder, touch, watchedFiles } from "./world.ts";

const day = (n: number) => Date.UTC(2026, 2, n);

describe("the session gate's scan", () => {
  it("tells seen, counted, unread and dropped sessions apart", async () => {
    const world = storeWorld();
    world.session("-app/a.jsonl", 10, talk("a", ["one"]));
    world.session("-app/b.jsonl", 11, talk("b", ["two"]));
    world.session("-app/c.jsonl", 12, [conversation({ sessionId: "c" }).agent("nobody spoke")]);
    world.session("-app/agent-d.jsonl", 12, talk("d", ["search"], { isSidechain: true }));
    world.session("-app/a/subagents/agent-e.jsonl", 12, talk("e", ["search"], { isSidechain: true }));
    world.session("-app/a.jsonl.bak", 12, talk("a", ["one"]));
    const result = await world.scan();
    expect(result.sessions).toEqual({
      seen: 6,
      counted: 2,
      unread: 2,
      dropped: { subagent: 2, "archived-copy": 1, "no-user-words": 1 },
    });
    expect(result.records).toEqual({ lines: 5, bad: 0, unfinished: 0 });
    expect(result.oldestUnreadAt).toBe(day(10));
    expect(result.notices).toEqual([]);
  });

  it("opens nothing the second time, and of a file that grew reads only what is new", async () => {
    const world = storeWorld();
    const path = world.session("-app/a.jsonl", 10, talk("a", ["one"]));
    world.session("-app/b.jsonl", 11, talk("b", ["two"]));
    const first = await world.scan();
    world.files.reset();
    expect(await world.scan()).toEqual(first);
    expect([world.files.opened, world.files.bytes(), world.files.changes]).toEqual([[], 0, []]);
    const more = jsonl(talk("a2", ["three"]));
    appendFileSync(path, more);
    const third = await world.scan();
    expect(world.files.opened).toEqual([path]);
    expect(world.files.bytes()).toBeLessThanOrEqual(more.length + 4 * 1024);
    expect(third.sessions.counted).toBe(2);
    expect(third.records.lines).toBe(6);
  });

  it("counts by the time of the words, strictly after the stamp; a touched file counts for nothing", async () => {
    const world = storeWorld();
    const said = Date.UTC(2026, 2, 2, 9, 1);
    const path = world.session("-app/a.jsonl", 3, talk("a", ["one"]));
    expect((await world.scan({ since: said - 1 })).sessions.counted).toBe(1);
    expect((await world.scan({ since: said })).sessions).toMatchObject({ counted: 0, unread: 1 });
    await world.dream();
    touch(path, day(20));
    expect((await world.scan({ since: said - 1 })).sessions).toMatchObject({ counted: 0, unread: 0 });
  });

  it("counts a session that never ends once a day, in one look or in many, and only by its new days", async () => {
    const world = storeWorld();
    const made = conversation({ sessionId: "endless" });
    const said = (at: number) => [made.user(`said at ${at}`, { timestamp: new Date(at).toISOString() })];
    const hour = 3_600_000;
    const path = world.session(
      "-app/endless.jsonl",
      2,
      [0, 3, 9].flatMap((n) => said(day(2) + n * hour)),
    );
    expect((await world.scan()).sessions).toMatchObject({ counted: 1, unread: 1 });
    appendFileSync(path, jsonl([...said(day(3) + hour), ...said(day(3) + 20 * hour), ...said(day(5))]));
    expect((await world.scan()).sessions).toMatchObject({ counted: 3, unread: 1 });
    expect((await world.scan({ since: day(3) })).sessions.counted).toBe(2);
    await world.dream();
    appendFileSync(path, jsonl(said(day(5) + hour)));
    expect((await world.scan({ since: day(5) })).sessions).toMatchObject({ counted: 1, unread: 1 });
  });

  it("takes a file that it does not know and that is older than the stamp as unread, without opening it", async () => {
    const world = storeWorld();
    world.session("-app/old.jsonl", 1, talk("old", ["one"]));
    const path = world.session("-app/new.jsonl", 9, talk("new", ["two"], { timestamp: "2026-03-09T00:00:00.000Z" }));
    const result = await world.scan({ since: day(5) });
    expect(world.files.opened).toEqual([path]);
    expect(result.sessions).toMatchObject({ seen: 2, counted: 1, unread: 2 });
    expect(result.oldestUnreadAt).toBe(day(1));
  });

  it("counts no copies: of a moved project, of a resumed session, of a fork but for its new words", async () => {
    const world = storeWorld();
    const original = talk("a", ["one", "two"]);
    world.session("-app/a.jsonl", 10, original);
    world.session("-app-v2/a.jsonl", 11, original);
    const fork = original.map((record) => ({ ...record, sessionId: "f" }));
    world.session("-app/f.jsonl", 12, fork);
    expect((await world.scan()).sessions).toMatchObject({ counted: 1, unread: 1, dropped: { copy: 2 } });
    world.session("-app/f.jsonl", 13, [...fork, ...talk("f2", ["three"])]);
    expect((await world.scan()).sessions).toMatchObject({ counted: 2, unread: 2, dropped: { copy: 1 } });
  });

  it("knows the copies of version 1, which have new ids and new times", async () => {
    const world = storeWorld();
    const original = talk("a", ["one", "two"], { version: "1.0.100" });
    const copy = original.map((record, i) => ({
      ...record,
      uuid: `new-${i}`,
      parentUuid: i ? `new-${i - 1}` : null,
      timestamp: "2026-03-09T00:00:00.000Z",
    }));
    world.session("-app/a.jsonl", 10, original);
    world.session("-app/b.jsonl", 11, [
      ...copy,
      ...talk("b2", ["three"], { version: "1.0.100", timestamp: "2026-03-09T00:00:01.000Z" }),
    ]);
    world.session("-app/c.jsonl", 12, copy);
    const result = await world.scan({ since: Date.UTC(2026, 2, 2, 12) });
    expect(result.sessions).toMatchObject({ counted: 1, unread: 2, dropped: { copy: 1 } });
  });

  it("counts a file from its start when it was replaced, but not the words it knows", async () => {
    const world = storeWorld();
    const records = talk("a", ["one", "two"]);
    const path = world.session("-app/a.jsonl", 10, records);
    await world.dream();
    renameSync(put(`${path}.tmp`, jsonl(records)), path);
    expect((await world.scan()).sessions).toMatchObject({ counted: 0, unread: 0, dropped: { copy: 1 } });
    renameSync(put(`${path}.tmp`, jsonl([...talk("z", ["zero"]), ...records])), path);
    expect((await world.scan()).sessions).toMatchObject({ counted: 1, unread: 1 });
  });

  it("counts a waiting session once more when its file is replaced", async () => {
    const world = storeWorld();
    const path = world.session("-app/a.jsonl", 10, talk("a", ["one"]));
    await world.scan();
    renameSync(put(`${path}.tmp`, jsonl(talk("a", ["one"]))), path);
    expect((await world.scan()).sessions).toMatchObject({ counted: 1, unread: 1 });
  });

  it("survives files that vanish between listing and reading, and forgets them", async () => {
    const world = storeWorld();
    const path = world.session("-app/a.jsonl", 10, talk("a", ["one"]));
    world.session("-app/b.jsonl", 11, talk("b", ["two"]));
    const list = world.source.list;
    const source = {
      ...world.source,
      *list(root: string) {
        yield* list(root);
        rmSync(path, { force: true });
      },
    };
    const result = await world.scan({ sources: [{ source, root: world.root }] });
    expect(result.sessions).toMatchObject({ counted: 1, dropped: { gone: 1 } });
    expect(result.notices).toEqual([]);
    await world.scan();
    expect([...world.book.files.keys()]).toEqual([join(world.root, "-app/b.jsonl")]);
  });

  it("keeps its places when a disk is not there for a while", async () => {
    const world = storeWorld();
    world.session("-app/a.jsonl", 10, talk("a", ["one"]));
    await world.dream();
    renameSync(join(world.root, "-app"), `${world.root}-away`);
    await world.scan();
    renameSync(`${world.root}-away`, join(world.root, "-app"));
    expect((await world.scan()).sessions).toMatchObject({ counted: 0, unread: 0 });
  });

  it("feeds on daily logs too, by the time they were written", async () => {
    const world = storeWorld();
    const source = dailyLogSource(world.files, { localNoon: (y, m, d) => Date.UTC(y, m - 1, d, 12) });
    const root = tempFolder();
    touch(put(join(root, "logs/2026/03/2026-03-08.md"), "- one\n"), day(8) + 20 * 3_600_000);
    const sources = [{ source, root }];
    const since = day(8) + 15 * 3_600_000;
    expect((await world.scan({ sources, since })).sessions).toMatchObject({ seen: 1, counted: 1, unread: 1 });
  });
});

describe("a root that cannot be read", () => {
  it("is an error with a hint, never a count of zero", async () => {
    const root = tempFolder();
    const world = storeWorld(watchedFiles({ verb: "list", path: root, code: "EACCES" }));
    const sources = [{ source: world.source, root }];
    await expect(world.scan({ sources })).rejects.toMatchObject({ code: "no-permission", family: "misconfigured" });
    await expect(world.collect({ sources })).rejects.toMatchObject({ code: "no-permission" });
    const missing = [{ source: world.source, root: join(root, "missing") }];
    await expect(world.scan({ sources: missing })).rejects.toMatchObject({
      code: "no-such-folder",
      family: "misconfigured",
    });
  });

  it("may be missing where the caller says so", async () => {
    const world = storeWorld();
    const sources = [{ source: world.source, root: join(world.root, "missing"), optional: true }];
    expect((await world.scan({ sources })).sessions.seen).toBe(0);
  });

  it("costs only itself when it is one folder or one file below the root", async () => {
    const place = tempFolder();
    for (const refuse of [
      { verb: "list", path: join(place, "-b"), code: "EACCES" },
      { verb: "open", path: join(place, "-b/b.jsonl"), code: "EACCES" },
    ] as const) {
      const world = storeWorld(watchedFiles(refuse));
      put(join(place, "-a/a.jsonl"), jsonl(talk("a", ["one"])));
      put(join(place, "-b/b.jsonl"), jsonl(talk("b", ["two"])));
      const sources = [{ source: world.source, root: place }];
      const result = await world.scan({ sources });
      const code = refuse.verb === "list" ? "unreadable-folder" : "unreadable-file";
      expect(result.sessions).toMatchObject({ counted: 1, dropped: { [code]: 1 } });
      expect(result.notices.map((notice) => notice.code)).toEqual([code]);
      expect(result.notices[0]?.message).toContain(refuse.path);
    }
  });
});

describe("whose words they are", () => {
  const git = (root: string, name: string) => {
    mkdirSync(join(root, name, ".git"), { recursive: true });
    return join(root, name);
  };

  it("counts the store's project only, sub-folders included", async () => {
    const world = storeWorld();
    const home = tempFolder();
    const app = git(home, "app");
    world.session("-x/a.jsonl", 10, talk("a", ["one"], { cwd: app }));
    world.session("-x/b.jsonl", 10, talk("b", ["two"], { cwd: join(app, "packages/web") }));
    world.session("-x/c.jsonl", 10, talk("c", ["three"], { cwd: `${app}-b` }));
    world.session("-x/d.jsonl", 10, talk("d", ["four"], { cwd: undefined }));
    const { sessions } = await world.scan({ project: app });
    expect(sessions).toMatchObject({ counted: 3, dropped: { "other-project": 1 } });
  });

  it("names both projects when they share a folder", async () => {
    const world = storeWorld();
    world.session("-home-sam-a-b/1.jsonl", 10, talk("1", ["one"], { cwd: "/home/sam/a-b" }));
    world.session("-home-sam-a-b/2.jsonl", 10, talk("2", ["two"], { cwd: "/home/sam/a/b" }));
    world.session("-home-sam-c/3.jsonl", 10, talk("3", ["three"], { cwd: "/home/sam/c" }));
    world.session("-home-sam-c/4.jsonl", 10, talk("4", ["four"], { cwd: "/home/sam/c/sub" }));
    const plan = { project: "/home/sam/a-b" };
    const { notices } = await world.scan(plan);
    expect(notices.map(({ code }) => code)).toEqual(["shared-folder"]);
    expect(notices[0]?.message).toMatch(/\/home\/sam\/a-b.*\/home\/sam\/a\/b/);
    expect((await world.collect(plan)).notices).toEqual(notices);
    await world.dream();
    expect((await world.scan(plan)).notices).toEqual(notices);
  });

  it("takes words that name no folder where a person named the folder they lie in, and else for nobody's", async () => {
    const world = storeWorld();
    const project = tempFolder();
    world.session("-app/a.jsonl", 2, talk("a", ["one"], { cwd: undefined }));
    expect((await world.scan({ project })).sessions).toMatchObject({ unread: 1, dropped: {} });
    expect((await world.scan({ project, found: [world.root] })).sessions.dropped).toEqual({ "no-project": 1 });
    expect((await world.collect({ project, found: [world.root] })).words).toEqual([]);
  });

  it("leaves out memd's own runs by session id and by folder, never by their wording", async () => {
    const world = storeWorld();
    const own = tempFolder();
    world.session("-x/a.jsonl", 10, talk("a", ["You are the memory distiller. Read these sessions."]));
    world.session("-x/b.jsonl", 10, talk("b", ["one"]));
    world.session("-x/c.jsonl", 10, talk("c", ["two"], { cwd: join(own, "run") }));
    world.session("-x/d.jsonl", 10, talk("d", ["three"], { cwd: "/home/other/.local/state/memd/run" }));
    const { sessions } = await world.scan({ ownSessions: new Set(["b"]), ownFolders: [own] });
    expect(sessions).toMatchObject({ counted: 1, dropped: { "own-run": 3 } });
  });

  it("leaves out what the user ignores", async () => {
    const world = storeWorld();
    world.session("-x/a.jsonl", 10, talk("a", ["one"]));
    world.session("-x/b.jsonl", 10, talk("b", ["two"], { cwd: "/home/sam/secret/lab" }));
    world.session("-x/c.jsonl", 10, talk("c", ["three"], { cwd: "/home/sam/client" }));
    world.session("-y/d.jsonl", 10, talk("d", ["four"]));
    world.session("-z/e.jsonl", 10, talk("e", ["five"]));
    const ignore = {
      sessions: ["a"],
      paths: ["/home/sam/secret", join(world.root, "-y")],
      projects: ["/home/sam/client"],
    };
    const { sessions, notices } = await world.scan({ ignore });
    expect(sessions).toMatchObject({ counted: 1, dropped: { ignored: 4 } });
    expect(notices.map(({ code }) => code)).not.toContain("most-sessions-dropped");
  });

  it.each([
    ["auto", 2, { headless: 1 }],
    ["include", 3, {}],
    ["ignore", 1, { headless: 2 }],
  ] as const)("treats headless sessions as %s says", async (headless, counted, dropped) => {
    const world = storeWorld();
    world.session("-x/shot.jsonl", 10, talk("shot", ["one"], { entrypoint: "sdk-cli" }));
    world.session("-x/editor.jsonl", 10, talk("editor", ["two", "three"], { entrypoint: "sdk-ts" }));
    world.session("-x/typed.jsonl", 10, talk("typed", ["four"]));
    expect((await world.scan({ headless })).sessions).toMatchObject({ counted, dropped });
  });

  it("says so when most sessions were dropped", async () => {
    const world = storeWorld();
    for (const id of ["a", "b", "c"]) world.session(`-x/${id}.jsonl`, 10, talk(id, ["one"], { entrypoint: "sdk-cli" }));
    world.session("-x/d.jsonl", 10, talk("d", ["two"]));
    const { notices } = await world.scan();
    expect(notices.map(({ code }) => code)).toEqual(["most-sessions-dropped"]);
    expect(notices[0]?.message).toBe("3 of 4 sessions do not count: headless 3");
  });
});

describe("a scan of a large tree", () => {
  it("lets the event loop run", async () => {
    const world = storeWorld();
    for (let i = 0; i < 600; i++) world.session(`-p${i % 20}/s${i}.jsonl`, 10, talk(`s${i}`, [`note ${i}`]));
    let beats = 0;
    const heart = setInterval(() => beats++, 0);
    await world.scan();
    const first = beats;
    await world.scan();
    clearInterval(heart);
    expect(first).toBeGreaterThan(0);
    expect(beats).toBeGreaterThan(first);
  });

  it("stops when it is told to", async () => {
    const world = storeWorld();
    const path = world.session("-x/a.jsonl", 10, talk("a", ["one"]));
    utimesSync(path, 1, 1);
    await expect(world.scan({ signal: AbortSignal.abort() })).rejects.toMatchObject({ family: "interrupted" });
  });
});
