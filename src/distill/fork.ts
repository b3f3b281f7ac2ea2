/** A distiller in a child of its own: prepares the brief, starts the child inside the fence, hears it out, and leaves no process behind. */
import type { Clock } from "../base/clock.ts";
import { classify, MemdError } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { isRecord } from "../base/json.ts";
import { briefFiles } from "../digest/brief.ts";
import { parseProposal } from "../memory/schema.ts";
import type { Distiller, DistillJob, Usage } from "../ports.ts";
import { writeBriefFolder } from "./brief-folder.ts";
import { type Channel, type Desk, openChannel, protocolError } from "./channel.ts";
import { type Command, fencedCommand, noFence, type Runtime } from "./fence.ts";
import { interrupted } from "./interrupted.ts";
import { type Exit, type KeptChild, startChild } from "./kept-child.ts";
import type { KernelFence } from "./kernel/ground.ts";
import { tame } from "./protocol.ts";

export interface ForkLimits {
  /** The whole run of the child. */
  readonly wallMs: number;
  /** Longest silence on the channel. */
  readonly idleMs: number;
  /** How long the child may take to go after its last message. */
  readonly graceMs: number;
  readonly cpuSeconds: number;
  readonly heapMb: number;
  readonly dataMb: number;
  /** stdout and stderr together: a distiller has nothing to say there. */
  readonly outputBytes: number;
}

/** The wall time is the default of dream.maxMinutes; whoever knows the configuration passes its own. */
const FORK_LIMITS: ForkLimits = {
  wallMs: 20 * 60_000,
  idleMs: 3 * 60_000,
  graceMs: 1_000,
  cpuSeconds: 120,
  heapMb: 512,
  dataMb: 2_048,
  outputBytes: 1024 * 1024,
};

export interface ForkSetup {
  /** The child's bundle; also all of memd's own code that it may read, unless `readable` names more. */
  readonly childPath: string;
  readonly readable?: readonly string[];
  /** The child's whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly files: Files;
  readonly clock: Clock;
  readonly runtime: Runtime;
  /**
   * The kernel's fence around that of Node; null where this machine has none, absent where none is wanted.
   * @throws MemdError misconfigured `no-kernel-fence` where one must be
   */
  readonly kernel?: ((network: boolean) => Promise<KernelFence | null>) | undefined;
  /** Answers the child, for one job; progress and rulings are the job's own. */
  readonly desk: (job: DistillJob) => ParentDesk;
  readonly limits?: Partial<ForkLimits>;
  /** Told the child's pid, which is also its process group. */
  readonly started?: (pid: number) => void;
}

/** What a distiller's own desk keeps. */
export type ParentDesk = Omit<Desk, "progress" | "judge">;

/** The desk of a distiller that makes no requests. */
export const NO_REQUESTS: ParentDesk = {
  reserve: () => ({ granted: false, reason: "this distiller makes no requests" }),
  cacheGet: () => null,
  cachePut: () => undefined,
  spent: () => undefined,
  settings: () => ({}),
};

/**
 * The brief of a job must be a sealed one (digest/brief.ts): it is written to disk as it is.
 * @returns a Distiller whose errors are: what the child failed with; rejected `child-protocol`, `unreadable-proposal`; unavailable
 * `child-died`, `child-timeout`, `cannot-start`; misconfigured `no-fence`, `no-kernel-fence`, `bad-path`, `brief-folder`; interrupted
 */
export function forkedDistiller(setup: ForkSetup & { readonly name: Distiller["name"] }): Distiller {
  return {
    name: setup.name,
    distill: async (job) => {
      const { last, usage, fence } = await runChild(setup, setup.name, job);
      const waiting = waitingIn(last);
      if (waiting > 0) return { proposal: { operations: [] }, refused: [], usage, fence, waiting };
      const parsed = parseProposal(last);
      if ("proposal" in parsed) return { ...parsed, usage, fence };
      throw new MemdError({
        code: "unreadable-proposal",
        family: "rejected",
        message: `the distiller's proposal cannot be read: ${parsed.malformed}`,
        hint: "Nothing was changed. If it happens again, report it with the brief that memd kept.",
      });
    },
  };
}

/** A child that sent its work off has nothing to propose yet. */
function waitingIn(last: unknown): number {
  const waiting = isRecord(last) ? last["waiting"] : 0;
  return typeof waiting === "number" && Number.isSafeInteger(waiting) ? Math.max(0, waiting) : 0;
}

export interface ChildWord {
  /** What the engine gave, unchecked. */
  readonly last: unknown;
  readonly usage: Usage;
  readonly fence: string;
}

/**
 * One life of a child.
 * @param engine its name in the child's bundle
 * @throws MemdError as a forked distiller does, but for `unreadable-proposal`
 */
export async function runChild(setup: ForkSetup, engine: string, job: DistillJob): Promise<ChildWord> {
  if (job.signal.aborted) throw interrupted(job.signal);
  const kernel = (await setup.kernel?.(engine !== BUILT_IN)) ?? null;
  if (setup.kernel && kernel === null)
    job.progress("no fence of the kernel here: Node's permission model holds it alone");
  if (job.signal.aborted) throw interrupted(job.signal);
  const folder = writeBriefFolder(setup.files, job.folder, briefFiles(job.brief));
  const limits = { ...FORK_LIMITS, ...setup.limits };
  const child = await supervise(setup, job, {
    folder,
    limits,
    command: command(setup, engine, { folder, limits, kernel }),
  });
  return kernel === null ? child : { ...child, fence: kernel.name };
}

/** The engine that asks nobody. */
const BUILT_IN = "extractive";

interface Plan {
  /** Real path. */
  readonly folder: string;
  readonly limits: ForkLimits;
  readonly command: Command;
}

function command(
  { childPath, readable = [], files, runtime, env }: ForkSetup,
  engine: string,
  { folder, limits, kernel }: Omit<Plan, "command"> & { readonly kernel: KernelFence | null },
): Command {
  const script = files.realpath(childPath);
  const code = [script, ...readable.map((path) => files.realpath(path))];
  const network = engine !== BUILT_IN;
  const walls = { ...limits, readable: [folder, ...code], network };
  if (kernel === null) return fencedCommand(runtime, walls, [script, engine]);
  // A link to Node does not lead anywhere inside.
  const real = { ...runtime, node: files.realpath(runtime.node) };
  const wallSeconds = Math.ceil((limits.wallMs + limits.graceMs) / 1_000);
  const ground = { folder, readable: code, env, network, dataMb: limits.dataMb, wallSeconds };
  return kernel.around(fencedCommand(real, walls, [script, engine]), ground);
}

/** The first thing that goes wrong is the run's error; from then on only the end of the child is awaited. */
async function supervise(setup: ForkSetup, job: DistillJob, plan: Plan): Promise<ChildWord> {
  const { limits, command, folder } = plan;
  let failure: MemdError | null = null;
  const flooded = () => stop(protocolError("it floods its output"));
  const child = await startChild(command, { cwd: folder, env: setup.env, outputBytes: limits.outputBytes, flooded });
  const stop = (error: MemdError): void => {
    failure ??= error;
    child.kill();
  };
  const watch = watchdog(child, limits, stop);
  const abort = () => stop(interrupted(job.signal));
  job.signal.addEventListener("abort", abort);
  const channel = openChannel(child.channel, {
    desk: { ...setup.desk(job), progress: job.progress, judge: job.judge },
    clock: setup.clock,
    heard: () => (channel.last ? watch.leaving() : watch.heard()),
    breach: stop,
  });
  tellStarted(setup, child.pid, stop);
  if (job.signal.aborted) abort();
  const exit = await child.ended;
  watch.off();
  job.signal.removeEventListener("abort", abort);
  if (failure) throw failure;
  return conclude(channel, exit);
}

/** A listener that throws must not leave a child behind that nobody waits for. */
function tellStarted(setup: ForkSetup, pid: number, stop: (error: MemdError) => void): void {
  try {
    setup.started?.(pid);
  } catch (error) {
    stop(classify(error, "tell that the distiller was started"));
  }
}

/** A child that has said its last word and does not go is ended, but what it said stands: it was complete, and may have cost money. */
function watchdog(child: KeptChild, limits: ForkLimits, stop: (error: MemdError) => void) {
  const late = (what: string) => () => stop(timeout(what));
  const wall = setTimeout(late(`was not done after ${limits.wallMs} ms`), limits.wallMs);
  const idle = setTimeout(late(`said nothing for ${limits.idleMs} ms`), limits.idleMs);
  let leaving: NodeJS.Timeout | undefined;
  return {
    heard: () => void idle.refresh(),
    leaving: () => {
      clearTimeout(idle);
      leaving ??= setTimeout(() => child.kill(), limits.graceMs);
    },
    off: () => {
      for (const timer of [wall, idle, leaving]) clearTimeout(timer);
    },
  };
}

function conclude({ last, fence, usage }: Channel, exit: Exit): ChildWord {
  if (!last) throw died(exit);
  if ("failed" in last) throw new MemdError(last.failed);
  if (fence === null) throw noFence("it did not say what holds it");
  return { last: last.proposal, usage, fence };
}

function timeout(what: string): MemdError {
  return new MemdError({
    code: "child-timeout",
    family: "unavailable",
    message: `the distiller ${what} and was ended`,
    hint: "memd tries again by itself; if it happens again, look at the load of this machine.",
  });
}

function died({ code, signal, stderr }: Exit): MemdError {
  const how = signal ? `signal ${signal}` : `exit code ${code}`;
  const memory = /heap out of memory|allocation failed/i.test(stderr) ? ", out of memory" : "";
  return new MemdError({
    code: "child-died",
    family: "unavailable",
    message: `the distiller died before it was done (${how}${memory})`,
    hint: "Nothing was changed; memd tries again by itself.",
    cause: new Error(tame(stderr, 2_000)),
  });
}
