/**
 * The user's launchd, driven by launchctl. What makes it different: `bootout` returns before it is done, and `bootstrap` answers 5 for some
 * seconds after; `kickstart` answers 113 for what was never bootstrapped; a label that was disabled once cannot be bootstrapped until it is
 * enabled; nothing waits for a service to be ready.
 */
import { join } from "node:path";
import { MemdError } from "../base/errors.ts";
import type { LogQuery, Manager, ServiceState } from "./manager.ts";
import { LABEL } from "./plist.ts";
import type { Programs } from "./programs.ts";

export interface LaunchdPlace {
  readonly programs: Programs;
  readonly uid: number;
  /** Of the plist. */
  readonly path: string;
  /** memd's own log; launchd keeps none. */
  readonly log: string;
}

/** bootout may take as long as the daemon's ExitTimeOut of 30 s, and bootstrap refuses for some 5 s after. */
const POLL_MS = 250;
const GONE_POLLS = 140;
const BOOTSTRAP_TRIES = 60;
/** EIO: the old one is not gone yet. EALREADY: it is on its way in or out. */
const NOT_YET = new Set([5, 37]);

export function launchdManager({ programs, uid, path, log }: LaunchdPlace): Manager {
  const ctl = (...args: string[]) => programs.run("launchctl", args);
  const domain = async () => ((await ctl("print", `gui/${uid}`)).status === 0 ? `gui/${uid}` : `user/${uid}`);
  const target = async () => `${await domain()}/${LABEL}`;
  const printed = async () => ctl("print", await target());
  const isLoaded = async () => (await printed()).status === 0;

  const gone = async () => {
    for (let poll = 0; poll < GONE_POLLS; poll++) {
      if (!(await isLoaded())) return;
      await programs.pause(POLL_MS);
    }
    throw failed("bootout", "the agent did not go", "Log out and in again, then: memd service start.");
  };
  const unload = async () => {
    if (!(await isLoaded())) return;
    await ctl("bootout", await target());
    await gone();
  };
  const load = async () => {
    await ctl("enable", await target());
    for (let attempt = 0; attempt < BOOTSTRAP_TRIES; attempt++) {
      const { status, stderr } = await ctl("bootstrap", await domain(), path);
      if (await isLoaded()) return;
      if (status !== 0 && !NOT_YET.has(status)) throw failed("bootstrap", stderr.trim() || `status ${status}`);
      await programs.pause(POLL_MS);
    }
    throw failed("bootstrap", "launchd keeps answering 5, input/output error");
  };
  const restart = async () => {
    if (!(await isLoaded())) return load();
    const { status, stderr } = await ctl("kickstart", "-k", await target());
    if (status !== 0) throw failed("kickstart", stderr.trim() || `status ${status}`);
  };

  return {
    kind: "launchd",
    path,
    rivals: [`/Library/LaunchAgents/${LABEL}.plist`, `/Library/LaunchDaemons/${LABEL}.plist`],
    logCommand: `tail -f '${log}'`,
    // A definition that launchd knows is read again only after it was booted out.
    adopt: async () => {
      await unload();
      await load();
    },
    abandon: unload,
    settle: async () => undefined,
    start: async () => {
      if (!(await isLoaded())) return load();
      await ctl("kickstart", await target());
    },
    stop: unload,
    restart,
    state: async () => {
      const disabled = await ctl("print-disabled", await domain());
      return launchdState(await printed(), !new RegExp(`"${LABEL}" => (?:true|disabled)`).test(disabled.stdout));
    },
    showLog: ({ lines, follow }: LogQuery) =>
      programs.follow("tail", ["-n", String(lines), ...(follow ? ["-F"] : []), log]),
    readLog: async (lines) => {
      const { stdout } = await programs.run("tail", ["-n", String(lines), log]);
      return stdout.split("\n").filter((line) => line !== "");
    },
  };
}

/** The format of `launchctl print` is no interface: what cannot be read is null, and only its exit status decides whether it is loaded. */
export function launchdState(printed: { status: number; stdout: string }, enabled: boolean): ServiceState {
  const value = (name: string) => new RegExp(`^\\s*${name} = (.+)$`, "m").exec(printed.stdout)?.[1]?.trim() ?? null;
  const number = (name: string) => {
    const digits = /^\d+/.exec(value(name) ?? "")?.[0];
    return digits === undefined ? null : Number(digits);
  };
  const pid = number("pid");
  const exitStatus = number("last exit code");
  const runs = number("runs");
  const isKnown = printed.status === 0;
  // Throttled: launchd waits ten seconds between two starts.
  const isComing = /spawn|waiting/.test(value("state") ?? "");
  const idle = isComing ? "starting" : exitStatus ? "failed" : "stopped";
  const state = !isKnown ? "absent" : pid !== null ? "running" : idle;
  return {
    state,
    enabled,
    pid,
    since: null,
    restarts: runs === null ? null : Math.max(0, runs - 1),
    exitStatus,
    result: state === "failed" ? "exit-code" : null,
    text: null,
  };
}

function failed(verb: string, why: string, hint?: string): MemdError {
  return new MemdError({
    code: "service-failed",
    family: "unavailable",
    message: `launchctl ${verb} failed for ${LABEL}: ${why}`,
    hint: hint ?? "memd service logs has the daemon's last words; memd doctor may know more. Then: memd service start.",
  });
}

/** @param home the user's home folder */
export function plistPath(home: string): string {
  return join(home, "Library", "LaunchAgents", `${LABEL}.plist`);
}
