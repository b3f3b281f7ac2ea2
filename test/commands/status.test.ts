/** What `memd status` and `memd events` say, daemon or not, as a user calls them. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import type { LiveFacts } from "../../src/live/facts.ts";
import { pointTo } from "../../src/live/place.ts";
import { type LiveSocket, openSocket } from "../../src/live/server.ts";
import { leaveStale } from "../live/stale.ts";
import { DAY, talk, transcript } from "../support/home.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");

let home: string;
const closing: (() => unknown)[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "memd-st-"));
  mkdirSync(join(home, "sessions"));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(home, { recursive: true, force: true });
});

const state = () => join(home, ".local", "state", "memd");
const env = () => ({ PATH: process.env["PATH"] ?? "", HOME: home, TZ: "UTC" });
const AD_HOC = () => ["--memory", join(home, "memory"), "--sessions", join(home, "sessions")];
const start = (...args: string[]) => {
  const child = spawn(process.execPath, [MEMD, ...args, ...AD_HOC()], { env: env(), cwd: home });
  closing.push(() => child.kill("SIGKILL"));
  return child;
};

function memd(...args: string[]) {
  return spawnSync(process.execPath, [MEMD, ...args, ...AD_HOC()], { env: env(), cwd: home, encoding: "utf8" });
}

/** The daemon lives in this process, so memd must run beside it, not instead of it. */
async function beside(...args: string[]): Promise<string> {
  const child = start(...args);
  let told = "";
  child.stdout.on("data", (chunk) => {
    told += chunk;
  });
  await new Promise((done) => child.once("close", done));
  return told;
}

const say = (name: string, text: string, at = Date.now() - DAY) =>
  writeFileSync(join(home, "sessions", `${name}.jsonl`), transcript(name, talk([text], at)));

const SINCE = new Date(Date.now() - 2 * 3_600_000).toISOString();
const FACTS: LiveFacts = {
  version: "1.2.3",
  pid: 4321,
  since: SINCE,
  watching: 12,
  dreaming: [{ store: "app", run: "r", step: "distill", detail: "3 of 7", since: SINCE }],
  next: { store: "blog", at: SINCE, gate: "time" },
  configLoadedAt: SINCE,
  conditions: [{ code: "config-broken", store: null, message: "line 3 is no YAML", hint: "Mend it.", since: SINCE }],
};

async function daemon(facts: () => LiveFacts = () => FACTS): Promise<LiveSocket> {
  const socket = await openSocket(
    { files: nodeFiles, state: state(), runtime: null, token: "t" },
    {
      facts,
      dream: async () => ({ accepted: [], held: [], refused: [] }),
      reload: async () => ({ outcome: "reloaded", message: "" }),
    },
  );
  closing.push(() => socket.close());
  return socket;
}

/** Lines as they come, until `enough`. */
function until(child: ChildProcess, enough: (lines: readonly string[]) => boolean): Promise<string[]> {
  return new Promise((done) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      const lines = text.split("\n").slice(0, -1);
      if (enough(lines)) done(lines);
    });
  });
}

const ended = (child: ChildProcess) => new Promise<number | null>((done) => child.once("close", done));

describe("memd status", () => {
  it("is the same without a daemon, and says that none runs", () => {
    const { status, stdout } = memd("status");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^daemon {10}not running$/m);
    expect(JSON.parse(memd("status", "--json").stdout).daemon).toEqual({
      running: false,
      pid: null,
      since: null,
      watching: 0,
      version: null,
      configLoadedAt: null,
      dreaming: [],
      next: null,
    });
  });

  it("adds what only the running daemon knows: since when, what it dreams of, what is wrong with it", async () => {
    await daemon();
    const page = await beside("status");
    expect(page).toContain("running for 2 h  pid 4321, 12 folders watched");
    expect(page).toContain("app: distill 3 of 7");
    expect(page).toContain("! line 3 is no YAML  config-broken");
    const { conditions, ...facts } = FACTS;
    const told = JSON.parse(await beside("status", "--json"));
    expect(told.daemon).toEqual({ running: true, ...facts });
    expect(told.conditions).toEqual(conditions);
  });

  it("says so where the daemon was killed, and where it does not answer", async () => {
    mkdirSync(state(), { recursive: true });
    const path = join(state(), "memd.sock");
    leaveStale(path);
    pointTo(nodeFiles, state(), { path, token: "t" });
    const codes = () =>
      JSON.parse(memd("status", "--json").stdout).conditions.map(({ code }: { code: string }) => code);
    expect(codes()).toEqual(["daemon-gone"]);
    rmSync(path);
    // This process listens, and is blocked while memd waits for it: as a daemon whose loop hangs.
    await daemon();
    expect(codes()).toEqual(["daemon-silent"]);
  });

  it("tells apart what was tried, what succeeded and what changed", () => {
    say("a", "Remember: the staging box is called heron.");
    memd("dream", "--now");
    memd("dream", "--now");
    const [store] = JSON.parse(memd("status", "--json").stdout).stores;
    expect(store.lastRun).toMatchObject({ outcome: "unchanged", reason: "nothing-new" });
    expect(store.lastSuccessAt).toBe(store.lastAttemptAt);
    expect(Date.parse(store.lastChangedAt)).toBeLessThan(Date.parse(store.lastSuccessAt));
    expect(memd("status").stdout).toMatch(/last success .* memory last changed/);
  });
});

describe("memd status --watch", () => {
  it("writes a line for each change, and ends as interrupted", async () => {
    say("a", "Remember: the staging box is called heron.");
    const child = start("status", "--watch");
    await until(child, (lines) => lines.some((line) => line.includes("last run none")));
    memd("dream", "--now");
    await until(child, (lines) => lines.some((line) => line.includes("last run done")));
    child.kill("SIGINT");
    expect(await ended(child)).toBe(130);
  });

  it("writes a document for each change with --json, and hears of one from the daemon", async () => {
    let step = "collect";
    const socket = await daemon(() => ({ ...FACTS, dreaming: FACTS.dreaming.map((dream) => ({ ...dream, step })) }));
    const child = start("status", "--watch", "--json");
    const next = () => until(child, (lines) => lines.length > 0);
    const stepOf = ([line = ""]: readonly string[]) => JSON.parse(line).daemon.dreaming[0].step;
    expect(stepOf(await next())).toBe("collect");
    step = "apply";
    socket.tell({ event: "dream-step", step });
    expect(stepOf(await next())).toBe("apply");
    child.kill("SIGTERM");
    expect(await ended(child)).toBe(130);
  });
});

describe("memd events", () => {
  const events = (...args: string[]) =>
    memd("events", ...args)
      .stdout.split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));

  it("prints nothing where nothing happened, and one JSON document per line where it did", () => {
    expect(memd("events")).toMatchObject({ status: 0, stdout: "" });
    say("a", "Remember: the staging box is called heron.");
    memd("dream", "--now");
    const told = events();
    expect(told.map(({ event }) => event)).toContain("memory-changed");
    expect(Object.keys(told[0]).slice(0, 4)).toEqual(["v", "seq", "at", "event"]);
    expect(JSON.parse(memd("events", "--json").stdout).events).toEqual(told);
  });

  it("prints what happened since a time, after a number, or in a store", () => {
    mkdirSync(state(), { recursive: true });
    const line = (at: string, store: string) =>
      `${JSON.stringify({ v: 1, at, event: "question-asked", store, question: at })}\n`;
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    for (const [at, store] of [
      ["2026-01-01T00:00:00.000Z", "app"],
      ["2026-06-01T00:00:00.000Z", "blog"],
      [hourAgo, "app"],
    ] as const)
      appendFileSync(join(state(), "events.jsonl"), line(at, store));
    const all = events();
    expect(all).toHaveLength(3);
    expect(events("--since", "2026-05-01").map(({ store }) => store)).toEqual(["blog", "app"]);
    expect(events("--since", "90min").map(({ question }) => question)).toEqual([hourAgo]);
    expect(events("--after", String(all[1].seq)).map(({ seq }) => seq)).toEqual([all[2].seq]);
    for (const wrong of [["--since", "yesterday"], ["--after", "-1"], ["--after=x"]])
      expect(memd("events", ...wrong).status).toBe(2);
  });

  it("goes on with --follow, whoever it is that dreams, until it is interrupted", async () => {
    say("a", "Remember: the staging box is called heron.");
    memd("dream", "--now");
    const child = start("events", "--follow", "--since", "1h");
    const dreams = (count: number) =>
      until(child, (lines) => lines.filter((line) => line.includes('"dream-ended"')).length === count);
    await dreams(1);
    say("b", "Remember: the mirror host is named plover.");
    const more = dreams(1);
    start("dream", "--now");
    const told = (await more).map((line) => JSON.parse(line));
    expect(told.filter(({ event }) => event === "dream-began")).toHaveLength(1);
    child.kill("SIGINT");
    expect(await ended(child)).toBe(130);
  });
});
