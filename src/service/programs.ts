/** Other programs, started without a shell and never for longer than they are given. */
import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { systemCode } from "../base/errors.ts";

export interface Ran {
  /** Exit status; 127 where there is no such program, 124 where it took too long. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Programs {
  run(file: string, args: readonly string[]): Promise<Ran>;
  /** With our own output and terminal, until it ends. @param hear takes each line of its output instead */
  follow(file: string, args: readonly string[], hear?: (line: string) => void): Promise<number>;
  /** The same with more in their environment. */
  with(env: Readonly<Record<string, string>>): Programs;
  /** Waits this long, for a manager that has not finished what it was asked. */
  pause(ms: number): Promise<void>;
}

/** A unit is given 60 s to become ready, and 30 s to stop before. */
const PATIENCE_MS = 120_000;
const MOST_OUTPUT = 4 * 1_048_576;
const TIMED_OUT = 124;
const NOT_FOUND = 127;

export function systemPrograms(env: Readonly<Record<string, string | undefined>>): Programs {
  return {
    run: (file, args) =>
      new Promise((resolve) => {
        const options = { env: { ...env, LC_ALL: "C.UTF-8" }, timeout: PATIENCE_MS, maxBuffer: MOST_OUTPUT };
        const child = execFile(file, [...args], options, (error, stdout, stderr) =>
          resolve({ status: statusOf(error, child.exitCode), stdout, stderr: stderr || (error?.message ?? "") }),
        );
      }),
    follow: (file, args, hear) =>
      new Promise((resolve) => {
        const child = spawn(file, [...args], { env, stdio: ["inherit", hear ? "pipe" : "inherit", "inherit"] });
        if (hear && child.stdout) createInterface({ input: child.stdout }).on("line", hear);
        child.on("error", () => resolve(NOT_FOUND));
        // When its output is read to the end.
        child.on("close", (code) => resolve(code ?? 0));
      }),
    with: (more) => systemPrograms({ ...env, ...more }),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

function statusOf(error: (Error & { killed?: boolean }) | null, exitCode: number | null): number {
  if (error === null) return 0;
  if (systemCode(error) === "ENOENT" || systemCode(error) === "EACCES") return NOT_FOUND;
  return error.killed ? TIMED_OUT : (exitCode ?? 1);
}
