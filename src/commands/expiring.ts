/** Sessions that nobody has read and that their client is about to delete. */
import { iso } from "../base/clock.ts";
import { isExpiring } from "../gate/time.ts";
import { DAY } from "../gate/verdict.ts";
import type { Condition, StoreState } from "../ledger/store-state.ts";

/**
 * @param at.expiringAfter ms after its last write from which a session is about to be deleted (Claude Code: 30 days)
 */
export function expiringConditions(
  store: string,
  { lastScan }: StoreState,
  at: { now: number; expiringAfter: number },
): Condition[] {
  const oldestUnread = lastScan?.oldestUnread ?? null;
  if (lastScan === null || oldestUnread === null) return [];
  if (!isExpiring({ left: lastScan.unread, oldestUnread }, at.now, at.expiringAfter)) return [];
  const days = Math.floor((at.now - oldestUnread) / DAY);
  return [
    {
      code: "sessions-expiring",
      message: `${lastScan.unread} sessions are unread; the oldest was last written ${days} days ago, and agents delete transcripts after some weeks (Claude Code after 30 days)`,
      hint: `Read them now: memd dream --now --store ${store}.`,
      since: iso(lastScan.at),
    },
  ];
}
