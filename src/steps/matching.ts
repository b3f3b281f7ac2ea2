/** Which entries a person means by a few words: all of the words stand in the entry, or the words are its statement. */
import { statementKey } from "../memory/entry.ts";
import type { Entry, MemoryTree, Topic } from "../memory/model.ts";

export interface Match {
  readonly topic: Topic;
  readonly entry: Entry;
}

const fold = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

/** Says of a statement and its whole block whether the words mean it; nothing is meant by no words. */
export function meant(words: string): (item: { readonly statement: string; readonly raw: string }) => boolean {
  const terms = fold(words)
    .split(" ")
    .filter((term) => term !== "");
  const key = statementKey(words);
  return ({ statement, raw }) => {
    if (terms.length === 0) return false;
    if (key !== "" && statementKey(statement) === key) return true;
    const hay = fold(raw);
    return terms.every((term) => hay.includes(term));
  };
}

export function matchEntries(tree: MemoryTree, words: string): Match[] {
  const isMeant = meant(words);
  return tree.topics.flatMap((topic) => topic.entries.filter(isMeant).map((entry) => ({ topic, entry })));
}
