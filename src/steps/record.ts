/** Step `record`: one report of the run, for the ledger, the last-run file, the store's state and whoever asked. */
import { classify } from "../base/errors.ts";
import type { Ending, Run } from "../dream.ts";
import type { Failure } from "../gate/cool-down.ts";
import { saveLastRun } from "../ledger/last-run.ts";
import { loadQuestions } from "../ledger/questions.ts";
import type { RunReport } from "../ledger/report.ts";
import { carryConditions, type StoreState } from "../ledger/store-state.ts";
import { overdue } from "./overdue.ts";
import { reportOf } from "./report.ts";
import { retain } from "./retention.ts";
import type { DreamWorld } from "./world.ts";

export function recordStep(world: DreamWorld) {
  return async (run: Run, ending: Ending): Promise<RunReport> => {
    run.request.progress("record", run.store.name);
    const report = reportOf(world, { ...run, cause: run.request.cause }, ending);
    if (world.events.trouble) run.notices.push(world.events.trouble);
    // A skip is a verdict, not a run; a dry run leaves no trace.
    if (ending.outcome === "skipped" || run.request.dryRun) return report;
    const trouble = await each([
      () => saveLastRun(world.files, world.store.state, report),
      async () => {
        const ledger = await world.ledger();
        ledger.recordRun(report);
        if (ledger.condition) run.notices.push(ledger.condition);
      },
      async () => run.notices.push(...(await retain(world))),
      () => world.state.save(stateAfter(world, run, { ending, report })),
    ]);
    return trouble === null ? report : unrecorded(report, ending, trouble);
  };
}

/** Does every part, whatever becomes of the others. @returns the first error, or null */
async function each(parts: readonly (() => unknown)[]): Promise<unknown> {
  let first: unknown = null;
  for (const part of parts) {
    try {
      await part();
    } catch (error) {
      first ??= error;
    }
  }
  return first;
}

/** A run that failed is told by its own error; one that went well must not end as if nothing were amiss. */
function unrecorded(report: RunReport, ending: Ending, trouble: unknown): RunReport {
  const error = classify(trouble, `record run ${report.id} (${ending.outcome})`);
  if (ending.outcome !== "failed") throw error;
  return { ...report, reason: `${report.reason}; ${error.message}` };
}

/** Attempt, success and nothing-to-do are three things: a failure moves neither the last success nor the stamp. */
function stateAfter(world: DreamWorld, run: Run, end: { ending: Ending; report: RunReport }): Partial<StoreState> {
  const { ending, report } = end;
  const before = world.state.current();
  const failed = ending.outcome === "failed";
  const now = world.clock.now();
  const trouble =
    failed && ending.error.family !== "interrupted"
      ? [{ code: ending.error.code, message: `the last run failed: ${ending.error.message}`, hint: ending.error.hint }]
      : [];
  const lastRun = {
    id: report.id,
    outcome: report.outcome,
    reason: report.code ?? report.reason,
    at: report.finishedAt,
  };
  const failure = failed ? failureAfter(before.failure, ending.error, now) : null;
  // A run that failed before its sessions were counted was due as far as anybody could tell.
  const dueSince = failed ? (before.dueSince ?? (failure === null ? null : now)) : null;
  const late = overdue(run.store.name, { failure, lastRun }, { since: dueSince, now, closed: null });
  return {
    lastRun,
    lastSuccessAt: failed ? before.lastSuccessAt : report.finishedAt,
    lastChangedAt: report.outcome === "done" ? report.finishedAt : before.lastChangedAt,
    dueSince,
    failure,
    left: failed ? before.left : report.sessions.left,
    lastScan: failed ? before.lastScan : scanAfter(world, report),
    questions: loadQuestions(world.files, world.store.state).length,
    conditions: carryConditions(
      before.conditions,
      [...run.notices, ...damage(report), ...trouble, ...late],
      report.finishedAt,
    ),
  };
}

/** An interrupted run is no failure of the store: nothing to cool down from. */
function failureAfter(
  before: Failure | null,
  error: { readonly family: string; readonly retryAt: number | null },
  now: number,
): Failure | null {
  if (error.family === "interrupted") return before;
  return { count: (before?.count ?? 0) + 1, at: now, rejected: error.family === "rejected", notBefore: error.retryAt };
}

/** What the run read is no longer new; what it left is. */
function scanAfter(world: DreamWorld, report: RunReport): StoreState["lastScan"] {
  const { seen, left, dropped } = report.sessions;
  const oldestUnread = left > 0 ? (world.state.current().lastScan?.oldestUnread ?? null) : null;
  return { at: world.clock.now(), seen, counted: 0, unread: left, dropped, oldestUnread };
}

function damage(report: RunReport) {
  if (report.records.bad === 0) return [];
  return [
    {
      code: "damaged-records",
      message: `lines skipped in the transcripts that were read last, damaged or over 16 MB: ${report.records.bad}`,
      hint: "Nothing to do: every other line was used. Agents leave damaged lines when they are killed while writing.",
    },
  ];
}
