/** Who a process is and whether it still runs. A pid alone is not an identity: the system gives it out again. */
import { readFileSync } from "node:fs";
import { systemCode } from "./errors.ts";

export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as an opaque word that differs between two processes with one pid; null when the system does not tell. */
  readonly start: string | null;
  /** Which boot of the machine it belongs to; null when the system does not tell. */
  readonly boot: string | null;
}

/** `other-user`: something runs under that pid, but this user may not signal it. */
export type Liveness = "alive" | "other-user" | "dead";

export interface Processes {
  readonly self: ProcessIdentity;
  liveness(pid: number): Liveness;
  start(pid: number): string | null;
}

/** Pids above 2^31 exist on no system; signal 0 to pid 0 or a negative one would reach a whole group. */
const LARGEST_PID = 2 ** 31 - 1;

/** True when the process that left `identity` behind still runs: same boot, live pid, same start where both are known. */
export function isRunning(processes: Processes, identity: ProcessIdentity): boolean {
  const { boot } = processes.self;
  if (boot !== null && identity.boot !== null && boot !== identity.boot) return false;
  if (processes.liveness(identity.pid) === "dead") return false;
  const start = processes.start(identity.pid);
  return start === null || identity.start === null || start === identity.start;
}

/**
 * The processes of this machine. Who this process is, is read once.
 * @param host this process, as Node tells it
 */
export function systemProcesses(host: { readonly pid: number; readonly platform: string } = process): Processes {
  const start = host.platform === "linux" ? linuxStart : psStart;
  let self: ProcessIdentity | null = null;
  return {
    // Asked for by the few who take or judge a lock; on macOS it costs two processes.
    get self() {
      self ??= { pid: host.pid, start: start(host.pid), boot: bootId(host.platform) };
      return self;
    },
    liveness,
    start,
  };
}

function liveness(pid: number): Liveness {
  if (!Number.isSafeInteger(pid) || pid <= 1 || pid > LARGEST_PID) return "dead";
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === "EPERM" ? "other-user" : "dead";
  }
  // A killed process whose parent does not wait for it (a container's first process often does not) still answers signal 0.
  return linuxStat(pid)?.state === "Z" ? "dead" : "alive";
}

/** Fields 3 (state) and 22 (start in clock ticks since boot) of proc(5); the name before them may hold blanks and brackets. */
function linuxStat(pid: number): { state: string; start: string } | null {
  const text = readText(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  const [state, start] = [fields[0], fields[19]];
  return state && start ? { state, start } : null;
}

function linuxStart(pid: number): string | null {
  return linuxStat(pid)?.start ?? null;
}

function psStart(pid: number): string | null {
  return run("/bin/ps", ["-o", "lstart=", "-p", String(pid)]);
}

function bootId(platform: string): string | null {
  if (platform === "linux") return readText("/proc/sys/kernel/random/boot_id")?.trim() ?? null;
  return platform === "darwin" ? run("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"]) : null;
}

/** Null where the system keeps it from us: an unknown identity is compared by pid alone. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function run(file: string, args: readonly string[]): string | null {
  try {
    const env = { LC_ALL: "C", TZ: "UTC" };
    // Loaded where it is used, which on Linux is nowhere: it costs more than reading forty stores.
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    return execFileSync(file, args, {
      encoding: "utf8",
      timeout: 2_000,
      stdio: ["ignore", "pipe", "ignore"],
      env,
    }).trim();
  } catch {
    return null;
  }
}
