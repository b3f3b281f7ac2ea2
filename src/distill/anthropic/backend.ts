/** The parent's side of the anthropic distiller: the forked child, what it is set up with, and the key kept out of all that comes back. */
import { isMemdError, MemdError } from "../../base/errors.ts";
import { type Hush, hushing } from "../../base/hush.ts";
import type { Distiller, DistillJob } from "../../ports.ts";
import { type ForkSetup, forkedDistiller, type ParentDesk } from "../fork.ts";
import type { AnthropicSettings } from "./settings.ts";

export interface Prepared {
  readonly settings: AnthropicSettings;
  readonly desk: Omit<ParentDesk, "settings">;
  /** The run may not take longer; what `late` gives ends it then. */
  readonly wallMs: number;
  late(): MemdError;
  /** The error of the run, from what the child or the channel said. */
  explain(error: unknown): unknown;
  close(): void;
}

export interface AnthropicSetup
  extends Pick<ForkSetup, "childPath" | "files" | "clock" | "runtime" | "started" | "kernel"> {
  /** @throws MemdError misconfigured (no usable key), over-budget */
  prepare(job: DistillJob): Promise<Prepared>;
  /** @throws MemdError misconfigured, like `prepare`: nobody is asked for money that could not be spent */
  readonly estimate: NonNullable<Distiller["estimate"]>;
}

/** Longest silence on the channel beyond one request: waits between two attempts, and starting up. */
const SPARE_MS = 120_000;
/** The SDK, and a stream of the longest answers: more than rules need. */
const CPU_SECONDS = 300;

/** @returns a Distiller whose errors are those of the forked one and of the endpoint */
export function anthropicDistiller(setup: AnthropicSetup): Distiller {
  return {
    name: "anthropic",
    estimate: setup.estimate,
    distill: async (job) => {
      const prepared = await setup.prepare(job);
      const hush = hushing(prepared.settings.key);
      const wall = wallTime(prepared);
      try {
        return hush(await fork(setup, prepared, hush).distill(hushedJob(job, hush, wall.signal)));
      } catch (error) {
        throw hushedError(
          prepared.explain(wall.signal.aborted && !job.signal.aborted ? wall.signal.reason : error),
          hush,
        );
      } finally {
        wall.clear();
        prepared.close();
      }
    },
  };
}

function fork(setup: AnthropicSetup, { settings, desk, wallMs }: Prepared, hush: Hush): Distiller {
  return forkedDistiller({
    ...setup,
    name: "anthropic",
    env: { LANG: "C.UTF-8" },
    desk: () => ({ ...desk, cachePut: (key, value) => desk.cachePut(key, hush(value)), settings: () => settings }),
    limits: {
      wallMs: wallMs + SPARE_MS,
      idleMs: settings.requestSeconds * 1_000 + SPARE_MS,
      cpuSeconds: CPU_SECONDS,
    },
  });
}

function hushedJob(job: DistillJob, hush: Hush, wall: AbortSignal): DistillJob {
  return {
    ...job,
    signal: AbortSignal.any([job.signal, wall]),
    progress: (text) => job.progress(hush(text)),
    judge: (operation) => job.judge(hush(operation)),
  };
}

export function wallTime({ wallMs, late }: Pick<Prepared, "wallMs" | "late">): {
  readonly signal: AbortSignal;
  clear(): void;
} {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(late()), wallMs);
  return { signal: abort.signal, clear: () => clearTimeout(timer) };
}

/** The same error without the key, in its cause too. */
export function hushedError(error: unknown, hush: Hush): unknown {
  if (!isMemdError(error)) return error;
  const { code, family, message, hint, retryAt, cause } = error;
  const because = cause instanceof Error ? new Error(hush(cause.message)) : undefined;
  return new MemdError({ code, family, retryAt, message: hush(message), hint: hush(hint), cause: because });
}
