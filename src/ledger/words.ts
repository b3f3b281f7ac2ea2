/** Full-text search in every language: what is written into the word index, and how a person's words become a query. */

/**
 * SQLite's tokenizer takes a run of Chinese for one word, and its trigrams miss queries of one or two characters. With a
 * blank around each such character, and queries as phrases, queries of any length find their text (measured).
 */
const WIDE = "\\u2E80-\\u9FFF\\uAC00-\\uD7AF\\uF900-\\uFAFF\\u{20000}-\\u{3FFFF}";
const EACH_WIDE = new RegExp(`[${WIDE}]`, "gu");
const RUNS = new RegExp(`[${WIDE}]+|[^${WIDE}]+`, "gu");

/** A query is a person's words; more than this many terms only narrow it. */
const TERMS = 32;

export function indexText(parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null)
    .join("\n")
    .normalize("NFKC")
    .replace(EACH_WIDE, " $& ");
}

/** An FTS5 expression in which every word counts, the last letters of a word are free, and no syntax of its own survives; null when there is no word. */
export function matchQuery(text: string): string | null {
  const words = text.normalize("NFKC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const terms = words.slice(0, TERMS).flatMap((word) => word.match(RUNS) ?? []);
  if (terms.length === 0) return null;
  return terms.map((term) => (isWide(term) ? `"${[...term].join(" ")}"` : `"${term}"*`)).join(" ");
}

function isWide(term: string): boolean {
  return term.search(EACH_WIDE) === 0;
}
