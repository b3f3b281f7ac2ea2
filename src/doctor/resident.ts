/** The daemon, as one looks at it from outside: whether it answers, whether it is alone, whether others can reach it. */
import { dirname, join } from "node:path";
import { isRunning } from "../base/process.ts";
import { askFacts, type Seen } from "../live/client.ts";
import { findSocket, unpoint } from "../live/place.ts";
import { readHolder } from "../lock/holder.ts";
import { type Finding, fine, guarded, quoted, remark, wrong } from "./finding.ts";
import { checkWatches } from "./watches.ts";
import type { DoctorWorld } from "./world.ts";

/** Codes `daemon`, `daemon-silent`, `stale-socket`, `daemon-outdated`, `stray-daemon`, `socket-not-private`, `config-open`, `watches`, `watch-limit`. */
export async function checkResident(world: DoctorWorld): Promise<readonly Finding[]> {
  const path = findSocket(world.files, world.paths.state);
  const seen = path === null ? null : await askFacts(path);
  const watching = seen?.state === "running" ? seen.facts.watching : 0;
  return [
    ...(path === null || seen === null ? notListening(world) : answering(world, path, seen)),
    ...guarded("look for other daemons", () => strays(world, seen)),
    ...(path === null ? [] : guarded(`look at ${path}`, () => openSocket(world, path))),
    ...guarded("look at the configuration's mode", () => openConfig(world)),
    ...guarded("count watches", () => checkWatches(world, watching)),
  ];
}

/** Pid of the process that holds the daemon's lock; null when none does. */
function holderOf({ files, paths, lease }: DoctorWorld): number | null {
  const holder = readHolder(files, join(paths.state, "daemon", "holder.json"));
  if (holder === null || holder.machineId !== lease.machineId) return null;
  const identity = { pid: holder.pid, start: holder.processStart, boot: holder.bootId };
  return isRunning(lease.processes, identity) ? holder.pid : null;
}

function notListening(world: DoctorWorld): Finding[] {
  const pid = holderOf(world);
  if (pid === null) return [fine("daemon", "no daemon runs")];
  return [
    remark(
      "daemon",
      `the daemon runs (pid ${pid}) and listens on no socket`,
      "memd service restart; its log tells why it has none. Without a socket memd status shows what is on the disk.",
    ),
  ];
}

function answering(world: DoctorWorld, path: string, seen: Seen): Finding[] {
  if (seen.state === "running") {
    const { pid, version } = seen.facts;
    if (version === world.version) return [fine("daemon", `the daemon answers (pid ${pid})`)];
    const message = `the daemon (pid ${pid}) is memd ${version}, and this is memd ${world.version}`;
    return [wrong("daemon-outdated", message, "memd service restart")];
  }
  if (seen.state === "silent")
    return [wrong("daemon-silent", `the daemon does not answer on ${path}`, "Start it anew: memd service restart.")];
  return [
    wrong(
      "stale-socket",
      `the daemon that listened on ${path} is gone and did not stop`,
      "memd doctor --repair removes the socket; memd service start starts the daemon again.",
    ),
  ];
}

/** One per state directory: another one is left from something, and a dream of two is held up by the lock alone. */
function strays(world: DoctorWorld, seen: Seen | null): Finding[] {
  const own = new Set([holderOf(world), seen?.state === "running" ? seen.facts.pid : null]);
  return world.host.daemons().flatMap(({ pid, state }) => {
    if (own.has(pid)) return [];
    if (state === null)
      return [remark("other-daemon", `another daemon of this user runs: pid ${pid}`, "Nothing to do if you know it.")];
    if (state !== world.paths.state)
      return [
        remark("other-daemon", `a daemon with another state directory runs: pid ${pid}, ${state}`, "Nothing to do."),
      ];
    return [
      wrong(
        "stray-daemon",
        `process ${pid} is a memd daemon that does not hold the lock`,
        `It does nothing, or hangs: kill ${pid}. memd service status tells of the one that is wanted.`,
      ),
    ];
  });
}

const OTHERS = 0o077;

function openSocket({ files }: DoctorWorld, path: string): Finding[] {
  const [folder, socket] = [files.stat(dirname(path)), files.lstat(path)];
  if (socket === null || folder === null || (folder.mode & OTHERS) === 0 || (socket.mode & OTHERS) === 0) return [];
  return [
    wrong(
      "socket-not-private",
      `others can reach the daemon's socket ${path} (mode ${socket.mode.toString(8)})`,
      `chmod 700 ${quoted(dirname(path))} && chmod 600 ${quoted(path)}`,
    ),
  ];
}

/** With umask 002 a group is of one user; the rest of the world never is. Whoever may write there may have memd start a program (model.apiKeyCommand) or send words elsewhere (model.baseUrl). */
function openConfig({ files, paths }: DoctorWorld): Finding[] {
  const stat = files.stat(paths.configFile);
  if (stat === null || (stat.mode & 0o002) === 0) return [];
  return [
    wrong(
      "config-open",
      `others can write the configuration ${paths.configFile} (mode ${stat.mode.toString(8)})`,
      `chmod o-w ${quoted(paths.configFile)}`,
    ),
  ];
}

/** Removes what a dead daemon left. */
export async function removeStaleSocket({ files, paths }: DoctorWorld): Promise<void> {
  const path = findSocket(files, paths.state);
  if (path === null || (await askFacts(path)).state !== "stale") return;
  unpoint(files, paths.state, path);
  files.unlink(path);
}
