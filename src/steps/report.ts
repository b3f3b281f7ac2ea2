/** One report from what is known of a run: `--json`, history and the last-run file all show the same record. */
import { iso } from "../base/clock.ts";
import type { Ending, Facts } from "../dream.ts";
import type { RunReport } from "../ledger/report.ts";
import { wasForgotten } from "../ledger/tombstones.ts";
import { FORGOTTEN } from "../memory/unwanted.ts";
import { NO_USAGE } from "../ports.ts";
import type { DreamWorld } from "./world.ts";

/** What a report is about: a run, or an undo, as far as it came. */
export interface About {
  readonly id: string;
  readonly cause: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly facts: Partial<Facts>;
}

/** The report of a run; figures that it never learned are zero. */
export function reportOf(world: DreamWorld, run: About, ending: Ending): RunReport {
  const { facts } = run;
  return {
    id: run.id,
    store: world.store.name,
    memory: world.store.memory,
    cause: run.cause,
    distiller: world.distiller.name,
    outcome: ending.outcome,
    ...why(ending),
    startedAt: iso(run.startedAt),
    finishedAt: iso(world.clock.now()),
    stampBefore: facts.stampBefore ?? 0,
    stampAfter: facts.stampAfter ?? facts.stampBefore ?? 0,
    sessions: facts.sessions ?? { seen: 0, counted: 0, read: 0, left: 0, dropped: {} },
    records: facts.records ?? { lines: 0, bad: 0, unfinished: 0 },
    utterances: facts.utterances ?? 0,
    evidenceTokens: facts.evidenceTokens ?? 0,
    redacted: facts.redacted ?? {},
    operations: told(world, facts.operations ?? { proposed: 0, accepted: 0, rejected: [] }),
    files: facts.files ?? { created: [], updated: [], archived: [] },
    usage: facts.usage ?? NO_USAGE,
    estimate: facts.estimate ?? null,
    questions: facts.questions ?? 0,
    fence: facts.fence ?? null,
    changes: facts.changes ?? [],
  };
}

/** What a person forgot is refused when it is proposed again, and is not written down for that. */
function told({ tombstones }: DreamWorld, { rejected, ...figures }: Facts["operations"]): Facts["operations"] {
  const isForgotten = (text: string) => wasForgotten(tombstones, text);
  return {
    ...figures,
    rejected: rejected.map((one) => (isForgotten(one.text) ? { ...one, text: FORGOTTEN } : one)),
  };
}

function why(ending: Ending): Pick<RunReport, "reason" | "code" | "hint"> {
  if (ending.outcome === "skipped")
    return { reason: ending.skip.reason, code: ending.skip.outcome, hint: ending.skip.hint };
  if (ending.outcome === "failed") {
    const { code, message, hint } = ending.error;
    return { reason: message, code, hint };
  }
  return { reason: ending.reason, code: null, hint: null };
}
