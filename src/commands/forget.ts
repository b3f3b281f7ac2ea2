import { EXIT } from "../base/errors.ts";
import { clip } from "../base/text.ts";
import type { ForgetDone } from "../steps/forget.ts";
import type { Sightings } from "../steps/sightings.ts";
import type { DreamWorld } from "../steps/world.ts";
import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { NO_FILES, tellHeld, withWorlds } from "./hand-worlds.ts";
import { paintFor } from "./paint.ts";
import { entryText } from "./render-change.ts";

export const forgetCommand: Command = {
  name: "forget",
  summary:
    "remove matching entries everywhere and never propose them again; cannot be undone; sessions and daily logs stay as they are",
  operands: "TEXT...",
  options: { ...STORE_OPTIONS, yes: { type: "boolean", help: "answer yes: forget all that matches" } },
  example: 'memd forget "port 5174"',
  exits: [
    [0, "forgotten, or there was nothing to forget, or you said no"],
    [2, "usage; without a terminal --yes is needed"],
    [4, "held: another run has the lock; nothing was changed"],
    [5, "unavailable: disk full, I/O error; ask again to finish"],
    [6, "not all of it could be removed; the files are named"],
    [78, "misconfigured"],
  ],
  run: runForget,
};

interface Found {
  readonly world: DreamWorld;
  readonly sightings: Sightings;
}

async function runForget(context: Context, input: Input): Promise<number> {
  const words = input.words.join(" ").trim();
  if (words === "") throw usage("forget wants a TEXT", 'Words of the entry: memd forget "port 5174".');
  const { lookFor } = await import("../steps/forget.ts");
  return withWorlds(context, input, async (worlds) => {
    const looked = await Promise.all(worlds.map(async (world) => ({ world, sightings: await lookFor(world, words) })));
    const found = looked.flatMap(({ world, sightings }): Found[] => (sightings ? [{ world, sightings }] : []));
    if (found.length === 0) return nothing(context, input, `Nothing matches ${JSON.stringify(words)}.`);
    if (!(await isMeant(context, input, found))) return nothing(context, input, "Nothing was changed.");
    return forgetAll(context, input, { found, words });
  });
}

function nothing(context: Context, input: Input, why: string): number {
  if (input.flag("json")) printJson(context, { run: null, files: NO_FILES, entries: 0, conflicts: [] });
  else context.stdout.write(`${why}\n`);
  return 0;
}

async function isMeant(context: Context, input: Input, found: readonly Found[]): Promise<boolean> {
  const out = input.flag("json") ? context.stderr : context.stdout;
  const paint = paintFor(context);
  for (const { world, sightings } of found) {
    for (const { where, raw } of sightings.shown)
      out.write(`${world.store.name}  ${paint.strong(where)}  ${clip(entryText(raw), 300)}\n`);
  }
  if (input.flag("yes")) return true;
  const count = found.reduce((sum, { sightings }) => sum + sightings.shown.length, 0);
  if (context.ask === null)
    throw usage(
      `there is no terminal to ask whether to forget ${count === 1 ? "this" : `these ${count}`}`,
      "memd forget TEXT --yes forgets all that matches.",
    );
  const answer = await context.ask(
    `Forget ${count === 1 ? "this" : `these ${count}`} for good? It cannot be undone. [y/N] `,
  );
  return /^\s*y(?:es)?\s*$/i.test(answer);
}

async function forgetAll(
  context: Context,
  input: Input,
  ask: { found: readonly Found[]; words: string },
): Promise<number> {
  const { forgetWords } = await import("../steps/forget.ts");
  const done: ForgetDone[] = [];
  for (const { world, sightings } of ask.found) {
    const result = await forgetWords(world, ask.words, sightings);
    if ("held" in result) return tellHeld(context, input, result.held, joined(done));
    done.push(result);
  }
  const all = joined(done);
  if (input.flag("json")) printJson(context, all);
  else context.stdout.write(render(context, all));
  return all.conflicts.length > 0 ? EXIT.rejected : 0;
}

function joined(done: readonly ForgetDone[]) {
  return {
    run: done.at(-1)?.run ?? null,
    files: {
      created: done.flatMap(({ files }) => files.created),
      updated: done.flatMap(({ files }) => files.updated),
      archived: done.flatMap(({ files }) => files.archived),
    },
    entries: done.reduce((sum, { entries }) => sum + entries, 0),
    conflicts: done.flatMap(({ conflicts }) => conflicts),
  };
}

function render(context: Context, done: ReturnType<typeof joined>): string {
  const paint = paintFor(context);
  const names = [
    ...done.files.updated.map((name) => `  ~ ${name}\n`),
    ...done.files.archived.map((name) => `  - ${name}\n`),
  ];
  const left = done.conflicts.map(({ file, reason }) => `  ${paint.bad(reason)} ${file}\n`);
  const rest =
    left.length === 0
      ? ""
      : `Not all of it could be removed:\n${left.join("")}Close what uses these files, or edit them, and ask again.\n`;
  return `${paint.good("Forgotten")}: ${done.entries} ${done.entries === 1 ? "statement" : "statements"}; never proposed again.\n${names.join("")}${rest}`;
}
