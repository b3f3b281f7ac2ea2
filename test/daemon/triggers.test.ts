import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { nodeFiles } from "../../src/base/files.ts";
import { NO_LOG } from "../../src/base/log.ts";
import { systemTimers } from "../../src/base/timers.ts";
import type { Store } from "../../src/ports.ts";
import { type FolderWatch, MAX_WATCHES, openFolders } from "../../src/triggers/folders.ts";
import { openHints } from "../../src/triggers/hints.ts";
import { openTriggers, type TriggerPlan, type Triggers, type Wake } from "../../src/triggers/open.ts";
import { DISCOVER, placesOf } from "../../src/triggers/places.ts";
import { openSchedule } from "../../src/triggers/schedule.ts";
import { startTick } from "../../src/triggers/tick.ts";
import { DAY, HOUR, MINUTE, storeNamed } from "./stage.ts";
import { makeTime } from "./time.ts";

const SECOND = 1_000;

describe("hints", () => {
  function bursts(quiet = 30 * SECOND, longest = 300 * SECOND) {
    const time = makeTime();
    const told: (readonly string[])[] = [];
    const hints = openHints({ ...time, quiet, longest }, (keys) => told.push(keys));
    return { time, told, hints };
  }

  it("tell of a store once it has been quiet", async () => {
    const { time, told, hints } = bursts();
    hints.add("a");
    await time.awake(20 * SECOND);
    hints.add("a");
    await time.awake(29 * SECOND);
    expect(told).toEqual([]);
    await time.awake(2 * SECOND);
    expect(told).toEqual([["a"]]);
    await time.awake(HOUR);
    expect({ told: told.length, armed: time.armed, pending: hints.pending }).toEqual({ told: 1, armed: 0, pending: 0 });
  });

  it("tell of a session that is written to without a pause twice in ten minutes, at the ceiling", async () => {
    const { time, told, hints } = bursts();
    for (let i = 0; i < 1_200; i++) {
      hints.add("live");
      await time.awake(SECOND / 2);
    }
    expect(told.length).toBe(2);
    await time.awake(HOUR);
    expect(told.length).toBeLessThanOrEqual(3);
  });

  it("are one look per store and period, however many events there are", async () => {
    const { time, told, hints } = bursts();
    for (let i = 0; i < 10_000; i++) {
      hints.add(`s${i % 3}`);
      if (i % 100 === 0) await time.awake(600);
    }
    await time.awake(HOUR);
    expect(told.flat().sort()).toEqual(["s0", "s1", "s2"]);
  });

  it("leave no timer behind when they are closed", () => {
    const { time, hints } = bursts();
    hints.add("a");
    hints.close();
    expect(time.armed).toBe(0);
  });
});

describe("the pulse", () => {
  function pulse(interval = 10 * MINUTE, beatMs: number | null = null) {
    const time = makeTime();
    const scans: number[] = [];
    const beats: number[] = [];
    const stop = startTick(
      { ...time, chance: () => 0.5, interval, beatMs },
      { scan: (leap) => scans.push(Math.round(leap / MINUTE)), beat: () => beats.push(time.clock.monotonic()) },
    );
    return { time, scans, beats, stop };
  }

  it("asks for a scan each ten minutes, a little later on some machines than on others", async () => {
    const { time, scans } = pulse();
    await time.awake(10 * MINUTE);
    expect(scans).toEqual([]);
    await time.awake(MINUTE);
    expect(scans).toEqual([0]);
    await time.awake(10 * HOUR);
    expect(scans.length).toBeGreaterThan(55);
    expect(scans.length).toBeLessThanOrEqual(61);
  });

  it("asks for one at once after a suspend, and for one only", async () => {
    const { time, scans } = pulse();
    await time.awake(5 * MINUTE);
    time.asleep(7 * DAY);
    await time.awake(MINUTE);
    expect(scans).toEqual([7 * 24 * 60]);
    await time.awake(8 * MINUTE);
    expect(scans.length).toBe(1);
  });

  it.each([
    ["back", -3 * HOUR],
    ["forward", 3 * HOUR],
  ])("goes on at its pace when the clock is set %s", async (_, by) => {
    const { time, scans } = pulse();
    time.set(time.clock.now() + by);
    await time.awake(HOUR);
    expect(scans.length).toBeGreaterThanOrEqual(6);
    expect(scans.length).toBeLessThanOrEqual(7);
  });

  it("beats as often as the manager wants to hear, and not at all when it is stopped", async () => {
    const { time, beats, stop } = pulse(10 * MINUTE, 3_000);
    await time.awake(30 * SECOND);
    expect(beats.length).toBe(10);
    stop();
    await time.awake(HOUR);
    expect({ beats: beats.length, armed: time.armed }).toEqual({ beats: 10, armed: 0 });
  });
});

describe("windows", () => {
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
  function windows(expressions: string[], timeZone = "Europe/Berlin") {
    const opened = openSchedule({ clock: systemClock, logger }, { windows: expressions, timeZone }, () => undefined);
    opened.close();
    return opened;
  }
  const at = (text: string) => Date.parse(text);

  it("are open in the minutes that an expression matches, in the user's zone", () => {
    const nights = windows(["* 1-5 * * *"]);
    expect(nights.isOpen(at("2026-12-01T00:00:59.999Z"))).toBe(true);
    expect(nights.isOpen(at("2026-11-30T23:59:00Z"))).toBe(false);
    expect(nights.isOpen(at("2026-12-01T04:59:00Z"))).toBe(true);
    expect(nights.isOpen(at("2026-12-01T05:00:00Z"))).toBe(false);
  });

  it("of several expressions are open when one of them is", () => {
    const both = windows(["* 1-5 * * *", "* 13 * * 6"]);
    expect(both.isOpen(at("2026-12-05T12:30:00Z"))).toBe(true);
    expect(both.isOpen(at("2026-12-04T12:30:00Z"))).toBe(false);
  });

  it("that are one minute name a time to start: what is due then may begin after it", () => {
    const three = windows(["0 3 * * *"]);
    expect(three.admits(at("2026-12-01T02:00:10Z"), at("2026-12-01T02:40:00Z"))).toBe(true);
    const nights = windows(["* 1-5 * * *"]);
    expect(nights.admits(at("2026-12-01T04:59:10Z"), at("2026-12-01T05:01:00Z"))).toBe(false);
  });

  it.each([
    ["spring, when an hour is missing", "2027-03-28", 3],
    ["autumn, when one comes twice", "2026-10-25", 5],
  ])("of the night are open in %s too", (_, day, hours) => {
    const nights = windows(["* 1-4 * * *"]);
    const open = Array.from({ length: 1_440 }, (__, i) => at(`${day}T00:00:00Z`) - 2 * HOUR + i * MINUTE).filter(
      nights.isOpen,
    );
    expect(open.length).toBe(hours * 60);
  });
});

describe("folders", () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "memd-watch-")));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const made = (...names: string[]) =>
    names.map((name) => {
      mkdirSync(join(root, name), { recursive: true });
      return join(root, name);
    });

  /** Watches nothing; refuses from the n-th on. */
  function kernel(limit = Number.POSITIVE_INFINITY, code = "ENOSPC") {
    const open = new Map<string, (name: string | null) => void>();
    let asked = 0;
    const watchFolder: FolderWatch = (path, on) => {
      asked++;
      if (open.size >= limit) throw Object.assign(new Error(code), { code });
      open.set(path, on);
      return { close: () => void open.delete(path) };
    };
    return { open, watchFolder, asked: () => asked };
  }
  const foldersWith = (watchFolder: FolderWatch, isRemote = (_: string) => false) =>
    openFolders({ files: nodeFiles, watchFolder, isRemote, on: () => undefined });

  it("that are wanted are watched, those no longer wanted are not", () => {
    const { open, watchFolder } = kernel();
    const folders = foldersWith(watchFolder);
    const [a = "", b = ""] = made("a", "b");
    folders.follow([a, b, join(root, "gone")]);
    expect({ open: [...open.keys()].sort(), watching: folders.watching, trouble: folders.trouble }).toEqual({
      open: [a, b],
      watching: 2,
      trouble: null,
    });
    folders.follow([b]);
    expect([...open.keys()]).toEqual([b]);
    folders.close();
    expect(open.size).toBe(0);
  });

  it("removed and made again are watched anew at the next scan", () => {
    const { watchFolder, asked } = kernel();
    const folders = foldersWith(watchFolder);
    const [a = ""] = made("a");
    folders.follow([a]);
    folders.follow([a]);
    expect(asked()).toBe(1);
    renameSync(a, join(root, "old"));
    folders.follow([a]);
    expect(folders.watching).toBe(0);
    made("a");
    folders.follow([a]);
    expect({ asked: asked(), watching: folders.watching }).toEqual({ asked: 2, watching: 1 });
  });

  it.each(["ENOSPC", "EMFILE"])(
    "beyond what the system allows (%s) are asked for once per scan, and none is lost that is watched",
    (code) => {
      const { watchFolder, asked } = kernel(2, code);
      const folders = foldersWith(watchFolder);
      const wanted = made("a", "b", "c", "d", "e");
      folders.follow(wanted);
      expect({ asked: asked(), watching: folders.watching, trouble: folders.trouble }).toEqual({
        asked: 3,
        watching: 2,
        trouble: { code, left: 3 },
      });
      folders.follow(wanted);
      expect(asked()).toBe(4);
    },
  );

  it("of another machine are left to the scan, and each file system is asked once", () => {
    const { watchFolder, asked } = kernel();
    let questions = 0;
    const folders = foldersWith(watchFolder, () => ++questions > 0);
    folders.follow(made("a", "b"));
    expect({ asked: asked(), questions, trouble: folders.trouble }).toEqual({
      asked: 0,
      questions: 1,
      trouble: { code: "remote", left: 2 },
    });
  });

  it("are capped, so that other programs find watches too", () => {
    expect(MAX_WATCHES).toBeLessThanOrEqual(8_192 / 2);
  });

  it("of a store a person named are looked for three levels deep, links and memd's own left out", () => {
    made("s/2026/11/30", "s/2026/11/30/too/deep", "s/.hidden", "s/memory", "elsewhere");
    symlinkSync(join(root, "elsewhere"), join(root, "s", "link"));
    const store: Store = { ...storeNamed("app"), sessions: [join(root, "s")] };
    const places = placesOf(nodeFiles, { stores: [store], roots: [] });
    expect([...places.keys()].map((path) => path.slice(root.length))).toEqual([
      "/s",
      "/s/2026",
      "/s/2026/11",
      "/s/2026/11/30",
    ]);
  });

  it("between a root and the sessions tell that there may be other stores", () => {
    const [day = ""] = made("codex/2026/11/30");
    const store: Store = { ...storeNamed("app"), layout: "claude-code", sessions: [day] };
    const places = placesOf(nodeFiles, { stores: [store], roots: [join(root, "codex")] });
    expect([...places].map(([path, keys]) => [path.slice(root.length), [...keys]])).toEqual([
      ["/codex/2026/11/30", ["/m/app"]],
      ["/codex/2026/11", [DISCOVER]],
      ["/codex/2026", [DISCOVER]],
    ]);
  });
});

describe("the triggers together, on real folders", () => {
  let root: string;
  let triggers: Triggers | null = null;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "memd-watch-")));
    mkdirSync(join(root, "projects", "app"), { recursive: true });
  });
  afterEach(async () => {
    await triggers?.close();
    rmSync(root, { recursive: true, force: true });
  });

  async function opened(change: Partial<TriggerPlan> = {}, watchFolder?: FolderWatch) {
    const wakes: Wake[] = [];
    let tell: () => void = () => undefined;
    const plan = { watch: true, quiet: 1, longest: 5, scanInterval: HOUR, beatMs: null, windows: [], timeZone: "UTC" };
    const world = { files: nodeFiles, clock: systemClock, timers: systemTimers, log: NO_LOG, chance: () => 0 };
    triggers = await openTriggers(
      { ...world, ...(watchFolder ? { watchFolder } : {}) },
      { ...plan, roots: [join(root, "projects")], ...change },
      {
        wake: (wake) => {
          wakes.push(wake);
          tell();
        },
        beat: () => undefined,
      },
    );
    const next = (met: (wake: Wake) => boolean) =>
      new Promise<void>((resolve) => {
        tell = () => {
          if (wakes.some(met)) resolve();
        };
        tell();
      });
    return { triggers, wakes, next };
  }
  const store = (): Store => ({
    ...storeNamed("app"),
    layout: "claude-code",
    sessions: [join(root, "projects", "app")],
  });

  it("a line appended to a transcript is a hint for its store", async () => {
    const { triggers: open, wakes, next } = await opened();
    writeFileSync(join(root, "projects", "app", "one.jsonl"), "{}\n");
    open.follow([store()]);
    appendFileSync(join(root, "projects", "app", "one.jsonl"), "{}\n");
    await next(({ cause }) => cause === "hint");
    expect(wakes).toContainEqual({ cause: "hint", stores: ["/m/app"] });
    expect(open.watching).toBe(2);
  });

  it("system refusals are one condition, and nothing else changes", async () => {
    const refuse: FolderWatch = () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    };
    const { triggers: open } = await opened({}, refuse);
    open.follow([store()]);
    expect(open.trouble).toMatchObject({
      code: "not-watched",
      message: "a folder is not watched: the system has no watches left",
    });
    expect(open.trouble?.hint).toContain("max_user_watches");
  });

  it("with watching off there is nothing but the pulse", async () => {
    const { triggers: open } = await opened({ watch: false });
    open.follow([store()]);
    expect({ watching: open.watching, trouble: open.trouble, open: open.windows.isOpen(0) }).toEqual({
      watching: 0,
      trouble: null,
      open: true,
    });
  });
});
