/** Takes one run's change of one topic back, entry by entry where the topic has changed since. */
import { clip, oneLine } from "../base/text.ts";
import { parseEntry, similarity } from "../memory/entry.ts";
import { readFrontMatter } from "../memory/front-matter.ts";
import { topicOf } from "../memory/topic.ts";
import type { UndoFile } from "./manifest.ts";
import { type Clash, type Related, threeWay } from "./three-way.ts";

/** Later text that the undo would lose; it is refused unless forced. */
export interface UndoConflict {
  readonly file: string;
  /**
   * `changed-later`: an entry of the run was edited or replaced since. `file-exists`: a file of that name was written since.
   * `file-gone`: the file was removed since. `not-readable`: what stands there cannot be read as text, and is never overwritten.
   */
  readonly reason: "changed-later" | "file-exists" | "file-gone" | "not-readable";
  /** The entries as they stand now, clipped; empty when a whole file is meant. */
  readonly entries: readonly string[];
}

export interface UndoneFile {
  /** Text to leave; null: the file goes. */
  readonly after: string | null;
  /** Epoch ms: set when the exact text from before comes back. */
  readonly mtime: number | null;
  readonly conflicts: readonly UndoConflict[];
  /** Later texts that go to the archive. */
  readonly archived: readonly string[];
}

/** Entries (with their line ends) and the lines between them. */
function topicUnits(file: string, text: string): string[] {
  const units: string[] = [];
  let at = 0;
  const lines = (end: number) =>
    text
      .slice(at, end)
      .split(/(?<=\n)/)
      .filter((line) => line !== "");
  for (const entry of topicOf(file, text).entries) {
    units.push(...lines(entry.start));
    const eol = /^\r?\n/.exec(text.slice(entry.end, entry.end + 2))?.[0] ?? "";
    at = entry.end + eol.length;
    units.push(text.slice(entry.start, at));
  }
  return [...units, ...lines(text.length)];
}

const MODIFIED = /^[ \t]*modified[ \t]*:.*$/m;

/** `modified` tells when the file changed last, which is no part of what a run said: it never clashes. */
function withModifiedOf(current: string, text: string): string {
  const line = MODIFIED.exec(current.slice(0, readFrontMatter(current).body))?.[0];
  const body = readFrontMatter(text).body;
  return line === undefined ? text : text.slice(0, body).replace(MODIFIED, () => line) + text.slice(body);
}

/** A topic that the run created, without what it said: what has to stay if someone added to it since. */
function withoutEntries(file: string, text: string): string[] {
  const entries = topicOf(file, text).entries.map((entry) => entry.raw);
  return topicUnits(file, text).filter((unit) => !entries.includes(unit.replace(/\r?\n$/, "")));
}

const nameOf = (unit: string) => clip(oneLine(unit), 120);
const blank = (unit: string) => unit.trim() === "";

function conflictOf(file: string, clash: Clash): UndoConflict {
  const later = clash.current.filter((unit) => !blank(unit) && !clash.target.includes(unit));
  return {
    file,
    reason: "changed-later",
    entries: (later.length > 0 ? later : clash.target).filter((u) => !blank(u)).map(nameOf),
  };
}

/**
 * How alike two entries must be to be one entry reworded: below this both stay, so a wrong guess loses nothing. "The port is 8080" and
 * "The port is 9090" share half their words.
 */
const REWORDED = 0.4;

/** Entries are compared by their words, the lines of a frame count as one subject, and a blank line is nobody's. */
function relatedIn(file: string, texts: readonly string[]): Related {
  const entries = new Set(texts.flatMap((text) => topicOf(file, text).entries.map((entry) => entry.raw)));
  const isEntry = (unit: string) => entries.has(unit.replace(/\r?\n$/, ""));
  return (a, b) => {
    if (blank(a) || blank(b) || isEntry(a) !== isEntry(b)) return false;
    return !isEntry(a) || similarity(parseEntry(a).statement, parseEntry(b).statement) >= REWORDED;
  };
}

/** Both texts are there, and the later one is not the one that the run left. */
function mergeTopic(undo: UndoFile, after: string, current: string, force: boolean): UndoneFile {
  const { file, before } = undo;
  const base = topicUnits(file, withModifiedOf(current, after));
  const target =
    before === null
      ? withoutEntries(file, withModifiedOf(current, after))
      : topicUnits(file, withModifiedOf(current, before));
  const texts = { base, target, current: topicUnits(file, current) };
  const { units, clashes } = threeWay(
    texts,
    force ? "target" : "current",
    relatedIn(file, [before ?? "", after, current]),
  );
  const text = units.join("");
  const conflicts = clashes.map((clash) => conflictOf(file, clash));
  const archived = clashes.map((clash) => clash.current.join("").trim()).filter((later) => later !== "");
  // Nothing but the frame that the run made is left; what was done to the frame since is kept in the archive.
  if (before === null && topicOf(file, text).entries.length === 0) {
    return { after: null, mtime: null, conflicts, archived: [current] };
  }
  return { after: text, mtime: null, conflicts, archived };
}

/** A whole file against a whole file: refused, or forced with the later text in the archive. */
function wholeFile(undo: UndoFile, current: string | null, reason: UndoConflict["reason"]): UndoneFile {
  const conflicts = [{ file: undo.file, reason, entries: [] }];
  return { after: undo.before, mtime: undo.beforeMtime, conflicts, archived: current === null ? [] : [current] };
}

/**
 * What undoing leaves of one topic. The exact text from before comes back, with its time, when nothing happened since.
 */
export function undoTopic(undo: UndoFile, current: string | null, force: boolean): UndoneFile {
  if (current === undo.after) return { after: undo.before, mtime: undo.beforeMtime, conflicts: [], archived: [] };
  if (current === undo.before) return { after: current, mtime: null, conflicts: [], archived: [] };
  if (undo.after === null) return wholeFile(undo, current, "file-exists");
  if (current === null) return wholeFile(undo, current, "file-gone");
  return mergeTopic(undo, undo.after, current, force);
}
