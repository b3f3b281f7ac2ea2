/** The `[pinned]` mark of an entry, set and taken off without touching any other byte of the topic. */
import { parseEntry, renderEntry, statementKey } from "./entry.ts";
import type { Entry, Topic } from "./model.ts";
import { topicOf } from "./topic.ts";

/** True when the changed block says the same as before, with the mark as wished. */
function isDone(before: Entry, block: string, pinned: boolean): boolean {
  const after = parseEntry(block);
  return after.pinned === pinned && statementKey(after.statement) === statementKey(before.statement);
}

/** Blocks with the mark behind each line in turn: only behind the statement's last line it reads as a mark. */
function marked(raw: string): string[] {
  return [...raw.matchAll(/[^\s][^\r\n]*?(?=[ \t]*(?:\r?\n|$))/g)].map((line) => {
    const at = line.index + line[0].length;
    return `${raw.slice(0, at)} [pinned]${raw.slice(at)}`;
  });
}

/** Blocks with each mark in turn taken off: one inside a reason is a word, not a mark. */
function unmarked(raw: string): string[] {
  return [...raw.matchAll(/[ \t]*\[pinned\]/gi)].map(
    ({ index, 0: mark }) => raw.slice(0, index) + raw.slice(index + mark.length),
  );
}

/** Others' blocks keep their form; memd's own get the form that memd writes. Null when the mark finds no place. */
function blockWith(entry: Entry, pinned: boolean): string | null {
  const eol = entry.raw.includes("\r\n") ? "\r\n" : "\n";
  const own = entry.ours ? [renderEntry({ ...entry, pinned }).replaceAll("\n", eol)] : [];
  const tries = [...own, ...(pinned ? marked(entry.raw) : unmarked(entry.raw))];
  return tries.find((block) => isDone(entry, block, pinned)) ?? null;
}

export interface PinEdit {
  readonly text: string;
  /** Blocks before and after, in the order of the topic; entries that were so already are not among them. */
  readonly changed: readonly { readonly before: string; readonly after: string }[];
}

/**
 * Sets or takes off the mark on the entries with these ids.
 * @returns null when it cannot be done safely: the file is locked, or the change would not read back
 */
export function editPins(topic: Topic, ids: ReadonlySet<string>, pinned: boolean): PinEdit | null {
  if (topic.locked !== null) return null;
  let text = topic.text;
  const changed: { before: string; after: string }[] = [];
  for (const entry of [...topic.entries].reverse()) {
    if (!ids.has(entry.id) || entry.pinned === pinned) continue;
    const after = blockWith(entry, pinned);
    if (after === null) return null;
    text = text.slice(0, entry.start) + after + text.slice(entry.end);
    changed.unshift({ before: entry.raw, after });
  }
  const wanted = topic.entries.map(({ raw }) => changed.find(({ before }) => before === raw)?.after ?? raw);
  const found = topicOf(topic.file, text).entries.map(({ raw }) => raw);
  return found.length === wanted.length && found.every((raw, i) => raw === wanted[i]) ? { text, changed } : null;
}
