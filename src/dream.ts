/** One consolidation, told top to bottom: gate, lock, collect, digest, distill, validate, apply, record. */
import { classify, isMemdError, type MemdError } from "./base/errors.ts";
import type { Digest } from "./digest/digest.ts";
import type { Closed } from "./gate/verdict.ts";
import type { RunReport } from "./ledger/report.ts";
import type { Notice } from "./memory/changeset.ts";
import { type Brief, type Distilled, type Estimate, NO_USAGE, type Store } from "./ports.ts";

/** What was asked for, and by whom. */
export interface DreamRequest {
  /** `dream --now`: skips time, cool-down, throttle and sessions; never lock, rules or budget. */
  readonly now: boolean;
  /** When a person asked for it, epoch ms: an endpoint that has refused them since then is not asked again, for the next store. */
  readonly askedAt?: number;
  /** All steps up to validate; memory, stamp and sources untouched. */
  readonly dryRun: boolean;
  readonly keepBrief: boolean;
  readonly cause: "now" | "cron" | "scan" | "hint";
  /** Asked before the first request of a distiller that costs money; absent: the configuration has said yes. */
  readonly consent?: ((estimate: Estimate, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** A step's name of the design, with figures for people. */
  readonly progress: (step: string, detail: string) => void;
}

export interface Run {
  readonly id: string;
  readonly store: Store;
  readonly request: DreamRequest;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Aborted by the user, by the wall-time cap, and when the lease is lost. */
  readonly signal: AbortSignal;
  /** What is known so far; a run that fails reports as much as one that does not. */
  readonly facts: Partial<Facts>;
  /** What a person should know afterwards; becomes conditions. */
  readonly notices: Notice[];
}

/** The figures of a report that steps fill in as they learn them. */
export type Facts = { -readonly [Key in keyof RunReport]: RunReport[Key] };

export interface Skip {
  /** What the exit code says. */
  readonly outcome: "not-due" | "held" | "paused" | "over-budget" | "refused" | "not-confirmed";
  readonly reason: string;
  readonly hint: string;
  /** The gate that is closed, for `not-due`. */
  readonly closed?: Closed;
}

/** Holding the lock. `release` moves the stamp forward, leaves it exactly as it was, or rolls it back. */
export interface Held {
  readonly signal: AbortSignal;
  release(stamp: "forward" | "as-before" | "back"): Promise<void>;
}

/** What collect brought; the rest of it is the steps' own business. */
export interface Gathered {
  /** False when no session or log holds a word that was not read before. */
  readonly anything: boolean;
}

export type Ending =
  | { readonly outcome: "done" | "unchanged" | "dry-run"; readonly reason: string | null }
  | { readonly outcome: "skipped"; readonly skip: Skip }
  | { readonly outcome: "failed"; readonly error: MemdError };

/** The steps, built by compose from the rooms below. None of them calls the next one. */
export interface Steps<G extends Gathered, J> {
  gate(run: Run): Promise<Skip | null>;
  lock(run: Run): Promise<{ readonly held: Held } | { readonly skip: Skip }>;
  collect(run: Run): Promise<G>;
  digest(run: Run, gathered: G): Promise<Digest>;
  brief(run: Run, gathered: G, digest: Digest): Promise<Brief>;
  /** Null when the distiller may be asked: it costs nothing, or nobody minds. */
  consent(run: Run, brief: Brief): Promise<Skip | null>;
  /** A skip when the words were sent off to be read at leisure: the run that finds the answers goes on. */
  distill(run: Run, gathered: G, brief: Brief): Promise<Distilled | { readonly skip: Skip }>;
  validate(run: Run, gathered: G, digest: Digest, distilled: Distilled): Promise<J>;
  /** True when a byte of memory changed. */
  apply(run: Run, gathered: G, digest: Digest, judged: J): Promise<boolean>;
  record(run: Run, ending: Ending): Promise<RunReport>;
}

export async function dream<G extends Gathered, J>(steps: Steps<G, J>, run: Run): Promise<RunReport> {
  return steps.record(run, await attempt(steps, run));
}

async function attempt<G extends Gathered, J>(steps: Steps<G, J>, run: Run): Promise<Ending> {
  try {
    const closed = await steps.gate(run);
    if (closed) return { outcome: "skipped", skip: closed };
    const lock = await steps.lock(run);
    if ("skip" in lock) return { outcome: "skipped", skip: lock.skip };
    return await underLock(steps, { ...run, signal: AbortSignal.any([run.signal, lock.held.signal]) }, lock.held);
  } catch (error) {
    return { outcome: "failed", error: reasonOf(run, error) };
  }
}

/** What stopped a run is the reason, not the error that stopping caused somewhere. */
function reasonOf(run: Run, error: unknown): MemdError {
  const { aborted, reason } = run.signal;
  return aborted && isMemdError(reason) ? reason : classify(error, `dream over ${run.store.name}`);
}

/** Whatever happens, the lock is released: forward on success, exactly as before when there was nothing, else back. */
async function underLock<G extends Gathered, J>(steps: Steps<G, J>, run: Run, held: Held): Promise<Ending> {
  let stamp: "forward" | "as-before" | "back" = "back";
  try {
    const ending = await consolidate(steps, run);
    stamp = run.request.dryRun || readNothing(ending) ? "as-before" : "forward";
    return ending;
  } finally {
    await held.release(stamp);
  }
}

/** The stamp says when the words were last read: without that it stays. */
function readNothing(ending: Ending): boolean {
  return ending.outcome === "skipped" || (ending.outcome === "unchanged" && ending.reason === "nothing-new");
}

async function consolidate<G extends Gathered, J>(steps: Steps<G, J>, run: Run): Promise<Ending> {
  const gathered = await steps.collect(run);
  const { anything } = gathered;
  const digest = anything ? await steps.digest(run, gathered) : NO_DIGEST;
  const brief = anything ? await steps.brief(run, gathered, digest) : null;
  const declined = brief && (await steps.consent(run, brief));
  if (declined) return { outcome: "skipped", skip: declined };
  const distilled = brief ? await steps.distill(run, gathered, brief) : NOTHING_PROPOSED;
  if ("skip" in distilled) return { outcome: "skipped", skip: distilled.skip } as const;
  // With nothing new the index is still made to agree with the topics.
  const judged = await steps.validate(run, gathered, digest, distilled);
  if (run.request.dryRun) return { outcome: "dry-run", reason: null } as const;
  const changed = await steps.apply(run, gathered, digest, judged);
  const isIndexAlone = !anything && (run.facts.changes ?? []).every(({ operation }) => operation === "index");
  if (changed) return { outcome: "done", reason: isIndexAlone ? "index-mended" : null } as const;
  return { outcome: "unchanged", reason: anything ? "nothing-to-change" : "nothing-new" } as const;
}

const NO_DIGEST: Digest = { sessions: [], tokens: 0, redacted: {}, taken: [] };
const NOTHING_PROPOSED: Distilled = { proposal: { operations: [] }, refused: [], usage: NO_USAGE, fence: "none" };
