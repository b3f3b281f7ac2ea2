/** What the steps of planning the index hand on: lines that know whose they are, and what may be looked up. */
import type { Notice } from "./changeset.ts";
import { type IndexLine, parseIndex } from "./index-lines.ts";
import type { MemoryTree, Topic } from "./model.ts";
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
   * The index names files and the directory holds hardly any of them: more likely they have not arrived (a sync, a copy of the index alone)
   * than that all were deleted. Then the pointers are the last trace of them and count as true. What memd wrote beside them says nothing.
   */
  readonly isLost: boolean;
}

/** One or two dead pointers in an empty directory are what a removed topic leaves. */
const FEW = 3;

/** With so many dead pointers for one that resolves, their files are missing, not deleted. */
const MOST = 3;

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

/** @param own hashes of the lines that memd wrote */
export function sceneOf(tree: MemoryTree, own: ReadonlySet<string> = new Set()): Scene {
  const resolve = resolver(tree);
  const foreign = toLines(tree.index ?? "", false).filter((line) => line.kind === "pointer" && !own.has(line.hash));
  const found = foreign.map((line) => resolve(line.targets[0] ?? "", line.title === null));
  const dead = found.filter((target) => target === "dead").length;
  return {
    tree,
    topics: new Map(tree.topics.map((topic) => [topic.file, topic])),
    resolve,
    eol: /\r?\n/.exec(tree.index ?? "")?.[0] ?? "\n",
    isLost: dead > FEW && dead > MOST * (found.length - dead),
  };
}
