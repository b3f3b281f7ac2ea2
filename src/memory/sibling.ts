/** Where a fact goes when its topic is full: a neighbour topic of the same type, named by the fact's subject. */
import { isGlue } from "./language/glue.ts";
import { fold, wordsOf } from "./language/words.ts";
import { BUDGET, type MemoryTree, type Topic } from "./model.ts";
import { foldName, judgeSlug } from "./names.ts";
import type { Operation } from "./operation.ts";
import { sizeOf, titleOf } from "./topic.ts";

type Add = Extract<Operation, { op: "add" }>;

export interface Sibling {
  readonly slug: string;
  /** Null: it is there already. */
  readonly create: Extract<Operation, { op: "create-topic" }> | null;
}

/** Room that a sibling must have to be worth a try: the longest entry, in a script of three bytes per character. */
const ROOM = 3 * BUDGET.entryCharsWithWhy;

/** Latin words of the statement that can name a topic, in order; a Chinese statement may have none. */
function subjectsOf(statement: string): string[] {
  const words = wordsOf(fold(statement)).filter(
    ({ cjk, text, term }) => !cjk && /^[a-z]{3,20}$/.test(text) && !isGlue(text, term),
  );
  return words.map(({ text }) => text);
}

function isFree(slug: string, tree: MemoryTree): boolean {
  const taken = [...tree.topics.map(({ file }) => file), ...tree.others].map((name) =>
    foldName(name.replace(/\.md$/i, "")),
  );
  return judgeSlug(slug) === null && !taken.includes(foldName(slug));
}

function hasRoom(topic: Topic): boolean {
  return topic.locked === null && !topic.pinned && sizeOf(topic.text).bytes + ROOM <= BUDGET.topicBytes;
}

/** Null when no name is left to try. */
export function siblingFor(add: Add, tree: MemoryTree): Sibling | null {
  const topic = tree.topics.find(({ slug }) => slug === add.topic);
  if (!topic || topic.type === null) return null;
  const open = tree.topics.find(
    (other) => other.slug.startsWith(`${topic.slug}-`) && other.type === topic.type && hasRoom(other),
  );
  if (open) return { slug: open.slug, create: null };
  const names = [
    ...subjectsOf(add.text).filter((word) => !topic.slug.includes(word)),
    "more",
    ..."bcdefghij".split("").map((c) => `more-${c}`),
  ];
  const name = names.find((candidate) => isFree(`${topic.slug}-${candidate}`, tree));
  if (name === undefined) return null;
  const slug = `${topic.slug}-${name}`;
  const title = `${titleOf(topic)}: ${name.replaceAll("-", " ")}`.slice(0, 80);
  const description = topic.description ?? titleOf(topic);
  return { slug, create: { op: "create-topic", topic: slug, type: topic.type, title, description } };
}
