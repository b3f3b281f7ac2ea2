/** Wires the steps of one store into one run, with its wall-time cap, and says how the process should end. */
import { EXIT } from "../base/errors.ts";
import { runId } from "../base/ids.ts";
import { type DreamRequest, dream, type Ending, type Run, type Steps } from "../dream.ts";
import { MINUTE } from "../gate/verdict.ts";
import type { RunReport } from "../ledger/report.ts";
import { readStamp } from "../lock/stamp.ts";
import { applyStep } from "./apply.ts";
import { type Collection, collectStep, scanStore } from "./collect.ts";
import { briefStep, digestStep } from "./digest.ts";
import { distillStep } from "./distill.ts";
import { gateStep } from "./gate.ts";
import { type Leases, lockStep } from "./lock.ts";
import { recordStep } from "./record.ts";
import { type Judged, validateStep } from "./validate.ts";
import type { DreamWorld } from "./world.ts";

export interface Ended {
  readonly report: RunReport;
  /** 0 done or unchanged, 3 not due, 4 held, else the family's. */
  readonly exit: number;
}

const SKIP_EXIT = { "not-due": 3, paused: 3, held: 4 } as const;

export async function runDream(world: DreamWorld, signal: AbortSignal, request: DreamRequest): Promise<Ended> {
  const startedAt = world.clock.now();
  const capped = AbortSignal.any([signal, AbortSignal.timeout(world.config.dream.maxMinutes * MINUTE)]);
  const run: Run = { id: runId(startedAt, world.random), store: world.store, request, startedAt, signal: capped, facts: {}, notices: [] };
  let exit = 0;
  const steps = stepsOf(world, (ending) => {
    exit = exitOf(ending);
  });
  return { report: await dream(steps, run), exit };
}

function exitOf(ending: Ending): number {
  if (ending.outcome === "skipped") return SKIP_EXIT[ending.skip.outcome];
  return ending.outcome === "failed" ? EXIT[ending.error.family] : 0;
}

function stepsOf(world: DreamWorld, ended: (ending: Ending) => void): Steps<Collection, Judged> {
  const leases: Leases = new Map();
  const record = recordStep(world);
  return {
    gate: gateStep(world),
    lock: lockStep(world, leases),
    collect: collectStep(world),
    digest: digestStep(world),
    brief: briefStep(world),
    distill: distillStep(world),
    validate: validateStep(world),
    apply: applyStep(world, leases),
    record: (run, ending) => {
      ended(ending);
      return record(run, ending);
    },
  };
}

/** Counts the sessions anew, for `status --scan`; changes nothing but the store's own state. */
export async function scanNow(world: DreamWorld, signal: AbortSignal): Promise<void> {
  const startedAt = world.clock.now();
  const request: DreamRequest = { now: false, dryRun: false, keepBrief: false, cause: "scan", progress: () => undefined };
  const run: Run = { id: runId(startedAt, world.random), store: world.store, request, startedAt, signal, facts: {}, notices: [] };
  await scanStore(world, run, readStamp(world.lease, world.store.memory, startedAt).stamp);
}
