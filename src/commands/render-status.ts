/** The page a user keeps open: which gate is closed, when it opens, what happened last, what is wrong and how to mend it. */
import type { LiveCondition } from "../live/facts.ts";
import { isFed } from "../ports.ts";
import type { Context } from "./context.ts";
import { type Paint, paintFor } from "./paint.ts";
import type { Status } from "./status.ts";
import type { DaemonView } from "./status-live.ts";
import type { StoreView } from "./status-view.ts";
import { ago, span, until } from "./when.ts";

/** A store as the page shows it; what is wrong with it stands below all of them. */
type Shown = Omit<StoreView, "conditions">;

const at = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** What cannot be read is not 0 sessions: what stands of them was true at the last scan. */
function sessionsRow(view: Shown, now: number, paint: Paint): string {
  const { unreadableSince } = view.sessions;
  const scanned = view.scannedAt === null ? "never scanned" : `scanned ${ago(at(view.scannedAt), now)}`;
  const counts = `${sessionsText(view)}  ${paint.dim(scanned)}`;
  return unreadableSince === null
    ? counts
    : `${paint.bad("cannot be read")} since ${ago(at(unreadableSince), now)}; before: ${counts}`;
}

/** `7 seen, 2 new, 2 unread, dropped 3 subagent`; nothing is said of sessions that nobody counted. */
function sessionsText({ sessions, scannedAt }: Shown): string {
  if (scannedAt === null) return "not counted yet";
  const dropped = Object.entries(sessions.dropped).map(([reason, count]) => `${count} ${reason}`);
  return [
    `${sessions.seen} seen`,
    `${sessions.counted} new`,
    `${sessions.unread} unread`,
    ...(dropped.length > 0 ? [`dropped ${dropped.join(", ")}`] : []),
  ].join(", ");
}

/** What decides whether the store dreams next: the first closed gate, or that all are open. */
function nextText(view: Shown, now: number, paint: Paint): string {
  if (view.paused)
    return `${paint.bad("paused")}  ${paint.dim(view.pausedBy === "config" ? "by the configuration" : `memd resume${view.pausedBy === "store" ? ` --store ${view.name}` : ""} ends it`)}`;
  if (isFed(view)) return "follows the projects";
  const closed = view.gates.find(({ open }) => !open);
  if (!closed) return paint.good("all gates open: memd dream would run now");
  const opens = closed.opensAt === null ? "" : `, opens ${until(at(closed.opensAt), now)}`;
  return `${closed.gate} gate closed${opens}  ${paint.dim(closed.reason ?? "")}`;
}

/** When memory was last found to be up to date, and when it last changed: most dreams have nothing to do. */
function successText({ lastSuccessAt, lastChangedAt }: Shown, now: number, paint: Paint): string {
  const success = ago(at(lastSuccessAt), now);
  if (lastSuccessAt === lastChangedAt) return success;
  return `${success}  ${paint.dim(`memory last changed ${ago(at(lastChangedAt), now)}`)}`;
}

function batchText({ parts, since, lookAt }: NonNullable<Shown["batch"]>, now: number, paint: Paint): string {
  const next = `looked after again ${until(at(lookAt), now)}`;
  return `${parts} parts of sessions are read at half the price, sent ${ago(at(since), now)}  ${paint.dim(next)}`;
}

function renderDaemon(daemon: DaemonView, now: number, paint: Paint): string {
  if (!daemon.running) return `${"daemon".padEnd(15)} not running`;
  const watching = daemon.watching === 0 ? "scanning only" : `${daemon.watching} folders watched`;
  const told = `running for ${span(now - (at(daemon.since) ?? now))}  ${paint.dim(`pid ${daemon.pid}, ${watching}`)}`;
  const dreams = daemon.dreaming.map(
    ({ store, step, detail, since }) =>
      `${store}: ${step} ${detail}`.trimEnd() + paint.dim(`  for ${span(now - Date.parse(since))}`),
  );
  return [`${"daemon".padEnd(15)} ${told}`, ...dreams.map((dream) => `  ${"dreaming".padEnd(13)} ${dream}`)].join("\n");
}

export function renderStore(view: Shown, now: number, paint: Paint): string {
  const run = view.lastRun;
  const last = run
    ? `${run.outcome}${run.reason ? ` (${run.reason})` : ""} ${ago(at(run.at), now)}  ${paint.dim(run.id)}`
    : "none yet";
  const rows: [string, string][] = [
    [
      "memory",
      `${view.memory}  ${paint.dim(`${view.topics} topics, ${view.entries} entries, index ${view.index.lines}/${view.index.maxLines} lines`)}`,
    ],
    ["consolidated", ago(at(view.lastConsolidatedAt), now)],
    ["next", nextText(view, now, paint)],
    ["last run", last],
    ...(run === null ? [] : [["last success", successText(view, now, paint)] as [string, string]]),
    ...(isFed(view) ? [] : [["sessions", sessionsRow(view, now, paint)] as [string, string]]),
    ...(view.batch === null ? [] : [["batch", batchText(view.batch, now, paint)] as [string, string]]),
    ...(view.questions > 0 ? [["questions", `${view.questions} wait for you`] as [string, string]] : []),
  ];
  return [paint.strong(view.name), ...rows.map(([name, text]) => `  ${name.padEnd(13)} ${text}`)].join("\n");
}

/** Nothing where nothing was spent this month. */
function spendText({ dayUsd, monthUsd, maxDayUsd, maxMonthUsd, dayTokens, monthRequests }: Status["spend"]): string[] {
  if (monthRequests === 0) return [];
  const usd = (spent: number, most: number | null) => `${Number(spent.toFixed(4))} of ${most} USD`;
  const tokens = `${dayTokens.toLocaleString("en-US")} tokens`;
  return [
    `${"spent".padEnd(15)} ${usd(dayUsd, maxDayUsd)} today (${tokens}), ${usd(monthUsd, maxMonthUsd)} this month`,
  ];
}

function renderCondition(condition: LiveCondition, paint: Paint): string {
  const where = condition.store === null ? "" : `${condition.store}: `;
  return `  ${paint.bad("!")} ${where}${condition.message}  ${paint.dim(condition.code)}\n    ${condition.hint}`;
}

const NO_STORE =
  "No store is known yet. memd dream finds the agents' sessions on this machine; --memory DIR --sessions DIR names them.";

export function renderStatus(context: Context, status: Status): string {
  const paint = paintFor(context);
  const now = context.clock.now();
  const wrong = status.conditions.map((condition) => renderCondition(condition, paint));
  const stores = status.stores.map((view) => renderStore(view, now, paint));
  const parts = [
    ...(stores.length === 0 ? [NO_STORE] : stores),
    renderDaemon(status.daemon, now, paint),
    ...spendText(status.spend),
    ...(wrong.length > 0 ? [`What is wrong now:\n${wrong.join("\n")}`] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}
