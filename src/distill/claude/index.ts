/** The distiller that is the user's own Claude Code, in print mode: what it proposes is read and judged like anything else. */
import { join } from "node:path";
import { MemdError } from "../../base/errors.ts";
import type { Files } from "../../base/files.ts";
import { hushing } from "../../base/hush.ts";
import { ownSessionId } from "../../base/ids.ts";
import { parseProposal } from "../../memory/schema.ts";
import { type Distilled, type Distiller, type DistillJob, NO_USAGE } from "../../ports.ts";
import { hushedError, wallTime } from "../anthropic/backend.ts";
import { writeBriefFolder } from "../brief-folder.ts";
import { type KernelFence, SCRATCH } from "../kernel/ground.ts";
import { claudeCommand, claudeEnv } from "./command.ts";
import { firstTokens } from "./estimate.ts";
import { failureOf, goneOf } from "./failure.ts";
import { listenerOf } from "./listen.ts";
import { openPurse, type Till } from "./purse.ts";
import { live } from "./run.ts";
import type { ClaudeSettings } from "./settings.ts";
import { type Task, taskOf } from "./task.ts";

export interface Prepared {
  readonly settings: ClaudeSettings;
  /** The kernel's fence, and what of the machine it shows beside the brief (real paths); null where it keeps to its own restrictions alone. */
  readonly held: { readonly by: KernelFence; readonly readable: readonly string[] } | null;
  readonly till: Till;
  /** The run may not take longer; what `late` gives ends it then. */
  readonly wallMs: number;
  late(): MemdError;
  /** The error of the run, where a cap stood against it. */
  explain(error: unknown): unknown;
  close(): void;
}

export interface ClaudeSetup {
  readonly files: Files;
  /** @throws MemdError misconfigured (no program, no usable key), over-budget */
  prepare(job: DistillJob): Promise<Prepared>;
  readonly estimate: NonNullable<Distiller["estimate"]>;
  /** Told the pid of its process group. */
  readonly started?: (pid: number) => void;
}

/** What holds it where the kernel does not: its own restrictions, measured with 2.1.332. */
const FENCE = "claude-code";

/** Nobody counts it: the one fence that holds Claude Code has no such limit. */
const DATA_MB = 2_048;

/** @returns a Distiller whose errors are those of `prepare`, of failure.ts and of a kept child */
export function claudeDistiller(setup: ClaudeSetup): Distiller {
  return {
    name: "claude",
    estimate: setup.estimate,
    distill: async (job) => {
      const task = taskOf(job.brief);
      if (job.brief.digest.sessions.length === 0)
        return { proposal: { operations: [] }, refused: [], usage: NO_USAGE, fence: FENCE };
      const prepared = await setup.prepare(job);
      const hush = hushing(prepared.settings.secret);
      const wall = wallTime(prepared);
      try {
        const signal = AbortSignal.any([job.signal, wall.signal]);
        const progress = (text: string) => job.progress(hush(text));
        return hush(await run(setup, prepared, { job: { ...job, signal, progress }, task }));
      } catch (error) {
        const late = wall.signal.aborted && !job.signal.aborted;
        throw hushedError(prepared.explain(late ? wall.signal.reason : error), hush);
      } finally {
        wall.clear();
        prepared.close();
      }
    },
  };
}

async function run(
  { files, started }: ClaudeSetup,
  { settings, till, held, wallMs }: Prepared,
  { job, task }: { readonly job: DistillJob; readonly task: Task },
): Promise<Distilled> {
  const { priceOf, model, maxTokens, silentMs, payer, program } = settings;
  const folder = writeBriefFolder(files, job.folder, task.files);
  const purse = openPurse({ till, priceOf, model, maxTokens, firstTokens: firstTokens(task, settings) });
  const listener = listenerOf(purse, settings, job.progress);
  let usage = NO_USAGE;
  job.progress(`asks ${program}; ${payer}`);
  try {
    purse.start();
    const alone = claudeCommand(settings, ownSessionId(job.run));
    const env = claudeEnv(settings, held === null ? join(folder, ".tmp") : SCRATCH);
    const ground = {
      folder,
      env,
      network: true,
      scratch: true,
      dataMb: DATA_MB,
      wallSeconds: Math.ceil(wallMs / 1_000),
    };
    const command = held === null ? alone : held.by.around(alone, { ...ground, readable: held.readable });
    const exit = await live({ command, folder, env, silentMs, signal: job.signal, started }, listener);
    if (listener.result === null) throw goneOf(exit, program);
  } finally {
    usage = purse.close(listener.result);
  }
  const { output, ok } = listener.result;
  if (!ok || output === undefined) throw failureOf(listener.result, listener.trouble, settings);
  const parsed = parseProposal(output);
  if ("proposal" in parsed) return { ...parsed, usage, fence: held?.by.name ?? FENCE };
  throw new MemdError({
    code: "unreadable-proposal",
    family: "rejected",
    message: `the proposal of Claude Code cannot be read: ${parsed.malformed}`,
    hint: "Nothing was changed. If it happens again, set claude.model to a larger model.",
  });
}
