/** One life of Claude Code: started, heard out, and gone with all that it started when this is over. */
import type { Duplex } from "node:stream";
import { classify, MemdError } from "../../base/errors.ts";
import { protocolError } from "../channel.ts";
import type { Command } from "../fence.ts";
import { interrupted } from "../interrupted.ts";
import { type Exit, type KeptChild, startChild } from "../kept-child.ts";
import { lineReader } from "../lines.ts";
import type { Listener } from "./listen.ts";
import { hear } from "./stream.ts";

export interface Life {
  readonly command: Command;
  /** Real path. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly silentMs: number;
  readonly signal: AbortSignal;
  readonly started?: ((pid: number) => void) | undefined;
}

const LIMITS = {
  /** A file that was read stands twice in its event. */
  lineBytes: 4 * 1024 * 1024,
  /** Two hundred answers of 16,000 tokens, piece by piece, are some 200 MB. */
  streamBytes: 256 * 1024 * 1024,
  stderrBytes: 1024 * 1024,
  /** From its last word to its end. */
  graceMs: 2_000,
} as const;

/**
 * Resolves when nothing of it is left.
 * @throws MemdError the first thing that went wrong: interrupted, unavailable `child-timeout` `cannot-start`, rejected `child-protocol`, what
 * the listener throws
 */
export async function live(life: Life, listener: Listener): Promise<Exit> {
  if (life.signal.aborted) throw interrupted(life.signal);
  let failure: MemdError | null = null;
  const { folder: cwd, env } = life;
  const flooded = () => stop(protocolError("it floods its output"));
  const child = await startChild(life.command, { cwd, env, outputBytes: LIMITS.stderrBytes, flooded });
  const stop = (error: MemdError): void => {
    failure ??= error;
    child.kill();
  };
  const silence = watch(child, life.silentMs, stop);
  const abort = () => stop(interrupted(life.signal));
  life.signal.addEventListener("abort", abort);
  if (life.signal.aborted) abort();
  read(child.channel, stop, (line) => {
    if (failure !== null) return;
    silence.heard();
    const heard = hear(line);
    if (heard === null) return stop(protocolError("a line is no event"));
    listener.take(heard);
    if (heard.kind === "result") silence.leaving();
  });
  guard(stop, () => life.started?.(child.pid));
  const exit = await child.ended;
  silence.off();
  life.signal.removeEventListener("abort", abort);
  if (failure) throw failure;
  return exit;
}

/** Whatever a listener throws ends the child too: nobody else waits for it. */
function guard(stop: (error: MemdError) => void, act: () => void): void {
  try {
    act();
  } catch (error) {
    stop(classify(error, "hear Claude Code out"));
  }
}

function read(channel: Duplex, stop: (error: MemdError) => void, take: (line: string) => void): void {
  const lines = lineReader(LIMITS.lineBytes);
  let left = LIMITS.streamBytes;
  channel.on("data", (chunk: Uint8Array) => {
    left -= chunk.length;
    const complete = left < 0 ? null : lines.push(chunk);
    if (complete === null) return stop(protocolError("it floods its output"));
    for (const line of complete) if (line.trim() !== "") guard(stop, () => take(line));
  });
  // A reset by a dying child is no news: its exit tells.
  channel.on("error", () => channel.destroy());
}

/** What it said last stands, also when it then does not go. */
function watch(child: KeptChild, silentMs: number, stop: (error: MemdError) => void) {
  const silent = setTimeout(() => stop(timeout(silentMs)), silentMs);
  let leaving: NodeJS.Timeout | undefined;
  return {
    heard: () => void silent.refresh(),
    leaving: () => {
      leaving ??= setTimeout(() => child.kill(), LIMITS.graceMs);
    },
    off: () => {
      clearTimeout(silent);
      clearTimeout(leaving);
    },
  };
}

function timeout(ms: number): MemdError {
  return new MemdError({
    code: "child-timeout",
    family: "unavailable",
    message: `Claude Code said nothing for ${Math.round(ms / 1_000)} s and was ended`,
    hint: "memd tries again by itself; model.requestSeconds sets how long one request may take.",
  });
}
