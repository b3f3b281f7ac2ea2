/** Finding and removing what a person wants forgotten, in any record. */
import type { RunReport } from "./report.ts";

export type IsMention = (value: string | null) => boolean;

/** What stands in place of a text that cannot be left out without breaking the record around it. */
const FORGOTTEN = "[forgotten]";

/** A quote shorter than this ("yes, do that") stands in too many places to be followed. */
export const TELLING_QUOTE = 16;

/** True for a value that holds one of the texts, whatever its case, line breaks, or JSON escapes. */
export function mentionOf(texts: readonly string[]): IsMention {
  const needles = texts.map(folded).filter((needle) => needle !== "");
  return (value) => {
    if (value === null || needles.length === 0) return false;
    const hay = folded(value);
    return needles.some((needle) => hay.includes(needle));
  };
}

function folded(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\\[nrt]/g, " ")
    .replaceAll("\\", "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

/** The same data with every string that mentions the texts replaced. */
export function scrub<T>(value: T, isMention: IsMention): T;
export function scrub(value: unknown, isMention: IsMention): unknown {
  if (typeof value === "string") return isMention(value) ? FORGOTTEN : value;
  if (Array.isArray(value)) return value.map((item) => scrub<unknown>(item, isMention));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, scrub<unknown>(item, isMention)]));
}

/** The report without the changes and refusals that mention the texts or were supported by them. */
export function forgetInReport(report: RunReport, isMention: IsMention): RunReport {
  const mentions = (value: unknown) => isMention(JSON.stringify(value));
  const { operations } = report;
  const kept = {
    ...report,
    changes: report.changes.filter((change) => !mentions(change)),
    operations: { ...operations, rejected: operations.rejected.filter((refusal) => !mentions(refusal)) },
  };
  return scrub(kept, isMention);
}
