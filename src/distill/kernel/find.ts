/** Which kernel's fence this machine has: the first that holds when it is tried. */
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { MemdError, systemCode } from "../../base/errors.ts";
import type { Files } from "../../base/files.ts";
import type { Command } from "../fence.ts";
import { bubblewrap } from "./bubblewrap.ts";
import type { Ground, KernelFence } from "./ground.ts";
import { probeFence } from "./probe.ts";
import { seatbelt } from "./seatbelt.ts";
import { notShown } from "./shown.ts";
import { systemdUnit } from "./systemd.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface FenceWorld {
  readonly files: Pick<Files, "stat" | "list" | "realpath">;
  /** memd's own: PATH finds the programs, XDG_RUNTIME_DIR the user's manager. */
  readonly env: Env;
  readonly node: string;
  /** The child's bundle; the probe runs beside it. */
  readonly childPath: string;
  /** Folders that must stay out of sight; those that are missing are left out. */
  readonly hidden: readonly string[];
  /** For all tries together; a dream is not held up longer. */
  readonly patienceMs?: number;
}

export type FoundFence = { readonly fence: KernelFence } | { readonly fence: null; readonly why: string };

const PATIENCE_MS = 5_000;

/**
 * Fences that held, for the life of the process. One that did not is tried again before the next dream: the machine was busy, or somebody
 * installed what was missing.
 */
const held = new Map<string, KernelFence>();

/** @param network whether the child is to have it: that is a fence of its own */
export async function findFence(world: FenceWorld, network: boolean): Promise<FoundFence> {
  const key = JSON.stringify([world.env["PATH"], world.env["XDG_RUNTIME_DIR"], world.node, world.hidden, network]);
  const known = held.get(key);
  if (known) return { fence: known };
  const found = await tryAll(world, network);
  if (found.fence !== null) held.set(key, found.fence);
  return found;
}

async function tryAll(world: FenceWorld, network: boolean): Promise<FoundFence> {
  const { files, hidden: wanted, patienceMs = PATIENCE_MS } = world;
  const all = candidates(world);
  if (all.length === 0) return { fence: null, why: "neither bubblewrap nor a systemd of the user is here" };
  const deadline = performance.now() + patienceMs;
  const node = files.realpath(world.node);
  const hidden = wanted.filter((path) => files.stat(path) !== null).map((path) => files.realpath(path));
  const folder = dirname(files.realpath(world.childPath));
  const needs = await needsOf(node);
  const ground = { folder, readable: needs, hidden, env: {}, network, dataMb: 1_024, wallSeconds: 60 };
  const faults: string[] = [];
  for (const bare of all) {
    const fence = showing(bare, needs, hidden);
    const timeoutMs = Math.max(1, Math.round(deadline - performance.now()));
    const fault = await probeFence(fence, { files, node, ground, timeoutMs });
    if (fault === null) return { fence };
    faults.push(`${bare.name}: ${fault}`);
  }
  return { fence: null, why: [...new Set(faults)].join("; ") };
}

/** The strictest first. systemd comes second: it leaves processes of the user in one process space, and takes two more starts. */
function candidates({ files, env, node, childPath, hidden }: FenceWorld): KernelFence[] {
  const wrap = program(files, env, "bwrap");
  const run = program(files, env, "systemd-run");
  const door = [childPath, ...hidden].every(fitsUnit) ? doorOf(env) : null;
  const mac = "/usr/bin/sandbox-exec";
  return [
    // From 0.8 on, and where the container lets it: no further namespaces inside.
    ...(wrap === null ? [] : [bubblewrap(wrap, ["--disable-userns"]), bubblewrap(wrap, [])]),
    ...(run === null || door === null ? [] : [systemdUnit(run, door)]),
    ...(isProgram(files, mac) ? [seatbelt(mac, node)] : []),
  ];
}

/** systemd 257 loses a quote on the way to the process that mounts (252 did not), and the unit dies before it starts. */
const fitsUnit = (path: string): boolean => !/["'\\]/.test(path);

function doorOf(env: Env): Readonly<Record<string, string>> | null {
  const runtime = env["XDG_RUNTIME_DIR"];
  if (!runtime) return null;
  const bus = env["DBUS_SESSION_BUS_ADDRESS"];
  return { XDG_RUNTIME_DIR: runtime, ...(bus ? { DBUS_SESSION_BUS_ADDRESS: bus } : {}) };
}

function program(files: FenceWorld["files"], env: Env, name: string): string | null {
  // A relative part of the PATH depends on where memd was started, and says what it likes to run.
  const folders = (env["PATH"] ?? "/usr/bin:/bin").split(":").filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => join(folder, name)).find((path) => isProgram(files, path)) ?? null;
}

function isProgram(files: FenceWorld["files"], path: string): boolean {
  try {
    const stat = files.stat(path);
    return stat?.kind === "file" && (stat.mode & 0o111) !== 0;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return false;
  }
}

/** A Node in the user's home (nvm, volta, Homebrew): it, and the libraries that its loader finds elsewhere, under the names it looks for. */
async function needsOf(node: string): Promise<readonly string[]> {
  if (notShown([node]).length === 0) return [];
  const script = "process.report.excludeNetwork = true; JSON.stringify(process.report.getReport().sharedObjects)";
  const text = await new Promise<string>((resolve) => {
    execFile(node, ["-p", script], { env: {}, timeout: PATIENCE_MS }, (error, out) => resolve(error ? "[]" : out));
  });
  const objects: unknown = JSON.parse(text);
  return notShown([node, ...(Array.isArray(objects) ? objects.map(String) : [])]);
}

function showing(bare: KernelFence, needs: readonly string[], hidden: readonly string[]): KernelFence {
  const around = (command: Command, ground: Ground) =>
    bare.around(command, { ...ground, hidden, readable: [...needs, ...ground.readable] });
  return { name: bare.name, around };
}

/** `dream.fence: required`, and there is none. */
export function noKernelFence(why: string): MemdError {
  return new MemdError({
    code: "no-kernel-fence",
    family: "misconfigured",
    message: `the distiller was not run: dream.fence is required, and the kernel's fence cannot be put up (${why})`,
    hint: FENCE_HINT,
  });
}

export const FENCE_HINT =
  "Install bubblewrap (apt, dnf or pacman install bubblewrap), or set dream.fence to auto: then Node's permission model alone holds it.";
