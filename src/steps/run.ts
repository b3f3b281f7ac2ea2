/** Wires the steps of one store into one run, with its wall-time cap, and says how the process should end. */
import { iso } from "../base/clock.ts";
import { classify, EXIT, EXIT_WITHOUT_ERROR, MemdError } from "../base/errors.ts";
import { runId } from "../base/ids.ts";
import { type DreamRequest, dream, type Ending, type Run, type Steps } from "../dream.ts";
import { MINUTE } from "../gate/verdict.ts";
import type { RunReport } from "../ledger/report.ts";
import { carryConditions } from "../ledger/store-state.ts";
import { readStamp } from "../lock/stamp.ts";
import type { Changeset, Notice } from "../memory/changeset.ts";
import { renderDiff } from "../memory/diff.ts";
import { applyStep } from "./apply.ts";
import { type Collection, collectStep, scanStore } from "./collect.ts";
import { consentStep } from "./consent.ts";
import { briefStep, digestStep } from "./digest.ts";
import { distillStep } from "./distill.ts";
import { gateStep } from "./gate.ts";
import { type Leases, lockStep } from "./lock.ts";
import { refreshPublished } from "./published.ts";
import { recordStep } from "./record.ts";
import { shareWithTeam } from "./team.ts";
import { telling } from "./telling.ts";
import { type Judged, validateStep } from "./validate.ts";
import type { DreamWorld } from "./world.ts";

export interface Ended {
  readonly report: RunReport;
  /** What a dry run would write, as unified diff; null otherwise. */
  readonly diff: string | null;
  /** 0 done or unchanged, 3 not due, 4 held, else the family's. */
  readonly exit: number;
}

const { notDue, held } = EXIT_WITHOUT_ERROR;
const SKIP_EXIT = {
  "not-due": notDue,
  paused: notDue,
  "not-confirmed": notDue,
  held,
  "over-budget": EXIT["over-budget"],
  refused: EXIT.misconfigured,
} as const;

/** One run over one store, from its gates to its record. Refusals and failures are in the report and the exit code; a bug in recording throws. */
export async function runDream(world: DreamWorld, signal: AbortSignal, request: DreamRequest): Promise<Ended> {
  const startedAt = world.clock.now();
  const cap = wallTime(world.config.dream.maxMinutes);
  const capped = AbortSignal.any([signal, cap.signal]);
  const run: Run = {
    id: runId(startedAt, world.random),
    store: world.store,
    request,
    startedAt,
    signal: capped,
    facts: {},
    notices: [],
  };
  const seen: Seen = { ending: null, changeset: null };
  try {
    const report = await dream(telling(world, stepsOf(world, seen)), run);
    const diff = request.dryRun && seen.changeset ? renderDiff(seen.changeset) : null;
    return { report, diff, exit: seen.ending ? exitOf(seen.ending, request) : 0 };
  } finally {
    cap.clear();
  }
}

/** What passes by while a run goes on: how it ended, and what a dry run would write. */
interface Seen {
  ending: Ending | null;
  changeset: Changeset | null;
}

function wallTime(minutes: number): { readonly signal: AbortSignal; clear(): void } {
  const abort = new AbortController();
  const late = () =>
    abort.abort(
      new MemdError({
        code: "run-too-long",
        family: "unavailable",
        message: `the run took longer than ${minutes} minutes`,
        hint: "Lower dream.evidenceTokens, or raise dream.maxMinutes (55 at most).",
      }),
    );
  const timer = setTimeout(late, minutes * MINUTE);
  return { signal: abort.signal, clear: () => clearTimeout(timer) };
}

/** A dry run that stops at its estimate has told what it was asked for. */
function exitOf(ending: Ending, { dryRun }: DreamRequest): number {
  if (ending.outcome === "skipped")
    return dryRun && ending.skip.outcome === "not-confirmed" ? 0 : SKIP_EXIT[ending.skip.outcome];
  return ending.outcome === "failed" ? EXIT[ending.error.family] : 0;
}

function stepsOf(world: DreamWorld, seen: Seen): Steps<Collection, Judged> {
  const leases: Leases = new Map();
  const record = recordStep(world);
  const validate = validateStep(world);
  const apply = applyStep(world, leases);
  return {
    gate: gateStep(world),
    lock: lockStep(world, leases),
    collect: collectStep(world),
    digest: digestStep(world),
    brief: briefStep(world),
    consent: consentStep(world),
    distill: distillStep(world),
    validate: async (...args) => {
      const judged = await validate(...args);
      seen.changeset = judged.changeset;
      return judged;
    },
    apply: async (run, ...rest) => {
      const changed = await apply(run, ...rest);
      // Under the same lease; what is wrong with a block never sinks the run.
      run.notices.push(...(await refreshPublished(world)));
      run.notices.push(...(await shareWithTeam(world)));
      return changed;
    },
    record: (run, ending) => {
      seen.ending = ending;
      return record(run, ending);
    },
  };
}

/** Counts the sessions anew, for `status --scan`; changes nothing but the store's own state. */
export async function scanNow(world: DreamWorld, signal: AbortSignal): Promise<void> {
  const startedAt = world.clock.now();
  const request: DreamRequest = {
    now: false,
    dryRun: false,
    keepBrief: false,
    cause: "scan",
    progress: () => undefined,
  };
  const run: Run = {
    id: runId(startedAt, world.random),
    store: world.store,
    request,
    startedAt,
    signal,
    facts: {},
    notices: [],
  };
  try {
    await scanStore(world, run, readStamp(world.lease, world.store.memory, startedAt).stamp);
  } catch (error) {
    const { family, code, message, hint } = classify(error, `count the sessions of ${world.store.name}`);
    if (family === "bug" || family === "interrupted") throw error;
    // Looking is no run, so it fails nobody: what is wrong stands among the conditions until a run goes well.
    const before = world.state.current().conditions;
    const now = [...before.filter((condition) => condition.code !== code), { code, message, hint }];
    world.state.save({ conditions: carryConditions(before, now, iso(startedAt)) });
  }
}
