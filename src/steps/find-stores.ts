/**
 * The agents' stores for a process that stays: looked for only when the agents' folders have changed, and by a process of its own that
 * ends. Learning 20,000 transcripts leaves a heap of 50 MB behind, which a daemon would keep for months (measured).
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { EXIT, type Family, MemdError, systemCode } from "../base/errors.ts";
import { isRecord, parseJson } from "../base/json.ts";
import { elapsed, HOUR, MINUTE } from "../gate/verdict.ts";
import type { Clock, Files } from "../ports.ts";

export interface FinderWorld {
  readonly files: Files;
  readonly clock: Clock;
  /** Folders below which the agents keep their sessions; none need be there. */
  readonly roots: readonly string[];
  /** Looks for the stores and remembers them. */
  find(): Promise<void>;
}

/** Nested as deep as Codex's days: year, month, day. */
const DEPTH = 3;
/** A session that moves on into another project changes no folder: it is found this late at the latest. */
const AT_LEAST = 6 * HOUR;
/** FAT counts in two seconds, and most others finer, ms. */
const GRAIN = 2_000;

/** @returns brings what is remembered up to date, and looks at one stat per folder while nothing changed */
export function makeFinder({ files, clock, roots, find }: FinderWorld): () => Promise<void> {
  let found: { readonly marks: string; readonly at: number } | null = null;
  return async () => {
    // Before the look: what appears meanwhile is found by the next one.
    const { marks, newest } = marksOf(files, roots);
    const at = clock.now();
    if (found !== null && found.marks === marks && elapsed(found.at, at) < AT_LEAST) return;
    await find();
    // A folder that changed just now may change again within its time stamp's grain.
    found = newest + GRAIN < at ? { marks, at } : null;
  };
}

/** Another text when a transcript or a folder came or went, and when the last one did, epoch ms. */
function marksOf(files: Files, roots: readonly string[]): { readonly marks: string; readonly newest: number } {
  const marks: string[] = [];
  let newest = 0;
  const visit = (path: string, depth: number): void => {
    const stat = files.stat(path);
    if (stat?.kind !== "dir") return;
    marks.push(`${stat.ino}:${stat.mtime}`);
    newest = Math.max(newest, stat.mtime);
    if (depth === 0) return;
    for (const { name, kind } of files.list(path)) if (kind === "dir") visit(join(path, name), depth - 1);
  };
  for (const root of roots) {
    try {
      // Claude Code's projects lie side by side, and their folders hold the transcripts.
      visit(root, root.endsWith("/projects") ? 1 : DEPTH);
    } catch (error) {
      // What cannot be listed is told by the look itself.
      if (systemCode(error) === null) throw error;
      marks.push(`${root}: ${systemCode(error)}`);
    }
  }
  return { marks: marks.join("\n"), newest };
}

const PATIENCE = 10 * MINUTE;

/**
 * Runs this program once more, for the look alone.
 * @param program.path of the built memd
 * @throws MemdError as the other process told it
 */
export function findInChild(
  program: { readonly node: string; readonly path: string },
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { signal, timeout: PATIENCE, killSignal: "SIGKILL", maxBuffer: 1_048_576 } as const;
    execFile(program.node, [program.path, "daemon", "--find-stores", "--json"], options, (error, stdout) => {
      if (error === null) resolve();
      else reject(signal.aborted ? signal.reason : asTold(error, stdout));
    });
  });
}

function asTold(error: { readonly code?: unknown; readonly message: string }, stdout: string): unknown {
  const value = parseJson(stdout);
  const told = isRecord(value) && isRecord(value["error"]) ? value["error"] : {};
  const family = (Object.keys(EXIT) as Family[]).find((name) => EXIT[name] === error.code) ?? "unavailable";
  return new MemdError({
    code: typeof told["code"] === "string" ? told["code"] : "stores-not-found",
    family: family === "bug" ? "unavailable" : family,
    message: typeof told["message"] === "string" ? told["message"] : `cannot look for the stores: ${error.message}`,
    hint: typeof told["hint"] === "string" ? told["hint"] : "memd tries again at the next scan.",
    cause: error,
  });
}
