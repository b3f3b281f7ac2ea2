/** The ledger without a database: what pends, and the last run of each store. Answers every question from the little it has. */

import type { CacheFiles } from "./cache-files.ts";
import { forgetInReport, mentionOf } from "./forgetting.ts";
import type { Pending } from "./pending.ts";
import { type RunReport, summaryOf } from "./report.ts";
import { type Found, HISTORY, MATCHES, type Verbs } from "./verbs.ts";

/** @param lastRuns the last run of each store, as its files tell */
export function fileLedger(pending: Pending, cache: CacheFiles, lastRuns: () => readonly RunReport[]): Verbs {
  const runs = () => latestFirst([...lastRuns(), ...pending.all().map(({ report }) => report)]);
  return {
    recordRun: (report) => pending.add({ kind: "run", report }),
    history: ({ stores, limit }) =>
      runs()
        .filter((run) => !stores || stores.includes(run.store))
        .slice(0, limit ?? HISTORY)
        .map(summaryOf),
    find: (wanted, store) => findIn(runs(), wanted, store),
    changesOf: (id) => [...(runs().find((run) => run.id === id)?.changes ?? [])],
    changesMatching: (text) => {
      const isMention = mentionOf([text]);
      const all = runs().flatMap((run) =>
        run.changes.map((change) => ({ run: run.id, store: run.store, at: run.startedAt, change })),
      );
      return all.filter(({ change }) => isMention(change.before) || isMention(change.after)).slice(0, MATCHES);
    },
    refusedMatching: (text) => {
      const isMention = mentionOf([text]);
      const all = runs().flatMap((run) =>
        run.operations.rejected.map((refusal) => ({ run: run.id, store: run.store, at: run.startedAt, ...refusal })),
      );
      return all.filter((refusal) => isMention(refusal.text)).slice(0, MATCHES);
    },
    cacheGet: cache.get,
    cachePut: cache.put,
    forget: (texts) => {
      const isMention = mentionOf(texts);
      const rows = pending.all().filter((item) => isMention(JSON.stringify(item))).length;
      if (rows > 0) pending.rewrite((item) => ({ ...item, report: forgetInReport(item.report, isMention) }));
      return { rows: rows + cache.forget(isMention), erased: true };
    },
    trim: cache.trim,
  };
}

/** A later record of a run takes the place of an earlier one. */
function latestFirst(reports: readonly RunReport[]): RunReport[] {
  const unique = new Map(reports.map((report) => [report.id, report]));
  return [...unique.values()].sort((a, b) =>
    a.startedAt === b.startedAt ? compare(b.id, a.id) : compare(b.startedAt, a.startedAt),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** @param runs latest first */
function findIn(runs: readonly RunReport[], wanted: string, store: string | undefined): Found {
  const mine = runs.filter((run) => store === undefined || run.store === store);
  const matches =
    wanted === "last" ? mine.slice(0, 1) : mine.filter((run) => wanted !== "" && run.id.startsWith(wanted));
  const [only] = matches.filter((run) => run.id === wanted).concat(matches);
  if (only === undefined) return { state: "none" };
  if (matches.length === 1 || only.id === wanted) return { state: "found", run: only };
  return { state: "ambiguous", ids: matches.map((run) => run.id) };
}
