/**
 * MEMORY.md: what it says, and what memd adds to it, moves and drops. Words that others wrote keep their place; lines of memd are
 * known by their hash from the journal, never by marks in the text.
 */
import { clip, oneLine } from "../base/text.ts";
import type { Notice } from "./changeset.ts";
import { isHome } from "./homes.ts";
import {
  type Archived,
  type Draft,
  filesOf,
  type Line,
  ownLine,
  type Scene,
  sceneOf,
  targetOf,
  toLines,
} from "./index-draft.ts";
import { fitIndex } from "./index-limits.ts";
import { insertNew } from "./index-place.ts";
import { tokens } from "./likeness.ts";
import { BUDGET, type MemoryTree, type Topic } from "./model.ts";
import { MORE_FILE } from "./names.ts";
import { canBeRead, topicPointer } from "./pointer.ts";
import { detailsOf } from "./statement.ts";

export { parseIndex } from "./index-lines.ts";

/** A statement that a run replaced or retired (`after: null`). */
export interface Superseded {
  readonly file: string;
  readonly before: string;
  readonly after: string | null;
}

export interface IndexKnowledge {
  /** Hashes of the lines that memd wrote, as the last plan returned them. */
  readonly own: ReadonlySet<string>;
  /** What this run replaced: a pointer whose hook repeats an old value gets a new hook. */
  readonly superseded?: readonly Superseded[];
}

export interface IndexPlan {
  /** Text of MEMORY.md; null: there is none and nothing to say. */
  readonly text: string | null;
  /** Text of `more-topics.md`; null: there is none (an existing one goes). */
  readonly more: string | null;
  /** Hashes of memd's own lines in both files. */
  readonly ownLines: readonly string[];
  /** Lines of others that left the index and do not stand in `more-topics.md`. */
  readonly archived: readonly Archived[];
  readonly notices: readonly Notice[];
}

/** However long a title is, its hook keeps some words. */
const MIN_HOOK_CHARS = 40;

function read(text: string, own: ReadonlySet<string>): Line[] {
  return toLines(text, false).map((line) => ({ ...line, own: line.kind === "pointer" && own.has(line.hash) }));
}

interface Pruned {
  readonly kept: readonly Line[];
  readonly gone: readonly Archived[];
}

interface Named {
  /** Files that have their pointer elsewhere. */
  readonly before: readonly string[];
  /** Files that memd's own lines leave to the pointers of others. */
  readonly byOthers: readonly string[];
}

/** Drops dead pointers and all but one pointer per file. */
function prune(lines: readonly Line[], scene: Scene, named: Named): Pruned {
  const seen = new Set(named.before);
  const taken = new Set(named.byOthers);
  const gone: Archived[] = [];
  const kept = lines.filter((line) => {
    const target = line.kind === "pointer" ? targetOf(scene, line) : "unknown";
    if (target === "unknown") return true;
    const isDouble = target !== "dead" && (seen.has(target.file) || (line.own && taken.has(target.file)));
    if (target !== "dead" && !isDouble) {
      seen.add(target.file);
      return true;
    }
    if (target === "dead" && scene.isLost && !line.own) return true;
    if (!line.own) gone.push({ line: line.text, reason: isDouble ? "double-pointer" : "dead-pointer" });
    return false;
  });
  return { kept, gone };
}

/** In the index a foreign pointer comes before an own one; in `more-topics.md` none stands that the index names. */
function pruneBoth(draft: Draft, scene: Scene): Draft {
  const byOthers = draft.lines.filter((line) => !line.own).flatMap((line) => filesOf(scene, line));
  const index = prune(draft.lines, scene, { before: [], byOthers });
  const before = index.kept.flatMap((line) => filesOf(scene, line));
  const more = prune(draft.more, scene, { before, byOthers: [] });
  return { ...draft, lines: index.kept, more: more.kept, archived: [...draft.archived, ...index.gone, ...more.gone] };
}

const size = (draft: Draft) => draft.lines.length + draft.more.length;

/** A pointer with lines below it is no pointer until they are gone: what was one of its children may have been dead as well. */
function pruneUntilStill(start: Draft, scene: Scene, own: ReadonlySet<string>): Draft {
  let draft = start;
  for (;;) {
    const next = pruneBoth(draft, scene);
    if (size(next) === size(draft)) return next;
    draft = { ...next, lines: read(join(next.lines), own), more: read(join(next.more), own) };
  }
}

function refreshLine(line: Line, scene: Scene): Line {
  const target = line.own ? targetOf(scene, line) : "unknown";
  const topic = typeof target === "string" ? undefined : scene.topics.get(target.file);
  return !topic || topic.file === MORE_FILE || !canBeRead(topic)
    ? line
    : ownLine(topicPointer(topic, scene.tree.layout), line.eol);
}

/** Own lines follow their topics' titles and descriptions. */
function refresh(draft: Draft, scene: Scene): Draft {
  return {
    ...draft,
    lines: draft.lines.map((line) => refreshLine(line, scene)),
    more: draft.more.map((line) => refreshLine(line, scene)),
  };
}

/** What a statement told that its successor does not; of a retired one only numbers and names of things, which are told on purpose. */
function oldValues({ before, after }: Superseded): string[] {
  const { numbers, identifiers } = detailsOf(before);
  return [...numbers, ...identifiers, ...(after === null ? [] : tokens(before))];
}

const wordsOf = (text: string) => {
  const { numbers, identifiers } = detailsOf(text);
  return [...numbers, ...identifiers, ...tokens(text)];
};

/** Which of the run's replacements the words still tell in their old form. */
function staleIn(words: string, topic: Topic, superseded: readonly Superseded[]): Superseded[] {
  const told = new Set(wordsOf(words));
  const current = new Set(topic.entries.flatMap((entry) => wordsOf(entry.statement)));
  return superseded.filter(
    (s) => s.file === topic.file && oldValues(s).some((value) => told.has(value) && !current.has(value)),
  );
}

/** The pointer with the new statement as its hook, or the description where the statement went; null when its hook is true. */
function renewed(line: Line, scene: Scene, superseded: readonly Superseded[]): Line | null {
  const target = line.own || line.kind !== "pointer" ? "unknown" : targetOf(scene, line);
  const topic = typeof target === "string" ? undefined : scene.topics.get(target.file);
  const stale = topic ? staleIn(line.text.slice(line.hookAt), topic, superseded) : [];
  if (!topic || stale.length === 0) return null;
  const hook = stale.map((s) => s.after).find((after) => after !== null) ?? topic.description ?? "";
  const room = Math.max(MIN_HOOK_CHARS, BUDGET.pointerChars - line.hookAt);
  const [fresh] = toLines(`${line.text.slice(0, line.hookAt)}${clip(oneLine(hook), room)}`, false);
  return fresh ? { ...fresh, eol: line.eol } : null;
}

/** A pointer of others that tells a value which this run replaced gets a new hook; the old line is archived. */
function renewHooks(draft: Draft, scene: Scene, superseded: readonly Superseded[]): Draft {
  if (superseded.length === 0) return draft;
  const archived = [...draft.archived];
  const renew = (line: Line): Line => {
    const fresh = renewed(line, scene, superseded);
    if (fresh) archived.push({ line: line.text, reason: "stale-hook" });
    return fresh ?? line;
  };
  return { ...draft, lines: draft.lines.map(renew), more: draft.more.map(renew), archived };
}

function staleMentions(draft: Draft, scene: Scene, superseded: readonly Superseded[]): Notice[] {
  const topicsOf = (line: Line) => filesOf(scene, line).flatMap((file) => scene.topics.get(file) ?? []);
  const isStale = (line: Line) => topicsOf(line).some((topic) => staleIn(line.text, topic, superseded).length > 0);
  const stale = draft.lines.filter((line) => line.kind === "mention" && isStale(line));
  if (stale.length === 0) return [];
  return [
    {
      code: "index-stale-words",
      message: `MEMORY.md may still tell what has changed:\n${stale.map((line) => line.text.trim()).join("\n")}`,
      hint: "Edit these lines in MEMORY.md by hand: memd changes no words that others wrote around a link.",
    },
  ];
}

function deadMentions(draft: Draft, scene: Scene): Notice[] {
  const dead = draft.lines
    .filter((line) => line.kind === "mention" && /\]\(|\]\]/.test(line.text))
    .flatMap((line) => line.targets.filter((target) => scene.resolve(target, false) === "dead"));
  if (dead.length === 0) return [];
  return [
    {
      code: "index-dead-mention",
      message: `MEMORY.md names files that are gone, among words that memd does not change: ${[...new Set(dead)].join(", ")}`,
      hint: "Edit these lines in MEMORY.md by hand.",
    },
  ];
}

function lostNotice(scene: Scene): Notice[] {
  if (!scene.isLost) return [];
  return [
    {
      code: "index-without-topics",
      message: "MEMORY.md names topics, but the directory holds hardly any of them; its pointers are kept.",
      hint: "Wait for a sync to finish or bring the files back; if they are gone for good, delete their lines.",
    },
  ];
}

function droppedNotice(archived: readonly Archived[]): Notice[] {
  if (archived.length === 0) return [];
  const list = archived.map(({ line, reason }) => `${reason}: ${line.trim()}`).join("\n");
  return [
    {
      code: "index-lines-archived",
      message: `${archived.length} line(s) of MEMORY.md were replaced or dropped and are kept in the archive:\n${list}`,
      hint: "memd undo puts them back.",
    },
  ];
}

const join = (lines: readonly Line[]) => lines.map((line) => line.text + line.eol).join("");

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Topics that no line names yet, newest first: agents cut the tail of the index. */
function unnamed(draft: Draft, scene: Scene): Topic[] {
  const named = new Set([...draft.lines, ...draft.more].flatMap((line) => filesOf(scene, line)));
  return scene.tree.topics
    .filter(
      (topic) =>
        topic.file !== MORE_FILE && !isHome(scene.tree, topic.file) && canBeRead(topic) && !named.has(topic.file),
    )
    .sort((a, b) => order(b.modified ?? "", a.modified ?? "") || order(a.file, b.file));
}

function ownOf(draft: Draft): string[] {
  const own = [...draft.lines, ...draft.more].filter((line) => line.own && line.kind === "pointer");
  return [...new Set(own.map((line) => line.hash))];
}

/**
 * Computes the index for a tree whose topics already have their new text. Pure and idempotent: planning again over the result, with
 * `ownLines` as `own`, returns the same texts.
 */
export function planIndex(tree: MemoryTree, known: IndexKnowledge): IndexPlan {
  const oldMore = tree.topics.find((topic) => topic.file === MORE_FILE)?.text ?? null;
  if (tree.indexLocked) return { text: tree.index, more: oldMore, ownLines: [...known.own], archived: [], notices: [] };
  const scene = sceneOf(tree, known.own);
  const bom = tree.index?.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = (tree.index ?? "").slice(bom.length);
  const start: Draft = {
    lines: read(body, known.own),
    more: read(oldMore ?? "", known.own),
    archived: [],
    notices: [],
  };
  const superseded = known.superseded ?? [];
  const kept = renewHooks(refresh(pruneUntilStill(start, scene, known.own), scene), scene, superseded);
  const filled = insertNew(kept, scene, unnamed(kept, scene));
  const fitted = fitIndex(filled, scene, bom.length * 3);
  const text = bom + join(fitted.lines);
  return {
    text: text === "" && tree.index === null ? null : text,
    more: fitted.more.length > 0 ? join(fitted.more) : null,
    ownLines: ownOf(fitted),
    archived: fitted.archived,
    notices: [
      ...fitted.notices,
      ...lostNotice(scene),
      ...staleMentions(fitted, scene, superseded),
      ...deadMentions(fitted, scene),
      ...droppedNotice(fitted.archived),
    ],
  };
}
