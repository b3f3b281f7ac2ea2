import type { Entry, Topic } from "./model.ts";
import type { Operation } from "./operation.ts";

/** Ids of the entries that an operation changes; none for operations that change no entry. */
export function nameEntries(operation: Operation): readonly string[] {
  switch (operation.op) {
    case "revise":
    case "retire":
    case "move":
      return [operation.entry];
    case "merge":
      return operation.entries;
    default:
      return [];
  }
}

/** The entries that an operation names, as far as the topic has them, in the topic's order. */
export function entriesNamed(operation: Operation, topic: Topic | null): Entry[] {
  const ids = new Set(nameEntries(operation));
  return topic?.entries.filter(({ id }) => ids.has(id)) ?? [];
}
