/** What an operation may touch: topics and entries that exist and may be changed, names that may be made. */

import type { MemoryTree, Topic } from "../model.ts";
import { BUDGET } from "../model.ts";
import { nameEntries } from "../named-entries.ts";
import { foldName, judgeSlug, MORE_TOPICS } from "../names.ts";
import { type Rule, violation } from "./rule.ts";

export function findTopic(tree: MemoryTree, slug: string): Topic | null {
  return tree.topics.find((topic) => topic.slug === slug) ?? null;
}

function writable(topic: Topic | null, slug: string) {
  if (!topic) return violation("topic-not-found", `there is no topic \`${slug.slice(0, 80)}\`; create it first`);
  if (foldName(slug) === MORE_TOPICS) return violation("reserved-name", "memd writes this topic by itself");
  if (topic.pinned) return violation("pinned", `\`${slug}\` is pinned`);
  return topic.locked === null ? null : violation("locked-topic", `\`${slug}\` cannot be written (${topic.locked})`);
}

export const target: Rule = (operation, { topic, entries, tree }) => {
  if (!("topic" in operation) || operation.op === "create-topic") return null;
  const wrong = writable(topic, operation.topic);
  if (wrong) return wrong;
  if (operation.op === "move") {
    if (operation.to === operation.topic) return violation("no-change", "it stands there already");
    const blocked = writable(findTopic(tree, operation.to), operation.to);
    if (blocked) return blocked;
  }
  const named = nameEntries(operation);
  if (operation.op === "merge" && new Set(named).size < 2)
    return violation("entry-not-found", "a merge names two entries or more");
  if (entries.length < new Set(named).size)
    return violation("entry-not-found", `\`${operation.topic}\` has no such entry`);
  return entries.some(({ pinned }) => pinned) ? violation("pinned", "the entry is pinned") : null;
};

const REASONS: Readonly<Record<string, readonly [rule: string, detail: string]>> = {
  reserved: ["reserved-name", "this name is reserved"],
  "device-name": ["reserved-name", "this name is a device on other systems"],
  "daily-log": ["reserved-name", "names of days belong to daily logs"],
  versioned: ["version-bound-name", "name the subject, not a version, a date or a sprint"],
};

/** Names that versions hide in: `node-20`, `react18`, `api-2-0`. */
const VERSIONED =
  /(?:^|-)(?:node|react|vue|angular|python|java|ruby|rails|go|php|api|sdk|app|ios|android|webpack|vite|next|release)-?\d+(?:-\d+)*(?:-|$)|(?:^|-)\d+-\d+(?:-|$)/;

export const topicName: Rule = (operation, { tree }) => {
  if (operation.op !== "create-topic") return null;
  const { topic: slug } = operation;
  const reason = judgeSlug(slug) ?? (VERSIONED.test(slug) ? "versioned" : null);
  if (reason !== null) {
    const [rule, detail] = REASONS[reason] ?? ["bad-slug", `a slug is lower-case words joined by dashes (${reason})`];
    return violation(rule, detail);
  }
  const taken = [...tree.topics.map(({ file }) => file), ...tree.others].map((name) =>
    foldName(name.replace(/\.md$/i, "")),
  );
  return taken.includes(foldName(slug)) ? violation("topic-exists", `\`${slug}\` is taken`) : null;
};

/** Longest title and description: what fits a pointer line, and what an agent reads at a glance. */
const TITLE_CHARS = 80;
const DESCRIPTION_CHARS = 200;

export const topicWords: Rule = (operation) => {
  if (operation.op === "create-topic" && [...operation.title].length > TITLE_CHARS) {
    return violation("entry-too-long", `a title has at most ${TITLE_CHARS} characters`);
  }
  const described = operation.op === "create-topic" || operation.op === "describe-topic";
  if (described && [...operation.description].length > DESCRIPTION_CHARS) {
    return violation("entry-too-long", `a description has at most ${DESCRIPTION_CHARS} characters`);
  }
  return null;
};

/** Lists beyond these are not read by agents. */
export const topicLimit: Rule = (operation, { tree }) => {
  if (operation.op !== "create-topic") return null;
  if (tree.topics.length >= BUDGET.topics)
    return violation("topic-limit", `the memory has ${BUDGET.topics} topics already`);
  const lines = tree.index?.split("\n").length ?? 0;
  return lines >= BUDGET.indexFullLines ? violation("topic-limit", `the index has ${lines} lines already`) : null;
};
