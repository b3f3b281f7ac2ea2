/** One change of memory, as people read it: what, where, why, and whose words. */
import { clip, oneLine } from "../base/text.ts";
import type { Change } from "../memory/changeset.ts";
import type { Citation } from "../memory/operation.ts";
import type { Paint } from "./paint.ts";

/** An undo's changes are a run's turned round: what stood before and after tells, not the operation. */
function signOf({ operation, before, after }: Change): "+" | "-" | "~" | ">" | "*" {
  if (operation === "move") return ">";
  if (before === null && after === null) return operation === "create-topic" ? "*" : "~";
  if (before === null) return "+";
  return after === null ? "-" : "~";
}

/** An entry's block on one line, without its bullet and its dates: those of the citations say more. */
export function entryText(block: string): string {
  return oneLine(block)
    .replace(/^- /, "")
    .replace(/ \[created: \d{4}-\d\d-\d\d(?:, updated: \d{4}-\d\d-\d\d)?\]/, "");
}

/** `"quote"  user, 2026-11-23, 6513270e:12` */
export function renderCitation(citation: Citation): string {
  const day = citation.at?.slice(0, 10) ?? "no date";
  const quote = clip(oneLine(citation.quote), 160);
  return `“${quote}”  ${citation.speaker}, ${day}, ${citation.session.slice(0, 8)}:${citation.line}`;
}

/** Each quote once, however many sessions say it: memd why lists them all. */
function renderCitations(citations: readonly Citation[]): string[] {
  const same = new Map<string, Citation[]>();
  for (const citation of citations) {
    const key = `${citation.speaker}\n${oneLine(citation.quote)}`;
    same.set(key, [...(same.get(key) ?? []), citation]);
  }
  return [...same.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [`${renderCitation(first)}${more.length === 0 ? "" : `, and ${more.length} more`}`],
  );
}

/** The lines of one change; empty for changes of the index, which follow from the topics. @param isNew the run created its topic */
function renderChange(change: Change, isNew: boolean, paint: Paint): string[] {
  if (change.operation === "index") return [];
  const sign = signOf(change);
  const mark = sign === "-" ? paint.bad(sign) : paint.good(sign);
  const topic = `${paint.strong(change.topic)}${isNew ? paint.dim(" (new)") : ""}`;
  const was =
    change.before !== null && change.after !== null
      ? [`      ${paint.dim(`was: ${clip(entryText(change.before), 200)}`)}`]
      : [];
  const cites = renderCitations(change.citations).map((line) => `      ${paint.dim(line)}`);
  return [`  ${mark} ${topic}  ${entryText(change.after ?? change.before ?? change.reason)}`, ...was, ...cites];
}

/** The lines of all changes; that a topic was created is said beside what stands in it. */
export function renderChanges(changes: readonly Change[], paint: Paint): string[] {
  const isCreation = ({ operation }: Change) => operation === "create-topic";
  const created = new Set(changes.filter(isCreation).map(({ topic }) => topic));
  const filled = new Set(changes.filter((change) => !isCreation(change)).map(({ topic }) => topic));
  return changes
    .filter((change) => !(isCreation(change) && filled.has(change.topic)))
    .flatMap((change) => {
      const isNew = created.has(change.topic) && change.before === null && change.after !== null;
      return renderChange(change, isNew, paint);
    });
}
