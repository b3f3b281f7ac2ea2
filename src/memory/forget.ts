/** Taking out of memory texts what a person wants forgotten: whole entries, and words of the frame that repeat them. */
import { linesFrom } from "./blocks.ts";
import { statementKey } from "./entry.ts";
import { readFrontMatter } from "./front-matter.ts";
import { editFrontMatter } from "./front-matter-edit.ts";
import { parseIndex } from "./index-lines.ts";
import type { Entry } from "./model.ts";
import { removal, topicOf } from "./topic.ts";
import type { Unwanted } from "./unwanted.ts";

export function isUnwanted({ statement, raw }: Pick<Entry, "statement" | "raw">, unwanted: Unwanted): boolean {
  return unwanted.keys.has(statementKey(statement)) || unwanted.mentions(raw);
}

const inWords = (slug: string) => slug.replace(/[-_]+/g, " ").trim();

/** Description and headings are free words that may repeat a statement. */
function withoutWordsOfFrame(file: string, text: string, { mentions }: Unwanted): string {
  const { description } = topicOf(file, text);
  const slug = file.replace(/\.md$/i, "");
  const described =
    description !== null && mentions(description)
      ? editFrontMatter(text, { description: `Read about ${inWords(slug)}` })
      : text;
  const known = described ?? text;
  const body = readFrontMatter(known).body;
  const lines = linesFrom(known, body);
  const headings = lines.filter(({ text: line }) => /^ {0,3}#/.test(line) && mentions(line));
  return headings.reduceRight(
    (rest, line) => rest.slice(0, line.start) + rest.slice(line.start).replace(/^[^\n]*(?:\n|$)/, ""),
    known,
  );
}

/**
 * A topic's text without what is unwanted; `modified` and all other bytes stay, so that the same cut made in a record of the past gives
 * the same text. Null when no entry is left: the file goes. A locked topic comes back as it is.
 */
export function forgetInTopic(file: string, text: string, unwanted: Unwanted): string | null {
  const topic = topicOf(file, text);
  if (topic.locked !== null) return text;
  const gone = topic.entries.filter((entry) => isUnwanted(entry, unwanted));
  if (gone.length > 0 && gone.length === topic.entries.length) return null;
  const cut = gone.reduceRight((rest, entry) => {
    const { start, end } = removal(topic.text, entry);
    return rest.slice(0, start) + rest.slice(end);
  }, text);
  return unwanted.mentions(cut) ? withoutWordsOfFrame(file, cut, unwanted) : cut;
}

/** What else is known of an index: topics that go, and hashes of memd's own lines, which are written anew. */
export interface IndexCut {
  readonly gone?: ReadonlySet<string>;
  readonly own?: ReadonlySet<string>;
}

/** The index without lines that repeat what is unwanted; others' pointers stay as bare ones, since their topics may stand. */
export function forgetInIndex(
  text: string,
  { mentions }: Unwanted,
  { gone = new Set(), own = new Set() }: IndexCut = {},
): string {
  const kept = parseIndex(text).map((line) => {
    const [target] = line.targets;
    if (line.kind === "pointer" && target !== undefined && gone.has(target)) return "";
    if (!mentions(line.text)) return line.text + line.eol;
    if (line.kind !== "pointer" || target === undefined || own.has(line.hash)) return "";
    return `- [${inWords(target.replace(/\.md$/i, ""))}](${target})${line.eol}`;
  });
  return kept.join("");
}
