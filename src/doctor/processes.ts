/** What the system tells of this user's processes, from /proc or ps: how many folders they watch, and which of them are daemons of memd. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { systemCode } from "../base/errors.ts";
import { platformPaths } from "../config/paths.ts";

export interface Watches {
  /** Most that one user may have, over all programs. */
  readonly limit: number;
  /** Those of the processes that this user may look into. */
  readonly used: number;
}

export interface DaemonProcess {
  readonly pid: number;
  /** Its state directory, from its environment; null where the system does not tell. */
  readonly state: string | null;
}

/** Null where the system has no such limit, or does not tell. */
export function inotifyWatches(): Watches | null {
  const limit = Number(read("/proc/sys/fs/inotify/max_user_watches") ?? "");
  if (!(limit > 0)) return null;
  return { limit, used: pids().reduce((sum, pid) => sum + watchesOf(pid), 0) };
}

function watchesOf(pid: string): number {
  const instances = names(`/proc/${pid}/fd`).filter((fd) => link(`/proc/${pid}/fd/${fd}`) === "anon_inode:inotify");
  const told = instances.map((fd) => read(`/proc/${pid}/fdinfo/${fd}`) ?? "");
  return told.reduce((sum, text) => sum + (text.match(/^inotify /gm)?.length ?? 0), 0);
}

/** Processes that were started as `memd daemon`. */
export function memdDaemons(platform: string): readonly DaemonProcess[] {
  if (platform !== "linux") return fromPs();
  return pids().flatMap((pid) => {
    const isDaemon = isMemdDaemon((read(`/proc/${pid}/cmdline`) ?? "").split("\0"));
    const state = isDaemon ? stateOf(pid, platform) : null;
    // Whose environment may not be read is another user's.
    return state === null ? [] : [{ pid: Number(pid), state }];
  });
}

/** `node … memd.js daemon`, `memd daemon`. */
function isMemdDaemon(argv: readonly string[]): boolean {
  return argv.some((arg, i) => /(?:^|\/)memd(?:\.js)?$/.test(arg) && argv[i + 1] === "daemon");
}

/** Of the environment only this is kept: the rest is none of our business. */
function stateOf(pid: string, platform: string): string | null {
  const text = read(`/proc/${pid}/environ`);
  if (text === null || text === "") return null;
  const pairs = text.split("\0").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  const { HOME = "", XDG_STATE_HOME } = Object.fromEntries(pairs) as Record<string, string | undefined>;
  return HOME === "" && !XDG_STATE_HOME ? null : platformPaths({ XDG_STATE_HOME }, platform, HOME).state;
}

function fromPs(): DaemonProcess[] {
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  try {
    const text = execFileSync("/bin/ps", ["-x", "-o", "pid=,command="], { encoding: "utf8", timeout: 2_000 });
    return text.split("\n").flatMap((line) => {
      const [pid = "", ...argv] = line.trim().split(/\s+/);
      return isMemdDaemon(argv) ? [{ pid: Number(pid), state: null }] : [];
    });
  } catch (error) {
    if (systemCode(error) === null && !(error instanceof Error)) throw error;
    return [];
  }
}

const pids = () => names("/proc").filter((name) => /^\d+$/.test(name));

/** Processes end, and those of others are shut: both tell nothing. */
function orNull<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

const names = (path: string): string[] => orNull(() => readdirSync(path)) ?? [];
const read = (path: string): string | null => orNull(() => readFileSync(path, "utf8"));
const link = (path: string): string | null => orNull(() => readlinkSync(path));
