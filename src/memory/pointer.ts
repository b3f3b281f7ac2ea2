/** memd's own pointer line, `- [Title](file.md) — hook`, and how names in pointers find their files. */
import { clip, lengthOf, oneLine, stripInvisible, wellFormed } from "../base/text.ts";
import type { TreeLayout } from "./homes.ts";
import { BUDGET, type MemoryTree, type Topic } from "./model.ts";
import { foldName, INDEX } from "./names.ts";
import { titleOf } from "./topic.ts";

/** Longest title in a pointer, so that a hook of some words always fits beside it. */
const TITLE_CHARS = 50;

const plain = (text: string) => oneLine(stripInvisible(text));

/** What would end a link, turn it into another one, or hide in it. */
const UNSAFE = /[%#?<>\\]|\p{Cc}|\p{Cf}|[\u2028\u2029]/gu;

/** A link's target that reads back as this file name; one with blanks or brackets needs `<...>`. */
function href(file: string): string {
  const safe = wellFormed(file).replace(UNSAFE, encodeURIComponent);
  return /[\s()]/.test(safe) ? `<${safe}>` : safe;
}

/** At most `BUDGET.pointerChars` characters, unless the file's own name is longer than that. */
function pointerLine(file: string, title: string, hook: string): string {
  const label = clip(plain(title).replace(/[[\]]/g, ""), TITLE_CHARS) || "Topic";
  const head = `- [${label}](${href(file)})`;
  const room = BUDGET.pointerChars - lengthOf(head) - 3;
  const tail = plain(hook);
  return tail === "" || room < 10 ? head : `${head} — ${clip(tail, room)}`;
}

/** The line for a topic: its description says when to read it; without one, its first statement stands in. */
export function topicPointer(topic: Topic, layout: TreeLayout | undefined): string {
  return pointerLine(
    `${layout?.prefix ?? ""}${topic.file}`,
    titleOf(topic),
    topic.description ?? topic.entries[0]?.statement ?? "",
  );
}

/** Topics that an agent cannot read get no pointer; they are reported instead. */
export function canBeRead(topic: Topic): boolean {
  return (
    topic.locked === null ||
    ["not-a-map", "bad-yaml", "unclosed-front-matter", "front-matter-too-large"].includes(topic.locked)
  );
}

/** What a target in the index is: a file of the directory, one that is surely gone, or one that cannot be judged from here. */
export type Resolved = { readonly file: string } | "dead" | "unknown";

/** Resolves targets as a file system would, and as one that folds case would. */
export function resolver(tree: MemoryTree): (target: string, bare: boolean) => Resolved {
  const names = [INDEX, ...tree.others, ...tree.topics.map((t) => t.file)];
  const exact = new Set(names);
  const folded = new Map(names.map((name) => [foldName(name), name]));
  const find = (name: string) => (exact.has(name) ? name : folded.get(foldName(name)));
  return (target, bare) => {
    if (/^(?:\/|~|\.\.(?:\/|$))/.test(target)) return "unknown";
    const { prefix = "" } = tree.layout ?? {};
    const own = prefix !== "" && target.startsWith(prefix) ? find(target.slice(prefix.length)) : undefined;
    if (own) return { file: own };
    const slash = target.indexOf("/");
    const file = find(slash < 0 ? target : target.slice(0, slash));
    // What lies beside an index that lies elsewhere is not listed here.
    if (slash < 0 && !file && prefix !== "") return "unknown";
    if (slash < 0) return file ? { file } : bare && /[A-Z]/.test(target) ? "unknown" : "dead";
    // A folder's inside is not listed here; a bare path may mean the project, not the memory.
    if (file || bare) return "unknown";
    const inside = /^memory\/([^/]+)$/.exec(target)?.[1];
    const named = inside === undefined ? undefined : find(inside);
    return named ? { file: named } : "dead";
  };
}
