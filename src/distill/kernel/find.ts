/** Which kernel's fence this machine has: the first that holds when it is tried. */
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { MemdError, systemCode } from "../../base/errors.ts";
import type { Files } from "../../base/files.ts";
import type { Command } from "../fence.ts";
import { isProgram } from "../program.ts";
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

/** What a child asks of its ground. */
export type Wants = Pick<Ground, "network" | "scratch">;

/** @param wants a fence of its own for each answer */
export async function findFence(world: FenceWorld, wants: Wants): Promise<FoundFence> {
  const programs = programsOf(world);
  const key = JSON.stringify([programs, doorOf(world.env), world.node, world.hidden, wants]);
  const known = held.get(key);
  if (known) return { fence: known };
  const found = await tryAll(world, programs, wants);
  if (found.fence !== null) held.set(key, found.fence);
  return found;
}

async function tryAll(world: FenceWorld, programs: Programs, wants: Wants): Promise<FoundFence> {
  const { files, patienceMs = PATIENCE_MS } = world;
  const deadline = performance.now() + patienceMs;
  const node = files.realpath(world.node);
  const hidden = world.hidden.flatMap((path) => realOf(files, path));
  const folder = dirname(files.realpath(world.childPath));
  const site = { env: world.env, node, hidden, paths: [folder, ...hidden] };
  const all = wants.scratch ? withScratch(programs, site) : candidates(programs, site);
  if (all.length === 0) return { fence: null, why: wants.scratch ? ONLY_BUBBLEWRAP : NEITHER };
  const needs = await needsOf(node);
  const ground = { folder, readable: needs, env: {}, ...wants, dataMb: 1_024, wallSeconds: 60 };
  const faults: string[] = [];
  for (const fence of all) {
    const timeoutMs = Math.max(1, Math.round(deadline - performance.now()));
    const fault = await probeFence(fence, { files, node, ground, hidden, timeoutMs });
    if (fault === null) return { fence: showing(fence, needs) };
    faults.push(`${fence.name}: ${fault}`);
  }
  return { fence: null, why: [...new Set(faults)].join("; ") };
}

const NEITHER = "neither bubblewrap nor a systemd of the user is here";
const ONLY_BUBBLEWRAP = "it takes bubblewrap, which is not here";

interface Programs {
  readonly bwrap: string | null;
  readonly systemdRun: string | null;
  readonly sandboxExec: string | null;
}

function programsOf({ files, env }: FenceWorld): Programs {
  const mac = "/usr/bin/sandbox-exec";
  return {
    bwrap: programNamed(files, env, "bwrap"),
    systemdRun: programNamed(files, env, "systemd-run"),
    sandboxExec: isProgram(files, mac) ? mac : null,
  };
}

interface Site {
  readonly env: Env;
  readonly node: string;
  readonly hidden: readonly string[];
  readonly paths: readonly string[];
}

/** The strictest first. systemd comes second: it leaves the user's processes in one process space, and takes longer to start. */
function candidates(programs: Programs, site: Site): KernelFence[] {
  const { systemdRun, sandboxExec } = programs;
  const { env, node, hidden, paths } = site;
  const door = paths.every(fitsUnit) ? doorOf(env) : null;
  return [
    ...withScratch(programs, site),
    ...(systemdRun === null || door === null ? [] : [systemdUnit(systemdRun, door, hidden)]),
    ...(sandboxExec === null ? [] : [seatbelt(sandboxExec, node)]),
  ];
}

/**
 * A user's unit has no processes of its own: the /proc of all would show the environment, and the keys, of the user's other programs. And
 * Claude Code signs in by the keychain of macOS, which no profile of ours was ever tried with.
 */
function withScratch({ bwrap }: Programs, { hidden }: Site): KernelFence[] {
  // From 0.8 on, and where the container lets it: no further namespaces inside.
  return bwrap === null ? [] : [bubblewrap(bwrap, ["--disable-userns"], hidden), bubblewrap(bwrap, [], hidden)];
}

/** systemd 257 loses a quote on the way to the process that mounts (252 did not), and the unit dies before it starts. */
const fitsUnit = (path: string): boolean => !/["'\\]/.test(path);

function doorOf(env: Env): Readonly<Record<string, string>> | null {
  const runtime = env["XDG_RUNTIME_DIR"];
  if (!runtime) return null;
  const bus = env["DBUS_SESSION_BUS_ADDRESS"];
  return { XDG_RUNTIME_DIR: runtime, ...(bus ? { DBUS_SESSION_BUS_ADDRESS: bus } : {}) };
}

function programNamed(files: FenceWorld["files"], env: Env, name: string): string | null {
  // A relative part of the PATH depends on where memd was started, and says what it likes to run.
  const folders = (env["PATH"] ?? "/usr/bin:/bin").split(":").filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => join(folder, name)).find((path) => isProgram(files, path)) ?? null;
}

/** A Node in the user's home (nvm, volta, Homebrew): it, and the libraries that its loader finds elsewhere, under the names it looks for. */
async function needsOf(node: string): Promise<readonly string[]> {
  if (notShown([node]).length === 0) return [];
  const script = "process.report.excludeNetwork = true; JSON.stringify(process.report.getReport().sharedObjects)";
  const text = await new Promise<string>((resolve) => {
    execFile(node, ["-p", script], { env: {}, timeout: PATIENCE_MS }, (error, out) => resolve(error ? "" : out));
  });
  return notShown([node, ...listIn(text)]);
}

function listIn(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    // The probe then tells what the loader misses.
    return [];
  }
}

function showing({ name, around }: KernelFence, needs: readonly string[]): KernelFence {
  return {
    name,
    around: (command: Command, ground: Ground) =>
      around(command, { ...ground, readable: [...needs, ...ground.readable] }),
  };
}

/** Empty where it is missing, or out of reach for this process: then for its child too. */
function realOf(files: FenceWorld["files"], path: string): string[] {
  try {
    return files.stat(path) === null ? [] : [files.realpath(path)];
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return [];
  }
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
