/** Builds the real world: the only file that reads the clock's, the environment's and the platform's names, and chooses implementations. */
import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { systemClock } from "./base/clock.ts";
import { nodeFiles } from "./base/files.ts";
import type { Context, Output } from "./commands/context.ts";
import { platformPaths } from "./config/paths.ts";

declare const MEMD_VERSION: string | undefined;

function output(stream: NodeJS.WriteStream): Output {
  return { write: (text) => void stream.write(text), terminal: stream.isTTY === true };
}

async function ask(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
}

/** The context of the running process. SIGINT and SIGTERM abort its signal; a second one is left to the system's default. */
export function realContext(host: NodeJS.Process): Context {
  const abort = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) host.once(name, () => abort.abort(new Error(name)));
  const home = host.env["HOME"] || homedir();
  return {
    env: host.env,
    paths: platformPaths(host.env, host.platform, home),
    platform: host.platform,
    cwd: host.cwd(),
    files: nodeFiles,
    clock: systemClock,
    random: randomBytes,
    stdout: output(host.stdout),
    stderr: output(host.stderr),
    ask: host.stdin.isTTY && host.stderr.isTTY ? (question) => ask(question, abort.signal) : null,
    signal: abort.signal,
    version: typeof MEMD_VERSION === "string" ? MEMD_VERSION : "0.0.0-source",
    pid: host.pid,
  };
}
