/**
 * Keeps the index below what agents load. memd's own pointers give way first, oldest first. If that is not enough, pointers of others
 * move too, word for word, from the head of the longest list (agents append, so its head is oldest, and today they cut the newest);
 * `more-topics.md` holds them and the index names it. Prose is never cut: if it alone is too long, nothing moves and a person is told.
 */

import { quoteYaml } from "../base/yaml.ts";
import type { Notice } from "./changeset.ts";
import { type Draft, filesOf, type Line, ownLine, type Scene, targetOf, toLines } from "./index-draft.ts";
import { parseIndex } from "./index-lines.ts";
import { insertNearTop } from "./index-place.ts";
import { BUDGET } from "./model.ts";
import { MORE_FILE } from "./names.ts";

const MORE_HOOK = "pointers to further memories; read when none above fits";

interface Size {
  lines: number;
  bytes: number;
}

const sizeOfLine = (line: Line) => Buffer.byteLength(line.text + line.eol);

function measure(lines: readonly Line[], extra: number): Size {
  return { lines: lines.length, bytes: extra + lines.reduce((sum, line) => sum + sizeOfLine(line), 0) };
}

const fits = (size: Size) => size.lines <= BUDGET.indexLines && size.bytes <= BUDGET.indexBytes;

const isMore = (scene: Scene, line: Line) =>
  filesOf(scene, line).includes(MORE_FILE) || line.targets.includes(MORE_FILE);

/** A pointer to a topic that is there; what cannot be judged stays where it is. */
function canMove(scene: Scene, line: Line): boolean {
  if (line.kind !== "pointer" || isMore(scene, line)) return false;
  const target = targetOf(scene, line);
  return typeof target !== "string" || (target === "dead" && scene.isLost);
}

function modifiedOf(scene: Scene, line: Line): string {
  return scene.topics.get(filesOf(scene, line)[0] ?? "")?.modified ?? "";
}

/** Own lines, oldest topic first; of equal age the lower one. */
function ownVictims(lines: readonly Line[], scene: Scene): Line[] {
  const own = lines.filter((line) => line.own && canMove(scene, line)).reverse();
  const ages = new Map(own.map((line) => [line, modifiedOf(scene, line)]));
  return own.sort((a, b) => ((ages.get(a) ?? "") < (ages.get(b) ?? "") ? -1 : ages.get(a) === ages.get(b) ? 0 : 1));
}

/** Foreign pointers from the longest list's head, list by list. */
function foreignVictims(lines: readonly Line[], scene: Scene): Line[] {
  const lists: Line[][] = [[]];
  for (const line of lines) {
    if (line.kind === "heading") lists.push([]);
    else if (!line.own && canMove(scene, line)) lists.at(-1)?.push(line);
  }
  return lists.sort((a, b) => b.length - a.length).flat();
}

/** The first of `victims` that must go until the rest fits; null when even all of them are not enough. */
function enough(size: Size, victims: readonly Line[]): Set<Line> | null {
  const gone = new Set<Line>();
  for (const line of victims) {
    if (fits(size)) break;
    size.lines--;
    size.bytes -= sizeOfLine(line);
    gone.add(line);
  }
  return fits(size) ? gone : null;
}

/** The head of a new `more-topics.md`. No dates: the file is derived, and its text must not change by itself. */
function moreHead(eol: string): Line[] {
  const text = [
    "---",
    `name: ${MORE_FILE.slice(0, -3)}`,
    `description: ${quoteYaml("Pointers that do not fit into MEMORY.md: read when no pointer there fits the task.")}`,
    "metadata:",
    "  node_type: memory",
    "  type: reference",
    "---",
    "",
    "# More topics",
    "",
  ];
  return text.flatMap((line) => parseIndex(`${line}\n`).map((parsed) => ({ ...parsed, eol, own: false })));
}

function append(more: readonly Line[], moved: readonly Line[], eol: string): Line[] {
  const lines = more.length > 0 ? [...more] : moreHead(eol);
  const last = lines.at(-1);
  if (last && last.eol === "") lines[lines.length - 1] = { ...last, eol };
  return [...lines, ...moved.map((line) => ({ ...line, eol }))];
}

function movedNotice(moved: readonly Line[]): Notice[] {
  const foreign = moved.filter((line) => !line.own);
  if (foreign.length === 0) return [];
  return [
    {
      code: "index-pointers-moved",
      message: `MEMORY.md was over the limit; ${foreign.length} pointer(s) moved to ${MORE_FILE}, word for word:\n${foreign.map((l) => l.text.trim()).join("\n")}`,
      hint: "Shorten MEMORY.md by hand if you want them back in it.",
    },
  ];
}

function longNotice(size: Size): Notice[] {
  if (size.lines < BUDGET.indexWarnLines) return [];
  return [
    {
      code: "index-long",
      message: `MEMORY.md has ${size.lines} lines; agents load ${BUDGET.indexLines}, and memd creates no topics from ${BUDGET.indexFullLines} on.`,
      hint: "Remove lines that are no longer needed.",
    },
  ];
}

function overNotice(size: Size): Notice {
  return {
    code: "index-over-limit",
    message: `MEMORY.md has ${size.lines} lines and ${size.bytes} bytes without memd's pointers; agents load ${BUDGET.indexLines} lines and ${BUDGET.indexBytes} bytes and cut the rest.`,
    hint: "Shorten it by hand: memd cuts no words that others wrote.",
  };
}

/** Without a pointer left in it, a generated file has nothing to say. */
function withoutMore(draft: Draft, scene: Scene): Draft {
  const head = moreHead("\n").map((line) => line.text);
  const bare = draft.more.length === head.length && draft.more.every((line, i) => line.text === head[i]);
  if (!bare) return draft;
  return { ...draft, more: [], lines: draft.lines.filter((line) => !(line.own && isMore(scene, line))) };
}

function nameMore(draft: Draft, scene: Scene): Draft {
  if (draft.more.length === 0 || draft.lines.some((line) => isMore(scene, line))) return draft;
  const pointer = ownLine(`- [More topics](${MORE_FILE}) — ${MORE_HOOK}`, scene.eol);
  return { ...draft, lines: insertNearTop(draft.lines, scene, pointer) };
}

/** @param extra bytes of the index that stand in no line (a BOM) */
export function fitIndex(start: Draft, scene: Scene, extra: number): Draft {
  const draft = nameMore(withoutMore(start, scene), scene);
  const size = measure(draft.lines, extra);
  if (fits(size)) return { ...draft, notices: [...draft.notices, ...longNotice(size)] };
  const named = nameMore({ ...draft, more: draft.more.length > 0 ? draft.more : moreHead(scene.eol) }, scene);
  const victims = [...ownVictims(named.lines, scene), ...foreignVictims(named.lines, scene)];
  const gone = enough(measure(named.lines, extra), victims);
  if (!gone) return overLimit(draft, scene, extra);
  const moved = named.lines.filter((line) => gone.has(line));
  const lines = named.lines.filter((line) => !gone.has(line));
  const notices = [...draft.notices, ...movedNotice(moved), ...longNotice(measure(lines, extra))];
  return { ...named, lines, more: append(draft.more, moved, scene.eol), notices };
}

/**
 * Others' words alone are too long: memd takes its own pointers out. The one to `more-topics.md` stays only where the index does not
 * grow by it; else the topics are found by their files alone, and the condition says so.
 */
function overLimit(draft: Draft, scene: Scene, extra: number): Draft {
  const own = draft.lines.filter((line) => line.own && canMove(scene, line));
  const lines = draft.lines.filter((line) => !line.own);
  const notices = [...draft.notices, overNotice(measure(lines, extra))];
  const more = own.length > 0 ? append(draft.more, own, scene.eol) : draft.more;
  const named = nameMore({ ...draft, lines, more, notices }, scene);
  const before = measure(toLines((scene.tree.index ?? "").slice(extra > 0 ? 1 : 0), false), extra);
  const after = measure(named.lines, extra);
  const grows =
    after.lines > Math.max(before.lines, BUDGET.indexLines) || after.bytes > Math.max(before.bytes, BUDGET.indexBytes);
  return grows ? { ...draft, lines, notices } : named;
}
