import { EXIT } from "../base/errors.ts";
import { configOf, misconfigured } from "../config/config.ts";
import type { Watched } from "../setup/survey.ts";
import type { Ended } from "../steps/run.ts";
import { type Command, type Input, STORE_OPTIONS } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { paintFor } from "./paint.ts";
import { progressFor } from "./progress.ts";
import { type ConfigPlan, type InitView, initJson, renderInit } from "./render-init.ts";

export const initCommand: Command = {
  name: "init",
  summary:
    "look what agents and projects there are, show what a first dream would remember, and write a commented configuration",
  operands: "",
  options: {
    ...STORE_OPTIONS,
    yes: { type: "boolean", help: "write the configuration without asking" },
    force: { type: "boolean", help: "write it anew where there is one; the old one is kept beside it" },
    "dry-run": { type: "boolean", help: "look and show only" },
  },
  example: "memd init",
  exits: [
    [0, "shown, and written where that was agreed to"],
    [2, "usage, or no such store"],
    [5, "unavailable: disk full, I/O error"],
    [78, "the configuration that is there is not valid"],
    [130, "interrupted"],
  ],
  run: runInit,
};

async function runInit(context: Context, input: Input): Promise<number> {
  // Looking around may take a while: from here on a signal ends the command with its own exit code.
  context.signal.throwIfAborted();
  const { withoutTrace } = await import("../setup/preview.ts");
  const seen = await withoutTrace(context, (inside) => lookAround(inside, input));
  const plan = await planConfig(context, input, seen.watched);
  const json = input.flag("json");
  if (!json) context.stdout.write(renderInit({ ...seen, config: plan }, paintFor(context), about(context)));
  const agreed = await isAgreed(context, input, plan);
  const backup = agreed ? await write(context, plan) : null;
  if (json) printJson(context, initJson({ ...seen, config: plan }, { written: agreed, backup }));
  else context.stdout.write(ending(plan, { agreed, backup, watched: seen.watched.length }));
  return context.signal.aborted ? EXIT.interrupted : 0;
}

const about = ({ clock, paths }: Context) => ({ now: clock.now(), home: paths.home });

/** Every agent and project, and the dry run over the liveliest. */
async function lookAround(context: Context, input: Input): Promise<Omit<InitView, "config">> {
  const { storeFlags } = await import("../compose.ts");
  const { readConfig } = await import("../config/read.ts");
  const { survey } = await import("../setup/survey.ts");
  const { files, paths, cwd, signal } = context;
  const read = readConfig(files, paths);
  // A file that is named and not there yet is what init is called for.
  const standing = files.stat(paths.configFile);
  const isReplaced = input.flag("force") && standing?.kind === "file";
  if (read.problems.length > 0 && standing !== null && !isReplaced) throw misconfigured(read, paths.configNamed);
  const config = configOf(read.values);
  const progress = progressFor(context);
  try {
    const flags = await storeFlags(input, config);
    const onProgress = (text: string) => progress.step("look", text);
    const found = await survey({ files, paths, cwd, flags }, config, { signal, progress: onProgress });
    // A memory that others feed, or one whose folders are empty, has nothing to dream over.
    const liveliest = found.stores.find(({ store, sessions }) => sessions > 0 || store.logs.length > 0);
    const preview = liveliest ? await dryRun(context, { config, liveliest, step: progress.step }) : null;
    return { agents: found.agents, watched: found.stores, problems: found.problems, preview };
  } finally {
    progress.end();
  }
}

async function dryRun(
  context: Context,
  job: { config: ReturnType<typeof configOf>; liveliest: Watched; step: (step: string, detail: string) => void },
): Promise<Ended> {
  const { composeDream } = await import("../compose.ts");
  const { previewConfig } = await import("../setup/preview.ts");
  const { runDream } = await import("../steps/run.ts");
  const { store } = job.liveliest;
  const world = await composeDream(context, { config: previewConfig(job.config), store, headless: false });
  const request = { now: true, dryRun: true, keepBrief: false, cause: "now", progress: job.step } as const;
  try {
    return await runDream(world, context.signal, request);
  } finally {
    await world.close();
  }
}

async function planConfig(context: Context, input: Input, watched: readonly Watched[]): Promise<ConfigPlan> {
  const { placeOfConfig, standingConfig, starterConfig } = await import("../setup/starter.ts");
  const { files, paths } = context;
  const file = placeOfConfig(files, paths);
  const exists = files.lstat(file) !== null;
  const before = standingConfig(files, file);
  const text = starterConfig(watched.map(({ store }) => store));
  const replaces = exists && input.flag("force") && before !== text;
  const { renderDiff } = await import("../memory/diff.ts");
  const diff = replaces ? renderDiff({ files: [{ file: file.slice(1), before, after: text }] }) : null;
  return { file, exists, text, diff, toWrite: (!exists || replaces) && !input.flag("dry-run") };
}

async function isAgreed(context: Context, input: Input, plan: ConfigPlan): Promise<boolean> {
  if (!plan.toWrite || context.signal.aborted) return false;
  if (input.flag("yes")) return true;
  if (context.ask === null || input.flag("json")) return false;
  const answer = await context.ask(`${plan.exists ? "Replace" : "Write"} ${plan.file}? [y/N] `);
  return /^(?:y|yes)$/i.test(answer.trim());
}

async function write(context: Context, plan: ConfigPlan): Promise<string | null> {
  const { writeConfig } = await import("../setup/starter.ts");
  const stamp = new Date(context.clock.now()).toISOString().replace(/[-:.Z]/g, "");
  return writeConfig(context.files, plan.file, { text: plan.text, stamp });
}

function ending(plan: ConfigPlan, done: { agreed: boolean; backup: string | null; watched: number }): string {
  const kept = done.backup === null ? "" : ` The old one is ${done.backup}.`;
  const wrote = done.agreed
    ? `Wrote ${plan.file}.${kept}\n`
    : plan.toWrite
      ? `Nothing was written. memd init --yes writes ${plan.file}.\n`
      : "";
  const next =
    done.watched === 0
      ? "Next: work with an agent, then memd init again; or name folders: memd dream --now --memory DIR --sessions DIR.\n"
      : "Next: memd dream --now for the first dream, memd service install for those that follow.\n";
  return `${wrote}${next}`;
}
