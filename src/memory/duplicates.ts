/** One line per fact: what stands twice in a topic, in whatever case or spacing, needs no words of anyone to go. */
import type { Entry, MemoryTree, Topic } from "./model.ts";
import type { Operation } from "./operation.ts";
import type { World } from "./rules/rule.ts";
import { statementKey } from "./statement.ts";

/** Equal in all they say; a second one with a reason of its own is no mere double. */
const saysAsMuch = (entry: Entry, first: Entry) =>
  statementKey(entry.statement) === statementKey(first.statement) &&
  (entry.why === null || entry.why === first.why) &&
  (entry.how === null || entry.how === first.how);

/**
 * Only items of one and the same plain list are doubles: a step of two procedures, a line of two code blocks, or a value under two
 * headings or labels says something else each time.
 */
function inOneList(topic: Topic, first: Entry, entry: Entry): boolean {
  const lines = topic.text.slice(first.start, entry.end).split(/\r?\n/);
  return lines.every((line) => /^\s*$|^[-*+][ \t]|^[ \t]+\S/.test(line));
}

function isResting(entry: Entry, topic: Topic, world: World): boolean {
  const { by, foreignSince } = world.originOf(topic, entry);
  return by !== "ours" && foreignSince !== null && Date.parse(world.now) - Date.parse(foreignSince) < world.foreignRest;
}

function doublesIn(topic: Topic, world: World): Entry[] {
  return topic.entries.filter((entry, i) => {
    const first = topic.entries.slice(0, i).find((other) => saysAsMuch(entry, other) && inOneList(topic, other, entry));
    return first !== undefined && !entry.pinned && !isResting(entry, topic, world);
  });
}

/** Retirements of doubles, the last first: ids of equal statements count from the top (`~2`, `~3`). */
export function retireDoubles(tree: MemoryTree, world: World): Operation[] {
  const open = tree.topics.filter((topic) => topic.locked === null && !topic.pinned);
  return open.flatMap((topic) =>
    doublesIn(topic, world)
      .reverse()
      .map(({ id }): Operation => ({ op: "retire", topic: topic.slug, entry: id, reason: "said twice", cites: [] })),
  );
}
