import { iso } from "../base/clock.ts";
import type { SourceView } from "../steps/sources.ts";
import { type Command, type Input, STORE_OPTIONS } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { type Paint, paintFor } from "./paint.ts";
import { ago } from "./when.ts";

export const sourcesCommand: Command = {
  name: "sources",
  summary: "which clients' sessions feed which store: where, how many, how new, and what is wrong with them",
  operands: "",
  options: STORE_OPTIONS,
  example: "memd sources --store app",
  exits: [
    [0, "printed; problems are part of it"],
    [2, "usage"],
    [78, "the configuration is not valid"],
    [130, "interrupted"],
  ],
  run: runSources,
};

async function runSources(context: Context, input: Input): Promise<number> {
  const { composeStores } = await import("../compose.ts");
  const { searchedPlaces, surveySources } = await import("../steps/sources.ts");
  const { config, stores } = await composeStores(context, input, { discover: true });
  // A store that is named alone is all that is asked for.
  const isWhole = input.texts("store").length === 0 && input.text("memory") === null;
  const places = isWhole ? searchedPlaces(context.paths, config) : [];
  const found = await surveySources(context.files, stores, { formats: config.formats, signal: context.signal, places });
  if (input.flag("json")) {
    const sources = found.map(({ newestTurnAt, ...rest }) => ({
      ...rest,
      newestTurnAt: newestTurnAt === null ? null : iso(newestTurnAt),
    }));
    printJson(context, { sources });
    return 0;
  }
  const paint = paintFor(context);
  const rows = found.map((view) => row(view, context.clock.now(), paint));
  context.stdout.write(rows.length === 0 ? "No session folder feeds any store.\n" : rows.join(""));
  return 0;
}

function row(
  { store, client, folder, sessions, dropped, newestTurnAt, problems }: SourceView,
  now: number,
  paint: Paint,
): string {
  const left = Object.entries(dropped).map(([reason, count]) => `${reason} ${count}`);
  const parts = [
    sessions === 1 ? "1 session" : `${sessions} sessions`,
    newestTurnAt === null ? "no words found" : `newest ${ago(newestTurnAt, now)}`,
    ...(left.length > 0 ? [`dropped: ${left.join(", ")}`] : []),
  ];
  const lines = problems.map(({ message, hint }) => `    ${message}\n    ${paint.dim(hint)}\n`);
  return `${paint.strong(store ?? "no store")}  ${client ?? "no transcripts"}  ${parts.join(", ")}\n  ${paint.dim(folder)}\n${lines.join("")}`;
}
