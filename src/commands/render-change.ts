/** One change of memory, as people read it: what, where, why, and whose words. */
import { clip, oneLine } from "../base/text.ts";
import type { Change } from "../memory/changeset.ts";
import type { Citation } from "../memory/operation.ts";
import type { Paint } from "./paint.ts";

const SIGN: Readonly<Record<string, string>> = {
  add: "+",
  revise: "~",
  merge: "~",
  retire: "-",
  move: ">",
  "create-topic": "*",
  "describe-topic": "~",
};

/** `"quote"  user, 2026-11-23, 6513270e:12` */
export function renderCitation(citation: Citation): string {
  const day = citation.at?.slice(0, 10) ?? "no date";
  const quote = clip(oneLine(citation.quote), 160);
  return `“${quote}”  ${citation.speaker}, ${day}, ${citation.session.slice(0, 8)}:${citation.line}`;
}

/** The lines of one change; empty for changes of the index, which follow from the topics. */
export function renderChange(change: Change, paint: Paint): string[] {
  if (change.operation === "index") return [];
  const sign = SIGN[change.operation] ?? "?";
  const text = oneLine(change.after ?? change.before ?? change.reason).replace(/^- /, "");
  const mark = sign === "-" ? paint.bad(sign) : paint.good(sign);
  const was =
    change.before !== null && change.after !== null
      ? [`      ${paint.dim(`was: ${clip(oneLine(change.before).replace(/^- /, ""), 200)}`)}`]
      : [];
  const cites = change.citations.map((citation) => `      ${paint.dim(renderCitation(citation))}`);
  return [`  ${mark} ${paint.strong(change.topic)}  ${text}`, ...was, ...cites];
}
