/** What doctor says of the daemon, and of the system that it lives in. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { inotifyWatches, memdDaemons } from "../../src/doctor/processes.ts";
import type { LiveFacts } from "../../src/live/facts.ts";
import { pointTo } from "../../src/live/place.ts";
import { openSocket } from "../../src/live/server.ts";
import { leaveStale } from "../live/stale.ts";
import { type Clinic, makeClinic, repairedOf, wrongOf } from "./clinic.ts";

let clinic: Clinic;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  clinic = await makeClinic(false);
  mkdirSync(clinic.stateRoot, { recursive: true, mode: 0o700 });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  clinic.remove();
});

const AT = "2026-11-30T08:00:00.000Z";
const socketPath = () => join(clinic.stateRoot, "memd.sock");

async function daemon(facts: Partial<LiveFacts> = {}): Promise<void> {
  const whole: LiveFacts = {
    version: "0",
    pid: process.pid,
    since: AT,
    watching: 3,
    dreaming: [],
    next: null,
    configLoadedAt: AT,
    conditions: [],
    ...facts,
  };
  const socket = await openSocket(
    { files: nodeFiles, state: clinic.stateRoot, runtime: null, token: "t" },
    {
      facts: () => whole,
      dream: async () => ({ accepted: [], held: [], refused: [] }),
      reload: async () => ({ outcome: "reloaded", message: "" }),
    },
  );
  closing.push(() => socket.close());
}

describe("doctor, of the daemon,", () => {
  it("says that none runs, or that it answers", async () => {
    const find = async () => (await clinic.visit()).find(({ code }) => code === "daemon");
    expect(await find()).toMatchObject({ ok: true, message: "no daemon runs" });
    await daemon();
    expect(await find()).toMatchObject({ ok: true, message: `the daemon answers (pid ${process.pid})` });
  });

  it("removes the socket of one that was killed, and nothing that answers", async () => {
    leaveStale(socketPath());
    pointTo(nodeFiles, clinic.stateRoot, { path: socketPath(), token: "t" });
    expect(wrongOf(await clinic.visit())).toEqual(["stale-socket"]);
    const findings = await clinic.visit({ repair: true });
    expect([wrongOf(findings), repairedOf(findings)]).toEqual([[], ["stale-socket"]]);
    expect(existsSync(socketPath())).toBe(false);
  });

  it("tells of one that hangs", async () => {
    const silent = createServer((socket) => closing.push(() => socket.destroy()));
    await new Promise<void>((resolve) => silent.listen(socketPath(), resolve));
    closing.push(() => silent.close());
    chmodSync(socketPath(), 0o600);
    pointTo(nodeFiles, clinic.stateRoot, { path: socketPath(), token: "t" });
    expect(wrongOf(await clinic.visit({ repair: true }))).toEqual(["daemon-silent"]);
    expect(existsSync(socketPath())).toBe(true);
  });

  it("tells of one that is still the version before the update", async () => {
    await daemon({ version: "0.0.1" });
    expect(wrongOf(await clinic.visit())).toEqual(["daemon-outdated"]);
  });

  it("tells of others that share the state directory, and lets others be", async () => {
    await daemon();
    const daemons = () => [
      { pid: process.pid, state: clinic.stateRoot },
      { pid: 71, state: clinic.stateRoot },
      { pid: 72, state: "/elsewhere/memd" },
    ];
    const findings = await clinic.visit({ host: { daemons } });
    expect(findings.filter(({ ok }) => !ok)).toMatchObject([
      { code: "stray-daemon", hint: expect.stringContaining("kill 71") },
    ]);
    expect(findings.find(({ code }) => code === "other-daemon")?.message).toContain("pid 72, /elsewhere/memd");
  });

  it("tells of a socket that others can reach", async () => {
    await daemon();
    chmodSync(socketPath(), 0o666);
    expect(wrongOf(await clinic.visit())).toEqual([]);
    chmodSync(clinic.stateRoot, 0o755);
    expect(wrongOf(await clinic.visit())).toEqual(["socket-not-private", "state-not-private"]);
  });
});

describe("doctor, of the system,", () => {
  it("tells of a configuration that anybody may write: it can start programs", async () => {
    const folder = join(clinic.root, ".config", "memd");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.yaml"), "discover: false\n");
    chmodSync(join(folder, "config.yaml"), 0o664);
    expect(wrongOf(await clinic.visit())).not.toContain("config-open");
    chmodSync(join(folder, "config.yaml"), 0o666);
    const findings = await clinic.visit();
    expect(findings.find(({ code }) => code === "config-open")?.hint).toBe(`chmod o-w ${join(folder, "config.yaml")}`);
  });

  it.each([
    ["there is room", { limit: 8_192, used: 100 }, true],
    ["there is none", { limit: 8_192, used: 8_192 }, false],
  ])("says how many folders there are to watch, where %s", async (_, watches, ok) => {
    const finding = (await clinic.visit({ host: { watches: () => watches } })).find(({ code }) =>
      code.startsWith("watch"),
    );
    expect(finding).toMatchObject({ ok, code: ok ? "watches" : "watch-limit" });
    if (!ok) expect(finding?.hint).toContain("fs.inotify.max_user_watches=524288");
  });

  it("counts those that the running daemon has already", async () => {
    await daemon({ watching: 3 });
    expect(wrongOf(await clinic.visit({ host: { watches: () => ({ limit: 8_192, used: 8_192 }) } }))).toEqual([]);
  });

  it.runIf(process.platform === "linux")("can count watches here, and knows that this is no daemon", () => {
    const told = inotifyWatches();
    if (told !== null) expect(told.used).toBeGreaterThanOrEqual(0);
    expect(memdDaemons("linux").map(({ pid }) => pid)).not.toContain(process.pid);
  });
});
