/** What the steps of planning the index hand on: lines that know whose they are, and what may be looked up. */
import type { Notice } from "./changeset.ts";
import { type IndexLine, parseIndex } from "./index-lines.ts";
import type { MemoryTree, Topic } from "./model.ts";
import { MORE_TOPICS } from "./names.ts";
import { type Resolved, resolver } from "./pointer.ts";

/** A line of others that left the index. */
export interface Archived {
  readonly line: string;
  readonly reason: "dead-pointer" | "double-pointer" | "stale-hook";
}

/** A line on its way into the new index. */
export interface Line extends IndexLine {
  readonly own: boolean;
}

/** The work in progress; each step takes one and leaves another. */
export interface Draft {
  readonly lines: readonly Line[];
  readonly more: readonly Line[];
  readonly archived: readonly Archived[];
  readonly notices: readonly Notice[];
}

/** What every step may look up. */
export interface Scene {
  readonly tree: MemoryTree;
  readonly topics: ReadonlyMap<string, Topic>;
  readonly resolve: (target: string, bare: boolean) => Resolved;
  readonly eol: string;
  /**
   * The index names files and the directory holds not one topic: more likely they have not arrived (a sync, a copy of the index alone) than
   * that all were deleted. Then the pointers are the last trace of them and count as true.
   */
  readonly isLost: boolean;
}

/** One or two dead pointers in an empty directory are what a removed topic leaves. */
const FEW = 3;

export const MORE_FILE = `${MORE_TOPICS}.md`;

/** The file that a pointer names, `dead`, or `unknown`. */
export function targetOf(scene: Scene, line: IndexLine): Resolved {
  return scene.resolve(line.targets[0] ?? "", line.title === null);
}

/** The existing files that a line names. */
export function filesOf(scene: Scene, line: IndexLine): string[] {
  return line.targets.flatMap((target) => {
    const found = scene.resolve(target, line.title === null);
    return typeof found === "string" ? [] : [found.file];
  });
}

export const toLines = (text: string, own: boolean): Line[] => parseIndex(text).map((line) => ({ ...line, own }));

/** A new own line. */
export function ownLine(text: string, eol: string): Line {
  const [line] = toLines(text, true);
  return {
    ...(line ?? { text, kind: "pointer", targets: [], title: null, hookAt: text.length, hash: "" }),
    eol,
    own: true,
  };
}

export function sceneOf(tree: MemoryTree): Scene {
  const resolve = resolver(tree);
  const pointers = parseIndex(tree.index ?? "").filter((line) => line.kind === "pointer");
  const dead = pointers.filter((line) => resolve(line.targets[0] ?? "", line.title === null) === "dead");
  return {
    tree,
    topics: new Map(tree.topics.map((topic) => [topic.file, topic])),
    resolve,
    eol: /\r?\n/.exec(tree.index ?? "")?.[0] ?? "\n",
    isLost: dead.length > FEW && tree.topics.every((topic) => topic.file === MORE_FILE),
  };
}
