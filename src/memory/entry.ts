/** One entry: what a block of a topic says, and the form in which memd writes it. */
import { oneLine } from "../base/text.ts";
import { type Block, BULLET, blocksOf } from "./blocks.ts";
import type { Entry } from "./model.ts";
import { entryId, withoutTails } from "./statement.ts";

export { type Relation, relation, rivalOf, similarity } from "./likeness.ts";
export { entryId, statementKey } from "./statement.ts";

export interface EntryParts {
  readonly statement: string;
  readonly why?: string | null | undefined;
  readonly how?: string | null | undefined;
  /** `2026-01-15` */
  readonly created?: string | null | undefined;
  readonly updated?: string | null | undefined;
  readonly pinned?: boolean | undefined;
  readonly unconfirmed?: boolean | undefined;
}

/** The form that memd writes; lines end in LF (`editTopic` turns them into the file's own). */
export function renderEntry(parts: EntryParts): string {
  const dates = [
    parts.created ? `created: ${parts.created}` : "",
    parts.updated ? `updated: ${parts.updated}` : "",
  ].filter((date) => date !== "");
  const head = [
    `- ${oneLine(parts.statement)}`,
    parts.unconfirmed ? "[unconfirmed]" : "",
    parts.pinned ? "[pinned]" : "",
    dates.length > 0 ? `[${dates.join(", ")}]` : "",
  ].filter((piece) => piece !== "");
  const lines = [head.join(" ")];
  if (parts.why) lines.push(`  Why: ${oneLine(parts.why)}`);
  if (parts.how) lines.push(`  How to apply: ${oneLine(parts.how)}`);
  return lines.join("\n");
}

const WHY = "why|原因|为什么|理由";
const HOW = "how to apply|怎么做|如何应用|做法";
const LABEL = new RegExp(
  `^\\s*(?:[-*+]\\s+)?(?:\\*\\*|__)?(?:(${WHY})|(?:${HOW}))(?:\\*\\*|__)?\\s*[:：](?:\\*\\*|__)?\\s*`,
  "i",
);

interface Sections {
  readonly lead: string[];
  readonly why: string[];
  readonly how: string[];
  /** Child items and code below the statement's own lines. */
  readonly rest: string[];
}

/** Sorts a block's lines: statement, children, Why and How; a label's text runs until the next label. */
function sort(raw: string): Sections {
  const sections: Sections = { lead: [], why: [], how: [], rest: [] };
  let into: keyof Sections = "lead";
  for (const [i, line] of raw.split(/\r?\n/).entries()) {
    const label: RegExpExecArray | null = i === 0 ? null : LABEL.exec(line);
    if (label) into = label[1] === undefined ? "how" : "why";
    else if (i > 0 && into === "lead" && (BULLET.test(line) || /^\s*(?:```|~~~)/.test(line))) into = "rest";
    sections[into].push(label ? line.slice(label[0].length) : line);
  }
  return sections;
}

const joined = (lines: readonly string[]) => oneLine(lines.map((line) => line.replace(BULLET, "$1")).join(" "));
const orNull = (text: string) => (text === "" ? null : text);

interface Marks {
  readonly created: string | null;
  readonly updated: string | null;
  readonly pinned: boolean;
  readonly unconfirmed: boolean;
}

function marksOf(tail: string): Marks {
  return {
    created: /\[[^\]]*created\s*:\s*(\d{4}-\d\d-\d\d)/i.exec(tail)?.[1] ?? null,
    updated: /\[[^\]]*updated\s*:\s*(\d{4}-\d\d-\d\d)/i.exec(tail)?.[1] ?? null,
    pinned: /\[pinned\]/i.test(tail),
    unconfirmed: /\[unconfirmed\]/i.test(tail),
  };
}

/** What a block says. */
export function parseEntry(raw: string): Omit<Entry, "id" | "start" | "end"> {
  const sections = sort(raw);
  const lead = joined(sections.lead);
  const bare = withoutTails(lead);
  const rest = joined(sections.rest);
  const parts = {
    statement: rest === "" ? bare : oneLine(`${bare} ${rest}`),
    why: orNull(joined(sections.why)),
    how: orNull(joined(sections.how)),
    ...marksOf(lead.slice(bare.length)),
  };
  return { raw, ...parts, ours: raw.replaceAll("\r\n", "\n") === renderEntry(parts) };
}

function toEntry(text: string, block: Block, slug: string): Entry {
  const parsed = parseEntry(text.slice(block.start, block.end));
  return { id: entryId(slug, parsed.statement), start: block.start, end: block.end, ...parsed };
}

/** The entries of a topic's body, which starts at offset `from`. Equal statements get `~2`, `~3` behind their id. */
export function entriesOf(text: string, from: number, slug: string): Entry[] {
  const seen = new Map<string, number>();
  return blocksOf(text, from).map((block) => {
    const entry = toEntry(text, block, slug);
    const count = (seen.get(entry.id) ?? 0) + 1;
    seen.set(entry.id, count);
    return count === 1 ? entry : { ...entry, id: `${entry.id}~${count}` };
  });
}
