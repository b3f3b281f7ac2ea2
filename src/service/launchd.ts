/**
 * The user's launchd, driven by launchctl. What makes it different: `bootout` returns before it is done, and `bootstrap` answers 5 for some
 * seconds after; `kickstart` answers 113 for what was never bootstrapped; a label that was disabled once cannot be bootstrapped until it is
 * enabled; nothing waits for a service to be ready.
 */
import { join } from "node:path";
import { MemdError } from "../base/errors.ts";
import { quoted } from "../doctor/finding.ts";
import { readTail, showTail } from "./log-tail.ts";
import type { Manager, ServiceState } from "./manager.ts";
import { LABEL } from "./plist.ts";
import type { Programs, Ran } from "./programs.ts";

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

export function launchdManager(place: LaunchdPlace): Manager {
  const { path, log, programs } = place;
  const control = controlOf(place);
  return {
    kind: "launchd",
    path,
    rivals: [`/Library/LaunchAgents/${LABEL}.plist`, `/Library/LaunchDaemons/${LABEL}.plist`],
    logCommand: `tail -F ${quoted(log)}`,
    // A definition that launchd knows is read again only after it was booted out.
    adopt: async () => {
      await unload(control);
      await load(control);
    },
    abandon: () => unload(control),
    settle: async () => undefined,
    start: () => start(control),
    stop: () => unload(control),
    restart: () => restart(control),
    state: () => stateOf(control),
    showLog: (query, print) => showTail(programs, log, { query, print }),
    readLog: (lines) => readTail(programs, log, lines),
  };
}

/** launchctl, and where the agent lives: the domain of the screen, or of the user where nobody sits at one. */
interface Control {
  readonly path: string;
  call(...args: string[]): Promise<Ran>;
  domain(): Promise<string>;
  target(): Promise<string>;
  isLoaded(): Promise<boolean>;
  pause(): Promise<void>;
}

function controlOf({ programs, uid, path }: LaunchdPlace): Control {
  const call = (...args: string[]) => programs.run("launchctl", args);
  const domain = async () => ((await call("print", `gui/${uid}`)).status === 0 ? `gui/${uid}` : `user/${uid}`);
  const target = async () => `${await domain()}/${LABEL}`;
  const isLoaded = async () => (await call("print", await target())).status === 0;
  return { path, call, domain, target, isLoaded, pause: () => programs.pause(POLL_MS) };
}

async function unload({ call, target, isLoaded, pause }: Control): Promise<void> {
  if (!(await isLoaded())) return;
  await call("bootout", await target());
  for (let poll = 0; poll < GONE_POLLS; poll++) {
    if (!(await isLoaded())) return;
    await pause();
  }
  throw failed("bootout", "the agent did not go", "Log out and in again, then: memd service start.");
}

async function load({ path, call, domain, target, isLoaded, pause }: Control): Promise<void> {
  await call("enable", await target());
  for (let attempt = 0; attempt < BOOTSTRAP_TRIES; attempt++) {
    const { status, stderr } = await call("bootstrap", await domain(), path);
    if (await isLoaded()) return;
    if (status !== 0 && !NOT_YET.has(status)) throw failed("bootstrap", stderr.trim() || `status ${status}`);
    await pause();
  }
  throw failed("bootstrap", "launchd keeps answering 5, input/output error");
}

async function start(control: Control): Promise<void> {
  if (!(await control.isLoaded())) return load(control);
  await control.call("kickstart", await control.target());
}

/** Without a bootout, and so without the seconds in which nothing can be loaded. */
async function restart(control: Control): Promise<void> {
  if (!(await control.isLoaded())) return load(control);
  const { status, stderr } = await control.call("kickstart", "-k", await control.target());
  if (status !== 0) throw failed("kickstart", stderr.trim() || `status ${status}`);
}

async function stateOf({ call, domain, target }: Control): Promise<ServiceState> {
  const disabled = await call("print-disabled", await domain());
  const isDisabled = new RegExp(`"${LABEL}" => (?:true|disabled)`).test(disabled.stdout);
  return launchdState(await call("print", await target()), !isDisabled);
}

/** The format of `launchctl print` is no interface: what cannot be read is null, and only its exit status decides whether it is loaded. */
function launchdState(printed: { status: number; stdout: string }, enabled: boolean): ServiceState {
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
