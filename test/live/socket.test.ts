import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { ask, askFacts, isAnswering } from "../../src/live/client.ts";
import type { Desk, LiveEvent } from "../../src/live/desk.ts";
import type { LiveFacts } from "../../src/live/facts.ts";
import { follow } from "../../src/live/follow.ts";
import { findSocket, socketPlaces } from "../../src/live/place.ts";
import { type LiveSocket, openSocket } from "../../src/live/server.ts";
import { leaveStale } from "./stale.ts";

let root: string;
const state = () => join(root, "state");
const runtime = () => join(root, "run");
const opened: (LiveSocket | Server | Socket)[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "memd-s-"));
  mkdirSync(runtime());
});
afterEach(async () => {
  for (const one of opened.splice(0)) {
    if ("destroy" in one) one.destroy();
    else await one.close();
  }
  rmSync(root, { recursive: true, force: true });
});

const AT = "2026-11-30T08:00:00.000Z";
const FACTS: LiveFacts = {
  version: "1.2.3",
  pid: 4321,
  since: AT,
  watching: 12,
  dreaming: [{ store: "app", run: "20261130T080000000-abcdef", step: "distill", detail: "3 of 7", since: AT }],
  next: { store: "blog", at: AT, gate: "time" },
  configLoadedAt: AT,
  conditions: [{ code: "config-broken", store: null, message: "m", hint: "h", since: AT }],
};

const DESK: Desk = {
  facts: () => FACTS,
  dream: async ({ stores, now }) => ({ accepted: now ? stores : [], held: now ? [] : stores, refused: [] }),
  reload: async () => ({ outcome: "kept", message: "line 3" }),
};

async function serve(desk: Partial<Desk> = {}, world: { runtime?: string | null } = {}): Promise<LiveSocket> {
  const socket = await openSocket(
    { files: nodeFiles, state: state(), runtime: runtime(), token: "t", ...world },
    { ...DESK, ...desk },
  );
  opened.push(socket);
  return socket;
}

/** A thing on the other side that is no daemon of ours. */
function impostor(path: string, behave: (socket: Socket) => void): Promise<void> {
  const server = createServer((socket) => {
    opened.push(socket);
    socket.on("error", () => socket.destroy());
    behave(socket);
  });
  opened.unshift(server as Server);
  return new Promise((resolve) => server.listen(path, resolve));
}

/** Everything that comes back for these bytes, until the other side ends. */
function say(path: string, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.write(bytes));
    opened.push(socket);
    let told = "";
    socket.on("data", (chunk) => {
      told += chunk.toString();
    });
    socket.on("error", () => resolve(told));
    socket.on("close", () => resolve(told));
  });
}

describe("the daemon's socket", () => {
  it("tells what only the daemon knows, takes dreams and reloads", async () => {
    const { path } = await serve();
    expect(await askFacts(path)).toEqual({ state: "running", facts: FACTS });
    expect(await ask(path, { ask: "dream", stores: ["app"], now: true })).toEqual({
      state: "answered",
      value: { accepted: ["app"], held: [], refused: [] },
    });
    expect(await ask(path, { ask: "reload" })).toEqual({
      state: "answered",
      value: { outcome: "kept", message: "line 3" },
    });
  });

  it("is for its owner alone", async () => {
    chmodSync(runtime(), 0o755);
    mkdirSync(join(runtime(), "memd"), { mode: 0o755 });
    const { path } = await serve();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(runtime(), "memd")).mode & 0o777).toBe(0o700);
    expect(statSync(join(state(), "socket")).mode & 0o777).toBe(0o600);
  });

  it("is found by a client that does not know the runtime directory", async () => {
    expect(findSocket(nodeFiles, state())).toBeNull();
    const { path } = await serve();
    expect(path.startsWith(join(runtime(), "memd"))).toBe(true);
    expect(findSocket(nodeFiles, state())).toBe(path);
  });

  it("lies in the state directory where there is no runtime directory, or it cannot be written", async () => {
    const there = await serve({}, { runtime: null });
    expect(there.path).toBe(join(state(), "memd.sock"));
    await there.close();
    writeFileSync(join(runtime(), "memd"), "a file");
    expect((await serve()).path).toBe(join(state(), "memd.sock"));
  });

  it("goes where its path fits: systems cut it after 103 bytes", async () => {
    const long = join(root, "x".repeat(100));
    expect(socketPlaces(long, null)).toEqual([]);
    expect(socketPlaces(long, "/run/user/1000").map(({ folder }) => folder)).toEqual(["/run/user/1000/memd"]);
    await expect(openSocket({ files: nodeFiles, state: long, runtime: null, token: "t" }, DESK)).rejects.toMatchObject({
      code: "socket-path-too-long",
    });
  });

  it("is another one for another state directory", () => {
    const names = ["/a/state", "/b/state"].map((one) => socketPlaces(one, "/run/user/1000")[0]?.path);
    expect(new Set(names).size).toBe(2);
  });

  it("is gone, with the word of where it was, when the daemon ends", async () => {
    const socket = await serve();
    await socket.close();
    expect([existsSync(socket.path), existsSync(join(state(), "socket"))]).toEqual([false, false]);
    expect(findSocket(nodeFiles, state())).toBeNull();
  });

  it("takes the place of one that a dead daemon left, and of nothing else", async () => {
    const first = await serve({}, { runtime: null });
    await expect(serve({}, { runtime: null })).rejects.toMatchObject({ code: "socket-in-use" });
    expect(await isAnswering(first.path)).toBe(true);
    await first.close();
    writeFileSync(join(state(), "memd.sock"), "precious");
    await expect(serve({}, { runtime: null })).rejects.toMatchObject({ code: "socket-blocked" });
    expect(readFileSync(join(state(), "memd.sock"), "utf8")).toBe("precious");
    rmSync(join(state(), "memd.sock"));
    leaveStale(join(state(), "memd.sock"));
    expect(await askFacts(join(state(), "memd.sock"))).toEqual({ state: "stale" });
    const next = await serve({}, { runtime: null });
    expect(await askFacts(next.path)).toMatchObject({ state: "running" });
  });

  it("tells those who follow, and nobody else", async () => {
    const socket = await serve();
    const stop = new AbortController();
    const seen: LiveEvent[] = [];
    const done = follow(
      socket.path,
      (event) => {
        seen.push(event);
        if (event.event === "following") socket.tell({ event: "dream-step", step: "distill" });
        else stop.abort();
      },
      stop.signal,
    );
    await done;
    expect(seen).toEqual([{ event: "following" }, { event: "dream-step", step: "distill" }]);
    socket.tell({ event: "dream-step", step: "apply" });
    expect(seen).toHaveLength(2);
  });

  it("lets those who follow go when the daemon ends", async () => {
    const socket = await serve();
    const done = follow(
      socket.path,
      ({ event }) => event === "following" && void socket.close(),
      new AbortController().signal,
    );
    await done;
    expect(existsSync(socket.path)).toBe(false);
  });
});

describe("a client that means no good", () => {
  it.each([
    ["no JSON", "hello\n"],
    ["no question", '{"ask":"everything"}\n'],
    ["a list", "[]\n"],
    ["names that are none", '{"ask":"dream","stores":[1]}\n'],
    ["too many names", `${JSON.stringify({ ask: "dream", stores: Array(2_000).fill("x") })}\n`],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00, 0x0a])],
  ])("is refused with one line: %s", async (_, bytes) => {
    const { path } = await serve();
    expect(JSON.parse(await say(path, bytes))).toMatchObject({ ok: false, error: { code: "bad-request" } });
    expect(await askFacts(path)).toMatchObject({ state: "running" });
  });

  it("is let go when it sends more than a question", async () => {
    const { path } = await serve();
    expect(await say(path, "x".repeat(1_000_000))).toBe("");
    expect(await askFacts(path)).toMatchObject({ state: "running" });
  });

  it("does not keep others out for long, however many it is", async () => {
    const { path } = await serve();
    for (let i = 0; i < 40; i++) opened.push(connect(path).on("error", () => undefined));
    for (const socket of opened.splice(1)) if ("destroy" in socket) socket.destroy();
    expect(await askFacts(path, 5_000)).toMatchObject({ state: "running" });
  });

  it("leaves room for questions, however many follow and stay", async () => {
    const { path } = await serve();
    const first = (socket: Socket) =>
      new Promise<string>((resolve) => socket.once("data", (chunk) => resolve(`${chunk}`)));
    const answers: string[] = [];
    for (let i = 0; i < 20; i++) {
      const socket = connect(path, () => socket.write('{"ask":"follow"}\n')).on("error", () => undefined);
      opened.push(socket);
      answers.push(await first(socket));
    }
    expect(answers.filter((line) => line.includes('"following"')).length).toBe(16);
    expect(JSON.parse(answers.at(-1) ?? "")).toMatchObject({ ok: false, error: { code: "too-many" } });
    expect(await askFacts(path)).toMatchObject({ state: "running" });
  });

  it("hears of a fault at the desk as an answer", async () => {
    const { path } = await serve({
      facts: () => {
        throw new Error("broken");
      },
    });
    expect(await askFacts(path)).toEqual({ state: "silent" });
    expect(JSON.parse(await say(path, '{"ask":"status"}\n'))).toMatchObject({ ok: false, error: { code: "bug" } });
  });
});

describe("a daemon that is none", () => {
  const path = () => join(root, "s.sock");

  it.each<[string, (socket: Socket) => void]>([
    ["says nothing", () => undefined],
    ["hangs up", (socket) => socket.destroy()],
    ["talks garbage", (socket) => socket.write("}{\n")],
    ["never ends its line", (socket) => socket.write("x".repeat(100))],
    ["floods", (socket) => socket.write(Buffer.alloc(8_000_000, 0x20))],
    ["answers something else", (socket) => socket.write('{"ok":true,"value":{"pid":"one"}}\n')],
  ])("is told from one within the time a person waits, when it %s", async (_, behave) => {
    await impostor(path(), behave);
    expect(await askFacts(path(), 200, 200)).toEqual({ state: "silent" });
  });

  it("is not taken for one that hangs because it was busy once", async () => {
    let asked = 0;
    await impostor(path(), (socket) => {
      if (++asked > 1) socket.write(`${JSON.stringify({ ok: true, value: FACTS })}\n`);
    });
    expect(await askFacts(path(), 50)).toEqual({ state: "running", facts: FACTS });
  });

  it("is not taken for one where nobody listens, or nothing is", async () => {
    leaveStale(path());
    expect(await askFacts(path())).toEqual({ state: "stale" });
    expect(await askFacts(join(root, "nothing.sock"))).toEqual({ state: "stale" });
    expect(await isAnswering(path())).toBe(false);
  });

  it.each([
    ["a file", () => writeFileSync(join(state(), "memd.sock"), "")],
    ["another path", () => writeFileSync(join(state(), "socket"), "relative.sock\n")],
    ["a device", () => writeFileSync(join(state(), "socket"), "/dev/zero\n")],
    ["much", () => writeFileSync(join(state(), "socket"), `/${"x".repeat(5_000)}.sock`)],
    ["a folder", () => mkdirSync(join(state(), "socket"))],
  ])("is no socket where the word of it names %s", (_, make) => {
    mkdirSync(state());
    make();
    expect(findSocket(nodeFiles, state())).toBeNull();
  });

  it("still gives the parts of an answer that can be read: it may be another version", async () => {
    const value = {
      ...FACTS,
      watching: "many",
      dreaming: [{ store: "app" }, FACTS.dreaming[0]],
      next: 3,
      conditions: {},
    };
    await impostor(path(), (socket) => socket.write(`${JSON.stringify({ ok: true, value })}\n`));
    expect(await askFacts(path())).toEqual({
      state: "running",
      facts: { ...FACTS, watching: 0, next: null, conditions: [] },
    });
  });
});
