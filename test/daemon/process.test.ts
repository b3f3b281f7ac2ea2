/** The built `memd daemon` as a process of its own, in a home of its own. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { ask } from "../../src/live/client.ts";
import { findSocket } from "../../src/live/place.ts";
import { talk, transcript } from "../support/home.ts";

const MEMD = resolve(import.meta.dirname, "../../dist/memd.js");
const CONFIG = `
discover: false
gates: { scanMinutes: 0 }
daemon: { debounceSeconds: 1, debounceMaxSeconds: 2 }
stores:
  - { name: app, memory: ~/memory, sessions: [~/sessions] }
`;

let home: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "memd-daemon-")));
  mkdirSync(join(home, "sessions"));
  configure(CONFIG);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  rmSync(home, { recursive: true, force: true });
});

const env = () => ({ PATH: process.env["PATH"] ?? "", HOME: home, TZ: "UTC" });

function configure(text: string): void {
  mkdirSync(join(home, ".config", "memd"), { recursive: true });
  writeFileSync(join(home, ".config", "memd", "config.yaml"), text);
}

function start() {
  const child = spawn(process.execPath, [MEMD, "daemon", "--json"], {
    env: env(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  children.push(child);
  let text = "";
  let wake: () => void = () => undefined;
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    wake();
  });
  // A chunk may end within a line.
  const lines = () =>
    text
      .slice(0, text.lastIndexOf("\n") + 1)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { level: string; msg: string });
  const exited = once(child, "exit").then(([code]) => code as number | null);
  // The pipe may hold lines after the exit.
  const closed = once(child, "close");
  const logged = (message: string, times = 1) =>
    new Promise<void>((done, failed) => {
      wake = () => {
        if (lines().filter(({ msg }) => msg.includes(message)).length >= times) done();
      };
      void closed.then(() => failed(new Error(`ended without "${message}": ${text}`)));
      wake();
    });
  const ended = async () => {
    const code = await exited;
    await closed;
    return { code, last: lines().at(-1)?.msg };
  };
  return { child, logged, lines, ended };
}

function sessions(count: number, prefix = "s"): void {
  for (let i = 0; i < count; i++) {
    const said = talk([`Remember: the ${prefix}${i} service is owned by team number ${i}.`], Date.now() - 60_000);
    writeFileSync(join(home, "sessions", `${prefix}${i}.jsonl`), transcript(`${prefix}${i}`, said));
  }
}

describe("memd daemon", { timeout: 60_000 }, () => {
  it("lets a dream of the command line pass beside it, tells of it like of its own, and both keep off a store that is held", async () => {
    const { child, logged, lines } = start();
    await logged("started");
    sessions(1);
    const dream = () => spawnSync(process.execPath, [MEMD, "dream", "--now"], { env: env(), encoding: "utf8" });
    expect(dream()).toMatchObject({ status: 0 });
    const { stdout } = spawnSync(process.execPath, [MEMD, "status", "--json"], { env: env(), encoding: "utf8" });
    const { daemon, stores } = JSON.parse(stdout);
    expect([daemon.running, stores[0].lastRun.outcome]).toEqual([true, "done"]);
    const events = spawnSync(process.execPath, [MEMD, "events"], { env: env(), encoding: "utf8" }).stdout;
    expect(events).toMatch(/"dream-began".*"memory-changed".*"dream-ended"/s);
    writeFileSync(join(home, "memory", ".consolidate-lock"), `${child.pid}\n${Date.now()}`);
    expect(dream()).toMatchObject({ status: 4 });
    expect(lines().filter(({ level }) => level === "error")).toEqual([]);
  });

  it("logs what a dream finds wrong with a store, and when it is no longer so", async () => {
    mkdirSync(join(home, "memory"));
    const prose = (lines: number) =>
      writeFileSync(join(home, "memory", "MEMORY.md"), "A line of mine.\n\n".repeat(lines));
    prose(180);
    configure(CONFIG.replace("scanMinutes: 0", "scanMinutes: 0, minHours: 0, minSessions: 1"));
    const { logged, lines } = start();
    await logged("started");
    sessions(1);
    await logged("MEMORY.md has 360 lines");
    expect(lines()).toContainEqual(
      expect.objectContaining({ level: "warn", code: "index-over-limit", store: "app", at: expect.any(String) }),
    );
    await logged("dream unchanged");
    prose(1);
    const socket = findSocket(nodeFiles, join(home, ".local", "state", "memd")) ?? "";
    expect(await ask(socket, { ask: "dream", stores: ["app"], now: true }, 10_000)).toMatchObject({
      value: { accepted: ["app"] },
    });
    await logged("no longer so");
    expect(lines()).toContainEqual(
      expect.objectContaining({ level: "info", code: "index-over-limit", msg: "no longer so" }),
    );
  });

  it("tells that a dream is overdue where none may begin, and tells it once", async () => {
    sessions(1);
    const memd = (...args: string[]) => spawnSync(process.execPath, [MEMD, ...args], { env: env(), encoding: "utf8" });
    expect(memd("dream", "--now")).toMatchObject({ status: 0 });
    const folder = join(home, ".local", "state", "memd", "stores");
    const path = join(folder, readdirSync(folder)[0] ?? "", "state.json");
    const day = 24 * 3_600_000;
    const late = { ...JSON.parse(readFileSync(path, "utf8")), dueSince: Date.now() - 3 * day };
    writeFileSync(path, JSON.stringify(late));
    writeFileSync(join(home, "memory", ".consolidate-lock"), "");
    const past = (Date.now() - 5 * day) / 1_000;
    utimesSync(join(home, "memory", ".consolidate-lock"), past, past);
    configure(CONFIG.replace("daemon: {", 'daemon: { windows: ["0 0 29 2 *"],'));
    for (let times = 0; times < 2; times++) {
      const { child, logged, ended } = start();
      await logged("started");
      if (times === 0) await logged("a dream has been due for 3 days");
      child.kill("SIGTERM");
      await ended();
    }
    const events = memd("events").stdout.trim().split("\n");
    expect(events.filter((line) => /"condition-raised".*"overdue"/.test(line))).toHaveLength(1);
    expect(memd("status").stdout).toContain("a dream has been due for 3 days");
  });

  it("dreams because five transcripts appear, and ends cleanly at SIGTERM", async () => {
    const { child, logged, ended } = start();
    await logged("started");
    sessions(5);
    await logged("dream done");
    expect(readFileSync(join(home, "memory", "MEMORY.md"), "utf8")).toContain("](");
    child.kill("SIGTERM");
    expect(await ended()).toEqual({ code: 0, last: "stopped by SIGTERM" });
    expect(readdirSync(join(home, ".local", "state", "memd", "daemon"))).toEqual([]);
  });

  it("lets no second one beside it, and says who is there; one that was killed does not stand in the way", async () => {
    const first = start();
    await first.logged("started");
    const second = start();
    expect(await second.ended()).toMatchObject({ code: 4 });
    expect(second.lines().at(-1)?.msg).toContain(`pid ${first.child.pid}`);
    first.child.kill("SIGKILL");
    await first.ended();
    const third = start();
    await third.logged("started");
    third.child.kill("SIGINT");
    expect(await third.ended()).toEqual({ code: 0, last: "stopped by SIGINT" });
  });

  it("ends with 78 and the reason as the last line of its log when the configuration is not valid", async () => {
    configure("gates:\n  minHour: 3\n");
    const { ended } = start();
    const { code, last } = await ended();
    expect({ code, last }).toEqual({ code: 78, last: expect.stringContaining("did you mean gates.minHours?") });
    const file = readFileSync(join(home, ".local", "state", "memd", "logs", "memd.log"), "utf8");
    expect(JSON.parse(file.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ level: "error", code: "bad-config" });
  });

  it.skipIf(process.geteuid?.() !== 0)("does not run as root in the home of somebody else", () => {
    chownSync(home, 4_999, 4_999);
    const { status, stderr } = spawnSync(process.execPath, [MEMD, "daemon"], { env: env(), encoding: "utf8" });
    expect(status).toBe(78);
    expect(stderr).toContain("sudo -H -u '#4999'");
    expect(existsSync(join(home, ".local"))).toBe(false);
  });

  it("reads the configuration anew at SIGHUP, keeps the old one when it is broken, and says so while it is", async () => {
    const { child, logged } = start();
    await logged("started");
    configure("gates:\n  minHour: 3\n");
    child.kill("SIGHUP");
    await logged("configuration kept");
    configure(CONFIG);
    child.kill("SIGHUP");
    await logged("configuration reloaded");
    await logged("no longer so");
    expect(child.exitCode).toBe(null);
  });

  it("ends cleanly at SIGTERM where its lock cannot be given back", async () => {
    const { child, logged, ended } = start();
    await logged("started");
    const record = join(home, ".local", "state", "memd", "daemon", "holder.json");
    rmSync(record);
    mkdirSync(join(record, "somebody's"), { recursive: true });
    child.kill("SIGTERM");
    expect(await ended()).toEqual({ code: 0, last: "stopped by SIGTERM" });
  });

  it("rolls back the dream that goes on when it is told to end", async () => {
    const said = talk(
      Array.from({ length: 4_000 }, (_, i) => `please look at module number ${i} and say what it does, then go on`),
      Date.now() - 3_600_000 * 100,
    );
    writeFileSync(join(home, "sessions", "big.jsonl"), transcript("big", said));
    sessions(5);
    const { child, ended } = start();
    const lease = join(home, "memory", ".memd", "lease.json");
    while (!existsSync(lease) && child.exitCode === null) await new Promise((next) => setImmediate(next));
    const at = performance.now();
    child.kill("SIGTERM");
    expect((await ended()).code).toBe(0);
    expect(performance.now() - at).toBeLessThan(5_000);
    expect(existsSync(lease)).toBe(false);
    expect(existsSync(join(home, "memory", ".consolidate-lock"))).toBe(false);
  });

  it("takes back at start what a killed one left", async () => {
    sessions(5);
    const first = start();
    const lease = join(home, "memory", ".memd", "lease.json");
    while (!existsSync(lease) && first.child.exitCode === null) await new Promise((next) => setImmediate(next));
    first.child.kill("SIGKILL");
    await first.ended();
    const second = start();
    await second.logged("dream done");
    second.child.kill("SIGTERM");
    expect((await second.ended()).code).toBe(0);
    expect(existsSync(lease)).toBe(false);
  });

  it("finds a project that is new on this machine, by itself", async () => {
    configure("gates: { scanMinutes: 0, minSessions: 1 }\ndaemon: { debounceSeconds: 1, debounceMaxSeconds: 2 }\n");
    const projects = join(home, ".claude", "projects");
    mkdirSync(projects, { recursive: true });
    const { logged } = start();
    await logged("started");
    mkdirSync(join(home, "code", "app"), { recursive: true });
    const name = join(home, "code", "app").replace(/[^A-Za-z0-9]/g, "-");
    mkdirSync(join(projects, name));
    const said = talk(["Bugs are tracked in the Linear project ORBIT."], Date.now() - 60_000);
    writeFileSync(join(projects, name, "one.jsonl"), transcript("one", said, join(home, "code", "app")));
    await logged("dream done");
    expect(readFileSync(join(projects, name, "memory", "MEMORY.md"), "utf8")).toContain("](");
  });

  it("answers on its socket while it runs", async () => {
    const { logged } = start();
    await logged("started");
    const { stdout } = spawnSync(process.execPath, [MEMD, "status", "--json"], { env: env(), encoding: "utf8" });
    expect(JSON.parse(stdout).stores[0].name).toBe("app");
  });
});
