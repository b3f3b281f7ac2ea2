/** Finding and removing what a person wants forgotten, in any record. */
import { isRecord, parseJson } from "../base/json.ts";
import { CJK } from "../memory/statement.ts";
import { FORGOTTEN } from "../memory/unwanted.ts";
import type { RunReport } from "./report.ts";

export type IsMention = (value: string | null) => boolean;

/** A quote shorter than this ("yes, do that") stands in too many places to be followed. */
const TELLING_CHARS = 16;
/** A Chinese, Japanese or Korean character says about as much as three letters. */
const WIDE = new RegExp(`[${CJK}]`, "gu");

/** True for words that tell enough to be looked for wherever they stand. */
export function isTelling(text: string): boolean {
  return text.length + 2 * (text.match(WIDE)?.length ?? 0) >= TELLING_CHARS;
}

/** True for a value that holds one of the texts, or the clipped beginning of one, whatever its case, line breaks, or JSON escapes. */
export function mentionOf(texts: readonly string[]): IsMention {
  const needles = texts.map(folded).filter((needle) => needle !== "");
  return (value) => {
    if (value === null || needles.length === 0) return false;
    const hay = folded(value);
    return (
      needles.some((needle) => hay.includes(needle)) ||
      clippedParts(hay).some((part) => needles.some((needle) => needle.includes(part)))
    );
  };
}

/** Lists and reports clip long texts to 150 characters and more: what stands before an ellipsis may be a text's first part. */
const CLIPPED_CHARS = 48;

function clippedParts(hay: string): string[] {
  const parts: string[] = [];
  for (let at = hay.indexOf("…", CLIPPED_CHARS); at >= 0; at = hay.indexOf("…", at + 1))
    parts.push(hay.slice(at - CLIPPED_CHARS, at).trim());
  return parts;
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

/** One sentence or line each, as a tombstone knows them. */
const sentencesOf = (text: string): string[] => [text, ...text.split(/\n|(?<=[.!?])\s|(?<=[。！？])/)];

/**
 * A model's answer without the items that say what was forgotten: it was asked before, and comes back afterwards.
 * @param value JSON; anything else holds no item
 * @param isForgotten knows a text as a whole
 */
export function withoutForgotten(value: string, isForgotten: (text: string) => boolean): string {
  const tells = (item: unknown): boolean => {
    if (typeof item === "string") return sentencesOf(item).some(isForgotten);
    return typeof item === "object" && item !== null && Object.values(item).some(tells);
  };
  const kept = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.filter((one) => !tells(one));
    if (!isRecord(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, kept(inner)]));
  };
  const answer = parseJson(value);
  return tells(answer) ? JSON.stringify(kept(answer)) : value;
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
