/** A home in which something was remembered, and a look into every file for words that should be nowhere. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { statementKey } from "../../src/memory/entry.ts";
import type { DreamWorld } from "../../src/steps/world.ts";
import { readMemory } from "../../src/store/read.ts";
import type { Home } from "../support/home.ts";

/** Names of files below the folders whose bytes hold the words, in any case. */
export function filesWith(words: string, ...folders: readonly string[]): string[] {
  const wanted = Buffer.from(words.toLowerCase()).toString("latin1").toLowerCase();
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter(
        (path) =>
          readFileSync(path).toString("latin1").toLowerCase().includes(wanted) ||
          readFileSync(path, "utf8").toLowerCase().includes(words.toLowerCase()),
      ),
  );
}

/** All statements in memory. */
export function statements(home: Home): string[] {
  const { tree } = readMemory(home.world().files, home.memory);
  return tree.topics.flatMap((topic) => topic.entries.map(({ statement }) => statement));
}

export const stands = (home: Home, statement: string): boolean =>
  statements(home).some((other) => statementKey(other) === statementKey(statement));

/** One world for one act, closed afterwards. */
export async function inWorld<T>(home: Home, act: (world: DreamWorld) => Promise<T>): Promise<T> {
  const world = home.world();
  try {
    return await act(world);
  } finally {
    await world.close();
  }
}
