/**
 * The lease: holding the lock while dreaming. Taken and rolled back here only; every step survives SIGKILL, since the
 * holder record is written before the stamp and removed after it, and whoever comes next finishes what it tells.
 */
import { join } from "node:path";
import { TEMP_PREFIX, writeAtomic } from "../base/atomic.ts";
import { classify, MemdError, systemCode } from "../base/errors.ts";
import { holdStamp, releaseSuccess, restoreExactly, rollBack, type StampSite } from "./hold.ts";
import { readHolder, removeHolder, writeHolder } from "./holder.ts";
import { breakLockDir, tokenFs } from "./lock-dir.ts";
import { type Held, type LeasePaths, type LeaseWorld, leasePaths, occupancy, stampHeld, TIMING } from "./occupancy.ts";
import { recoverStamp } from "./recover.ts";
import { readStamp } from "./stamp.ts";

/** How a run ended, for the stamp: consolidated as of `stamp` (epoch ms), nothing new, or to be tried again. */
export type LeaseOutcome =
  | { readonly kind: "success"; readonly stamp: number }
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed" };

export interface Lease {
  /** The stamp before the run, epoch ms; 0 never or invalid. The time gate is judged again with it. */
  readonly priorStamp: number;
  /** Fencing token, 32 hex digits. */
  readonly token: string;
  /** Aborted, with a MemdError `lease-lost` as reason, as soon as the loss is noticed. */
  readonly signal: AbortSignal;
  /** Reads the token on the disk; to be called before every commit. @throws MemdError `lease-lost` */
  assertHeld(): void;
  /**
   * Writes the stamp and gives the lock back; a second call does nothing. A lost lease writes nothing at all.
   * @returns the stamp as it stands now, epoch ms
   * @throws MemdError when the stamp cannot be written; the next start then rolls it back
   */
  release(outcome: LeaseOutcome): Promise<number>;
}

export type Acquired = { readonly state: "acquired"; readonly lease: Lease };

interface Taken {
  readonly world: LeaseWorld;
  readonly paths: LeasePaths;
  readonly site: StampSite;
  readonly lost: AbortController;
  /** Stops the heartbeat and removes the lock directory, if it is still this lease's own. */
  unlock(): Promise<void>;
}

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

async function take(world: LeaseWorld, memoryDir: string): Promise<Taken | Held> {
  const paths = leasePaths(memoryDir);
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
    const site = { files: world.files, memoryDir, token };
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
  if (!rival) return leaseOf(taken, prior.stamp, since);
  recoverStamp(world, site);
  return rival;
}

function leaseOf(taken: Taken, priorStamp: number, since: number): Lease {
  const { world, paths, site, lost } = taken;
  let released = false;
  const stampNow = () => readStamp(world, site.memoryDir, world.clock.now());
  const inPlace = () => world.files.lstat(join(paths.lock, site.token)) !== null;
  const isOurs = () => {
    // A record that somebody deleted costs only the roll back after a kill; one with another token is a rival's.
    const recorded = readHolder(world.files, paths.record)?.token ?? site.token;
    if (!inPlace() || recorded !== site.token) lost.abort(leaseLost(site.memoryDir, null));
    return !lost.signal.aborted;
  };
  const finish = (outcome: LeaseOutcome) => {
    const { holder } = stampNow();
    // A stamp that someone else wrote since is theirs to release.
    if (holder?.pid === world.processes.self.pid && holder.since === since) writeOutcome(site, outcome, priorStamp);
    removeHolder(world.files, paths.record);
  };
  const release = async (outcome: LeaseOutcome) => {
    try {
      if (isOurs()) finish(outcome);
    } finally {
      // Without its directory there is nothing to give back: the heartbeat finds that out and stops.
      if (inPlace()) await taken.unlock();
    }
  };
  return {
    priorStamp,
    token: site.token,
    signal: lost.signal,
    assertHeld: () => {
      if (released || !isOurs()) throw leaseLost(site.memoryDir, lost.signal.reason);
    },
    release: async (outcome) => {
      if (!released) {
        released = true;
        await guarded(`write the stamp in ${site.memoryDir}`, () => release(outcome));
      }
      return stampNow().stamp;
    },
  };
}

function writeOutcome(site: StampSite, outcome: LeaseOutcome, prior: number): void {
  if (outcome.kind === "success") releaseSuccess(site, outcome.stamp);
  else if (outcome.kind === "unchanged") restoreExactly(site, prior);
  else rollBack(site, prior);
}

function leaseLost(memoryDir: string, cause: unknown): MemdError {
  return new MemdError({
    code: "lease-lost",
    family: "unavailable",
    message: `lost the lock in ${memoryDir}: the run was stopped and wrote nothing more`,
    hint: "Nothing to do: this happens after a suspend; the next run starts over.",
    cause,
  });
}

/** Finds out that a directory cannot be written before anything is read, asked or paid for. */
function prepareFolder(world: LeaseWorld, memoryDir: string): void {
  const { files } = world;
  const { folder } = leasePaths(memoryDir);
  for (const path of [memoryDir, folder]) {
    const kind = (path === folder ? files.lstat(path) : files.stat(path))?.kind ?? null;
    if (kind !== null && kind !== "dir") throw notAFolder(path);
    if (kind === null) files.mkdir(path, 0o700);
  }
  const token = Buffer.from(world.random(8)).toString("hex");
  const ignore = join(folder, ".gitignore");
  if (files.lstat(ignore) === null) writeAtomic(files, ignore, "*\n", { mode: 0o600, token });
  const probe = join(memoryDir, `${TEMP_PREFIX}${token}-probe`);
  files.create(probe, "", 0o600);
  files.unlink(probe);
}

function notAFolder(path: string): MemdError {
  return new MemdError({
    code: "not-a-folder",
    family: "misconfigured",
    message: `${path} is not a folder`,
    hint: "Move it away, or name another memory directory in the configuration.",
  });
}

async function guarded<T>(doing: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw classify(error, doing);
  }
}
