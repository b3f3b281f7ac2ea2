/** Instructions of which only one can hold, since they differ in one word of a closed set: `Always answer in English`, `Always answer in Chinese`. */
import { fold } from "../language/words.ts";
import type { MemoryTree, MemoryType } from "../model.ts";
import { statementKey } from "../statement.ts";
import type { Neighbour } from "./novelty.ts";

/** Only what excludes each other wherever it is asked for; two tools or two files may both be meant. */
const SETS: readonly RegExp[] = [
  /\b(?:english|chinese|mandarin|japanese|korean|german|french|spanish|portuguese|italian|russian)\b|[中英日韩德法]文|[汉英日韩德法]语/g,
  /\b(?:tabs?|spaces?)\b|空格|制表符/g,
  /\b(?:single|double)(?=[ -]quotes?\b)|[单双]引号/g,
  /\b(?:npm|yarn|pnpm|bun)\b/g,
  /\b(?:camel|snake|kebab|pascal)[ _-]?case\b/g,
];

/** Words that change nothing about what is asked for. */
const EMPHASIS = /\b(?:always|please|only|from now on|going forward|use)\b|一律|统一|总是|请|都|以后|今后/g;

const bare = (text: string) =>
  statementKey(
    fold(text)
      .replace(EMPHASIS, " ")
      .replace(/^[\s,，:：]+/, ""),
  );

/** True when the statements are the same but for one word of a set, which differs. */
export function areAlternatives(a: string, b: string): boolean {
  const [one, other] = [bare(a), bare(b)];
  if (one === other) return false;
  return SETS.some((set) => {
    const words = [one, other].map((text) => text.match(set) ?? []);
    const blank = (text: string) => statementKey(text.replace(set, "_"));
    return words.every(({ length }) => length === 1) && blank(one) === blank(other) && blank(one) !== "_";
  });
}

/** The standing instruction that the statement is an alternative to, among topics of its own kind. */
export function alternativeTo(statement: string, tree: MemoryTree, type: MemoryType | null): Neighbour | null {
  if (type !== "feedback" && type !== "user") return null;
  for (const topic of tree.topics) {
    const entry =
      topic.type === type ? topic.entries.find((other) => areAlternatives(statement, other.statement)) : undefined;
    if (entry) return { topic, entry, likeness: "replaces" };
  }
  return null;
}
