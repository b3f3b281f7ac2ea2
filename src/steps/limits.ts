/** Configuration in the units of the gates, and a store's backlog as the gates want it. */
import type { Config } from "../config/config.ts";
import type { Caps } from "../gate/budget.ts";
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
    caps: capsOf(config),
  };
}

/** One run's minutes are `dream.maxMinutes`, which ends it whatever distils. */
export function capsOf({ budget }: Pick<Config, "budget">): Caps {
  return {
    run: { usd: budget.maxRunUsd, tokens: budget.maxRunTokens, requests: budget.maxRunRequests, minutes: null },
    day: {
      usd: budget.maxDayUsd,
      tokens: budget.maxDayTokens,
      requests: budget.maxDayRequests,
      minutes: budget.maxDayMinutes,
    },
    month: {
      usd: budget.maxMonthUsd,
      tokens: budget.maxMonthTokens,
      requests: budget.maxMonthRequests,
      minutes: budget.maxMonthMinutes,
    },
  };
}

export function backlogOf(state: StoreState): Backlog {
  return { left: state.left, oldestUnread: state.lastScan?.oldestUnread ?? null };
}
