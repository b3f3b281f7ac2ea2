import { endPause } from "../ledger/pause.ts";
import { type Command, type Input, STORE_OPTIONS } from "./command.ts";
import type { Context } from "./context.ts";
import { isNamed, printPauses } from "./render-pauses.ts";

export const resumeCommand: Command = {
  name: "resume",
  summary: "end what memd pause began: for all stores, or only for those named",
  operands: "",
  options: STORE_OPTIONS,
  example: "memd resume --store app",
  exits: [
    [0, "resumed, or nothing was paused; what still pauses a store is named"],
    [2, "usage, or no such store"],
    [78, "the configuration is not valid, or the state directory cannot be written"],
  ],
  run: runResume,
};

async function runResume(context: Context, input: Input): Promise<number> {
  const { composeStores, composePastStores } = await import("../compose.ts");
  const { stores } = await composeStores(context, input);
  const { files, paths } = context;
  // Without a name every pause ends, also that of a store which only flags had named.
  const all = isNamed(input) ? stores : (await composePastStores(context, input)).stores;
  const folders = [...(isNamed(input) ? [] : [paths.state]), ...all.map(({ state }) => state)];
  for (const folder of folders) endPause(files, folder);
  printPauses(context, input, stores);
  return 0;
}
