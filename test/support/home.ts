/** A person's home in a temporary folder, with a clock that is moved by hand: what stories about dreams start from. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../src/base/clock.ts";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import { sha256 } from "../../src/base/ids.ts";
import { systemProcesses } from "../../src/base/process.ts";
import { checkConfig } from "../../src/config/check.ts";
import { configOf } from "../../src/config/config.ts";
import { platformPaths } from "../../src/config/paths.ts";
import { extract } from "../../src/distill/extractive/index.ts";
import type { DreamRequest } from "../../src/dream.ts";
import { type Distiller, NO_USAGE, type Store } from "../../src/ports.ts";
import { buildWorld } from "../../src/steps/build.ts";
import { type Ended, runDream } from "../../src/steps/run.ts";
import type { DreamWorld } from "../../src/steps/world.ts";

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const START = Date.parse("2026-11-30T08:00:00.000Z");

export interface ManualClock extends Clock {
  move(ms: number): void;
}

export function manualClock(start = START): ManualClock {
  let now = start;
  return {
    now: () => now,
    monotonic: () => now,
    move: (ms) => {
      now += ms;
    },
  };
}

/** The built-in distiller in this process: what the forked child runs, without the fork. */
export const inProcess: Distiller = {
  name: "extractive",
  distill: async ({ brief }) => ({ proposal: extract(brief), refused: [], usage: NO_USAGE, fence: "none" }),
};

/** One record of a transcript as Claude Code 2.1 writes it in a terminal. */
export interface Line {
  readonly who: "user" | "assistant";
  readonly text: string;
  readonly at: number;
}

export interface Changes {
  readonly files?: Files;
  readonly distiller?: Distiller;
  readonly config?: unknown;
  /** What is different about the store. */
  readonly store?: Partial<Store>;
}

export interface Home {
  readonly root: string;
  readonly memory: string;
  readonly sessions: string;
  readonly state: string;
  readonly clock: ManualClock;
  readonly store: Store;
  /** Writes a whole session; its mtime is its last line's time. */
  session(name: string, lines: readonly Line[]): string;
  topic(name: string, text: string): string;
  world(changes?: Changes): DreamWorld;
  dream(request?: Partial<DreamRequest>, changes?: Changes & { signal?: AbortSignal }): Promise<Ended>;
  read(name: string): string;
  remove(): void;
}

const NO_SIGNAL = new AbortController().signal;

/** The id of the machine in every home; `machine.json` makes other processes agree. */
export const MACHINE = "0123456789abcdef";

/**
 * @param clock for stories in which other processes take part: they follow the system's time
 * @param under where the folder is made; memory-backed for tests that sync thousands of times
 */
export function makeHome(clock: ManualClock = manualClock(), under = tmpdir()): Home {
  const root = realpathSync(mkdtempSync(join(under, "memd-home-")));
  const memory = join(root, "memory");
  const sessions = join(root, "sessions");
  const state = join(root, "state", "memd", "stores", "app");
  mkdirSync(sessions, { recursive: true });
  const store: Store = {
    name: "app",
    layout: "custom",
    memory,
    sessions: [sessions],
    logs: [],
    project: null,
    paused: false,
    state,
  };
  const home: Home = {
    root,
    memory,
    sessions,
    state,
    clock,
    store,
    session: (name, lines) => {
      const path = join(sessions, `${name}.jsonl`);
      writeFileSync(path, transcript(name, lines));
      const last = new Date(lines.at(-1)?.at ?? START);
      utimesSync(path, last, last);
      return path;
    },
    topic: (name, text) => {
      mkdirSync(memory, { recursive: true });
      writeFileSync(join(memory, name), text);
      return join(memory, name);
    },
    world: (changes = {}) => worldOf(home, changes),
    dream: async (request = {}, changes = {}) => {
      const world = home.world(changes);
      const whole: DreamRequest = {
        now: true,
        dryRun: false,
        keepBrief: false,
        cause: "now",
        progress: () => undefined,
        ...request,
      };
      try {
        return await runDream(world, changes.signal ?? NO_SIGNAL, whole);
      } finally {
        await world.close();
      }
    },
    read: (name) => readFileSync(join(memory, name), "utf8"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  return home;
}

function worldOf(home: Home, changes: Changes): DreamWorld {
  const files = changes.files ?? nodeFiles;
  const env = { XDG_STATE_HOME: join(home.root, "state"), XDG_CONFIG_HOME: join(home.root, "config") };
  const paths = platformPaths(env, "linux", home.root);
  let serial = 0;
  const random = (bytes: number) =>
    Buffer.from(sha256(`${home.clock.now()}-${serial++}-${process.pid}-${performance.now()}`), "hex").subarray(
      0,
      bytes,
    );
  const output = { write: () => undefined, terminal: false };
  const { clock } = home;
  const context = {
    env,
    paths,
    platform: "linux",
    cwd: home.root,
    files,
    clock,
    random,
    stdout: output,
    stderr: output,
    ask: null,
    signal: NO_SIGNAL,
    version: "0",
    pid: process.pid,
  };
  const { values, problems } = checkConfig(changes.config ?? null);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  // The lock directory's heartbeat carries the system's time, which this clock does not follow: it never looks stale here.
  const timing = { stale: 1_000 * 365 * DAY, update: 15_000 };
  const lease = {
    files,
    clock,
    random,
    processes: systemProcesses(process),
    seen: new Map(),
    machineId: MACHINE,
    timing,
  };
  const node = { path: process.execPath, flags: process.allowedNodeEnvironmentFlags };
  const world = buildWorld(context, {
    config: configOf(values),
    store: { ...home.store, ...changes.store },
    headless: false,
    lease,
    node,
    childPath: "",
    zone: "UTC",
  });
  return { ...world, distiller: changes.distiller ?? inProcess };
}

const uuid = (text: string) => sha256(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");

export function transcript(session: string, lines: readonly Line[], cwd = "/home/ana/code/app"): string {
  let parent: string | null = null;
  return lines
    .map(({ who, text, at }, index) => {
      const id = uuid(`${session}-${index}`);
      const common = {
        parentUuid: parent,
        isSidechain: false,
        uuid: id,
        timestamp: new Date(at).toISOString(),
        sessionId: uuid(session),
        cwd,
        version: "2.1.332",
        userType: "external",
        entrypoint: "cli",
      };
      parent = id;
      if (who === "user")
        return JSON.stringify({
          ...common,
          type: "user",
          origin: { kind: "human" },
          promptSource: "typed",
          turnOrigin: "human",
          message: { role: "user", content: text },
        });
      return JSON.stringify({
        ...common,
        type: "assistant",
        message: { id: `msg_${id}`, role: "assistant", content: [{ type: "text", text }] },
      });
    })
    .map((line) => `${line}\n`)
    .join("");
}

/** A session in which somebody says each text, a minute apart, and the agent answers. */
export function talk(texts: readonly string[], at: number): Line[] {
  return texts.flatMap((text, index): Line[] => [
    { who: "user", text, at: at + index * 60_000 },
    { who: "assistant", text: "Understood.", at: at + index * 60_000 + 5_000 },
  ]);
}

/** Every file below a folder: bytes by hash, and mtime to the nanosecond; what "not one byte or mtime" is checked with. */
export function photograph(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [
        path.slice(folder.length + 1),
        `${sha256(readFileSync(path))} ${statSync(path, { bigint: true }).mtimeNs}`,
      ]),
  );
}
