/** The lock of one store: the stamp that Claude Code shares, the lease, and what a crash or another program left beside them. */
import { join } from "node:path";
import { namesIn } from "../base/folders.ts";
import { readHolder } from "../lock/holder.ts";
import { type Held, leasePaths, lockState } from "../lock/occupancy.ts";
import { readStamp, STAMP_FILE } from "../lock/stamp.ts";
import type { Store } from "../ports.ts";
import { type Finding, fine, guarded, quoted, remark, wrong, wrongNotice } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

/** The stamp as the next dream would read it: garbage, in the future, or of the wrong kind. */
export function checkStamp({ lease, clock }: DoctorWorld, { memory }: Store): readonly Finding[] {
  return guarded(`read the stamp in ${memory}`, () => {
    const { stamp, notice } = readStamp(lease, memory, clock.now());
    if (notice)
      return [
        wrongNotice({
          ...notice,
          hint: `memd doctor --repair writes it anew, and so does the next dream. If it comes back, check the clock and what else writes there.`,
        }),
      ];
    return [fine("stamp", stamp > 0 ? `consolidated as of ${new Date(stamp).toISOString()}` : "never consolidated")];
  });
}

/** Code `lock` (free, or held by a live run) or `stale-lock`, which names the files. */
export function checkLock(world: DoctorWorld, { memory }: Store): readonly Finding[] {
  return guarded(`look at the lock in ${memory}`, () => {
    const found = lockState(world.lease, memory);
    if (found.state === "free") return [fine("lock", "the lock is free")];
    return [found.state === "held" ? held(found) : left(world, memory)];
  });
}

function held({ by: { program, pid, otherMachine }, since }: Held): Finding {
  const process = pid === null ? "" : ` (pid ${pid}${otherMachine ? " on another machine" : ""})`;
  const message = `the lock is held by ${program}${process} since ${new Date(since).toISOString()}`;
  return remark(
    "lock",
    message,
    otherMachine ? "Nothing to do: it counts as alive for an hour." : "Nothing to do: it ends by itself.",
  );
}

function left({ files, lease }: DoctorWorld, memory: string): Finding {
  const { lock, record } = leasePaths(memory);
  const holder = readHolder(files, record);
  const elsewhere = holder !== null && holder.machineId !== lease.machineId;
  const by =
    holder === null
      ? ""
      : elsewhere
        ? " more than an hour ago by another machine"
        : ` by process ${holder.pid}, which is gone`;
  const names = [lock, record].filter((path) => files.lstat(path) !== null);
  return wrong(
    "stale-lock",
    `a lock was left${by}: ${names.join(", ")}`,
    "Nothing is blocked: memd doctor --repair removes it, and so does the next dream.",
  );
}

/** Names beside the stamp that look like a lock and are none of memd's: proper-lockfile's default is `<file>.lock`. */
export function checkStrayLocks({ files }: DoctorWorld, { memory }: Store): readonly Finding[] {
  if (files.stat(memory)?.kind !== "dir") return [];
  const names = files.list(memory).map(({ name }) => name);
  const stray = names.filter((name) => name !== STAMP_FILE && name.startsWith(STAMP_FILE));
  const displaced = namesIn(files, leasePaths(memory).folder).filter((name) => name.includes("displaced-"));
  return [
    ...stray.map((name) =>
      wrong(
        "stray-lock",
        `${join(memory, name)} was left by another program`,
        `memd does not use it; remove it if nothing else does: rm -r ${quoted(join(memory, name))}`,
      ),
    ),
    ...displaced.map((name) =>
      wrong(
        "displaced-file",
        `${join(leasePaths(memory).folder, name)} stood where memd keeps its lock and was moved aside`,
        "Look at it, then remove it.",
      ),
    ),
  ];
}
