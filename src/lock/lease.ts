/**
 * The lease: holding the lock while dreaming. Taken and rolled back here only; every step survives SIGKILL, since the
 * holder record is written before the stamp and removed after it, and whoever comes next finishes what it tells.
 */
import { systemCode } from "../base/errors.ts";
import { prepareFolder } from "./folder.ts";
import { guarded } from "./guarded.ts";
import { heldLease, type Lease, leaseLost, type Taken } from "./held-lease.ts";
import { holdStamp } from "./hold.ts";
import { writeHolder } from "./holder.ts";
import { breakLockDir, tokenFs } from "./lock-dir.ts";
import { type Held, type LeasePaths, type LeaseWorld, leasePaths, occupancy, stampHeld, TIMING } from "./occupancy.ts";
import { recoverStamp } from "./recover.ts";
import { readStamp } from "./stamp.ts";

export type { Lease, LeaseOutcome } from "./held-lease.ts";

export type Acquired = { readonly state: "acquired"; readonly lease: Lease };

/**
 * Takes the lease of a store, healing whatever a dead holder left; makes the memory directory if there is none.
 * @param run the run's id, for the record
 * @returns the lease, or who holds it: never waits
 * @throws MemdError misconfigured when the directory cannot be written, unavailable when the disk is full
 */
export async function acquireLease(world: LeaseWorld, memoryDir: string, run: string): Promise<Acquired | Held> {
  return guarded(`take the lock in ${memoryDir}`, async () => {
    prepareFolder(world, memoryDir);
    const taken = await take(world, memoryDir);
    if ("state" in taken) return taken;
    try {
      recoverStamp(taken.world, taken.site);
      const rival = stampHeld(world, memoryDir);
      const lease = rival ?? hold(taken, run);
      if ("state" in lease) await taken.unlock();
      return "state" in lease ? lease : { state: "acquired", lease };
    } catch (error) {
      await taken.unlock();
      throw error;
    }
  });
}

/**
 * Rolls back a run that was killed: at start, before a dream, and at each timed scan. Costs two reads when there is none.
 * @returns true when something was rolled back
 */
export async function recoverLease(world: LeaseWorld, memoryDir: string): Promise<boolean> {
  return guarded(`roll back the lock in ${memoryDir}`, async () => {
    if (occupancy(world, leasePaths(memoryDir)).state !== "orphan") return false;
    const taken = await take(world, memoryDir);
    if ("state" in taken) return false;
    try {
      recoverStamp(world, taken.site);
      return true;
    } finally {
      await taken.unlock();
    }
  });
}

/** Each attempt can lose only to a rival that broke the same orphan; three in a row means that the lock is busy. */
const ATTEMPTS = 3;

/** Takes the lock directory at `paths`, which lies in `memoryDir` or stands for it; writes neither record nor stamp. */
export async function take(
  world: LeaseWorld,
  memoryDir: string,
  paths: LeasePaths = leasePaths(memoryDir),
): Promise<Taken | Held> {
  const busy: Held = {
    state: "held",
    by: { program: "unknown", pid: null, otherMachine: false },
    since: world.clock.now(),
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = occupancy(world, paths);
    if (found.state === "held") return found;
    if (found.state === "orphan" && found.dir) breakLockDir(world.files, paths.lock, found.dir);
    const taken = await lock(world, memoryDir, paths);
    if (taken) return taken;
  }
  const found = occupancy(world, paths);
  return found.state === "held" ? found : busy;
}

/** What the library reports when a rival was faster, or removed the directory between two steps. */
const LOST_RACE = new Set(["ELOCKED", "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"]);

async function lock(world: LeaseWorld, memoryDir: string, paths: LeasePaths): Promise<Taken | null> {
  const token = Buffer.from(world.random(16)).toString("hex");
  const lost = new AbortController();
  // Loaded when a lock is really taken: the library hooks the process's signals, which no reading command needs.
  const library = await import("proper-lockfile");
  try {
    const unlock = await library.lock(memoryDir, {
      ...(world.timing ?? TIMING),
      lockfilePath: paths.lock,
      realpath: false,
      fs: tokenFs(token),
      // The library's default throws from a timer and ends the process, after a mere suspend too.
      onCompromised: (cause) => lost.abort(leaseLost(memoryDir, cause)),
    });
    const site = { files: world.files, memoryDir, token, machine: world.machineId };
    return { world, paths, site, lost, unlock: () => settle(unlock) };
  } catch (error) {
    if (LOST_RACE.has(systemCode(error) ?? "")) return null;
    throw error;
  }
}

/** A lock that is already gone or another's is what unlocking wanted; anything else is left to the next holder to heal. */
async function settle(unlock: () => Promise<void>): Promise<void> {
  try {
    await unlock();
  } catch (error) {
    if (systemCode(error) === null) throw error;
  }
}

/** Record first, stamp second; then Claude Code's own check, that the pid read back is ours. */
function hold(taken: Taken, run: string): Lease | Held {
  const { world, paths, site } = taken;
  const since = world.clock.now();
  const { self } = world.processes;
  const prior = readStamp(world, site.memoryDir, since);
  const identity = { pid: self.pid, processStart: self.start, bootId: self.boot, machineId: world.machineId };
  writeHolder(world.files, paths.record, { token: site.token, ...identity, priorStamp: prior.stamp, since, run });
  try {
    holdStamp(site, { pid: self.pid, now: since, keep: prior.stamp !== 0 });
  } catch (error) {
    recoverStamp(world, site);
    throw error;
  }
  const rival = stampHeld(world, site.memoryDir);
  if (!rival) return heldLease(taken, { priorStamp: prior.stamp, since });
  recoverStamp(world, site);
  return rival;
}
