/** A whole memory directory as plain data, and what a person should know about it. */
import type { FileKind } from "../base/files.ts";
import type { Notice } from "./changeset.ts";
import { decode } from "./decode.ts";
import { type TreeLayout, withHomeType } from "./homes.ts";
import { parseIndex } from "./index-file.ts";
import type { MemoryTree, Topic } from "./model.ts";
import { collisions, copyOf, INDEX, nameKind } from "./names.ts";
import { parseTopic } from "./topic.ts";

/** One name in the directory. */
export interface TreeFile {
  readonly name: string;
  /** Null: not read (not a file, no permission, too large). */
  readonly bytes: Uint8Array | null;
  readonly kind: FileKind;
  /** Epoch ms. */
  readonly mtime: number;
}

function toTopic(file: TreeFile): Topic {
  const topic = parseTopic(file.name, file.bytes);
  // Agents print a memory's age from the mtime, so it stands in where front matter tells no time.
  const modified = topic.modified ?? (file.mtime > 0 ? new Date(file.mtime).toISOString() : null);
  return { ...topic, modified };
}

/** Links are never followed, so an index that is one is there and cannot be read. */
function readIndex(file: TreeFile | undefined): { index: string | null; indexLocked?: string } {
  if (!file) return { index: null };
  if (file.kind !== "file") return { index: null, indexLocked: file.kind };
  if (file.bytes === null) return { index: null, indexLocked: "unreadable" };
  const decoded = decode(file.bytes);
  return "text" in decoded ? { index: decoded.text } : { index: null, indexLocked: decoded.locked };
}

/** Builds the tree; topics are sorted by name. Links, folders and special files are never topics. */
export function buildTree(files: readonly TreeFile[], layout?: TreeLayout): MemoryTree {
  const names = new Set(files.map((f) => f.name));
  const isTopic = (f: TreeFile) =>
    f.kind === "file" && nameKind(f.name) === "topic" && !names.has(copyOf(f.name) ?? "");
  const topics = files.filter(isTopic).map((file) => withHomeType(toTopic(file), layout));
  const index = files.find((f) => nameKind(f.name) === "index");
  const known = new Set([...topics.map((t) => t.file), ...(index ? [index.name] : [])]);
  return {
    topics: topics.sort((a, b) => (a.file < b.file ? -1 : 1)),
    ...readIndex(index),
    others: files
      .map((f) => f.name)
      .filter((name) => !known.has(name))
      .sort(),
    ...(layout ? { layout } : {}),
  };
}

/** Files whose bytes tell nothing about the layout. */
const MUTE = new Set(["empty", "utf-16", "binary", "not-utf-8", "too-large", "unreadable"]);

/** Front matter of a memory, or a block so broken that memd reports it: somebody meant one. */
function hasFront({ name, description, type, locked }: Topic): boolean {
  return name !== null || description !== null || type !== null || locked !== null;
}

/**
 * Why the directory does not look like a memory, or null. One sign of a known layout is enough: a topic with front matter, an index
 * that names a topic, or no topics at all (a new store; an index of prose keeps its words). One whose layout is known is none.
 */
export function foreignLayout(tree: MemoryTree): string | null {
  if (tree.layout) return null;
  const written = tree.topics.filter((t) => !MUTE.has(t.locked ?? ""));
  if (written.some(hasFront)) return null;
  const named = new Set(tree.index === null ? [] : parseIndex(tree.index).flatMap((line) => line.targets));
  if (written.some((t) => named.has(t.file))) return null;
  if (written.length > 0) return "no-known-topic";
  const strangers = tree.others.filter((name) => nameKind(name) === "other" && name.includes("."));
  return strangers.length > 0 ? "other-files" : null;
}

/** Words for people about one file that memd leaves alone or reads with difficulty. */
const HINTS: Readonly<Record<string, string>> = {
  empty: "An earlier crash may have left it; fill it or delete it.",
  "utf-16": "Save it as UTF-8.",
  "executable-front-matter": "Code in front matter is never run; replace it by YAML.",
  "unclosed-front-matter": "Add the closing --- line.",
};

function topicNotices(topic: Topic): Notice[] {
  return topic.problems
    .filter((problem) => problem !== "no-front-matter")
    .map((problem) => ({
      code: topic.locked === problem ? "topic-locked" : "topic-problem",
      message: `${topic.file}: ${problem}`,
      hint:
        HINTS[problem] ??
        (topic.locked
          ? "memd does not write this file until that is mended."
          : "It is read line by line; quote the value."),
    }));
}

/** What a person should know about the directory: files memd cannot write, names that collide, conflict copies. */
export function treeNotices(tree: MemoryTree): Notice[] {
  const names = [...tree.topics.map((t) => t.file), ...tree.others, ...(tree.index === null ? [] : [INDEX])];
  const pairs = collisions(names).map((group) => ({
    code: "names-collide",
    message: `One name on systems that fold case or Unicode: ${group.join(", ")}`,
    hint: "Rename all but one of them; memd keeps both as they are.",
  }));
  const all = new Set(names);
  const copies = tree.others.filter((name) => nameKind(name) === "conflict-copy" || all.has(copyOf(name) ?? ""));
  const conflict = {
    code: "conflict-copies",
    message: `Copies left by a sync tool or editor: ${copies.join(", ")}`,
    hint: "Merge what is needed by hand and delete the copies; memd does not read them.",
  };
  const locked = tree.indexLocked
    ? [{ code: "index-locked", message: `MEMORY.md: ${tree.indexLocked}`, hint: "Make it a plain UTF-8 file." }]
    : [];
  return [...tree.topics.flatMap(topicNotices), ...pairs, ...(copies.length > 0 ? [conflict] : []), ...locked];
}
