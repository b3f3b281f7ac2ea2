/** What memd init found and would do, for people and as JSON. */
import { iso } from "../base/clock.ts";
import type { Agent, Watched } from "../setup/survey.ts";
import type { Ended } from "../steps/run.ts";
import type { SourceView } from "../steps/sources.ts";
import type { Paint } from "./paint.ts";
import { renderChanges } from "./render-change.ts";
import { ago } from "./when.ts";

export interface ConfigPlan {
  readonly file: string;
  readonly exists: boolean;
  readonly text: string;
  /** Against the file that is there, where it is to be replaced; null otherwise. */
  readonly diff: string | null;
  /** There is something to write, once somebody agrees. */
  readonly toWrite: boolean;
}

export interface InitView {
  readonly agents: readonly Agent[];
  /** The liveliest first. */
  readonly watched: readonly Watched[];
  readonly problems: SourceView["problems"];
  /** Of the liveliest; null where there is none. */
  readonly preview: Ended | null;
  readonly config: ConfigPlan;
}

/** More fill a screen; memd sources and memd status show all. */
const SHOWN = 20;
const SHOWN_PROBLEMS = 5;

interface About {
  readonly now: number;
  readonly home: string;
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;

export function renderInit(view: InitView, paint: Paint, about: About): string {
  const tilde = (path: string) => (path.startsWith(`${about.home}/`) ? `~${path.slice(about.home.length)}` : path);
  const parts = [
    agents(view.agents, paint, tilde),
    projects(view.watched, paint, { ...about, tilde }),
    problems(view.problems, paint),
    view.preview === null ? "" : preview(view.preview, paint),
    config(view.config, paint),
  ];
  return `${parts.filter((part) => part !== "").join("\n")}\n`;
}

type Tilde = (path: string) => string;

function agents(found: readonly Agent[], paint: Paint, tilde: Tilde): string {
  if (found.length === 0)
    return "No agent's sessions were found on this machine: memd looks where Claude Code, Codex, Gemini CLI, Qwen Code, pi, opencode and OpenClaw keep them.\n";
  const rows = found.map(({ client, folders, sessions }) => {
    const [first] = folders;
    const where =
      folders.length === 1 ? tilde(first ?? "") : `${count(folders.length, "folder")}, first ${tilde(first ?? "")}`;
    return `  ${paint.strong(client)}  ${count(sessions, "session")}  ${paint.dim(where)}\n`;
  });
  return `Agents\n${rows.join("")}`;
}

function projects(watched: readonly Watched[], paint: Paint, { now, tilde }: About & { tilde: Tilde }): string {
  if (watched.length === 0) return "";
  const rows = watched.slice(0, SHOWN).map(({ store, exists, clients, sessions, newestTurnAt }) => {
    const facts = [
      clients.join(", ") || "no transcripts",
      count(sessions, "session"),
      `newest ${ago(newestTurnAt, now)}`,
    ];
    const memory = `memory ${exists ? "in" : "to be made in"} ${tilde(store.memory)}`;
    return `  ${paint.strong(store.name)}  ${facts.join(", ")}\n    ${paint.dim(tilde(store.project ?? store.sessions[0] ?? ""))}\n    ${paint.dim(memory)}\n`;
  });
  const more = watched.length > SHOWN ? [`  and ${watched.length - SHOWN} more: memd sources\n`] : [];
  return `Projects that memd would watch\n${[...rows, ...more].join("")}`;
}

function problems(found: InitView["problems"], paint: Paint): string {
  const rows = found
    .slice(0, SHOWN_PROBLEMS)
    .map(({ message, hint }) => `  ${paint.bad("problem")} ${message}\n    ${hint}\n`);
  const more = found.length > SHOWN_PROBLEMS ? [`  and ${found.length - SHOWN_PROBLEMS} more: memd sources\n`] : [];
  return [...rows, ...more].join("");
}

function preview({ report }: Ended, paint: Paint): string {
  const { store, sessions, changes, outcome, reason, hint } = report;
  if (outcome !== "dry-run")
    return `A first dream over ${paint.strong(store)} would not run: ${reason}\n  ${hint ?? ""}\n`;
  const lines = renderChanges(changes, paint);
  const read = `${count(sessions.read, "session")} read${sessions.left > 0 ? `, ${sessions.left} left for later dreams` : ""}`;
  if (lines.length === 0)
    return `A first dream over ${paint.strong(store)} would remember nothing yet (${read}): nobody has said anything lasting there.\n`;
  return `A first dream over ${paint.strong(store)} would remember this, without a model (${read}; nothing was written)\n${lines.join("\n")}\n`;
}

function config({ file, exists, diff }: ConfigPlan, paint: Paint): string {
  if (diff !== null) return `Configuration: ${file} is there; --force puts this in its place\n${diff}`;
  const what = exists
    ? "is there and stays as it is (--force writes it anew)"
    : "is not there yet; it would hold every key as a comment";
  return `Configuration: ${file} ${paint.dim(what)}\n`;
}

/** The same as one document. @param done.backup where the old file is kept */
export function initJson(view: InitView, done: { written: boolean; backup: string | null }) {
  const { agents: found, watched, problems, preview: run, config: plan } = view;
  return {
    agents: found,
    stores: watched.map(({ store, exists, clients, sessions, newestTurnAt }) => ({
      name: store.name,
      project: store.project,
      memory: store.memory,
      exists,
      clients,
      sessions,
      newestTurnAt: newestTurnAt === null ? null : iso(newestTurnAt),
    })),
    problems,
    preview:
      run === null
        ? null
        : {
            store: run.report.store,
            outcome: run.report.outcome,
            reason: run.report.reason,
            sessions: run.report.sessions,
            changes: run.report.changes,
            diff: run.diff,
          },
    config: { file: plan.file, exists: plan.exists, diff: plan.diff, ...done },
  };
}
