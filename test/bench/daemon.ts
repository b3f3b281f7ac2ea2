/** What the resident process costs: idle beside 20,000 transcripts, a round over a thousand closed stores, and a storm of events. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { systemClock } from "../../src/base/clock.ts";
import { nodeFiles } from "../../src/base/files.ts";
import { NO_LOG } from "../../src/base/log.ts";
import { systemProcesses } from "../../src/base/process.ts";
import { systemTimers } from "../../src/base/timers.ts";
import { startDaemon } from "../../src/daemon.ts";
import { makeGlances } from "../../src/steps/glance.ts";
import { gateLimits } from "../../src/steps/limits.ts";
import { openTriggers } from "../../src/triggers/open.ts";
import { makeStage, settingsOf, storeNamed } from "../daemon/stage.ts";
import { atMost, type BenchRow, least } from "./row.ts";

export interface DaemonBench {
  /** Scratch, made here. */
  readonly folder: string;
  /** Path of the built dist/memd.js. */
  readonly memd: string;
  /** A folder in which packages are found. */
  readonly root: string;
  readonly folders: number;
  readonly transcripts: number;
  /** How long each is measured. */
  readonly seconds: number;
}

export async function* benchDaemon(plan: DaemonBench): AsyncGenerator<BenchRow> {
  yield* await idleRows(plan);
  yield* await roundRows(join(plan.folder, "round"));
  yield* await stormRows(plan);
}

const LOADED = ["chokidar", "pino", "better-sqlite3", "proper-lockfile", "node-cron"];
/** After start, and after the collection of garbage that comes when nothing more happens. */
const SETTLED = 30_000;

async function idleRows({ folder, memd, root, folders, transcripts, seconds }: DaemonBench): Promise<BenchRow[]> {
  const home = join(folder, "idle");
  writeHome(home, folders, transcripts);
  const env = { PATH: process.env.PATH, HOME: home, TZ: "UTC" };
  const node = (args: readonly string[], cwd: string) => spawn(process.execPath, args, { env, cwd, stdio: "ignore" });
  // One that is alive: without any timer a Node takes no processor time at all.
  const forever = "setInterval(() => {}, 1_000)";
  const imports = LOADED.map((name) => `import ${JSON.stringify(name)};`).join("");
  const children = {
    bare: node(["-e", forever], root),
    loaded: node(["--input-type=module", "-e", `${imports}${forever}`], root),
    memd: node([memd, "daemon"], home),
  };
  try {
    await wait(SETTLED);
    const before = costs(children);
    await wait(seconds * 1_000);
    const after = costs(children);
    const cpu = (name: keyof typeof children) => after[name].cpu - before[name].cpu;
    const { rss, watches } = after.memd;
    return [
      {
        name: `idle for ${seconds} s: processor time of a Node with one timer a second`,
        value: cpu("bare"),
        unit: "ms",
      },
      { name: `  of memd daemon, ${transcripts} transcripts in ${folders} folders`, value: cpu("memd"), unit: "ms" },
      atMost(3, { name: "  in such Nodes", value: cpu("memd") / cpu("bare"), unit: "x" }),
      { name: "  resident memory of a Node that loaded five packages", value: after.loaded.rss, unit: "MB" },
      { name: `  of memd daemon, with ${watches} watches`, value: rss, unit: "MB" },
      atMost(1.4, { name: "  in Nodes with five packages", value: rss / after.loaded.rss, unit: "x" }),
      atMost(1.1, { name: "  watches per folder", value: watches / (folders + 1), unit: "x" }),
    ];
  } finally {
    for (const child of Object.values(children)) await end(child);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** All stores consolidated just now: their time gates are closed. */
function writeHome(home: string, folders: number, transcripts: number): void {
  const now = Date.now();
  for (let i = 0; i < folders; i++) {
    const cwd = join(home, "code", `p${i}`);
    const sessions = join(home, ".claude", "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
    fs.mkdirSync(cwd, { recursive: true });
    fs.mkdirSync(join(sessions, "memory"), { recursive: true });
    fs.writeFileSync(join(sessions, "memory", ".consolidate-lock"), `\n${now}`);
    const line = JSON.stringify({
      type: "user",
      cwd,
      timestamp: new Date(now).toISOString(),
      message: { role: "user", content: "Hello." },
    });
    for (let n = 0; n < transcripts / folders; n++) fs.writeFileSync(join(sessions, `${i}-${n}.jsonl`), `${line}\n`);
  }
}

interface Cost {
  /** Processor time of all threads since the start, ms. */
  readonly cpu: number;
  readonly rss: number;
  readonly watches: number;
}

/** As Linux tells it; `stat` counts in hundredths of a second, which is more than a minute of idling takes. */
function costs<K extends string>(children: Readonly<Record<K, ChildProcess>>): Record<K, Cost> {
  const all = Object.entries(children).map(([name, child]) => {
    const folder = `/proc/${(child as ChildProcess).pid}`;
    const threads = fs
      .readdirSync(`${folder}/task`)
      .map((id) => fs.readFileSync(`${folder}/task/${id}/schedstat`, "utf8"));
    const cpu = threads.reduce((sum, text) => sum + Number(text.split(" ")[0]), 0) / 1e6;
    const rss = Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`${folder}/status`, "utf8"))?.[1]) / 1_024;
    return [name, { cpu, rss, watches: watchesOf(folder) }];
  });
  return Object.fromEntries(all);
}

function watchesOf(folder: string): number {
  const infos = fs.readdirSync(`${folder}/fdinfo`).map((fd) => fs.readFileSync(`${folder}/fdinfo/${fd}`, "utf8"));
  return infos.reduce((sum, text) => sum + (text.match(/^inotify wd/gm)?.length ?? 0), 0);
}

const STORES = 1_000;

/** A whole round of the loop, over stores that were seen before. */
async function roundRows(folder: string): Promise<BenchRow[]> {
  const now = Date.now();
  const stores = Array.from({ length: STORES }, (_, i) => ({
    ...storeNamed(`s${i}`),
    memory: join(folder, `s${i}`, "memory"),
    state: join(folder, "state", `s${i}`),
  }));
  const stamps = stores.map(({ memory }) => join(memory, ".consolidate-lock"));
  for (const [i, { memory }] of stores.entries()) {
    fs.mkdirSync(memory, { recursive: true });
    fs.writeFileSync(stamps[i] ?? "", `\n${now}`);
  }
  const glances = glancesIn(folder);
  const limits = gateLimits(settingsOf(null).config);
  const stage = await makeStage({
    world: {
      clock: systemClock,
      stores: async () => stores,
      glance: (store) => {
        const { closed } = glances.look(store, limits);
        return closed === null ? { open: true } : { open: false, ...closed };
      },
    },
  });
  await stage.daemon.idle();
  if (stage.dreams.length > 0) throw new Error("a time gate is not closed");
  const { round, stats } = await least(15, {
    round: async () => {
      stage.daemon.wake({ cause: "scan", leap: 0 });
      await stage.daemon.idle();
    },
    stats: () => {
      for (const stamp of stamps) fs.statSync(stamp);
    },
  });
  stage.daemon.stop({ how: "stopped", reason: "measured" });
  await stage.daemon.done;
  return [
    { name: `a round over ${STORES} stores with closed time gates`, value: round.wall, unit: "ms" },
    atMost(3, { name: `  in rounds of ${STORES} bare fs.statSync calls`, value: round.wall / stats.wall, unit: "x" }),
  ];
}

function glancesIn(folder: string) {
  const random = (bytes: number) => new Uint8Array(bytes);
  const lease = {
    files: nodeFiles,
    clock: systemClock,
    random,
    processes: systemProcesses(process),
    seen: new Map(),
    machineId: "bench",
  };
  return makeGlances({ lease, state: join(folder, "state") });
}

const EVENTS = 10_000;
const QUIET = 2;
const LONGEST = 6;
const BUSY = 20;

/** Appends from another thread, at an even pace. */
const WRITER = `
const { workerData } = require("node:worker_threads");
const fs = require("node:fs");
const { files, events, ms } = workerData;
const start = performance.now();
let n = 0;
const timer = setInterval(() => {
  const due = Math.min(events, Math.floor(((performance.now() - start) / ms) * events));
  for (; n < due; n++) fs.appendFileSync(files[n % files.length], '{"type":"user"}\\n');
  if (n >= events) clearInterval(timer);
}, 5);`;

async function stormRows({ folder, seconds }: DaemonBench): Promise<BenchRow[]> {
  const stores = Array.from({ length: BUSY }, (_, i) => ({
    ...storeNamed(`b${i}`),
    sessions: [join(folder, "storm", `b${i}`)],
  }));
  for (const { sessions } of stores) fs.mkdirSync(sessions[0] ?? "", { recursive: true });
  let looks = 0;
  const stage = await makeStage();
  stage.daemon.stop({ how: "stopped", reason: "only its world is wanted" });
  await stage.daemon.done;
  const plan = {
    watch: true,
    quiet: QUIET * 1_000,
    longest: LONGEST * 1_000,
    scanInterval: 3_600_000,
    beatMs: null,
    windows: [],
    timeZone: "UTC",
    roots: [],
  };
  const daemon = await startDaemon({
    ...stage.world,
    clock: systemClock,
    timers: systemTimers,
    stores: async () => stores,
    open: (_, on) =>
      openTriggers(
        { files: nodeFiles, clock: systemClock, timers: systemTimers, log: NO_LOG, chance: () => 0 },
        plan,
        on,
      ),
    glance: () => {
      looks++;
      return { open: false, gate: "time", reason: "too-soon", opensAt: null };
    },
  });
  await daemon.ready;
  await daemon.idle();
  const idle = await longestStall(5_000);
  looks = 0;
  const files = stores.map(({ sessions }) => join(sessions[0] ?? "", "live.jsonl"));
  const writer = new Worker(WRITER, { eval: true, workerData: { files, events: EVENTS, ms: seconds * 1_000 } });
  const busy = await longestStall((seconds + LONGEST) * 1_000);
  await writer.terminate();
  daemon.stop({ how: "stopped", reason: "measured" });
  await daemon.done;
  const allowed = BUSY * Math.ceil((seconds + LONGEST) / LONGEST + 1);
  return [
    { name: `longest stall of an idle loop`, value: idle, unit: "ms" },
    { name: `  while ${EVENTS} lines are appended in ${seconds} s to ${BUSY} stores`, value: busy, unit: "ms" },
    atMost(1, { name: "  looks per store and debounce period", value: looks / allowed, unit: "x" }),
  ];
}

async function longestStall(ms: number): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await wait(ms);
  delay.disable();
  // The grid of the measure itself is a millisecond.
  return Math.max(0, delay.max / 1e6 - 1);
}
