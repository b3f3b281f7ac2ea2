/** Writing into the book what a run has taken. Only a run that went through calls this. */
import type { Taken } from "../digest/digest.ts";
import type { Cursor } from "../ports.ts";
import type { Collected, CollectedFile } from "./collected.ts";
import { type Ahead, type AheadGroup, type Book, remember, stateOf, withFolders, withWaiting } from "./cursors.ts";
import { daysOf } from "./days.ts";

/**
 * Moves the places of all collected transcripts on: as far as their words were taken, or to the end where nothing in them
 * can count. A transcript that `taken` does not name stays where it was.
 * @param taken as the digest of `collected.words` tells it, in the same order
 */
export function commit(book: Book, collected: Collected, taken: readonly Taken[]): void {
  const until = new Map<string, "all" | number>();
  for (const { file, until: next } of taken) until.set(file, least(until.get(file), next));
  const whole = takenWhole(collected, taken);
  for (const file of collected.files) {
    const state = stateOf(book, file.target.file.path);
    if (file.start.offset === 0) Object.assign(state, { cursor: null, ahead: null, turns: 0 });
    state.cwds = withFolders(state.cwds, file.cwds);
    remember(book, keysAt(file, whole.get(file.target.file.path)));
    moveOn(book, file, reach(file, until.get(file.target.file.path)));
  }
}

/** Offsets of the turns of sessions that were taken whole, by file: one file may hold two, of which one was cut. */
function takenWhole({ words }: Collected, taken: readonly Taken[]): Map<string, Set<number>> {
  const whole = new Map<string, Set<number>>();
  for (const [index, { file, until }] of taken.entries()) {
    const session = words[index];
    if (until !== "all" || session?.file !== file) continue;
    const offsets = whole.get(file) ?? new Set<number>();
    for (const { offset } of session.utterances) offsets.add(offset);
    whole.set(file, offsets);
  }
  return whole;
}

function keysAt({ turns }: CollectedFile, offsets: ReadonlySet<number> = new Set()): string[] {
  return turns.filter(({ offset }) => offsets.has(offset)).flatMap(({ keys }) => keys);
}

/** Of two parts of one file, the place is where the shorter one ends; the longer one's turns are known by their keys. */
function least(a: "all" | number | undefined, b: "all" | number): "all" | number {
  if (a === undefined || a === "all") return b;
  return b === "all" ? a : Math.min(a, b);
}

function reach(file: CollectedFile, until: "all" | number = 0): "all" | number {
  if (file.fate === "words") return until;
  return file.fate === "advance" ? "all" : 0;
}

function moveOn(book: Book, file: CollectedFile, until: "all" | number): void {
  const state = stateOf(book, file.target.file.path);
  const place = until === "all" ? file.end : stopAt(file, until);
  if (place !== null) {
    const before = file.turns.filter(({ offset }) => offset < place.offset);
    for (const { keys } of before) remember(book, keys);
    state.turns += until === "all" ? file.said : before.length;
    state.cursor = place;
  }
  // What was read behind the place is known already: nobody need open the file to see that it waits.
  state.ahead = file.more ? null : aheadOf(file, place ?? file.start);
}

/** The cursor at the first line that was left out; null when nothing was taken or the file is gone. */
function stopAt(file: CollectedFile, until: number): Cursor | null {
  if (until <= file.start.offset) return null;
  const stop = file.stops.filter(({ offset }) => offset >= until).sort((a, b) => a.offset - b.offset)[0];
  return stop ? file.target.source.cursorAt(file.target.file, stop.offset, stop.line - 1) : file.end;
}

/** What waits behind a place in a file that was read to its end. */
function aheadOf(file: CollectedFile, place: { readonly offset: number; readonly lines: number }): Ahead {
  const waiting = file.turns.filter(({ offset }) => offset >= place.offset);
  const groups = new Map<string | null, AheadGroup>();
  for (const { cwd, keys, at, headless, isCopy } of waiting) {
    if (isCopy) continue;
    const group = groups.get(cwd) ?? { cwd, turns: 0, lastAt: at, headless: true, keys: [] };
    groups.set(cwd, {
      cwd,
      turns: group.turns + 1,
      lastAt: Math.max(group.lastAt, at),
      days: daysOf([...(group.days ?? []), at]),
      headless: group.headless && headless,
      keys: withWaiting(group.keys, keys),
    });
  }
  const { size, mtime } = file.target.file;
  const isEmpty = place.offset === file.end.offset;
  return {
    size,
    mtime,
    end: file.end,
    groups: [...groups.values()],
    said: waiting.length,
    lines: Math.max(0, file.end.lines - place.lines),
    bad: isEmpty ? 0 : file.bad,
    unfinished: isEmpty ? 0 : file.unfinished,
    drop: null,
  };
}
