/**
 * Telling the service manager how we are: the messages of sd_notify(3). Three ways, chosen once at start, none with a native addon:
 * `descriptor`  a connected socket that systemd 253 and newer hands over (`OpenFile=...:notify`): 0.2 ms a message
 * `program`     the `systemd-notify` program, whose messages need `NotifyAccess=all`: 40 to 95 ms a message, all outside this process
 * `none`        nobody listens
 */
import { execFile } from "node:child_process";
import { writeSync } from "node:fs";
import { clip } from "../base/text.ts";

export type NotifyWay = "descriptor" | "program" | "none";

export interface Notify {
  readonly way: NotifyWay;
  /** How often the manager wants to hear `ping`, ms (a third of its patience); null when it does not watch. */
  readonly pingMs: number | null;
  /** Told once everything stands that a caller may count on, and again when a reload is done. Each resolves when the message is sent. */
  ready(): Promise<void>;
  /** One line for people; `systemctl status` prints it. */
  status(text: string): Promise<void>;
  ping(): Promise<void>;
  stopping(): Promise<void>;
  reloading(): Promise<void>;
}

/** What the manager puts into the environment for us alone. A child that had it could feed the watchdog, or claim to be the daemon. */
const OURS = /^(?:NOTIFY_SOCKET|WATCHDOG_(?:USEC|PID)|LISTEN_(?:FDS|PID|FDNAMES))$/;

/** Descriptors that a manager hands over begin here (sd_listen_fds(3)). */
const FIRST_DESCRIPTOR = 3;
/** The name that the unit gives to the socket (`OpenFile=PATH:notify`). */
const NAME = "notify";
/** A manager too busy to take a message within this is not waited for. */
const PATIENCE_MS = 5_000;
/** Longest STATUS= line: the datagram has room for more, a terminal has not. */
const STATUS_LENGTH = 300;

export interface NotifySetup {
  /** The live environment: what is meant for us alone is taken out of it, so that no child inherits it. */
  readonly env: Record<string, string | undefined>;
  readonly pid: number;
  /** Told once why messages do not arrive. */
  readonly trouble: (why: string) => void;
}

/** Chooses the way. Called once, before the first child is started. */
export function openNotify({ env, pid, trouble }: NotifySetup): Notify {
  const given = takeOurs(env);
  const send = once(trouble, senderOf(given, { pid, path: env["PATH"] }));
  return {
    way: wayOf(given, pid),
    pingMs: pingMs(given, pid),
    ready: () => send("READY=1"),
    status: (text) => send(`STATUS=${plainLine(text)}`),
    ping: () => send("WATCHDOG=1"),
    stopping: () => send("STOPPING=1"),
    // The time lets `Type=notify-reload` tell this reload from an earlier one (CLOCK_MONOTONIC, which hrtime reads).
    reloading: () => send(`RELOADING=1\nMONOTONIC_USEC=${process.hrtime.bigint() / 1_000n}`),
  };
}

type Given = Readonly<Record<string, string | undefined>>;

function takeOurs(env: Record<string, string | undefined>): Given {
  const given: Record<string, string | undefined> = {};
  for (const name of Object.keys(env)) {
    if (!OURS.test(name)) continue;
    given[name] = env[name];
    delete env[name];
  }
  return given;
}

/** The descriptor of the manager's socket; null where it was not handed over, or to another process. */
function descriptorOf(given: Given, pid: number): number | null {
  if (Number(given["LISTEN_PID"]) !== pid) return null;
  const index = (given["LISTEN_FDNAMES"] ?? "").split(":").indexOf(NAME);
  return index < 0 || index >= Number(given["LISTEN_FDS"]) ? null : FIRST_DESCRIPTOR + index;
}

function wayOf(given: Given, pid: number): NotifyWay {
  if (!given["NOTIFY_SOCKET"]) return "none";
  return descriptorOf(given, pid) === null ? "program" : "descriptor";
}

function pingMs(given: Given, pid: number): number | null {
  const usec = Number(given["WATCHDOG_USEC"]);
  const forUs = given["WATCHDOG_PID"] === undefined || Number(given["WATCHDOG_PID"]) === pid;
  return forUs && Number.isFinite(usec) && usec > 0 ? Math.max(1, Math.floor(usec / 3_000)) : null;
}

type Send = (message: string) => Promise<void>;

function senderOf(given: Given, { pid, path }: { pid: number; path: string | undefined }): Send {
  const socket = given["NOTIFY_SOCKET"];
  if (!socket) return () => Promise.resolve();
  const descriptor = descriptorOf(given, pid);
  if (descriptor !== null) return async (message) => void writeSync(descriptor, message);
  return inOrder((message) => runNotify(message.split("\n"), { NOTIFY_SOCKET: socket, PATH: path ?? "/usr/bin:/bin" }));
}

/** One after the other: RELOADING=1 must not overtake READY=1. */
function inOrder(send: Send): Send {
  let last: Promise<void> = Promise.resolve();
  return (message) => {
    const sent = last.then(() => send(message));
    last = sent.catch(() => undefined);
    return sent;
  };
}

function runNotify(assignments: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    // SIGKILL: a program that waits for a manager that is gone may not heed anything else.
    execFile("systemd-notify", [...assignments], { env, timeout: PATIENCE_MS, killSignal: "SIGKILL" }, (error) =>
      error ? reject(error) : resolve(),
    );
  });
}

/** A manager that does not hear us will say so itself, by its own timeouts; here it is told once and nothing fails. */
function once(trouble: (why: string) => void, send: Send): Send {
  let told = false;
  return async (message) => {
    try {
      await send(message);
    } catch (error) {
      if (!told)
        trouble(`the service manager does not hear us: ${error instanceof Error ? error.message : String(error)}`);
      told = true;
    }
  };
}

/** One line, without what would end the assignment or steer a terminal. */
function plainLine(text: string): string {
  return clip(text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim(), STATUS_LENGTH);
}
