/** A quarter of a year of a machine with three stores and the daemon on it, in which everything happens that happens to laptops. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemdError } from "../../src/base/errors.ts";
import { nodeFiles } from "../../src/base/files.ts";
import { NO_LOG } from "../../src/base/log.ts";
import { systemProcesses } from "../../src/base/process.ts";
import { checkConfig } from "../../src/config/check.ts";
import { configOf } from "../../src/config/config.ts";
import { platformPaths } from "../../src/config/paths.ts";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { coolDownGate } from "../../src/gate/cool-down.ts";
import { timeGate } from "../../src/gate/time.ts";
import { loadStoreState } from "../../src/ledger/store-state.ts";
import { readStamp } from "../../src/lock/stamp.ts";
import type { Distiller, Store } from "../../src/ports.ts";
import { buildWorld } from "../../src/steps/build.ts";
import { backlogOf, gateLimits } from "../../src/steps/limits.ts";
import { residentWorld } from "../../src/steps/resident.ts";
import { makeTime, type Time } from "../daemon/time.ts";
import { DAY, inProcess, MACHINE, talk, transcript } from "../support/home.ts";

/** One attempt at a dream, as the distiller saw it. */
export interface Attempt {
  readonly store: string;
  readonly at: number;
  readonly ok: boolean;
}

export interface Machine {
  readonly time: Time;
  readonly daemon: Daemon;
  readonly stores: readonly Store[];
  readonly attempts: readonly Attempt[];
  /** Sessions of each store that no run has read. */
  unread(store: Store): number;
  /** True when nothing but the daemon's own attention is missing for a dream. */
  isDue(store: Store): boolean;
  speak(store: Store, sessions: number): void;
  /** Takes the transcripts' folder away, or brings it back. */
  toggleFolder(store: Store): void;
  isThere(store: Store): boolean;
  /** As the agent does it: what was not written to for 30 days goes. */
  expire(): void;
  failing: boolean;
  /** Most dreams at once. */
  most(): number;
  end(): Promise<void>;
}

const NAMES = ["app", "web", "lib"];

export async function makeMachine(settings: object): Promise<Machine> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "memd-quarter-")));
  const time = makeTime();
  const paths = platformPaths({ XDG_STATE_HOME: join(root, "state") }, "linux", root);
  const { values, problems } = checkConfig({ discover: false, person: { enabled: false }, ...settings });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const config = configOf(values);
  const stores = NAMES.map((name): Store => {
    const sessions = join(root, name, "sessions");
    mkdirSync(sessions, { recursive: true });
    const state = join(paths.state, "stores", name);
    return {
      name,
      layout: "claude-code",
      memory: join(root, name, "memory"),
      sessions: [sessions],
      logs: [],
      project: null,
      paused: false,
      state,
    };
  });
  const waiting = new Map(stores.map(({ name }) => [name, new Set<string>()]));
  const attempts: Attempt[] = [];
  let [serial, going, most] = [0, 0, 0];
  const distiller = (store: string): Distiller => ({
    ...inProcess,
    distill: async (job) => {
      most = Math.max(most, ++going);
      try {
        const ok = !machine.failing;
        attempts.push({ store, at: time.clock.now(), ok });
        await Promise.resolve();
        if (!ok)
          throw new MemdError({ code: "overloaded", family: "unavailable", message: "overloaded", hint: "Wait." });
        // The evidence of a few short sessions fits whole.
        waiting.get(store)?.clear();
        return await inProcess.distill(job);
      } finally {
        going--;
      }
    },
  });
  const random = (bytes: number) =>
    Uint8Array.from({ length: bytes }, (_, i) => (++serial * 2_654_435_761 + i * 40_503) % 251);
  const output = { write: () => undefined, terminal: false };
  const signal = new AbortController().signal;
  const context = {
    env: {},
    paths,
    platform: "linux",
    cwd: root,
    files: nodeFiles,
    clock: time.clock,
    random,
    stdout: output,
    stderr: output,
    ask: null,
    signal,
    version: "1",
    pid: process.pid,
  };
  // The lock's heartbeat carries the system's time, which this clock does not follow.
  const timing = { stale: 1_000 * 365 * DAY, update: 15_000 };
  const lease = {
    files: nodeFiles,
    clock: time.clock,
    random,
    processes: systemProcesses(process),
    seen: new Map(),
    machineId: MACHINE,
    timing,
  };
  const node = { path: process.execPath, flags: process.allowedNodeEnvironmentFlags };
  const manager = {
    pingMs: null,
    ready: () => undefined,
    status: () => undefined,
    ping: () => undefined,
    stopping: () => undefined,
    reloading: () => undefined,
  };
  const daemon = await startDaemon(
    residentWorld({
      context,
      timers: time.timers,
      log: NO_LOG,
      manager,
      events: { emit: () => undefined, trouble: null },
      lease,
      zone: "Europe/Berlin",
      program: root,
      load: async () => config,
      stores: async () => stores,
      dreamWorld: async (plan) => ({
        ...buildWorld(context, {
          ...plan,
          headless: false,
          lease: { ...lease, seen: new Map() },
          node,
          childPath: "",
          zone: "Europe/Berlin",
        }),
        distiller: distiller(plan.store.name),
      }),
      remember: () => undefined,
    }),
  );
  time.settle = daemon.idle;
  await daemon.idle();
  const folder = (store: Store) => store.sessions[0] ?? "";
  const machine: Machine = {
    time,
    daemon,
    stores,
    attempts,
    failing: false,
    unread: (store) => loadStoreState(nodeFiles, store.state).lastScan?.unread ?? 0,
    isDue: (store) => {
      const now = time.clock.now();
      const state = loadStoreState(nodeFiles, store.state);
      const { stamp } = readStamp({ ...lease, seen: new Map() }, store.memory, now);
      const limits = gateLimits(config);
      const spoken = waiting.get(store.name)?.size ?? 0;
      const open = [timeGate({ stamp, backlog: backlogOf(state) }, now, limits), coolDownGate(state.failure, now)];
      return machine.isThere(store) && spoken >= limits.sessions && open.every((verdict) => verdict.open);
    },
    isThere: (store) => statSync(folder(store), { throwIfNoEntry: false }) !== undefined,
    speak: (store, sessions) => {
      if (!machine.isThere(store)) return;
      for (let i = 0; i < sessions; i++) {
        const name = `s${++serial}`;
        const at = time.clock.now() - 60_000;
        const path = join(folder(store), `${name}.jsonl`);
        writeFileSync(
          path,
          transcript(
            name,
            talk([`Remember: the ${name} service of ${store.name} is owned by team number ${serial}.`], at),
          ),
        );
        utimesSync(path, at / 1_000, at / 1_000);
        waiting.get(store.name)?.add(path);
      }
    },
    toggleFolder: (store) => {
      const path = folder(store);
      if (machine.isThere(store)) renameSync(path, `${path}-away`);
      else renameSync(`${path}-away`, path);
    },
    expire: () => {
      for (const store of stores.filter(machine.isThere))
        for (const name of readdirSync(folder(store))) {
          const path = join(folder(store), name);
          if (time.clock.now() - statSync(path).mtimeMs <= 30 * DAY) continue;
          unlinkSync(path);
          waiting.get(store.name)?.delete(path);
        }
    },
    most: () => most,
    end: async () => {
      daemon.stop({ how: "stopped", reason: "the end" });
      await daemon.done;
      rmSync(root, { recursive: true, force: true });
    },
  };
  return machine;
}
