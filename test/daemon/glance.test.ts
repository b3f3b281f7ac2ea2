import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { systemProcesses } from "../../src/base/process.ts";
import { type Batch, saveBatch } from "../../src/ledger/batch.ts";
import { loadStoreState, saveStoreState } from "../../src/ledger/store-state.ts";
import { holdAlone } from "../../src/lock/sole.ts";
import { NO_USAGE, type Store } from "../../src/ports.ts";
import { makeFinder } from "../../src/steps/find-stores.ts";
import { type GlanceNews, makeGlances } from "../../src/steps/glance.ts";
import { gateLimits } from "../../src/steps/limits.ts";
import { counted, world as lockWorld, processes } from "../lock/world.ts";
import { HOUR, type Home, makeHome, START, talk } from "../support/home.ts";
import { settingsOf } from "./stage.ts";

const limits = gateLimits(settingsOf(null).config);

describe("a glance at a store", () => {
  let home: Home;
  beforeEach(() => {
    home = makeHome();
  });
  afterEach(() => home.remove());

  function glancing(tell: (store: Store, news: GlanceNews) => void = () => undefined) {
    const calls: string[] = [];
    const files = counted(calls, nodeFiles);
    const lease = {
      files,
      clock: home.clock,
      random: (n: number) => new Uint8Array(n),
      processes: systemProcesses(process),
      seen: new Map(),
      machineId: "m",
    };
    return { calls, glances: makeGlances({ lease, state: dirname(dirname(home.state)), tell }) };
  }
  const stamped = (at: number) => {
    mkdirSync(home.memory, { recursive: true });
    writeFileSync(join(home.memory, ".consolidate-lock"), `\n${at}`);
  };

  it("costs one look at the stamp while nothing changed", () => {
    stamped(home.clock.now() - HOUR);
    const { calls, glances } = glancing();
    expect(glances.look(home.store, limits).closed).toMatchObject({ gate: "time", opensAt: START + 23 * HOUR });
    calls.length = 0;
    expect(glances.look(home.store, limits).closed).toMatchObject({ gate: "time" });
    expect(calls).toEqual(["lstat"]);
  });

  it("finds a store with a waiting batch closed until the batch is to be looked at, and open then", () => {
    const { glances } = glancing();
    const batch: Batch = {
      stage: "sent",
      marker: "m",
      id: "msgbatch_1",
      keys: ["a", "b"],
      model: "small",
      endpoint: "e",
      reservation: "r",
      since: START,
      lookAt: START + HOUR,
      usage: NO_USAGE,
    };
    saveBatch(nodeFiles, home.state, { batch, token: "t" });
    expect(glances.look(home.store, limits).closed).toMatchObject({ gate: "batch", opensAt: START + HOUR });
    home.clock.move(HOUR);
    expect(glances.look(home.store, limits).closed).toBeNull();
    saveBatch(nodeFiles, home.state, { batch: { ...batch, stage: "over", lookAt: START + 9 * HOUR }, token: "t" });
    glances.forget(home.store);
    expect(glances.look(home.store, limits).closed).toBeNull();
  });

  it("sees what another program did: a dream, a failure, a pause", async () => {
    for (let i = 0; i < 5; i++)
      home.session(`s${i}`, talk([`Remember: the s${i} service is owned by team number ${i}.`], START - HOUR));
    const { glances } = glancing();
    expect(glances.look(home.store, limits).closed).toBe(null);
    await home.dream();
    expect(glances.look(home.store, limits).closed).toMatchObject({ gate: "time" });
    home.clock.move(25 * HOUR);
    glances.forget(home.store);
    expect(glances.look(home.store, limits).closed).toBe(null);
    const state = loadStoreState(nodeFiles, home.state);
    const failure = { count: 1, at: home.clock.now(), rejected: false, notBefore: null };
    saveStoreState(nodeFiles, home.state, { state: { ...state, failure }, token: "t" });
    home.clock.move(-HOUR);
    glances.forget(home.store);
    home.clock.move(HOUR);
    expect(glances.look(home.store, limits).closed).toMatchObject({ gate: "cool-down" });
    home.clock.move(HOUR);
    writeFileSync(join(home.state, "paused.json"), "{}");
    expect(glances.look(home.store, limits).closed).toMatchObject({ gate: "pause" });
  });

  it("tells once what nobody else tells: a gate that closed without a run, and that a dream is overdue", () => {
    const told: object[] = [];
    const { glances } = glancing((_store, { closed, overdue }) => {
      told.push([closed?.gate ?? null, overdue?.map(({ code }) => code) ?? null]);
      const before = loadStoreState(nodeFiles, home.state);
      const next = { ...before, ...(overdue ? { conditions: overdue } : {}) };
      saveStoreState(nodeFiles, home.state, { state: next, token: "t" });
    });
    const look = () => {
      glances.look(home.store, limits);
      return told.splice(0);
    };
    const state = loadStoreState(nodeFiles, home.state);
    const now = home.clock.now();
    const saved = { ...state, verdict: "open", dueSince: now };
    saveStoreState(nodeFiles, home.state, { state: saved, token: "a" });
    stamped(now - 30 * HOUR);
    expect([look(), look()]).toEqual([[], []]);
    home.clock.move(47 * HOUR);
    expect(look()).toEqual([]);
    home.clock.move(2 * HOUR);
    expect([look(), look()]).toEqual([[[null, ["overdue"]]], []]);
    // Another program consolidated.
    stamped(home.clock.now());
    home.clock.move(HOUR);
    expect([look(), look()]).toEqual([[["time", []]], []]);
    // A new process: what the state says was told already.
    saveStoreState(nodeFiles, home.state, { state: { ...saved, verdict: "time: too-soon" }, token: "b" });
    const verdicts: (string | undefined)[] = [];
    glancing((_store, { closed }) => verdicts.push(closed?.gate)).glances.look(home.store, limits);
    expect(verdicts).toEqual([]);
  });

  it("lets a stamp from the future close nothing", () => {
    stamped(home.clock.now() + 10 * 24 * HOUR);
    expect(glancing().glances.look(home.store, limits).closed).toBe(null);
  });
});

describe("the lock of the only daemon", () => {
  let state: string;
  beforeEach(() => {
    state = realpathSync(mkdtempSync(join(tmpdir(), "memd-sole-")));
  });
  afterEach(() => rmSync(state, { recursive: true, force: true }));

  it("is had by one, who is named to the other, and given back", async () => {
    const first = await holdAlone(lockWorld(), state);
    expect(await holdAlone(lockWorld(), state)).toMatchObject({ state: "held", by: { pid: 4_545 } });
    if (!("release" in first)) throw new Error("not taken");
    await first.release();
    const second = await holdAlone(lockWorld(), state);
    expect("release" in second).toBe(true);
    if ("release" in second) await second.release();
    expect(readdirSync(join(state, "daemon"))).toEqual([]);
  });

  it("of a holder that is stopped or asleep is not taken, however long it says nothing", async () => {
    const first = await holdAlone(lockWorld(), state);
    const old = new Date(Date.now() - 24 * HOUR);
    utimesSync(join(state, "daemon", "lock"), old, old);
    expect(await holdAlone(lockWorld(), state)).toMatchObject({ state: "held" });
    if ("release" in first) await first.release();
  });

  it("of a dead one, of one that died before it said who it was, and of a pid given out again, is taken at once", async () => {
    const deadFirst = { processes: processes({ self: { pid: 4_343, start: "1", boot: "boot-1" } }) };
    const dead = await holdAlone(lockWorld(deadFirst), state);
    expect("release" in dead).toBe(true);
    const reused = await holdAlone(
      lockWorld({ processes: processes({ self: { pid: 4_242, start: "99", boot: "boot-1" } }) }),
      state,
    );
    expect("release" in reused).toBe(true);
    const third = await holdAlone(lockWorld(), state);
    expect("release" in third).toBe(true);
    rmSync(join(state, "daemon", "holder.json"));
    const old = new Date(Date.now() - 120_000);
    utimesSync(join(state, "daemon", "lock"), old, old);
    const fourth = await holdAlone(lockWorld(), state);
    expect("release" in fourth).toBe(true);
    for (const sole of [dead, reused, third, fourth]) if ("release" in sole) await sole.release();
  });
});

describe("looking for the stores", () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "memd-find-")));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("is done when a folder or a transcript came, and not while nothing did", async () => {
    let now = START;
    let finds = 0;
    const roots = [join(root, "projects"), join(root, "codex")];
    const clock = { now: () => now, monotonic: () => now };
    const bringUpToDate = makeFinder({ files: nodeFiles, clock, roots, find: async () => void finds++ });
    const app = join(root, "projects", "app");
    const day = join(root, "codex", "2026", "11", "30");
    const later = () => {
      now += 7 * HOUR;
    };
    let minutes = 0;
    const changed = (folder: string) => {
      const at = (START - 24 * HOUR) / 1_000 + 60 * ++minutes;
      utimesSync(folder, at, at);
    };
    const steps: [string, () => void, number][] = [
      ["the first time", () => undefined, 1],
      ["nothing", () => undefined, 1],
      ["a project", () => void (mkdirSync(app, { recursive: true }), changed(join(root, "projects")), changed(app)), 2],
      ["a session", () => void (writeFileSync(join(app, "a.jsonl"), ""), changed(app)), 3],
      ["a line of it", () => appendFileSync(join(app, "a.jsonl"), "{}\n"), 3],
      [
        "a day of Codex",
        () =>
          void (mkdirSync(day, { recursive: true }),
          changed(day),
          changed(dirname(day)),
          changed(dirname(dirname(day))),
          changed(join(root, "codex"))),
        4,
      ],
      ["a session in it", () => void (writeFileSync(join(day, "r.jsonl"), ""), changed(day)), 5],
      ["a quarter of a day", later, 6],
    ];
    for (const [what, act, expected] of steps) {
      act();
      await bringUpToDate();
      expect(finds, what).toBe(expected);
    }
  });

  it("is done again while a folder is only just changed: the next change may have the same time", async () => {
    let finds = 0;
    const clock = { now: () => Date.now(), monotonic: () => 0 };
    const bringUpToDate = makeFinder({ files: nodeFiles, clock, roots: [root], find: async () => void finds++ });
    await bringUpToDate();
    await bringUpToDate();
    expect(finds).toBe(2);
  });

  it("that failed is done again", async () => {
    let fails = true;
    const find = async () => {
      if (fails) throw new Error("no");
    };
    const bringUpToDate = makeFinder({
      files: nodeFiles,
      clock: { now: () => START, monotonic: () => 0 },
      roots: [root],
      find,
    });
    await expect(bringUpToDate()).rejects.toThrow("no");
    fails = false;
    await bringUpToDate();
    expect(existsSync(root)).toBe(true);
  });
});
