import { iso } from "../base/clock.ts";
import { rememberStore } from "../config/stores.ts";
import { setPause } from "../ledger/pause.ts";
import { type Command, type Input, STORE_OPTIONS } from "./command.ts";
import type { Context } from "./context.ts";
import { isNamed, printPauses } from "./render-pauses.ts";

export const pauseCommand: Command = {
  name: "pause",
  summary: "no dreams until memd resume: all stores, or only those named",
  operands: "",
  options: STORE_OPTIONS,
  example: "memd pause --store app",
  exits: [
    [0, "paused; a run that goes on meanwhile is not stopped"],
    [2, "usage, or no such store"],
    [78, "the configuration is not valid, or the state directory cannot be written"],
  ],
  run: runPause,
};

async function runPause(context: Context, input: Input): Promise<number> {
  const { composeStores } = await import("../compose.ts");
  const { stores } = await composeStores(context, input);
  const { files, paths, clock } = context;
  const token = Buffer.from(context.random(8)).toString("hex");
  // A store that only flags name is remembered, so that a plain resume finds it.
  if (isNamed(input)) for (const store of stores) rememberStore(files, store, token);
  const folders = isNamed(input) ? stores.map(({ state }) => state) : [paths.state];
  for (const folder of folders) setPause(files, folder, { since: iso(clock.now()), token });
  printPauses(context, input, stores);
  return 0;
}
