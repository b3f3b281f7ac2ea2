/** Runs the program that prints the key: without a shell, bounded in time and output, in a process group of its own. */
import { spawn } from "node:child_process";
import { MemdError, systemCode } from "../base/errors.ts";
import type { Env } from "./paths.ts";

/** A password manager may ask for a fingerprint; nobody is there to give one to a daemon. */
const TIMEOUT = 10_000;
const MOST_BYTES = 64 * 1024;

/** Variables that change what a program loads, and keys: a program that finds a key in its environment would only hand it back. */
const NOT_PASSED = /^(?:NODE_|LD_|DYLD_|ANTHROPIC_|CLAUDE|MEMD_)/;

/**
 * What the program prints. What it says on stderr is not shown: it may be about the key.
 * @throws MemdError misconfigured `key-command-failed`; interrupted
 */
export async function runKeyCommand(argv: readonly string[], env: Env, signal: AbortSignal): Promise<string> {
  const [program = "", ...args] = argv;
  signal.throwIfAborted();
  const passed = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_PASSED.test(name)));
  const child = spawn(program, args, {
    env: passed,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
    shell: false,
  });
  return await new Promise((resolve, reject) => {
    let text = "";
    let why: string | null = null;
    const stop = (reason: string) => {
      why ??= reason;
      killGroup(child.pid);
    };
    const timer = setTimeout(() => stop(`it was not done after ${TIMEOUT / 1_000} s`), TIMEOUT);
    const abort = () => stop("interrupted");
    signal.addEventListener("abort", abort);
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.length > MOST_BYTES) stop("it prints too much");
    });
    const end = (failure: string | null) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      if (signal.aborted) reject(signal.reason);
      else if (failure !== null) reject(failed(program, failure));
      else resolve(text);
    };
    child.on("error", (error) => end(systemCode(error) === "ENOENT" ? "there is no such program" : error.message));
    child.on("close", (code, by) => {
      // What it started and left behind goes too.
      killGroup(child.pid);
      end(why ?? (code === 0 ? null : by === null ? `exit code ${code}` : `signal ${by}`));
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (systemCode(error) !== "ESRCH" && systemCode(error) !== "EPERM") throw error;
  }
}

function failed(program: string, why: string): MemdError {
  return new MemdError({
    code: "key-command-failed",
    family: "misconfigured",
    message: `model.apiKeyCommand (${program}) gave no key: ${why}`,
    hint: "Run it by hand as memd does: without a terminal, within 10 seconds; its first line must be the key.",
  });
}
