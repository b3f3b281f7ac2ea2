/** What a command gets of the world: made once by compose, passed in, never reached for. */
import type { Clock } from "../base/clock.ts";
import type { Files } from "../base/files.ts";
import type { Random } from "../base/ids.ts";
import type { Env, Paths } from "../config/paths.ts";

export interface Output {
  write(text: string): void;
  readonly terminal: boolean;
}

export interface Context {
  readonly env: Env;
  readonly paths: Paths;
  readonly platform: string;
  /** The folder in which memd was called; relative paths of flags start here. */
  readonly cwd: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Asks on the terminal, until the signal (the command's own, if none is given) is aborted; null when there is none to ask. */
  readonly ask: ((question: string, signal?: AbortSignal) => Promise<string>) | null;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  readonly version: string;
  readonly pid: number;
}

/** Prints one JSON document, the whole of stdout under `--json`. */
export function printJson(context: Context, value: unknown): void {
  context.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
