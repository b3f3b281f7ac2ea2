/** The service, as people read it. */
import { iso } from "../base/clock.ts";
import type { Installed } from "../service/install.ts";
import type { ServiceState } from "../service/manager.ts";
import type { ServiceReport } from "../service/service.ts";
import type { Warning } from "../service/world.ts";
import { span } from "./when.ts";

const DONE: Readonly<Record<Installed["action"], string>> = {
  installed: "installed",
  updated: "updated, and started again",
  unchanged: "already up to date",
  "dry-run": "nothing was changed",
};

export function renderInstalled({ action, path, node, state, logCommand, warnings }: Installed): string {
  const lines = [
    `${path}: ${DONE[action]}`,
    `  node   ${node.path} (${node.version}; ${node.why})`,
    ...(state === null ? [] : [`  state  ${stateText(state)}`, `  log    ${logCommand}`]),
  ];
  return `${lines.join("\n")}\n${renderWarnings(warnings)}`;
}

export function renderWarnings(warnings: readonly Warning[]): string {
  return warnings.map(({ code, message, hint }) => `! ${message}  (${code})\n    ${hint}\n`).join("");
}

function stateText({ state, pid, text, result, exitStatus, enabled }: ServiceState): string {
  const why = [result, exitStatus ? `exit status ${exitStatus}` : null].filter((part) => part !== null).join(", ");
  const details = [
    pid === null ? null : `pid ${pid}`,
    state === "running" ? text : why || null,
    enabled ? null : "not enabled",
  ].filter((part) => part !== null);
  return [state, ...details].join("; ");
}

/** @param now epoch ms */
export function renderReport(report: ServiceReport, now: number): string {
  const { path, installed, version, edited, node, script, state, logCommand, warnings } = report;
  if (!installed)
    return `not installed: ${path} is missing\n    memd service install makes it.\n${renderWarnings(warnings)}`;
  const made = version === null ? "not made by memd" : `made by memd ${version}${edited ? ", edited since" : ""}`;
  const since = state?.since ?? null;
  const lines = [
    `${path} (${made})`,
    `  state     ${state === null ? "unknown: the service manager cannot be reached from here" : stateText(state)}`,
    ...(since === null ? [] : [`  since     ${iso(since)}, for ${span(now - since)}`]),
    ...(state?.restarts ? [`  restarts  ${state.restarts}`] : []),
    `  runs      ${node ?? "?"} ${script ?? "?"}`,
    `  log       ${logCommand}`,
  ];
  return `${lines.join("\n")}\n${renderWarnings(warnings)}`;
}
