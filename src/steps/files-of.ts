import type { RunReport } from "../ledger/report.ts";

/** File names by fate, as a report has them. */
export function filesOf(
  files: readonly { readonly file: string; readonly before: string | null; readonly after: string | null }[],
): RunReport["files"] {
  return {
    created: files.filter(({ before, after }) => before === null && after !== null).map(({ file }) => file),
    updated: files.filter(({ before, after }) => before !== null && after !== null).map(({ file }) => file),
    archived: files.filter(({ after }) => after === null).map(({ file }) => file),
  };
}
