/**
 * One daemon per user: a lock of its own in the state directory, taken like a store's. A pid file proves nothing; here the holder's record
 * names its start and boot too, so that one that was killed is followed at once, and one that is merely stopped or asleep is not robbed.
 */
import { join } from "node:path";
import { ensureFolder } from "../base/folders.ts";
import { guarded } from "./guarded.ts";
import { removeHolder, writeHolder } from "./holder.ts";
import { take } from "./lease.ts";
import type { Held, LeaseWorld } from "./occupancy.ts";

export interface Sole {
  /** Aborted when somebody removed the lock: then this is not the only one any more. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** The heartbeat only finds out that the lock was removed; who holds it is told by the record. */
const PATIENT = { stale: Number.POSITIVE_INFINITY, update: 300_000 } as const;

/**
 * @param state the state directory
 * @returns the lock, or who holds it: never waits
 * @throws MemdError when the state directory cannot be written
 */
export async function holdAlone(world: LeaseWorld, state: string): Promise<Sole | Held> {
  const folder = join(state, "daemon");
  const paths = { folder, lock: join(folder, "lock"), record: join(folder, "holder.json") };
  return guarded(`take the daemon's lock in ${folder}`, async () => {
    ensureFolder(world.files, state);
    ensureFolder(world.files, folder);
    const patient = await take({ ...world, timing: PATIENT }, state, paths);
    // Killed between the lock and its record: nobody to ask, so the heartbeat decides after all.
    const taken = "state" in patient && patient.by.pid === null ? await take(world, state, paths) : patient;
    if ("state" in taken) return taken;
    const { pid, start, boot } = world.processes.self;
    writeHolder(world.files, paths.record, {
      token: taken.site.token,
      pid,
      processStart: start,
      bootId: boot,
      machineId: world.machineId,
      priorStamp: 0,
      since: world.clock.now(),
      run: "daemon",
    });
    return {
      lost: taken.lost.signal,
      release: async () => {
        removeHolder(world.files, paths.record);
        await taken.unlock();
      },
    };
  });
}
