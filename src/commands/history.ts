import type { RunSummary } from "../ledger/report.ts";
import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { paintFor } from "./paint.ts";
import { spentText } from "./render-run.ts";
import { ago } from "./when.ts";

export const historyCommand: Command = {
  name: "history",
  summary: "past runs, latest first",
  operands: "",
  options: { ...STORE_OPTIONS, limit: { type: "string", value: "N", help: "at most N runs (20)" } },
  example: "memd history --limit 5",
  exits: [
    [0, "printed"],
    [2, "usage"],
    [78, "the configuration is not valid"],
  ],
  run: runHistory,
};

function limitOf(input: Input): number {
  const text = input.text("limit") ?? "20";
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0 && limit <= 100_000) return limit;
  throw usage(`--limit wants a whole number above 0, not ${JSON.stringify(text)}`, "For example --limit 5.");
}

async function runHistory(context: Context, input: Input): Promise<number> {
  const { composeStores, withLedger } = await import("../compose.ts");
  const limit = limitOf(input);
  const { stores } = await composeStores(context, input);
  const names =
    input.texts("store").length > 0 || input.text("memory") !== null ? stores.map(({ name }) => name) : undefined;
  const runs = await withLedger(context, (ledger) => ledger.history({ stores: names, limit }));
  if (input.flag("json")) printJson(context, { runs: runs.map(toJson) });
  else context.stdout.write(runs.length === 0 ? "No run yet.\n" : runs.map((run) => line(context, run)).join(""));
  return 0;
}

function toJson({ operations, ...run }: RunSummary) {
  const { id, store, cause, distiller, outcome, reason, startedAt, finishedAt, files, usage } = run;
  const counts = { accepted: operations.accepted, rejected: operations.rejected.length };
  const when = { startedAt, finishedAt };
  return { id, store, cause, distiller, outcome, reason, ...when, files, operations: counts, usage };
}

function line(context: Context, run: RunSummary): string {
  const paint = paintFor(context);
  const files = run.files.created.length + run.files.updated.length + run.files.archived.length;
  const what = run.reason
    ? run.reason
    : `${run.operations.accepted} accepted, ${run.operations.rejected.length} refused, ${files} files`;
  const spent = spentText(run.usage);
  return `${run.id}  ${run.store.padEnd(12)} ${run.outcome.padEnd(9)} ${ago(Date.parse(run.startedAt), context.clock.now()).padEnd(11)} ${paint.dim(spent === "" ? what : `${what} · ${spent}`)}\n`;
}
