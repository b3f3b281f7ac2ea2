import { EXIT } from "../base/errors.ts";
import type { UndoDone } from "../steps/undo.ts";
import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { tellHeld, withWorlds } from "./hand-worlds.ts";
import { paintFor } from "./paint.ts";

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
  const { chooseUndo, undoRun } = await import("../steps/undo.ts");
  const { noLongerSaid } = await import("../steps/undone.ts");
  const { finishCrashed } = await import("../steps/recover.ts");
  return withWorlds(context, input, async (worlds) => {
    for (const one of worlds) await finishCrashed(one);
    const { world, record } = chooseUndo(worlds, run);
    const silences = "changes" in record && noLongerSaid(world, record).length > 0;
    const done = await undoRun(world, { record, force: input.flag("force") });
    if ("held" in done) return tellHeld(context, input, done.held, { run: record.run });
    if (input.flag("json")) printJson(context, done);
    else context.stdout.write(render(context, done, { silences }));
    return done.conflicts.length > 0 ? EXIT.rejected : 0;
  });
}

/** @param about.silences the run said something of its own, which no dream may propose again; a pin, a publication or an undo did not */
function render(context: Context, done: UndoDone, about: { silences: boolean }): string {
  const paint = paintFor(context);
  if (done.conflicts.length > 0) {
    const named = done.conflicts.flatMap(({ file, reason, entries }) => [
      `  ${file}: ${reason}`,
      ...entries.map((entry) => `    ${entry}`),
    ]);
    return `${paint.bad("Nothing was changed")}: later edits would be lost.\n${named.join("\n")}\n--force moves them to the archive and goes on.\n`;
  }
  const { created, updated, archived } = done.files;
  const names = [
    ...created.map((name) => `  + ${name}\n`),
    ...updated.map((name) => `  ~ ${name}\n`),
    ...archived.map((name) => `  - ${name}\n`),
  ];
  const changes = `${done.entries} ${done.entries === 1 ? "change" : "changes"}`;
  return `${paint.good("Taken back")}: run ${done.run}, ${changes}.${about.silences ? " What it said is not proposed again." : ""}\n${names.join("")}`;
}
