/** Where a new pointer goes: beside pointers of its own type, else into one block near the top. */
import { type Draft, filesOf, type Line, ownLine, type Scene } from "./index-draft.ts";
import { parseIndex } from "./index-lines.ts";
import type { MemoryType, Topic } from "./model.ts";
import { topicPointer } from "./pointer.ts";

/** The lines between two headings. */
interface Section {
  readonly start: number;
  readonly end: number;
  /** Types of the topics that its pointers name. */
  readonly types: ReadonlySet<MemoryType>;
  /** First list pointer; -1 when there is none. */
  readonly first: number;
}

const isListPointer = (line: Line) => line.kind === "pointer" && /^(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line.text);

function sectionsOf(lines: readonly Line[], scene: Scene): Section[] {
  const starts = [0, ...lines.flatMap((line, i) => (line.kind === "heading" && i > 0 ? [i] : []))];
  return starts.map((start, n) => {
    const end = starts[n + 1] ?? lines.length;
    const part = lines.slice(start, end);
    const files = part.flatMap((line) => filesOf(scene, line));
    const types = files.map((file) => scene.topics.get(file)?.type ?? null).filter((type) => type !== null);
    const first = part.findIndex(isListPointer);
    return { start, end, types: new Set(types), first: first < 0 ? -1 : start + first };
  });
}

/** Behind a front matter block, the first heading and the blank lines below it. */
function top(lines: readonly Line[]): number {
  const closing =
    lines[0]?.text.trimEnd() === "---" ? lines.findIndex((l, i) => i > 0 && l.text.trimEnd() === "---") : -1;
  const text = (from: number) => {
    const found = lines.findIndex((line, i) => i >= from && line.kind !== "blank");
    return found < 0 ? lines.length : found;
  };
  const first = text(closing + 1);
  const at = lines[first]?.kind === "heading" ? text(first + 1) : closing < 0 ? 0 : first;
  return isSeen(lines, at) ? at : 0;
}

/** False inside a fence or a comment that was never closed: a pointer there is none, and would be added again by every run. */
function isSeen(lines: readonly Line[], at: number): boolean {
  const above = lines.slice(0, at).map((line) => line.text + (line.eol || "\n"));
  return parseIndex(`${above.join("")}- [x](x.md)`).at(-1)?.kind === "pointer";
}

/** Words that people head a section with, by what it holds. */
const HEADS: Readonly<Record<MemoryType, RegExp>> = {
  user: /\b(?:user|about (?:me|you)|who|person(?:al)?|profile)\b|用户|关于我|个人/i,
  feedback: /\b(?:feedback|preferences?|rules?|corrections?|how to work|conventions?)\b|偏好|规则|约定|反馈/i,
  project: /\b(?:projects?|decisions?|facts?|context)\b|项目|决定|事实/i,
  reference: /\b(?:references?|links?|resources?|pointers?|systems?)\b|参考|链接|资料/i,
};

/** Behind the first heading, below the title, that names the type, and the blank lines after it; null when none does. */
function belowHeading(lines: readonly Line[], type: MemoryType): number | null {
  const at = lines.findIndex(
    (line) => line.kind === "heading" && /^ {0,3}##/.test(line.text) && HEADS[type].test(line.text),
  );
  if (at < 0) return null;
  const next = lines.findIndex((line, i) => i > at && line.kind !== "blank");
  return next < 0 ? lines.length : next;
}

/** Where the lines of topics of this type go. */
function placeFor(lines: readonly Line[], scene: Scene, type: MemoryType | null): number {
  const sections = sectionsOf(lines, scene);
  const same = sections.find((s) => s.first >= 0 && type !== null && s.types.size === 1 && s.types.has(type));
  if (same) return same.first;
  const named = scene.tree.layout?.hasSections && type !== null ? belowHeading(lines, type) : null;
  if (named !== null) return named;
  const first = sections.find((s) => s.first >= 0);
  // One list for everything: its head. A list under a heading of another type is not ours to mix.
  const mixed = first && (sections.filter((s) => s.first >= 0).length === 1 || first.types.size !== 1);
  return mixed ? first.first : top(lines);
}

/** memd's own while the plan is made, so that it leaves again with the lines it sets apart. */
const blank = (eol: string): Line => {
  const [line] = parseIndex("\n");
  return { ...(line ?? { text: "", kind: "blank", targets: [], title: null, hookAt: 0, hash: "" }), eol, own: true };
};

const isList = (line: Line | undefined) => line !== undefined && (line.kind === "pointer" || /^[-*+] /.test(line.text));

/** Puts own lines at `at`, with blank lines where Markdown would run them into their neighbours. */
function insertAt(lines: readonly Line[], at: number, added: readonly Line[], eol: string): Line[] {
  const before = lines.slice(0, at);
  const after = lines.slice(at);
  const last = before.at(-1);
  if (last && last.eol === "") before[before.length - 1] = { ...last, eol };
  const gapBefore = last && last.kind !== "blank" && !isList(last) ? [blank(eol)] : [];
  const gapAfter = after[0] && after[0].kind !== "blank" && !isList(after[0]) ? [blank(eol)] : [];
  return [...before, ...gapBefore, ...added, ...gapAfter, ...after];
}

/** Where a line that concerns all types goes. */
export function insertNearTop(lines: readonly Line[], scene: Scene, line: Line): Line[] {
  return insertAt(lines, placeFor(lines, scene, null), [line], scene.eol);
}

/** Adds a pointer for each topic; an index that is missing or blank gets its heading first. */
export function insertNew(draft: Draft, scene: Scene, topics: readonly Topic[]): Draft {
  if (topics.length === 0) return draft;
  const isEmpty = draft.lines.every((line) => line.kind === "blank");
  let lines: Line[] = isEmpty
    ? [{ ...ownLine("# Memory", scene.eol), own: false }, blank(scene.eol)]
    : [...draft.lines];
  for (const [place, group] of groups(lines, scene, topics)) {
    const added = group.map((topic) => ownLine(topicPointer(topic, scene.tree.layout), scene.eol));
    lines = insertAt(lines, place, added, scene.eol);
  }
  return { ...draft, lines };
}

/** Topics by their place, from the bottom up, so that places stay true while lines are added. */
function groups(lines: readonly Line[], scene: Scene, topics: readonly Topic[]): [number, Topic[]][] {
  const byPlace = new Map<number, Topic[]>();
  const places = new Map<MemoryType | null, number>();
  for (const topic of topics) {
    const place = places.get(topic.type) ?? placeFor(lines, scene, topic.type);
    places.set(topic.type, place);
    byPlace.set(place, [...(byPlace.get(place) ?? []), topic]);
  }
  return [...byPlace].sort(([a], [b]) => b - a);
}
