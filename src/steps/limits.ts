/** Configuration in the units of the gates, and a store's backlog as the gates want it. */
import type { Config } from "../config/config.ts";
import type { GateLimits } from "../gate/judge.ts";
import type { Backlog } from "../gate/time.ts";
import { DAY, HOUR, MINUTE } from "../gate/verdict.ts";
import type { StoreState } from "../ledger/store-state.ts";

/** Hours, days and minutes of the configuration as milliseconds; its money and tokens as caps. */
export function gateLimits(config: Config): GateLimits {
  return {
    interval: config.gates.minHours * HOUR,
    backlogInterval: config.gates.backlogHours * HOUR,
    expiringAfter: config.gates.expiringDays * DAY,
    scanInterval: config.gates.scanMinutes * MINUTE,
    sessions: config.gates.minSessions,
    caps: {
      dayTokens: config.budget.maxDayTokens,
      dayUsd: config.budget.maxDayUsd,
      monthTokens: null,
      monthUsd: config.budget.maxMonthUsd,
    },
  };
}

export function backlogOf(state: StoreState): Backlog {
  return { left: state.left, oldestUnread: state.lastScan?.oldestUnread ?? null };
}
