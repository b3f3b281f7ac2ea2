/** What `status` tells of money: spent, left, and what stands against spending. Where nothing was ever spent it costs one look. */
import { childPath } from "../base/child-path.ts";
import { iso } from "../base/clock.ts";
import type { Config } from "../config/config.ts";
import {
  type BudgetFacts,
  type Caps,
  FREE,
  NOTHING_SPENT,
  nearlyUsedUp,
  overText,
  type Spent,
} from "../gate/budget.ts";
import type { Condition } from "../ledger/store-state.ts";
import { capsOf } from "../steps/limits.ts";
import type { Money } from "../steps/money.ts";
import type { Context } from "./context.ts";

export interface MoneyView {
  readonly facts: BudgetFacts;
  readonly spend: ReturnType<typeof spendView>;
  readonly conditions: readonly (Condition & { readonly store: null })[];
}

/** The folder of ledger/spend.ts; that room is loaded only when there is something in it. */
const SPEND = "spend";

export async function moneyOf(context: Context, config: Config): Promise<MoneyView> {
  const { files, clock, env, random, paths } = context;
  const caps = capsOf(config);
  const paid = config.dream.distiller !== "extractive";
  if (!paid && files.lstat(childPath(paths.state, SPEND)) === null)
    return { facts: FREE, spend: spendView(NOTHING_SPENT, caps), conditions: [] };
  const { budgetFacts, openMoney } = await import("../steps/money.ts");
  const token = () => Buffer.from(random(8)).toString("hex");
  const timeZone = () => config.dream.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const money = openMoney({ files, clock, env, token, config, state: paths.state, timeZone });
  const spent = money.book.spent();
  return {
    facts: budgetFacts(money, { now: false }),
    spend: spendView(spent, caps),
    conditions: paid
      ? [...warning(spent, caps, clock.now()), ...refused(money), ...(await unpriced(config, clock.now()))]
      : [],
  };
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));

function spendView({ day, month }: Spent, caps: Caps) {
  return {
    dayUsd: round(day.usd, 6),
    dayTokens: day.tokens,
    dayRequests: day.requests,
    dayMinutes: round(day.minutes, 2),
    monthUsd: round(month.usd, 6),
    monthTokens: month.tokens,
    monthRequests: month.requests,
    monthMinutes: round(month.minutes, 2),
    maxDayUsd: caps.day.usd,
    maxDayTokens: caps.day.tokens,
    maxDayRequests: caps.day.requests,
    maxDayMinutes: caps.day.minutes,
    maxMonthUsd: caps.month.usd,
    maxMonthTokens: caps.month.tokens,
    maxMonthRequests: caps.month.requests,
    maxMonthMinutes: caps.month.minutes,
  };
}

function warning(spent: Spent, caps: Caps, now: number): MoneyView["conditions"] {
  const near = nearlyUsedUp(spent, caps);
  if (near === null) return [];
  const message = `a cap is nearly reached: ${overText(near)}`;
  const hint = "At the cap no dream begins until its period ends; the keys of budget in the configuration raise it.";
  return [{ code: "budget-warning", store: null, message, hint, since: iso(now) }];
}

function refused({ breaker }: Money): MoneyView["conditions"] {
  const tripped = breaker.tripped();
  if (tripped === null) return [];
  const { code, message, since, until } = tripped;
  const hint = `${tripped.hint} Nothing is sent until the key or the configuration changes, or ${iso(until)}; memd dream --now tries it with one request.`;
  return [{ code, store: null, message, hint, since: iso(since) }];
}

/** Then money is not capped, which a person should not learn from a bill. */
async function unpriced({ dream, model }: Config, now: number): Promise<MoneyView["conditions"]> {
  if (dream.distiller !== "anthropic") return [];
  const { priceOf } = await import("../distill/anthropic/prices.ts");
  const names = [model.extract, model.consolidate].filter((name) => priceOf(name, model, "short") === null);
  if (names.length === 0) return [];
  const message = `the price of ${[...new Set(names)].join(" and ")} is not known: only tokens, requests and time are capped`;
  const hint = "Set model.inputUsd and model.outputUsd; 0 for a model of your own machine.";
  return [{ code: "price-unknown", store: null, message, hint, since: iso(now) }];
}
