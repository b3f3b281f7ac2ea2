/** A machine with a real systemd for one test file (machine.sh), or the reason why there can be none here. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const SCRIPT = join(import.meta.dirname, "machine.sh");
const PROJECT = resolve(import.meta.dirname, "../..");
/** Where the project is shown inside, and the person whose machine it is. */
export const INSIDE = "/opt/memd";
export const PERSON = "memdtest";
export const HOME = `/home/${PERSON}`;

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Machine {
  root(...command: string[]): Ran;
  person(...command: string[]): Ran;
  /** memd as that person calls it in a shell. */
  memd(...args: string[]): Ran;
  /** Writes a file of the person's, with its folders. */
  write(path: string, text: string): void;
  reboot(): void;
  halt(): void;
}

const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

/** Null where a machine can be booted. */
export function whyNoMachine(): string | null {
  if (process.platform !== "linux") return "this is not Linux";
  if (process.getuid?.() !== 0) return "not root";
  if (!readFileSync("/proc/self/mounts", "utf8").includes(" cgroup2 ")) return "no cgroup2 is mounted";
  if (!existsSync("/lib/systemd/systemd")) return "no systemd is installed";
  const missing = [
    "systemctl",
    "dbus-daemon",
    "nsenter",
    "unshare",
    "pgrep",
    "setpriv",
    "findmnt",
    "useradd",
    "loginctl",
  ].filter((program) => !has(program));
  if (missing.length > 0) return `not installed: ${missing.join(", ")}`;
  const overlay = spawnSync("unshare", ["-m", "sh", "-c", "mount -t tmpfs memd-test /mnt"]);
  return overlay.status === 0 ? null : "no mounts can be made";
}

/** Says it where nobody overlooks it, and again in the name of what is skipped. */
export function machineOrSkip(what: string): boolean {
  const why = whyNoMachine();
  if (why !== null) process.stderr.write(`\n*** NOT TESTED: ${what}: ${why} ***\n\n`);
  return why === null;
}

/** @param base another root file system than the host's */
export function bootMachine({ base = process.env["MEMD_TEST_BASE"] ?? "/" } = {}): Machine {
  const folder = mkdtempSync(join(tmpdir(), "memd-machine-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    MACHINE: folder,
    BASE: base,
    SHOWN: `${PROJECT}=${INSIDE} ${process.execPath}=/usr/bin/node`,
  };
  const act = (args: readonly string[], input = "") => {
    const { status, stdout, stderr } = spawnSync("bash", [SCRIPT, ...args], { env, input, encoding: "utf8" });
    return { status, stdout, stderr };
  };
  const done = (args: readonly string[], input = "") => {
    const ran = act(args, input);
    if (ran.status !== 0) throw new Error(`machine.sh ${args.join(" ")}: ${ran.stderr || ran.stdout}`);
  };
  done(["boot"]);
  return {
    root: (...command) => act(["root", ...command]),
    person: (...command) => act(["person", ...command]),
    memd: (...args) => act(["person", "/usr/bin/node", `${INSIDE}/dist/memd.js`, ...args]),
    write: (path, text) => done(["person", "sh", "-c", 'mkdir -p "$(dirname "$1")" && cat > "$1"', "sh", path], text),
    reboot: () => done(["reboot"]),
    halt: () => {
      done(["halt"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Asks again until it holds: what a manager does takes its time. @returns whether it ever held */
export function until(holds: () => boolean, tries = 600): boolean {
  for (let n = 0; n < tries; n++) {
    if (holds()) return true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  return false;
}
