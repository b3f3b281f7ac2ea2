/** RUN on the command line: a run's id, a unique prefix of it, or `last`. */
import { MemdError } from "../base/errors.ts";
import { loadLastRun } from "../ledger/last-run.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { RunReport } from "../ledger/report.ts";
import type { Files, Store } from "../ports.ts";

function noSuchRun(run: string, hint: string): MemdError {
  return new MemdError({
    code: "unknown-run",
    family: "usage",
    message: `there is no run ${JSON.stringify(run)}`,
    hint,
  });
}

/**
 * Finds a run of the given stores. The last runs are known from files; older ones need the ledger.
 * @throws MemdError usage: `unknown-run`, `ambiguous-run`
 */
export function findRun(world: { files: Files; ledger: Ledger }, stores: readonly Store[], run: string): RunReport {
  const latest = stores
    .flatMap((store) => loadLastRun(world.files, store.state) ?? [])
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  if (run === "last") {
    if (latest[0]) return latest[0];
    throw noSuchRun(run, "No store has dreamt yet: memd dream --now.");
  }
  const found = world.ledger.find(run);
  if (found.state === "found") return found.run;
  if (found.state === "ambiguous") {
    throw new MemdError({
      code: "ambiguous-run",
      family: "usage",
      message: `${run} names more than one run: ${found.ids.join(", ")}`,
      hint: "Give more of the id.",
    });
  }
  const known = latest.find(({ id }) => id.startsWith(run));
  if (known) return known;
  throw noSuchRun(run, "memd history lists the runs.");
}
