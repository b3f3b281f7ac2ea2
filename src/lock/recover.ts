/** Undoing the stamp of a run that did not end. Called only by whoever holds the lock directory. */
import { dropPrior, restoreExactly, restoreKept, type StampSite } from "./hold.ts";
import { readHolder, removeHolder } from "./holder.ts";
import { type LeaseWorld, leasePaths } from "./occupancy.ts";
import { readStamp } from "./stamp.ts";

/**
 * Restores the stamp that the record tells, if the stamp on the disk is still the one that run wrote, and removes the
 * record. Without a readable record a stamp held by a dead pid goes back to the file that was kept aside, if there is one.
 */
export function recoverStamp(world: LeaseWorld, site: StampSite): void {
  const { files, processes } = world;
  const { record } = leasePaths(site.memoryDir);
  const left = readHolder(files, record);
  // Whatever the clock says now, the time in the file is compared as written: a stamp in the future is recovered too.
  const { holder } = readStamp(world, site.memoryDir, Number.MAX_SAFE_INTEGER);
  if (holder && left && holder.pid === left.pid && holder.since === left.since) restoreExactly(site, left.priorStamp);
  else if (holder && !left && processes.liveness(holder.pid) === "dead") restoreKept(site);
  dropPrior(site);
  removeHolder(files, record);
}
