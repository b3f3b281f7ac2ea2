/** Is somebody dreaming here? Judged from the holder record and the lock directory, without taking anything. */
import { childPath } from "../base/child-path.ts";
import type { Random } from "../base/ids.ts";
import { isRunning } from "../base/process.ts";
import type { Clock } from "../ports.ts";
import { OWN_FOLDER } from "./hold.ts";
import { type Holder, readHolder } from "./holder.ts";
import { type LockDir, seeLockDir } from "./lock-dir.ts";
import { HOLDER_LIMIT, readStamp, STAMP_SKEW, type Stamp, type StampWorld } from "./stamp.ts";

export interface LeaseWorld extends StampWorld {
  readonly clock: Clock;
  readonly random: Random;
  /** Random id of this machine: another machine's pid says nothing here. */
  readonly machineId: string;
  /** Milliseconds; only tests need other figures than the default. */
  readonly timing?: { readonly stale: number; readonly update: number } | undefined;
}

/** A heartbeat each 15 s, lost after 60 s: four missed beats, and a pid check covers the longer wait for a dead holder. */
export const TIMING = { stale: 60_000, update: 15_000 } as const;

export interface HeldBy {
  /** `unknown`: a lock directory without a readable record, as between two steps of taking it. */
  readonly program: "memd" | "claude-code" | "unknown";
  readonly pid: number | null;
  readonly otherMachine: boolean;
}

export interface Held {
  readonly state: "held";
  readonly by: HeldBy;
  /** Epoch ms. */
  readonly since: number;
}

/** `orphan`: what a dead, silent or foreign-looking holder left; may be broken and rolled back. */
export type Occupancy = { readonly state: "free" } | { readonly state: "orphan"; readonly dir: LockDir | null } | Held;

export interface LeasePaths {
  readonly folder: string;
  readonly lock: string;
  readonly record: string;
}

export function leasePaths(memoryDir: string): LeasePaths {
  const folder = childPath(memoryDir, OWN_FOLDER);
  return { folder, lock: childPath(folder, "lease.lock"), record: childPath(folder, "lease.json") };
}

/** The order of reading matters: the record first, so that a directory taken meanwhile does not hold its token. */
export function occupancy(world: LeaseWorld, paths: LeasePaths): Occupancy {
  const hasRecord = world.files.lstat(paths.record) !== null;
  const holder = hasRecord ? readHolder(world.files, paths.record) : null;
  const dir = seeLockDir(world.files, paths.lock);
  const now = world.clock.now();
  if (holder && holder.machineId !== world.machineId) {
    const age = now - holder.since;
    return age >= -STAMP_SKEW && age < HOLDER_LIMIT ? held(holder, true) : { state: "orphan", dir };
  }
  // A record without its lock directory, readable or not, is what a run left that did not end.
  if (dir === null) return hasRecord ? { state: "orphan", dir } : { state: "free" };
  const stale = world.timing?.stale ?? TIMING.stale;
  const age = now - dir.mtime;
  if (dir.kind !== "dir" || age > stale) return { state: "orphan", dir };
  if (holder && dir.names.includes(holder.token)) {
    const identity = { pid: holder.pid, start: holder.processStart, boot: holder.bootId };
    return isRunning(world.processes, identity) ? held(holder, false) : { state: "orphan", dir };
  }
  // A lock in the future would otherwise hold until the clock has caught up.
  if (age < -STAMP_SKEW) return { state: "orphan", dir };
  return { state: "held", by: { program: "unknown", pid: null, otherMachine: false }, since: dir.mtime };
}

function held(holder: Holder, otherMachine: boolean): Held {
  return { state: "held", by: { program: "memd", pid: holder.pid, otherMachine }, since: holder.since };
}

/** Left by a run that was killed. */
export interface Stale {
  readonly state: "stale";
  readonly pid: number | null;
  readonly since: number | null;
  /** What the stamp on the disk goes back to before the next run, epoch ms; null when it stays. */
  readonly prior: number | null;
}

/** The same test as the recovery's: the stamp is still the one that the killed run wrote. */
function priorOf(holder: Holder | null, stamp: Stamp | undefined): number | null {
  const on = stamp?.holder;
  return holder && on && on.pid === holder.pid && on.since === holder.since ? holder.priorStamp : null;
}

/** What `status` shows of the lock; writes nothing. @param stamp as it was just read, where it was */
export function lockState(
  world: LeaseWorld,
  memoryDir: string,
  stamp?: Stamp,
): Held | { readonly state: "free" } | Stale {
  const paths = leasePaths(memoryDir);
  const found = occupancy(world, paths);
  if (found.state === "held") return found;
  if (found.state === "orphan") {
    const holder = readHolder(world.files, paths.record);
    const since = holder?.since ?? found.dir?.mtime ?? null;
    return { state: "stale", pid: holder?.pid ?? null, since, prior: priorOf(holder, stamp) };
  }
  return stampHeld(world, memoryDir, stamp) ?? { state: "free" };
}

/** The stamp is held by a live process that is not this one: Claude Code dreams, or a memd that lost its record. */
export function stampHeld(world: LeaseWorld, memoryDir: string, stamp?: Stamp): Held | null {
  const { held: isHeld, holder } = stamp ?? readStamp(world, memoryDir, world.clock.now());
  if (!isHeld || holder === null || holder.pid === world.processes.self.pid) return null;
  return { state: "held", by: { program: "claude-code", pid: holder.pid, otherMachine: false }, since: holder.since };
}
