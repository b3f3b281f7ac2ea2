import { composeStatus, composeStores, scanStores } from "../compose.ts";
import type { LiveCondition } from "../live/facts.ts";
import { gateLimits } from "../steps/limits.ts";
import { type Command, type Input, STORE_OPTIONS } from "./command.ts";
import { type Context, printJson } from "./context.ts";
import { renderStatus } from "./render-status.ts";
import { type Live, liveOf } from "./status-live.ts";
import { moneyOf } from "./status-money.ts";
import { type StoreView, viewStores } from "./status-view.ts";

export const statusCommand: Command = {
  name: "status",
  summary: "per store: last consolidation, which gate is closed and when it opens, last run, backlog, conditions",
  operands: "",
  options: {
    ...STORE_OPTIONS,
    scan: { type: "boolean", help: "count sessions anew first; without it the counts are those of the last scan" },
    watch: { type: "boolean", help: "go on: the page anew on a terminal, else a line (--json: a document) per change" },
  },
  example: "memd status --store app",
  exits: [
    [0, "printed, whatever the conditions"],
    [2, "usage"],
    [78, "the configuration is not valid"],
    [130, "interrupted, as --watch always ends"],
  ],
  run: runStatus,
};

/** Everything that `status` tells, as `--json` prints it. */
export type Status = Awaited<ReturnType<typeof statusOf>>;

async function runStatus(context: Context, input: Input): Promise<number> {
  const isJson = input.flag("json");
  if (input.flag("scan")) {
    const { config, stores } = await composeStores(context, input);
    await scanStores(context, config, stores);
  }
  if (input.flag("watch")) {
    const { watchStatus } = await import("./status-watch.ts");
    return watchStatus(context, () => statusOf(context, input), isJson);
  }
  const status = await statusOf(context, input);
  if (isJson) printJson(context, status);
  else context.stdout.write(renderStatus(context, status));
  return 0;
}

/** True without a daemon: the disk is read first, and the daemon only adds what it alone knows. */
async function statusOf(context: Context, input: Input) {
  const { config, stores } = await composeStores(context, input);
  const world = composeStatus(context);
  const money = await moneyOf(context, config);
  const views = viewStores({ ...world, budget: money.facts }, stores, gateLimits(config));
  const live = await liveOf(context);
  return {
    version: context.version,
    daemon: live.daemon,
    scannedAt:
      views
        .map(({ scannedAt }) => scannedAt)
        .filter((at) => at !== null)
        .sort()[0] ?? null,
    stores: views.map(({ conditions: _, ...view }) => view),
    spend: money.spend,
    conditions: [...conditionsOf(live, views), ...money.conditions],
  };
}

/** The daemon and the disk may both tell of one trouble. */
function conditionsOf(live: Live, views: readonly StoreView[]): readonly LiveCondition[] {
  const known = views.flatMap(({ conditions }) => conditions);
  const isNew = (one: LiveCondition) => !known.some(({ code, store }) => code === one.code && store === one.store);
  return [...live.conditions.filter(isNew), ...known];
}
