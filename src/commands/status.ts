import { composeStatus, composeStores, scanStores } from "../compose.ts";
import { gateLimits } from "../steps/limits.ts";
import { type Command, type Input, STORE_OPTIONS } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { renderStatus } from "./render-status.ts";
import { viewStores } from "./status-view.ts";

export const statusCommand: Command = {
  name: "status",
  summary: "per store: last consolidation, which gate is closed and when it opens, last run, backlog, conditions",
  operands: "",
  options: {
    ...STORE_OPTIONS,
    scan: { type: "boolean", help: "count sessions anew first; without it the counts are those of the last scan" },
  },
  example: "memd status --store app",
  exits: [
    [0, "printed, whatever the conditions"],
    [2, "usage"],
    [78, "the configuration is not valid"],
  ],
  run: runStatus,
};

async function runStatus(context: Context, input: Input): Promise<number> {
  const { config, stores } = await composeStores(context, input);
  if (input.flag("scan")) await scanStores(context, config, stores);
  const world = composeStatus(context);
  const views = viewStores(world, stores, gateLimits(config));
  const status = {
    version: context.version,
    daemon: { running: false, pid: null, since: null, watching: 0 },
    scannedAt:
      views
        .map(({ scannedAt }) => scannedAt)
        .filter((at) => at !== null)
        .sort()[0] ?? null,
    stores: views.map(({ conditions: _, ...view }) => view),
    spend: {
      dayUsd: 0,
      dayTokens: 0,
      monthUsd: 0,
      maxDayUsd: config.budget.maxDayUsd,
      maxDayTokens: config.budget.maxDayTokens,
      maxMonthUsd: config.budget.maxMonthUsd,
    },
    conditions: views.flatMap(({ conditions }) => conditions),
  };
  if (input.flag("json")) printJson(context, status);
  else context.stdout.write(renderStatus(context, { views, conditions: status.conditions }));
  return 0;
}
