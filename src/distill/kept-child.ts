/** A child process that never outlives its use: its own process group, ended by SIGKILL, awaited, its output bounded. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex, Readable } from "node:stream";
import { MemdError, systemCode } from "../base/errors.ts";
import type { Command } from "./fence.ts";

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it wrote to stderr. */
  readonly stderr: string;
}

export interface KeptChild {
  readonly pid: number;
  /** File descriptor 3 of the child, both ways. */
  readonly channel: Duplex;
  /** Resolves when the process is gone and its streams are read to the end. */
  readonly ended: Promise<Exit>;
  /**
   * Ends the whole group at once; may be called at any time. SIGKILL without asking first: a child that only reads has nothing to
   * put in order, and a polite signal would give a hostile one its time.
   */
  kill(): void;
}

export interface ChildPlace {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Bytes of stdout and stderr together, after which `flooded` is called. */
  readonly outputBytes: number;
  readonly flooded: () => void;
}

const STDERR_TAIL = 4_096;
/** Streams that somebody still holds open this long after the process ended are closed from our side. */
const STREAM_GRACE_MS = 500;

/** @throws MemdError unavailable `cannot-start` */
export async function startChild(command: Command, place: ChildPlace): Promise<KeptChild> {
  const child = spawn(command.file, command.args, {
    cwd: place.cwd,
    env: command.env ?? place.env,
    detached: true, // a group (and session) of its own, so that one kill reaches whatever it may have started
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  await started(child);
  const [, , , channel] = child.stdio;
  if (child.pid === undefined || !isDuplex(channel)) throw cannotStart(new Error("no process or no channel"));
  const { pid } = child;
  const lifeline = command.lifeline ? holdLifeline(child) : null;
  const kill = () => {
    lifeline?.cut();
    killGroup(pid);
  };
  const ended = awaitEnd(child, gather(child, place, lifeline !== null), kill);
  return { pid, channel, ended: lifeline ? ended.then((exit) => lifeline.told(exit)) : ended, kill };
}

/** The program runs elsewhere, out of reach of a signal to our group; the exit code of what was started says nothing about it. */
function holdLifeline({ stdout }: ChildProcess) {
  let text = "";
  const cut = () => void stdout?.destroy();
  stdout?.on("data", (chunk: Buffer) => {
    text = (text + chunk.toString("latin1")).slice(0, 16);
    cut();
  });
  stdout?.on("error", cut);
  const told = (exit: Exit): Exit => (/^\d+\n$/.test(text) ? { ...exit, code: Number(text) } : exit);
  return { cut, told };
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => reject(cannotStart(error)));
  });
}

function cannotStart(cause: Error): MemdError {
  return new MemdError({
    code: "cannot-start",
    family: "unavailable",
    message: `the distiller could not be started: ${cause.message}`,
    hint: "Check the machine's limits on processes and memory; memd tries again by itself.",
    cause,
  });
}

function isDuplex(stream: unknown): stream is Duplex {
  return typeof stream === "object" && stream !== null && "write" in stream && "read" in stream;
}

/** Reads stdout and stderr away, keeps a tail of stderr, and tells of a flood once. */
function gather(child: ChildProcess, { outputBytes, flooded }: ChildPlace, isLifeline: boolean): () => string {
  let left = outputBytes;
  let tail = Buffer.alloc(0);
  const count = (chunk: Buffer) => {
    const before = left;
    left -= chunk.length;
    if (before >= 0 && left < 0) flooded();
  };
  const keep = (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-STDERR_TAIL);
  };
  // An error while reading means no more output, which is no loss; unheard it would end memd.
  if (!isLifeline) child.stdout?.on("data", count).on("error", () => child.stdout?.destroy());
  child.stderr
    ?.on("data", count)
    .on("data", keep)
    .on("error", () => child.stderr?.destroy());
  return () => tail.toString("utf8");
}

function awaitEnd(child: ChildProcess, stderr: () => string, sweep: () => void): Promise<Exit> {
  return new Promise((resolve) => {
    let overdue: NodeJS.Timeout | undefined;
    child.once("exit", () => {
      sweep();
      overdue = setTimeout(() => {
        for (const stream of child.stdio) (stream as Readable | null)?.destroy();
      }, STREAM_GRACE_MS);
    });
    child.once("close", (code, signal) => {
      clearTimeout(overdue);
      resolve({ code, signal, stderr: stderr() });
    });
  });
}

/** ESRCH: nobody is left. EPERM: macOS says so of a group that holds only what has ended. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
