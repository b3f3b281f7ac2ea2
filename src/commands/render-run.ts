/** One run's report, as people read it. */
import type { RunReport } from "../ledger/report.ts";
import type { Paint } from "./paint.ts";
import { renderChanges } from "./render-change.ts";
import { span } from "./when.ts";

const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

function headline(report: RunReport, paint: Paint): string {
  const took = span(Date.parse(report.finishedAt) - Date.parse(report.startedAt));
  const word =
    report.outcome === "failed"
      ? paint.bad(report.outcome)
      : report.outcome === "done"
        ? paint.good(report.outcome)
        : report.outcome;
  const reason = report.reason ? ` (${report.reason})` : "";
  return `${paint.strong(report.store)}: ${word}${reason} in ${took}  ${paint.dim(report.memory)}`;
}

/** Empty for a run that cost nothing. */
export function spentText({ requests, inputTokens, cachedTokens, outputTokens, costUsd }: RunReport["usage"]): string {
  if (requests === 0) return "";
  const tokens = (inputTokens + cachedTokens + outputTokens).toLocaleString("en-US");
  return `${plural(requests, "request")}, ${tokens} tokens, ${Number(costUsd.toFixed(4))} USD`;
}

/** A publication changes files beside the memory, which have names instead of entries. */
function byHand({ operations, files }: RunReport): string {
  const names = [...files.created, ...files.updated, ...files.archived];
  const isBeside = operations.accepted === 0 && names.some((name) => name.startsWith("/"));
  return isBeside ? names.join(", ") : plural(operations.accepted, "change");
}

const HELD: Readonly<Record<string, string>> = {
  node: "held by Node alone",
  "claude-code": "held by Claude Code alone",
  none: "held by nothing",
};

/** What held the distiller; Node's permission model stands within every fence of the kernel. */
const fenceText = (fence: string): string => HELD[fence] ?? `fenced by ${fence}`;

/** What a run read and what became of it; of a change by hand only how much it changed. */
function figures(report: RunReport): string {
  const { sessions, operations, records, distiller } = report;
  if (distiller === "none") return `  ${byHand(report)} by memd ${report.cause}`;
  const dropped = Object.entries(sessions.dropped).map(([reason, count]) => `${count} ${reason}`);
  const parts = [
    `${plural(sessions.read, "session")} read of ${sessions.seen} seen`,
    ...(sessions.left > 0 ? [`${sessions.left} left for the next run`] : []),
    ...(dropped.length > 0 ? [`dropped ${dropped.join(", ")}`] : []),
    ...(records.bad > 0 ? [plural(records.bad, "damaged line")] : []),
    plural(report.utterances, "utterance"),
    `${operations.accepted} of ${operations.proposed} proposed changes accepted`,
    ...(report.usage.requests > 0 ? [spentText(report.usage)] : []),
    ...(report.fence === null ? [] : [fenceText(report.fence)]),
  ];
  return `  ${parts.join(" · ")}`;
}

function refused(report: RunReport, paint: Paint): string[] {
  const byRule = new Map<string, number>();
  for (const { rule } of report.operations.rejected) byRule.set(rule, (byRule.get(rule) ?? 0) + 1);
  if (byRule.size === 0) return [];
  const rules = [...byRule].map(([rule, count]) => (count === 1 ? rule : `${rule} ×${count}`));
  return [paint.dim(`  refused: ${rules.join(", ")}  (memd why-not TEXT tells more)`)];
}

/** What was forgotten is kept nowhere, and cannot come back. */
function isUndoable({ outcome, cause, files }: RunReport): boolean {
  return outcome === "done" && cause !== "forget" && Object.values(files).some((names) => names.length > 0);
}

/** The report of one run; ends with how to take it back. */
export function renderRun(report: RunReport, paint: Paint): string {
  const lines = [headline(report, paint)];
  if (report.outcome === "skipped" || report.outcome === "failed") {
    if (report.hint) lines.push(`  ${report.hint}`);
    if (report.usage.requests > 0) lines.push(`  spent: ${spentText(report.usage)}`);
    return `${lines.join("\n")}\n`;
  }
  lines.push(figures(report), ...renderChanges(report.changes, paint), ...refused(report, paint));
  if (isUndoable(report)) lines.push(paint.dim(`  take it back with: memd undo ${report.id}`));
  return `${lines.join("\n")}\n`;
}
