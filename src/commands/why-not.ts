import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { type Paint, paintFor } from "./paint.ts";

export const whyNotCommand: Command = {
  name: "why-not",
  summary: "what was refused, and by which rule; whether you forgot or undid it",
  operands: "TEXT...",
  options: STORE_OPTIONS,
  example: 'memd why-not "port 5174"',
  exits: [
    [0, "printed; nothing may have matched"],
    [2, "usage"],
    [78, "the configuration is not valid"],
  ],
  run: runWhyNot,
};

async function runWhyNot(context: Context, input: Input): Promise<number> {
  const words = input.words.join(" ").trim();
  if (words === "") throw usage("why-not wants a TEXT", 'Words of what you miss: memd why-not "port 5174".');
  const found = await lookFor(context, input, words);
  if (input.flag("json")) printJson(context, found);
  else context.stdout.write(render(found, words, paintFor(context)));
  return 0;
}

type Found = Awaited<ReturnType<typeof lookFor>>;

/** As `--json` prints it. */
async function lookFor(context: Context, input: Input, words: string) {
  const { composePastStores, withLedger } = await import("../compose.ts");
  const { openTombstones } = await import("../ledger/tombstones.ts");
  const { stores } = await composePastStores(context, input);
  const names = new Set(stores.map(({ name }) => name));
  const refused = await withLedger(context, (ledger) => ledger.refusedMatching(words));
  const tombstones = stores.flatMap(({ state }) =>
    openTombstones(context.files, state, context.random).matching(words),
  );
  return {
    refused: refused
      .filter(({ store }) => names.has(store))
      .map(({ run, operation, rule, text, at, detail, store }) => ({ run, operation, rule, text, at, detail, store })),
    tombstones: tombstones.map(({ at, cause }) => ({ at, cause })),
  };
}

function render({ refused, tombstones }: Found, words: string, paint: Paint): string {
  const lines = [
    ...refused.map(
      ({ rule, detail, text, at, run }) =>
        `${paint.strong(rule)}  ${text}\n  ${detail}\n  ${paint.dim(`${at.slice(0, 10)}, run ${run}`)}`,
    ),
    ...tombstones.map(
      ({ at, cause }) =>
        `${paint.strong("tombstone")}  this very statement was taken out by ${cause} on ${at.slice(0, 10)}; it is never proposed again`,
    ),
  ];
  return lines.length === 0
    ? `Nothing that matches ${JSON.stringify(words)} was refused.\n`
    : `${lines.join("\n\n")}\n`;
}
