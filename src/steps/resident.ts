/** What the resident loop works with, bound to the real rooms. Every dream gets a world of its own: a world knows its store's state from the moment it was built. */
import { join } from "node:path";
import { classify, systemCode } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Timers } from "../base/timers.ts";
import type { Context } from "../commands/context.ts";
import type { Config } from "../config/config.ts";
import type { Paths } from "../config/paths.ts";
import { personStore } from "../config/stores.ts";
import type { DaemonWorld, Dreamt, Glance, Job, Manager, Settings } from "../daemon/world.ts";
import type { Event, EventSink } from "../ledger/event.ts";
import { type LeaseWorld, leasePaths } from "../lock/occupancy.ts";
import type { Store } from "../ports.ts";
import { openTriggers, type TriggerPlan } from "../triggers/open.ts";
import { type Glanced, type GlanceNews, makeGlances } from "./glance.ts";
import { gateLimits } from "./limits.ts";
import { stateOf } from "./state.ts";
import { noteVerdict } from "./verdict.ts";
import type { DreamWorld } from "./world.ts";

export interface Resident {
  readonly context: Context;
  readonly timers: Timers;
  readonly log: Log;
  readonly manager: Manager & { readonly pingMs: number | null };
  readonly events: EventSink;
  readonly lease: LeaseWorld;
  /** The machine's IANA zone. */
  readonly zone: string;
  /** Folder of the running program. */
  readonly program: string;
  load(): Promise<Config>;
  /** @param trouble told why the agents' stores could not be found; those that were known are returned then */
  stores(config: Config, trouble: (thrown: unknown) => void): Promise<readonly Store[]>;
  /** Everything that a run over one store works with. */
  dreamWorld(plan: { config: Config; store: Store; events: EventSink }): Promise<DreamWorld>;
  remember(store: Store): void;
}

export function residentWorld(resident: Resident): DaemonWorld {
  const { context, timers, log, manager, events, lease } = resident;
  const { files, clock, paths } = context;
  const glances = makeGlances({ lease, state: paths.state, tell: (store, news) => tellNews(resident, store, news) });
  const program = markOf(resident, join(resident.program, BUILT));
  return {
    clock,
    timers,
    log,
    manager,
    emit: events.emit,
    version: context.version,
    pid: context.pid,
    load: () => settingsOf(resident),
    configMark: () => markOf(resident, paths.configFile),
    stores: ({ config }, trouble) => resident.stores(config, trouble),
    open: (settings, on) =>
      openTriggers({ files, clock, timers, log, chance: () => chanceOf(context) }, planOf(resident, settings), on),
    glance: (store, { config }) => glanceOf(glances.look(store, gateLimits(config))),
    recover: (store, { config }) => takeBack(resident, store, config),
    dream: (job) => dreamOf(resident, job).finally(() => glances.forget(job.store)),
    circumstances: (store) =>
      [store.memory, ...store.sessions, ...store.logs].map((path) => placeOf(resident, path)).join("\n"),
    upgraded: () => markOf(resident, join(resident.program, BUILT)) !== program,
  };
}

/** Written last by the build; an update of the package replaces it. */
const BUILT = ".built";

async function settingsOf(resident: Resident): Promise<Settings> {
  const { paths } = resident.context;
  // The mark first: a file that is written meanwhile is read again at the next scan.
  const mark = markOf(resident, paths.configFile);
  const config = await resident.load();
  const { interval, backlogInterval } = gateLimits(config);
  return { config, mark, waits: { interval, backlogInterval } };
}

/** Names one version of a file; the same text while it is not touched. */
function markOf({ context }: Resident, path: string): string {
  try {
    const stat = context.files.stat(path);
    return stat === null ? "" : `${stat.mtime}:${stat.size}:${stat.ino}`;
  } catch (error) {
    return systemCode(error) ?? "unreadable";
  }
}

function placeOf({ context }: Resident, path: string): string {
  try {
    const stat = context.files.stat(path);
    return stat === null ? "" : `${stat.ino}:${stat.mode}`;
  } catch (error) {
    return systemCode(error) ?? "unreadable";
  }
}

function chanceOf({ random }: Context): number {
  const [a = 0, b = 0] = random(2);
  return (a * 256 + b) / 65_536;
}

const SECOND = 1_000;

function planOf({ context, manager, zone }: Resident, { config }: Settings): TriggerPlan {
  const { daemon, dream } = config;
  return {
    watch: daemon.watch,
    quiet: daemon.debounceSeconds * SECOND,
    longest: Math.max(daemon.debounceSeconds, daemon.debounceMaxSeconds) * SECOND,
    scanInterval: gateLimits(config).scanInterval,
    beatMs: manager.pingMs,
    windows: daemon.windows,
    timeZone: dream.timeZone ?? zone,
    roots: rootsOf(config, context.paths),
  };
}

/** Folders below which the agents keep their sessions; none where only the configuration names stores. */
export function rootsOf({ discover, discoverOthers }: Config, { claude, others }: Paths): readonly string[] {
  return discover ? [join(claude, "projects"), ...(discoverOthers ? others : [])] : [];
}

function glanceOf({ closed, isHeld }: Glanced): Glance {
  return closed === null ? { open: true, isHeld } : { open: false, ...closed, isHeld };
}

/** Into the store's state too, so that it is told once, whoever looks next. On a full disk it is told at the next start. */
function tellNews({ context, events: heard, log }: Resident, store: Store, { closed, overdue }: GlanceNews): void {
  const events = heardBy(heard, (event) => logCondition(log, event));
  const state = stateOf(context, store, events);
  try {
    if (closed !== null) noteVerdict({ state, clock: context.clock, store, events }, closed);
    if (overdue === null) return;
    const others = state.current().conditions.filter(({ code }) => code !== "overdue");
    state.save({ conditions: [...others, ...overdue] });
  } catch (error) {
    const { code, message, hint } = classify(error, `write the state of ${store.name}`);
    log.warn(message, { code, store: store.name, hint });
  }
}

function heardBy(events: EventSink, hear: (event: Event) => void): EventSink {
  return {
    emit: (event) => {
      events.emit(event);
      hear(event);
    },
    get trouble() {
      return events.trouble;
    },
  };
}

/** What a run found wrong with its store; the daemon's own troubles are logged where they stand. */
function logCondition(log: Log, event: Event): void {
  if (event.event === "condition-raised") log.warn(event.message, { code: event.code, store: event.store });
  if (event.event === "condition-cleared") log.info("no longer so", { code: event.code, store: event.store });
}

async function dreamOf(resident: Resident, job: Job): Promise<Dreamt> {
  const { store, settings, cause, signal } = job;
  const told: Event[] = [];
  const events = heardBy(resident.events, (event) => {
    if (event.event === "dream-began") job.began(event.run);
    told.push(event);
  });
  const { runDream } = await import("./run.ts");
  const world = await resident.dreamWorld({ config: settings.config, store, events });
  try {
    resident.remember(store);
    if (job.afresh) world.state.save({ failure: null });
    const now = cause === "now";
    const ended = await runDream(world, signal, {
      now,
      dryRun: false,
      keepBrief: false,
      cause,
      progress: job.progress,
    });
    // That the run failed, and why, is the loop's to log.
    const others = told.filter((event) => !("code" in event && event.code === ended.report.code));
    for (const event of others) logCondition(resident.log, event);
    if (ended.report.outcome === "done") await tellPerson(resident, settings.config);
    return ended;
  } finally {
    await world.close();
  }
}

/** What the projects have now said of the user alike goes to the user's own memory. What is wrong there is no fault of the dream. */
async function tellPerson(resident: Resident, config: Config): Promise<void> {
  if (!config.person.enabled) return;
  const { context, log, stores, dreamWorld } = resident;
  const events = heardBy(resident.events, (event) => logCondition(log, event));
  const store = personStore(context.paths, config);
  const world = await dreamWorld({ config, store, events });
  try {
    const { rememberPerson } = await import("./person.ts");
    await rememberPerson(world, await stores(config, () => undefined));
  } catch (error) {
    const { code, message } = classify(error, `write the user's own memory in ${store.memory}`);
    log.warn(message, { code, store: store.name });
  } finally {
    await world.close();
  }
}

async function takeBack(resident: Resident, store: Store, config: Config): Promise<void> {
  if (!isCutShort(resident, store)) return;
  const { lease, log } = resident;
  const events = heardBy(resident.events, (event) => logCondition(log, event));
  // Loaded where something was left behind: most starts find nothing.
  const { recoverLease } = await import("../lock/lease.ts");
  const { finishCrashed } = await import("./recover.ts");
  if (await recoverLease(lease, store.memory)) log.warn("took back a run that was killed", { store: store.name });
  const world = await resident.dreamWorld({ config, store, events });
  try {
    await finishCrashed(world);
  } finally {
    await world.close();
  }
}

/** What a run has while it goes on, and what one that was killed leaves. */
function isCutShort({ lease, context }: Resident, store: Store): boolean {
  const { files } = context;
  const { folder, lock, record } = leasePaths(store.memory);
  if (files.lstat(folder) === null) return false;
  const journal = join(folder, "journal", lease.machineId);
  return [lock, record, journal].some((path) => files.lstat(path) !== null);
}
