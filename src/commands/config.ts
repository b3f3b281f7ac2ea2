import { EXIT } from "../base/errors.ts";
import { misconfigured, problemText } from "../config/config.ts";
import { effectiveKeys, effectivePaths, effectiveVariables } from "../config/effective.ts";
import { KEYS, type KeyValue } from "../config/keys.ts";
import { misfit } from "../config/misfit.ts";
import type { ConfigRead } from "../config/read.ts";
import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { paintFor } from "./paint.ts";
import { type ConfigView, renderConfig } from "./render-config.ts";

export const configCommand: Command = {
  name: "config",
  summary: "the values in effect and where each came from; check: what is wrong with the file",
  operands: "[check]",
  options: {
    ...STORE_OPTIONS,
    distiller: { type: "string", value: "NAME", help: "as dream would take it" },
    headless: { type: "boolean", help: "as dream would take it" },
  },
  example: "memd config check",
  exits: [
    [0, "printed; with check: the file is valid, or there is none"],
    [2, "usage, or no such store"],
    [78, "the configuration is not valid; every problem is named"],
  ],
  run: runConfig,
};

async function runConfig(context: Context, input: Input): Promise<number> {
  const [word] = input.words;
  if (word !== undefined && word !== "check")
    throw usage(`unexpected ${JSON.stringify(word)}`, "memd config, or memd config check.");
  const { readConfig } = await import("../config/read.ts");
  const read = readConfig(context.files, context.paths);
  if (word === "check") return check(context, input, read);
  if (read.problems.length > 0) throw misconfigured(read, context.paths.configNamed);
  const view = await viewOf(context, input, read);
  if (input.flag("json")) printJson(context, view);
  else context.stdout.write(renderConfig(view, paintFor(context)));
  return 0;
}

function check(context: Context, input: Input, { file, problems }: ConfigRead): number {
  const valid = problems.length === 0;
  if (input.flag("json"))
    printJson(context, {
      file,
      valid,
      problems: problems.map(({ path, line, message }) => ({ path: path === "" ? null : path, line, message })),
    });
  else if (valid)
    context.stdout.write(
      file === null ? `There is no ${context.paths.configFile}; the defaults hold.\n` : `${file} is valid.\n`,
    );
  else context.stdout.write(problems.map((problem) => `${problemText(file, problem)}\n`).join(""));
  return valid ? 0 : EXIT.misconfigured;
}

function flagValues(input: Input): ReadonlyMap<string, KeyValue> {
  const distiller = input.text("distiller");
  const key = KEYS.find(({ path }) => path === "dream.distiller");
  const misfits = distiller === null || key === undefined ? null : misfit(key, distiller);
  if (misfits !== null) throw usage(`--distiller ${misfits}`, "memd config shows the one in effect.");
  return new Map<string, KeyValue>([
    ...(distiller === null ? [] : [["dream.distiller", distiller] as const]),
    ...(input.flag("headless") ? [["sources.headless", "include"] as const] : []),
  ]);
}

async function viewOf(context: Context, input: Input, { file, values }: ConfigRead): Promise<ConfigView> {
  const { composeStores } = await import("../compose.ts");
  const { stores } = await composeStores(context, input);
  const configured = new Set(values.stores.map(({ memory }) => memory));
  const named = input.text("memory") !== null;
  return {
    file,
    paths: effectivePaths(context.env, context.paths),
    keys: effectiveKeys(values, flagValues(input)),
    stores: stores.map(({ name, layout, memory, sessions, logs, project, paused }) => ({
      name,
      layout,
      memory,
      sessions,
      logs,
      project,
      paused,
      from: named ? "flag" : layout !== "claude-code" || configured.has(memory) ? "file" : "discovery",
    })),
    environment: effectiveVariables(context.env),
  };
}
