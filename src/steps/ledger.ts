/** The ledger of a state directory; where it is new, history starts from the last run of every store. */
import { join } from "node:path";
import { namesIn } from "../base/folders.ts";
import type { Context } from "../commands/context.ts";
import { loadLastRun } from "../ledger/last-run.ts";
import { type Ledger, openLedger } from "../ledger/ledger.ts";
import type { RunReport } from "../ledger/report.ts";
import type { Files } from "../ports.ts";

/** The database's path. @param state the state directory */
export const ledgerPath = (state: string): string => join(state, "ledger.db");

/** Moves a damaged database aside, and answers from files where there can be none. */
export function ledgerOf({ files, random, paths }: Pick<Context, "files" | "random" | "paths">): Promise<Ledger> {
  const { state } = paths;
  return openLedger({ files, random, lastRuns: () => lastRuns(files, state) }, ledgerPath(state));
}

/** The last run of every store that this state directory knows. */
function lastRuns(files: Files, state: string): RunReport[] {
  const folder = join(state, "stores");
  return namesIn(files, folder).flatMap((name) => {
    const run = loadLastRun(files, join(folder, name));
    return run ? [run] : [];
  });
}
