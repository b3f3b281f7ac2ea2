/** The resident part of a memory as lines for an agent's instruction file: its most important entries, and a pointer per topic. Pure. */
import { lengthOf, oneLine, stripInvisible, wellFormed } from "../base/text.ts";
import { BUDGET, type Entry, type MemoryTree, type MemoryType, type Topic } from "../memory/model.ts";
import { MORE_FILE } from "../memory/names.ts";
import { canBeRead } from "../memory/pointer.ts";
import { titleOf } from "../memory/topic.ts";
import { blockOf } from "./block.ts";

/** How to work first, what is decided next, where things are last. Topics of no type say not whether they are private, so they stay out. */
const ORDER: readonly MemoryType[] = ["feedback", "project", "reference", "user"];

export interface Share {
  /** UTF-8 bytes of the whole block, marks included. */
  readonly maxBytes: number;
  /** Facts about the person too. */
  readonly user: boolean;
}

/** One line that may go into the block. */
export interface Piece {
  readonly kind: "entry" | "topic";
  readonly text: string;
}

export interface Rendered {
  /** The block with its marks; line ends are LF. */
  readonly block: string;
  readonly bytes: number;
  readonly entries: number;
  /** Entries of the shared types that found no room. */
  readonly left: number;
}

/**
 * On one line, and unable to end the block, to hide what follows in a comment, or to open a fence that swallows it.
 * Angle brackets otherwise stay: agents read the source, where `Vec<T>` should stand as it was said.
 */
function inert(text: string): string {
  return oneLine(stripInvisible(wellFormed(text)))
    .replaceAll("<!--", "&lt;!--")
    .replaceAll("-->", "--&gt;")
    .replace(/`{3,}/g, "``")
    .replace(/~{3,}/g, "~~");
}

function entryLine({ statement, why, how }: Entry): string {
  const parts = [
    statement,
    ...(why === null ? [] : [`Why: ${why}`]),
    ...(how === null ? [] : [`How to apply: ${how}`]),
  ];
  return inert(`- ${parts.join(" ")}`);
}

function topicLine(topic: Topic): string {
  const hook = topic.description ?? topic.entries[0]?.statement ?? "";
  const name = topic.file.replaceAll("`", "");
  return inert(`- ${titleOf(topic)} (\`${name}\`)${hook === "" ? "" : `: ${hook}`}`);
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const rankOf = ({ type }: Topic) => (type === null ? ORDER.length : ORDER.indexOf(type));
const dateOf = (topic: Topic, { updated, created }: Entry) => updated ?? created ?? (topic.modified ?? "").slice(0, 10);

/** What a person wants kept first, then by type, then the newest; the same memory always gives the same order. */
function ranked(topics: readonly Topic[]): { readonly topic: Topic; readonly entry: Entry }[] {
  const all = topics.flatMap((topic) => topic.entries.map((entry) => ({ topic, entry })));
  const pinned = ({ topic, entry }: (typeof all)[number]) => (entry.pinned || topic.pinned ? 0 : 1);
  return all
    .filter(({ entry }) => !entry.unconfirmed && lengthOf(entry.statement) <= BUDGET.entryCharsWithWhy)
    .sort(
      (a, b) =>
        pinned(a) - pinned(b) ||
        rankOf(a.topic) - rankOf(b.topic) ||
        order(dateOf(b.topic, b.entry), dateOf(a.topic, a.entry)) ||
        order(a.topic.file, b.topic.file) ||
        a.entry.start - b.entry.start,
    );
}

/** Everything that may be told, in the order of its worth. To be redacted before `renderBlock`, since a mark of a secret is longer or shorter. */
export function piecesOf(tree: MemoryTree, { user }: Pick<Share, "user">): Piece[] {
  const topics = tree.topics
    .filter((topic) => topic.file !== MORE_FILE && canBeRead(topic) && topic.type !== null)
    .filter(({ type }) => user || type !== "user")
    .sort((a, b) => rankOf(a) - rankOf(b) || order(b.modified ?? "", a.modified ?? "") || order(a.file, b.file));
  return [
    ...ranked(topics).map(({ entry }): Piece => ({ kind: "entry", text: entryLine(entry) })),
    ...topics.map((topic): Piece => ({ kind: "topic", text: topicLine(topic) })),
  ];
}

const HEAD = ["## What memd remembers of this project", ""];
const NOTHING = "Nothing yet.";
const POINTERS = [
  "",
  "### Where to read more",
  "",
  "`memd why WORDS` shows an entry with its evidence, `memd status` where these files lie.",
  "",
];
/** So that pointers never crowd out what they point to. */
const POINTER_SHARE = 1 / 3;
const bytesOf = (text: string) => Buffer.byteLength(text, "utf8");
const moreLine = (left: number) => `- … and ${left} more in the memory.`;

/** Takes what fits, in order; a long line that does not fit leaves room to shorter ones. */
function fill(lines: readonly string[], room: number): { readonly taken: readonly string[]; readonly bytes: number } {
  const taken: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const size = bytesOf(line) + 1;
    if (bytes + size > room) continue;
    taken.push(line);
    bytes += size;
  }
  return { taken, bytes };
}

/** The block within its budget. A pure function of its arguments: an unchanged memory gives the same bytes on any day. */
export function renderBlock(pieces: readonly Piece[], { maxBytes }: Pick<Share, "maxBytes">): Rendered {
  const textsOf = (kind: Piece["kind"]) => pieces.filter((piece) => piece.kind === kind).map(({ text }) => text);
  const [entries, topics] = [textsOf("entry"), textsOf("topic")];
  const room = maxBytes - bytesOf(blockOf([...HEAD, ...POINTERS, moreLine(entries.length), ""]));
  const pointers = fill(topics, Math.floor(room * POINTER_SHARE));
  const told = fill(entries, room - pointers.bytes);
  const left = entries.length - told.taken.length;
  const lines = [
    ...HEAD,
    ...(entries.length === 0 ? [NOTHING] : told.taken),
    ...(left > 0 ? [moreLine(left)] : []),
    ...(pointers.taken.length > 0 ? [...POINTERS, ...pointers.taken] : []),
  ];
  const block = blockOf(lines);
  return { block, bytes: bytesOf(block), entries: told.taken.length, left };
}
