/** A lease while it is held, and how it ends. */
import { join } from "node:path";
import { MemdError, systemCode } from "../base/errors.ts";
import { guarded } from "./guarded.ts";
import { releaseSuccess, restoreExactly, rollBack, type StampSite } from "./hold.ts";
import { readHolder, removeHolder } from "./holder.ts";
import type { LeasePaths, LeaseWorld } from "./occupancy.ts";
import { readStamp, type Stamp } from "./stamp.ts";

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
   * Writes the stamp and gives the lock back; a second call does nothing. A lost lease writes nothing at all, unless nobody holds the lock: then
   * the stamp that it wrote goes back.
   * @returns the stamp as it stands now, epoch ms
   * @throws MemdError when the stamp cannot be written; the next start then rolls it back
   */
  release(outcome: LeaseOutcome): Promise<number>;
}

/** The lock directory is ours; the stamp is not written yet. */
export interface Taken {
  readonly world: LeaseWorld;
  readonly paths: LeasePaths;
  readonly site: StampSite;
  readonly lost: AbortController;
  /** Stops the heartbeat and removes the lock directory, if it is still this lease's own. */
  unlock(): Promise<void>;
}

/** @param held.since the time that this lease wrote into the stamp, epoch ms */
export function heldLease(taken: Taken, held: { priorStamp: number; since: number }): Lease {
  const { site, lost } = taken;
  let released = false;
  return {
    priorStamp: held.priorStamp,
    token: site.token,
    signal: lost.signal,
    assertHeld: () => {
      if (released || !isOurs(taken)) throw leaseLost(site.memoryDir, lost.signal.reason);
    },
    release: async (outcome) => {
      if (!released) {
        released = true;
        await guarded(`write the stamp in ${site.memoryDir}`, () => release(taken, outcome, held));
      }
      return stampAfter(taken, outcome.kind === "success" ? outcome.stamp : held.priorStamp);
    },
  };
}

/** Looks at the disk, and marks the lease as lost when it is. */
function isOurs(taken: Taken): boolean {
  const { world, paths, site, lost } = taken;
  // A record that somebody deleted costs only the roll back after a kill; one with another token is a rival's.
  const recorded = readHolder(world.files, paths.record)?.token ?? site.token;
  if (!isInPlace(taken) || recorded !== site.token) lost.abort(leaseLost(site.memoryDir, null));
  return !lost.signal.aborted;
}

function isInPlace({ world, paths, site }: Taken): boolean {
  return world.files.lstat(join(paths.lock, site.token)) !== null;
}

/**
 * Somebody removed all of the lock, record too, as `git clean -x` does: then nothing is left that would take this run's stamp back, and the
 * stamp, which still names this process, keeps every rival from it.
 */
function isNobodys({ world, paths }: Taken): boolean {
  return world.files.lstat(paths.lock) === null && world.files.lstat(paths.record) === null;
}

function stampNow({ world, site }: Taken): Stamp {
  return readStamp(world, site.memoryDir, world.clock.now());
}

/** What was written stands, even where it cannot be read back: a run that went through must not be told as one that failed. */
function stampAfter(taken: Taken, written: number): number {
  try {
    return stampNow(taken).stamp;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return written;
  }
}

async function release(
  taken: Taken,
  outcome: LeaseOutcome,
  { priorStamp, since }: { priorStamp: number; since: number },
): Promise<void> {
  const { world, paths, site } = taken;
  try {
    const ours = isOurs(taken);
    if (!ours && !isNobodys(taken)) return;
    const { holder } = stampNow(taken);
    // A stamp that someone else wrote since is theirs to release.
    if (holder?.pid === world.processes.self.pid && holder.since === since)
      writeOutcome(site, ours ? outcome : { kind: "failed" }, priorStamp);
    if (ours) removeHolder(world.files, paths.record);
  } finally {
    // Without its directory there is nothing to give back: the heartbeat finds that out and stops.
    if (isInPlace(taken)) await taken.unlock();
  }
}

function writeOutcome(site: StampSite, outcome: LeaseOutcome, prior: number): void {
  if (outcome.kind === "success") releaseSuccess(site, outcome.stamp);
  else if (outcome.kind === "unchanged") restoreExactly(site, prior);
  else rollBack(site, prior);
}

export function leaseLost(memoryDir: string, cause: unknown): MemdError {
  return new MemdError({
    code: "lease-lost",
    family: "unavailable",
    message: `lost the lock in ${memoryDir}: the run was stopped and wrote nothing more`,
    hint: "Nothing to do: this happens after a suspend; the next run starts over.",
    cause,
  });
}
