/** The parent's side of the anthropic distiller: the forked child, what it is set up with, and the key kept out of all that comes back. */
import { iso } from "../../base/clock.ts";
import { isMemdError, MemdError } from "../../base/errors.ts";
import { type Hush, hushing } from "../../base/hush.ts";
import type { Brief, Distiller, DistillJob, LookJob } from "../../ports.ts";
import { protocolError } from "../channel.ts";
import { type ForkSetup, forkedDistiller, type ParentDesk, runChild } from "../fork.ts";
import type { LookOrder, LookReport } from "./batch-look.ts";
import { readLookReport } from "./look-setup.ts";
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
  /** Authorities beside Node's own, for endpoints behind a company's proxy; a real path. */
  readonly caFile?: string | null;
  /** @throws MemdError misconfigured (no usable key), over-budget */
  prepare(job: DistillJob): Promise<Prepared>;
  /** @throws MemdError misconfigured, like `prepare`: nobody is asked for money that could not be spent */
  readonly estimate: NonNullable<Distiller["estimate"]>;
}

/** A look needs no words: nothing of the user's goes into its child. */
const NO_BRIEF: Omit<Brief, "now"> = {
  schema: 1,
  store: "none",
  digest: { sessions: [], tokens: 0, redacted: {}, taken: [] },
  memory: { topics: [], index: null, others: [] },
  context: [],
};

/** Longest silence on the channel beyond one request: waits between two attempts, and starting up. */
const SPARE_MS = 120_000;
/** The SDK, and a stream of the longest answers: more than rules need. */
const CPU_SECONDS = 300;

/** @returns a Distiller whose errors are those of the forked one and of the endpoint */
export function anthropicDistiller(setup: AnthropicSetup): Pick<Distiller, "name" | "estimate" | "distill"> {
  return {
    name: "anthropic",
    estimate: setup.estimate,
    distill: async (job) => {
      const prepared = await setup.prepare(job);
      return guarded(prepared, job.signal, async (signal, hush) => {
        const fork = forkedDistiller({ ...forkSetup(setup, prepared, hush), name: "anthropic" });
        return fork.distill({
          ...job,
          signal,
          progress: (text) => job.progress(hush(text)),
          judge: (operation) => job.judge(hush(operation)),
        });
      });
    },
  };
}

/** Looks after a batch, in a child that is given nothing else. @throws MemdError as the distiller does */
export async function lookThrough(
  setup: Omit<AnthropicSetup, "prepare" | "estimate">,
  prepared: Prepared,
  { order, ...job }: Omit<LookJob, "cancel"> & { readonly order: LookOrder },
): Promise<LookReport> {
  return guarded(prepared, job.signal, async (signal, hush) => {
    const fork = forkSetup(setup, prepared, hush, { settings: prepared.settings, order });
    const judge = () => ({ accepted: false, rule: "malformed", detail: "nothing is judged here" }) as const;
    const brief = { ...NO_BRIEF, now: iso(setup.clock.now()) };
    const progress = (text: string) => job.progress(hush(text));
    const { last } = await runChild(fork, "look", { ...job, brief, judge, signal, progress });
    const report = readLookReport(last);
    if (report === null) throw protocolError("it does not say what became of the batch");
    return report;
  });
}

/** Within the run's wall time, and with the key kept out of all that comes back. */
async function guarded<T>(
  prepared: Prepared,
  signal: AbortSignal,
  act: (signal: AbortSignal, hush: Hush) => Promise<T>,
): Promise<T> {
  const hush = hushing(prepared.settings.key);
  const wall = wallTime(prepared);
  try {
    return hush(await act(AbortSignal.any([signal, wall.signal]), hush));
  } catch (error) {
    throw hushedError(prepared.explain(wall.signal.aborted && !signal.aborted ? wall.signal.reason : error), hush);
  } finally {
    wall.clear();
    prepared.close();
  }
}

/** What a child that talks to an endpoint has beside its own code. @param caFile real path of further authorities, or null */
export function trusting(caFile: string | null): Pick<ForkSetup, "env" | "readable"> {
  if (caFile === null) return { env: { LANG: "C.UTF-8" } };
  return { env: { LANG: "C.UTF-8", NODE_EXTRA_CA_CERTS: caFile }, readable: [caFile] };
}

function forkSetup(
  setup: Omit<AnthropicSetup, "prepare" | "estimate">,
  { settings, desk, wallMs }: Prepared,
  hush: Hush,
  told: unknown = settings,
): ForkSetup {
  return {
    ...setup,
    ...trusting(setup.caFile ?? null),
    desk: () => ({ ...desk, cachePut: (key, value) => desk.cachePut(key, hush(value)), settings: () => told }),
    limits: {
      wallMs: wallMs + SPARE_MS,
      idleMs: settings.requestSeconds * 1_000 + SPARE_MS,
      cpuSeconds: CPU_SECONDS,
    },
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
