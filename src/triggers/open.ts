/** Everything that wakes the daemon, opened and closed as one: the pulse, the watches, the user's windows. */
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Timers } from "../base/timers.ts";
import type { Notice } from "../memory/changeset.ts";
import type { Files, Store } from "../ports.ts";
import { type FolderWatch, isRemoteFolder, nodeFolderWatch, openFolders } from "./folders.ts";
import { openHints } from "./hints.ts";
import { DISCOVER, isOwnName, placesOf } from "./places.ts";
import type { Windows } from "./schedule.ts";
import { startTick } from "./tick.ts";
import type { Roots } from "./watch.ts";

/** `scan`: the timed one; `cron`: a window opened; `hint`: events at these stores; `discover`: there may be other stores. */
export type Wake =
  | { readonly cause: "scan"; readonly leap: number }
  | { readonly cause: "cron" | "discover" }
  | { readonly cause: "hint"; readonly stores: readonly string[] };

export interface TriggerWorld {
  readonly files: Files;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly chance: () => number;
  /** How the kernel is asked to watch a folder; only tests have another. */
  readonly watchFolder?: FolderWatch;
}

export interface TriggerPlan {
  readonly watch: boolean;
  /** Milliseconds. */
  readonly quiet: number;
  readonly longest: number;
  readonly scanInterval: number;
  readonly beatMs: number | null;
  readonly windows: readonly string[];
  readonly timeZone: string;
  /** Folders below which new stores may appear. */
  readonly roots: readonly string[];
}

export interface Triggers {
  /** Watches what feeds these stores; called at start and at each timed scan, which is when a folder that came back is found. */
  follow(stores: readonly Store[]): void;
  readonly watching: number;
  /** Why events do not tell everything, or null. The scan finds the same, later. */
  readonly trouble: Notice | null;
  readonly windows: Pick<Windows, "isOpen" | "admits" | "opensAt">;
  close(): Promise<void>;
}

export interface TriggerListener {
  wake(wake: Wake): void;
  /** The loop turns. */
  beat(): void;
}

export async function openTriggers(world: TriggerWorld, plan: TriggerPlan, on: TriggerListener): Promise<Triggers> {
  const windows = await openWindows(world, plan, on);
  const stop = startTick(
    { ...world, interval: plan.scanInterval, beatMs: plan.beatMs },
    { scan: (leap) => on.wake({ cause: "scan", leap }), beat: on.beat },
  );
  const watches = plan.watch ? await openWatches(world, plan, on) : NO_WATCHES;
  return {
    follow: watches.follow,
    get watching() {
      return watches.watching();
    },
    get trouble() {
      return watches.trouble();
    },
    windows,
    close: async () => {
      stop();
      windows.close();
      await watches.close();
    },
  };
}

const ALWAYS: Windows = { isOpen: () => true, admits: () => true, opensAt: () => null, close: () => undefined };

/** node-cron is loaded for those who have windows. */
async function openWindows(world: TriggerWorld, plan: TriggerPlan, on: TriggerListener): Promise<Windows> {
  if (plan.windows.length === 0) return ALWAYS;
  const { openSchedule } = await import("./schedule.ts");
  const { log, clock } = world;
  const tell = (level: "debug" | "warn" | "error") => (message: string | Error) =>
    log[level](`windows: ${message instanceof Error ? message.message : message}`);
  // What it calls information is each tick.
  const logger = { info: tell("debug"), debug: tell("debug"), warn: tell("warn"), error: tell("error") };
  return openSchedule({ clock, logger }, plan, () => on.wake({ cause: "cron" }));
}

interface Watches {
  follow(stores: readonly Store[]): void;
  watching(): number;
  trouble(): Notice | null;
  close(): Promise<void>;
}

const NO_WATCHES: Watches = {
  follow: () => undefined,
  watching: () => 0,
  trouble: () => null,
  close: async () => undefined,
};

async function openWatches(world: TriggerWorld, plan: TriggerPlan, on: TriggerListener): Promise<Watches> {
  const { openRoots } = await import("./watch.ts");
  const { files } = world;
  const hints = openHints({ ...world, quiet: plan.quiet, longest: plan.longest }, (keys) => {
    const stores = keys.filter((key) => key !== DISCOVER);
    if (stores.length > 0) on.wake({ cause: "hint", stores });
    if (stores.length < keys.length) on.wake({ cause: "discover" });
  });
  let places: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  const folders = openFolders({
    files,
    watchFolder: world.watchFolder ?? nodeFolderWatch,
    isRemote: isRemoteFolder,
    on: (path, name) => {
      if (name !== null && isOwnName(name)) return;
      for (const key of places.get(path) ?? []) hints.add(key);
    },
  });
  const roots = openRoots({ files, on: () => hints.add(DISCOVER) });
  return {
    follow: (stores) => {
      places = placesOf(files, { stores, roots: plan.roots });
      roots.follow(plan.roots);
      folders.follow(places.keys());
    },
    watching: () => folders.watching + roots.watching,
    trouble: () => troubleOf(folders, roots),
    close: async () => {
      hints.close();
      folders.close();
      await roots.close();
    },
  };
}

const WHY: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  ENOSPC: [
    "the system has no watches left",
    "Raise fs.inotify.max_user_watches, or set daemon.watch: false; the timed scan finds the same, later.",
  ],
  EMFILE: [
    "this process or user may open no more watchers",
    "Raise fs.inotify.max_user_instances or ulimit -n, or set daemon.watch: false; the timed scan finds the same, later.",
  ],
  EACCES: ["this user may not read them", "Give this user read permission there."],
  remote: [
    "they lie on another machine, whose changes send no events",
    "Nothing to do: the timed scan looks at all of them.",
  ],
  "too-many": ["there are too many", "Nothing to do: the timed scan looks at all of them."],
};

function troubleOf(folders: { trouble: { code: string; left: number } | null }, roots: Roots): Notice | null {
  const found = folders.trouble ?? roots.trouble;
  if (found === null) return null;
  const [why, hint] = WHY[found.code] ?? [
    `the system answered ${found.code}`,
    "Nothing to do: the timed scan finds the same, later.",
  ];
  const left = folders.trouble?.left ?? null;
  const what = left === null ? "new projects are" : left === 1 ? "a folder is" : `${left} folders are`;
  return { code: "not-watched", message: `${what} not watched: ${why}`, hint };
}
