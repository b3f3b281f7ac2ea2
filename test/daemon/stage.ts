/** The resident loop among stores that exist in a table only: what it asks for, and when. */
import { NO_LOG } from "../../src/base/log.ts";
import { checkConfig } from "../../src/config/check.ts";
import { configOf } from "../../src/config/config.ts";
import type { DaemonWorld, Dreamt, Glance, Job, Settings } from "../../src/daemon/world.ts";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import type { RunReport } from "../../src/ledger/report.ts";
import type { Store } from "../../src/ports.ts";
import type { Triggers } from "../../src/triggers/open.ts";
import { startTick } from "../../src/triggers/tick.ts";
import { makeTime, type Time } from "./time.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function storeNamed(name: string): Store {
  const memory = `/m/${name}`;
  return {
    name,
    layout: "custom",
    memory,
    sessions: [`/s/${name}`],
    logs: [],
    project: null,
    paused: false,
    state: `/state/${name}`,
  };
}

/** How a dream ends; what is not told is that of a run that changed something. */
export function ended(exit = 0, report: Partial<RunReport> = {}): Dreamt {
  const outcome = exit === 0 ? "done" : exit === 3 || exit === 4 ? "skipped" : "failed";
  return { exit, report: { id: "run", outcome, reason: null, code: null, hint: null, ...report } as RunReport };
}

export const CLOSED: Glance = { open: false, gate: "time", reason: "too-soon", opensAt: null };

export interface Stage {
  readonly time: Time;
  readonly daemon: Daemon;
  readonly stores: Store[];
  /** Name and cause of each dream, in order. */
  readonly dreams: string[];
  readonly glances: string[];
  /** What the manager was told. */
  readonly told: string[];
  readonly logged: { level: string; message: string }[];
  readonly events: { event: string; code?: string; store?: string | null }[];
  readonly world: DaemonWorld;
  /** Most dreams that went on at once. */
  most(): number;
}

export interface Plan {
  readonly stores?: readonly string[];
  readonly config?: unknown;
  readonly glance?: (store: Store) => Glance;
  readonly dream?: (job: Job) => Promise<Dreamt> | Dreamt;
  readonly windows?: Partial<Triggers["windows"]>;
  readonly world?: Partial<DaemonWorld>;
}

export function settingsOf(config: unknown, mark = "1"): Settings {
  const { values, problems } = checkConfig(config ?? null);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return { config: configOf(values), mark, waits: { interval: DAY, backlogInterval: HOUR } };
}

export async function makeStage(plan: Plan = {}): Promise<Stage> {
  const time = makeTime();
  const stores = (plan.stores ?? ["app"]).map(storeNamed);
  const [dreams, glances, told]: string[][] = [[], [], []];
  const [logged, events]: [Stage["logged"], Stage["events"]] = [[], []];
  let [going, most] = [0, 0];
  const say = (level: string) => (message: string) => void logged.push({ level, message });
  const world: DaemonWorld = {
    clock: time.clock,
    timers: time.timers,
    log: { ...NO_LOG, info: say("info"), warn: say("warn"), error: say("error") },
    manager: {
      ready: () => void told?.push("ready"),
      status: () => undefined,
      ping: () => void told?.push("ping"),
      stopping: () => void told?.push("stopping"),
      reloading: () => void told?.push("reloading"),
    },
    emit: (event) => void events.push(event as Stage["events"][number]),
    version: "1",
    pid: 7,
    load: async () => settingsOf(plan.config),
    configMark: () => "1",
    stores: async () => stores,
    open: async ({ config }, on) => {
      const interval = config.gates.scanMinutes * MINUTE;
      const stop = startTick(
        { clock: time.clock, timers: time.timers, chance: () => 0, interval, beatMs: null },
        { scan: (leap) => on.wake({ cause: "scan", leap }), beat: on.beat },
      );
      const windows = { isOpen: () => true, admits: () => true, opensAt: () => null, ...plan.windows };
      return { follow: () => undefined, watching: 0, trouble: null, windows, close: async () => stop() };
    },
    glance: (store) => {
      glances?.push(store.name);
      return plan.glance?.(store) ?? { open: true };
    },
    recover: async () => undefined,
    dream: async (job) => {
      dreams?.push(`${job.store.name} ${job.cause}${job.afresh ? " afresh" : ""}`);
      most = Math.max(most, ++going);
      try {
        return (await plan.dream?.(job)) ?? ended();
      } finally {
        going--;
      }
    },
    circumstances: () => "",
    upgraded: () => false,
    ...plan.world,
  };
  const daemon = await startDaemon(world);
  time.settle = daemon.idle;
  return {
    time,
    daemon,
    stores,
    dreams: dreams ?? [],
    glances: glances ?? [],
    told: told ?? [],
    logged,
    events,
    world,
    most: () => most,
  };
}
