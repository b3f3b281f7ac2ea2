/** The page a user keeps open: which gate is closed, when it opens, what happened last, what is wrong and how to mend it. */
import type { Condition } from "../ledger/store-state.ts";
import type { Context } from "./context.ts";
import { type Paint, paintFor } from "./paint.ts";
import type { StoreView } from "./status-view.ts";
import { ago, until } from "./when.ts";

const at = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** `7 seen, 2 new, 2 unread, dropped 3 subagent` */
function sessionsText(sessions: StoreView["sessions"]): string {
  const dropped = Object.entries(sessions.dropped).map(([reason, count]) => `${count} ${reason}`);
  return [
    `${sessions.seen} seen`,
    `${sessions.counted} new`,
    `${sessions.unread} unread`,
    ...(dropped.length > 0 ? [`dropped ${dropped.join(", ")}`] : []),
  ].join(", ");
}

/** What decides whether the store dreams next: the first closed gate, or that all are open. */
function nextText(view: StoreView, now: number, paint: Paint): string {
  if (view.paused)
    return `${paint.bad("paused")}  ${paint.dim(view.pausedBy === "config" ? "by the configuration" : `memd resume${view.pausedBy === "store" ? ` --store ${view.name}` : ""} ends it`)}`;
  const closed = view.gates.find(({ open }) => !open);
  if (!closed) return paint.good("all gates open: memd dream would run now");
  const opens = closed.opensAt === null ? "" : `, opens ${until(at(closed.opensAt), now)}`;
  return `${closed.gate} gate closed${opens}  ${paint.dim(closed.reason ?? "")}`;
}

function renderStore(view: StoreView, now: number, paint: Paint): string {
  const run = view.lastRun;
  const last = run
    ? `${run.outcome}${run.reason ? ` (${run.reason})` : ""} ${ago(at(run.at), now)}  ${paint.dim(run.id)}`
    : "none yet";
  const scanned = view.scannedAt === null ? "never scanned" : `scanned ${ago(at(view.scannedAt), now)}`;
  const rows: [string, string][] = [
    [
      "memory",
      `${view.memory}  ${paint.dim(`${view.topics} topics, ${view.entries} entries, index ${view.index.lines}/${view.index.maxLines} lines`)}`,
    ],
    ["consolidated", ago(at(view.lastConsolidatedAt), now)],
    ["next", nextText(view, now, paint)],
    ["last run", last],
    ...(run?.outcome === "failed" ? [["last success", ago(at(view.lastSuccessAt), now)] as [string, string]] : []),
    ["sessions", `${sessionsText(view.sessions)}  ${paint.dim(scanned)}`],
    ...(view.questions > 0 ? [["questions", `${view.questions} wait for you`] as [string, string]] : []),
  ];
  return [paint.strong(view.name), ...rows.map(([name, text]) => `  ${name.padEnd(13)} ${text}`)].join("\n");
}

function renderCondition(condition: Condition & { readonly store: string | null }, paint: Paint): string {
  const where = condition.store === null ? "" : `${condition.store}: `;
  return `  ${paint.bad("!")} ${where}${condition.message}  ${paint.dim(condition.code)}\n    ${condition.hint}`;
}

export function renderStatus(
  context: Context,
  status: {
    readonly views: readonly StoreView[];
    readonly conditions: readonly (Condition & { readonly store: string | null })[];
  },
): string {
  const paint = paintFor(context);
  const now = context.clock.now();
  if (status.views.length === 0) {
    return "No store is known yet. memd dream finds the agents' sessions on this machine; --memory DIR --sessions DIR names them.\n";
  }
  const wrong = status.conditions.map((condition) => renderCondition(condition, paint));
  const stores = status.views.map((view) => renderStore(view, now, paint));
  return `${[...stores, ...(wrong.length > 0 ? [`What is wrong now:\n${wrong.join("\n")}`] : [])].join("\n\n")}\n`;
}
