import { EXIT } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import type { PinDone } from "../steps/pin.ts";
import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { tellHeld, withWorlds } from "./hand-worlds.ts";
import { paintFor } from "./paint.ts";

const OPTIONS = { ...STORE_OPTIONS, all: { type: "boolean", help: "all entries that match, not just one" } } as const;

const EXITS: Command["exits"] = [
  [0, "done, or it was so already"],
  [2, "usage; no entry matches, or more than one does without --all"],
  [4, "held: another run has the lock"],
  [5, "unavailable: disk full, I/O error; nothing was changed"],
  [6, "refused: a file that cannot be written safely is named"],
  [78, "misconfigured"],
];

/** The command that sets the mark, and the one that takes it off. */
export function pinning(pinned: boolean): Command {
  const name = pinned ? "pin" : "unpin";
  return {
    name,
    summary: pinned ? "mark entries that no dream may change" : "let dreams change pinned entries again",
    operands: "TEXT...",
    options: OPTIONS,
    example: `memd ${name} "make check"`,
    exits: EXITS,
    run: (context, input) => runPin(context, input, { name, pinned }),
  };
}

async function runPin(context: Context, input: Input, ask: { name: string; pinned: boolean }): Promise<number> {
  const words = input.words.join(" ").trim();
  if (words === "") throw usage(`${ask.name} wants a TEXT`, `Words of the entry: memd ${ask.name} "make check".`);
  const { chooseEntries, pinEntries } = await import("../steps/pin.ts");
  const { readMemory } = await import("../store/read.ts");
  return withWorlds(context, input, async (worlds) => {
    const read = worlds.map((world) => ({ world, snapshot: readMemory(world.files, world.store.memory) }));
    const named = chooseEntries(read, { words, all: input.flag("all") });
    const results: PinDone[] = [];
    for (const one of named) {
      const result = await pinEntries(one, ask.pinned);
      if ("held" in result) return tellHeld(context, input, result.held);
      results.push(result);
    }
    return print(context, input, { ...ask, done: joined(results) });
  });
}

function joined(results: readonly PinDone[]): PinDone {
  return {
    run: results.findLast(({ run }) => run !== null)?.run ?? null,
    files: { created: [], updated: results.flatMap(({ files }) => files.updated), archived: [] },
    entries: results.reduce((sum, { entries }) => sum + entries, 0),
    conflicts: results.flatMap(({ conflicts }) => conflicts),
  };
}

function print(
  context: Context,
  input: Input,
  { name, pinned, done }: { name: string; pinned: boolean; done: PinDone },
): number {
  const paint = paintFor(context);
  if (input.flag("json")) printJson(context, done);
  else {
    const what =
      done.entries === 0
        ? "Nothing to change"
        : `${name === "pin" ? "Pinned" : "Unpinned"}: ${done.entries} ${done.entries === 1 ? "entry" : "entries"} in ${done.files.updated.join(", ")}`;
    const undo = done.run === null ? "" : paint.dim(`  take it back with: memd undo ${done.run}\n`);
    const bad = done.conflicts.map(
      ({ file, reason, entries }) => `${paint.bad(reason)} ${file}: ${entries.map(oneLine).join(" · ")}\n`,
    );
    context.stdout.write(
      `${what}${pinned || done.entries === 0 ? "" : "; dreams may change them again"}.\n${undo}${bad.join("")}`,
    );
  }
  return done.conflicts.length > 0 ? EXIT.rejected : 0;
}
