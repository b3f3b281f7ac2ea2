/** Money and tokens in the database, over all stores together. */
import type { Database } from "../base/sqlite.ts";
import type { Spent } from "../gate/budget.ts";
import { type Range, type Spend, tokensOf } from "./verbs.ts";

/** @param id a spend that is added twice under one id counts once */
export function addSpend(db: Database, id: string, { at, run, store, usage }: Spend): void {
  const insert = db.prepare("INSERT OR IGNORE INTO spend VALUES (?, ?, ?, ?, ?, ?, ?)");
  insert.run(id, at, run, store, usage.requests, tokensOf(usage), usage.costUsd);
}

export function spent(db: Database, { day, month }: { day: Range; month: Range }): Spent {
  const sum = db.prepare<[number, number], { tokens: number; usd: number }>(
    "SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(usd), 0.0) AS usd FROM spend WHERE at >= ? AND at < ?",
  );
  const none = { tokens: 0, usd: 0 };
  const today = sum.get(day.from, day.to) ?? none;
  const thisMonth = sum.get(month.from, month.to) ?? none;
  return { dayTokens: today.tokens, dayUsd: today.usd, monthTokens: thisMonth.tokens, monthUsd: thisMonth.usd };
}
