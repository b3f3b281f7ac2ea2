/**
 * Files that an agent loads at every start and that belong to one type: who the user is, how to work. What a distiller would put into a
 * topic of that type goes there instead, whatever it called the topic; a fact that finds no room there stays beside it as a topic.
 */
import type { MemoryTree, MemoryType, Topic } from "./model.ts";
import type { Operation } from "./operation.ts";

/** What is different about a memory that was laid out for another agent. */
export interface TreeLayout {
  /** By file name: the type of what stands in it. The file need not be there yet. No pointer leads to it. */
  readonly homes: Readonly<Record<string, MemoryType>>;
  /** Where topics lie as the index sees it, `memory/`; empty where they lie beside it. */
  readonly prefix: string;
  /** The index has a section per type: a new pointer goes below the heading that names its type. */
  readonly hasSections: boolean;
}

export const isHome = ({ layout }: MemoryTree, file: string): boolean => layout?.homes[file] !== undefined;

/** A home's type stands where the file itself tells none: a person's own file has no front matter. */
export function withHomeType(topic: Topic, layout: TreeLayout | undefined): Topic {
  const type = layout?.homes[topic.file];
  return type === undefined || topic.type !== null ? topic : { ...topic, type };
}

interface Words {
  readonly title: string;
  readonly description: string;
}

const WORDS: Readonly<Partial<Record<MemoryType, Words>>> = {
  user: { title: "User", description: "Who the user is: background, language and preferences" },
  feedback: { title: "How to work here", description: "How the user wants work done; what was corrected" },
};

/** Slugs that were meant for another topic, by the name that was proposed. */
export type Aliases = ReadonlyMap<string, string>;

export interface Routed {
  /** Null: the topic is there already, nothing needs to be done for it. */
  readonly operation: Operation | null;
  readonly aliases: Aliases;
}

/** The home of a type, as a slug, where one may be written; and whether it must be made first. */
function homeFor(tree: MemoryTree, type: MemoryType): { slug: string; isThere: boolean } | null {
  const file = Object.entries(tree.layout?.homes ?? {}).find(([, own]) => own === type)?.[0];
  if (file === undefined) return null;
  const topic = tree.topics.find((one) => one.file === file);
  if (topic && (topic.locked !== null || topic.pinned)) return null;
  // A name that stands there and is no topic (a link, a folder) is not ours to replace.
  if (!topic && tree.others.includes(file)) return null;
  return { slug: file.slice(0, -".md".length), isThere: topic !== undefined };
}

/** Sends an operation to the home of its type. Without homes everything stays as proposed. */
export function routed(operation: Operation, tree: MemoryTree, aliases: Aliases): Routed {
  if (operation.op !== "create-topic") {
    const alias = "topic" in operation ? aliases.get(operation.topic) : undefined;
    return { operation: alias === undefined ? operation : ({ ...operation, topic: alias } as Operation), aliases };
  }
  const home = homeFor(tree, operation.type);
  if (home === null || home.slug === operation.topic) return { operation, aliases };
  const more = new Map([...aliases, [operation.topic, home.slug]]);
  const words = WORDS[operation.type];
  const create: Operation = { ...operation, topic: home.slug, ...words };
  return { operation: home.isThere ? null : create, aliases: more };
}
