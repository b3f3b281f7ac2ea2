import { EXIT } from "../base/errors.ts";
import type { Store } from "../ports.ts";
import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { paintFor } from "./paint.ts";

/** Held by another run. */
const HELD = 4;

export const undoCommand: Command = {
  name: "undo",
  summary: "take a run's changes back; refuses where later edits would be lost",
  operands: "RUN",
  options: {
    ...STORE_OPTIONS,
    force: { type: "boolean", help: "later edits that stand in the way go to the archive" },
  },
  example: "memd undo last",
  exits: [
    [0, "taken back, or there was nothing to take back"],
    [2, "usage, or no such run"],
    [4, "held: another run has the lock"],
    [5, "unavailable: disk full, I/O error; nothing was changed"],
    [6, "refused: later edits would be lost; they are named"],
    [78, "misconfigured"],
  ],
  run: runUndo,
};

async function runUndo(context: Context, input: Input): Promise<number> {
  const run = input.words[0];
  if (run === undefined) throw usage("undo wants a RUN", "memd undo last, or an id of memd history.");
  const { composePastStores, composeDream } = await import("../compose.ts");
  const { chooseUndo } = await import("../steps/undo.ts");
  const { config, stores } = await composePastStores(context, input);
  const worlds = await Promise.all(
    stores.map((store: Store) => composeDream(context, { config, store, headless: false })),
  );
  const { finishCrashed } = await import("../steps/recover.ts");
  const { undoRun } = await import("../steps/undo.ts");
  for (const one of worlds) await finishCrashed(one);
  const { world, record } = chooseUndo(worlds, run);
  const result = await undoRun(world, { record, force: input.flag("force") });
  if (input.flag("json"))
    printJson(
      context,
      "held" in result ? { run: record.run, files: NO_FILES, entries: 0, conflicts: [], held: result.held } : result,
    );
  else context.stdout.write(render(context, result));
  if ("held" in result) return HELD;
  return result.conflicts.length > 0 ? EXIT.rejected : 0;
}

const NO_FILES = { created: [], updated: [], archived: [] };

type Result = Awaited<ReturnType<typeof import("../steps/undo.ts").undoRun>>;

function render(context: Context, result: Result): string {
  const paint = paintFor(context);
  if ("held" in result) return `${result.held}\n`;
  if (result.conflicts.length > 0) {
    const named = result.conflicts.flatMap(({ file, reason, entries }) => [
      `  ${file}: ${reason}`,
      ...entries.map((entry) => `    ${entry}`),
    ]);
    return `${paint.bad("Nothing was changed")}: later edits would be lost.\n${named.join("\n")}\n--force moves them to the archive and goes on.\n`;
  }
  const { created, updated, archived } = result.files;
  const names = [
    ...created.map((name) => `+ ${name}`),
    ...updated.map((name) => `~ ${name}`),
    ...archived.map((name) => `- ${name}`),
  ];
  return `${paint.good("Taken back")}: run ${result.run}, ${result.entries} changes. What it said is not proposed again.\n${names.map((name) => `  ${name}`).join("\n")}\n`;
}
