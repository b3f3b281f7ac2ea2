import type { RunReport } from "../ledger/report.ts";
import { type Command, type Input, STORE_OPTIONS, usage } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { findRun } from "./find-run.ts";
import { paintFor } from "./paint.ts";
import { renderRun } from "./render-run.ts";

export const showCommand: Command = {
  name: "show",
  summary: "what one run changed, entry by entry, with reasons and citations",
  operands: "RUN",
  options: { ...STORE_OPTIONS, diff: { type: "boolean", help: "the files before and after, as a diff" } },
  example: "memd show last --diff",
  exits: [
    [0, "printed"],
    [2, "usage, or no such run"],
    [78, "the configuration is not valid"],
  ],
  run: runShow,
};

async function runShow(context: Context, input: Input): Promise<number> {
  const run = input.words[0];
  if (run === undefined) throw usage("show wants a RUN", "memd show last, or an id of memd history.");
  const { composePastStores, withLedger } = await import("../compose.ts");
  const { stores } = await composePastStores(context, input);
  const report = await withLedger(context, (ledger) => findRun({ files: context.files, ledger }, stores, run));
  if (input.flag("json")) printJson(context, report);
  else
    context.stdout.write(
      input.flag("diff") ? await diffText(context, input, report) : renderRun(report, paintFor(context)),
    );
  return 0;
}

async function diffText(context: Context, input: Input, report: RunReport): Promise<string> {
  const { composePastStores } = await import("../compose.ts");
  const { loadUndoRecord } = await import("../steps/undo-records.ts");
  const { loadPublishRecord } = await import("../publish/book.ts");
  const { renderDiff } = await import("../memory/diff.ts");
  const { stores } = await composePastStores(context, input);
  const store = stores.find(({ memory }) => memory === report.memory);
  const published = store ? loadPublishRecord(context.files, store.state, report.id) : null;
  if (published)
    return renderDiff({ files: published.files.map(({ path, ...texts }) => ({ ...texts, file: path.slice(1) })) });
  const record = store ? loadUndoRecord(context.files, store.state, report.id) : null;
  return record ? renderDiff(record) : `Run ${report.id} changed no file, or its texts are no longer kept.\n`;
}
