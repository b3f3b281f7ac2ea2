/** Tells the event log how a run goes, around its steps: none of them knows of it. A dry run leaves no trace. */
import { iso } from "../base/clock.ts";
import { systemCode } from "../base/errors.ts";
import type { Ending, Gathered, Run, Skip, Steps } from "../dream.ts";
import type { Event } from "../ledger/event.ts";
import { loadQuestions } from "../ledger/questions.ts";
import type { RunReport } from "../ledger/report.ts";
import { budgetEvents } from "./budget-events.ts";
import { noteAfterRun, noteVerdict } from "./verdict.ts";
import type { DreamWorld } from "./world.ts";

export function telling<G extends Gathered, J>(world: DreamWorld, steps: Steps<G, J>): Steps<G, J> {
  const { events, store } = world;
  const begun: Begun = new Set();
  const step = (run: Run, name: string): void => {
    if (!run.request.dryRun) events.emit({ event: "dream-step", store: store.name, run: run.id, step: name });
  };
  const told =
    <A extends readonly unknown[], R>(name: string, act: (run: Run, ...rest: A) => R) =>
    (run: Run, ...rest: A): R => {
      step(run, name);
      return act(run, ...rest);
    };
  return {
    gate: async (run) => {
      const skip = await steps.gate(run);
      tellVerdict(world, run, skip);
      return skip;
    },
    lock: async (run) => {
      const lock = await steps.lock(run);
      if ("held" in lock) tellBeginning(world, run, begun);
      return lock;
    },
    collect: told("collect", steps.collect),
    digest: told("digest", steps.digest),
    brief: steps.brief,
    consent: steps.consent,
    distill: told("distill", steps.distill),
    validate: told("validate", steps.validate),
    apply: told("apply", steps.apply),
    record: async (run, ending) => {
      const report = await steps.record(run, ending);
      tellEnd(world, run, { ending, report, wasBegun: begun.delete(run.id) });
      return report;
    },
  };
}

/** The runs whose beginning was told: each gets its end. */
type Begun = Set<string>;

function tellVerdict(world: DreamWorld, { request }: Run, skip: Skip | null): void {
  // Paused is a person's wish, and whoever asks for a dream at once passes the gates by.
  const isVerdict = skip === null || skip.closed !== undefined;
  if (!request.dryRun && !request.now && isVerdict) unlessRefused(() => noteVerdict(world, skip?.closed ?? null));
}

function tellBeginning({ events, store }: DreamWorld, { id, request }: Run, begun: Begun): void {
  if (request.dryRun) return;
  begun.add(id);
  events.emit({ event: "dream-began", store: store.name, run: id, cause: request.cause });
}

interface End {
  readonly ending: Ending;
  readonly report: RunReport;
  readonly wasBegun: boolean;
}

function tellEnd(world: DreamWorld, run: Run, { ending, report, wasBegun }: End): void {
  if (run.request.dryRun || (ending.outcome === "skipped" && !wasBegun)) return;
  unlessRefused(() => {
    if (ending.outcome === "skipped") return world.events.emit(endOf(report, wordOf(ending)));
    for (const event of endingOf(world, run, report)) world.events.emit(event);
    noteAfterRun(world, report.stampAfter);
  });
}

/** Telling fails no run: on a full disk the verdict stays as it was, and the next check notes it. */
function unlessRefused(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    if (systemCode(error) === null) throw error;
  }
}

function endingOf(world: DreamWorld, run: Run, report: RunReport): Event[] {
  const { files, store } = world;
  const since = iso(run.startedAt);
  const asked = report.questions === 0 ? [] : loadQuestions(files, store.state).filter((item) => item.since === since);
  return [
    ...changeOf(report, "dream"),
    ...budgetEvents(world, report),
    ...asked.map(({ id }): Event => ({ event: "question-asked", store: store.name, question: id })),
    endOf(report, report.code ?? report.reason),
  ];
}

/** Why a run that had begun did nothing, as one word. */
function wordOf({ skip }: Extract<Ending, { outcome: "skipped" }>): string {
  return skip.closed?.reason ?? skip.reason;
}

function endOf(report: RunReport, reason: string | null): Event {
  return {
    event: "dream-ended",
    store: report.store,
    run: report.id,
    outcome: report.outcome,
    reason,
    tookMs: Date.parse(report.finishedAt) - Date.parse(report.startedAt),
    ...countsOf(report),
  };
}

function countsOf({ sessions, operations, usage }: RunReport) {
  return {
    sessions: { seen: sessions.seen, read: sessions.read, left: sessions.left },
    operations: {
      proposed: operations.proposed,
      accepted: operations.accepted,
      rejected: operations.rejected.length,
    },
    usage: {
      requests: usage.requests,
      tokens: usage.inputTokens + usage.cachedTokens + usage.outputTokens,
      costUsd: usage.costUsd,
    },
  };
}

/** The files that a run changed; none when it changed nothing. @param cause `dream`, or the command that did it by hand */
export function changeOf(report: RunReport, cause: string): Event[] {
  // What was published lies outside memory, and has its whole path.
  const inMemory = (names: readonly string[]) => names.filter((name) => !name.startsWith("/"));
  const created = inMemory(report.files.created);
  const updated = inMemory(report.files.updated);
  const archived = inMemory(report.files.archived);
  if (created.length + updated.length + archived.length === 0) return [];
  return [{ event: "memory-changed", store: report.store, run: report.id, cause, created, updated, archived }];
}
