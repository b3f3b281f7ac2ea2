/** Step `record`: one report of the run, for the ledger, the last-run file, the store's state and whoever asked. */
import type { Ending, Run } from "../dream.ts";
import type { Failure } from "../gate/cool-down.ts";
import { saveLastRun } from "../ledger/last-run.ts";
import { loadQuestions } from "../ledger/questions.ts";
import type { RunReport } from "../ledger/report.ts";
import { carryConditions, type StoreState } from "../ledger/store-state.ts";
import { reportOf } from "./report.ts";
import { retain } from "./retention.ts";
import type { DreamWorld } from "./world.ts";

export function recordStep(world: DreamWorld) {
  return async (run: Run, ending: Ending): Promise<RunReport> => {
    run.request.progress("record", run.store.name);
    const report = reportOf(world, { ...run, cause: run.request.cause }, ending);
    // A skip is a verdict, not a run; a dry run leaves no trace.
    if (ending.outcome === "skipped" || run.request.dryRun) return report;
    saveLastRun(world.files, world.store.state, report);
    const ledger = await world.ledger();
    ledger.recordRun(report);
    if (ledger.condition) run.notices.push(ledger.condition);
    run.notices.push(...(await retain(world)));
    world.state.save(stateAfter(world, run, { ending, report }));
    return report;
  };
}

/** Attempt, success and nothing-to-do are three things: a failure moves neither the last success nor the stamp. */
function stateAfter(world: DreamWorld, run: Run, end: { ending: Ending; report: RunReport }): Partial<StoreState> {
  const { ending, report } = end;
  const before = world.state.current();
  const failed = ending.outcome === "failed";
  const trouble =
    failed && ending.error.family !== "interrupted"
      ? [{ code: ending.error.code, message: `the last run failed: ${ending.error.message}`, hint: ending.error.hint }]
      : [];
  return {
    lastRun: { id: report.id, outcome: report.outcome, reason: report.code ?? report.reason, at: report.finishedAt },
    lastSuccessAt: failed ? before.lastSuccessAt : report.finishedAt,
    failure: failed ? failureAfter(before.failure, ending.error, world.clock.now()) : null,
    left: failed ? before.left : report.sessions.left,
    lastScan: failed ? before.lastScan : scanAfter(world, report),
    questions: loadQuestions(world.files, world.store.state).length,
    conditions: carryConditions(before.conditions, [...run.notices, ...damage(report), ...trouble], report.finishedAt),
  };
}

/** An interrupted run is no failure of the store: nothing to cool down from. */
function failureAfter(before: Failure | null, error: { readonly family: string }, now: number): Failure | null {
  if (error.family === "interrupted") return before;
  return { count: (before?.count ?? 0) + 1, at: now, rejected: error.family === "rejected", notBefore: null };
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
      message: `${report.records.bad} damaged lines were skipped in the transcripts that were read last`,
      hint: "Nothing to do: every intact line was used. Agents leave such lines when they are killed while writing.",
    },
  ];
}
