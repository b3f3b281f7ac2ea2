/** Writing into the book what a run has taken. Only a run that went through calls this. */
import type { Taken } from "../digest/digest.ts";
import type { Cursor } from "../ports.ts";
import type { Collected, CollectedFile } from "./collected.ts";
import { type Ahead, type Book, remember, stateOf, withFolders } from "./cursors.ts";

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
    if (file.start === 0) Object.assign(state, { cursor: null, ahead: null, turns: 0 });
    state.cwds = withFolders(state.cwds, file.cwds);
    if (file.fate === "stay") state.ahead = file.ahead;
    else {
      remember(book, keysAt(file, whole.get(file.target.file.path)));
      moveOn(book, file, file.fate === "advance" ? "all" : (until.get(file.target.file.path) ?? 0));
    }
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

function moveOn(book: Book, file: CollectedFile, until: "all" | number): void {
  const state = stateOf(book, file.target.file.path);
  const place = until === "all" ? file.end : stopAt(file, until);
  if (place === null) return;
  const before = file.turns.filter(({ offset }) => offset < place.offset);
  remember(
    book,
    before.flatMap(({ keys }) => keys),
  );
  state.turns += until === "all" ? file.said : before.length;
  state.cursor = place;
  // What lies behind the place is unknown again, unless it is nothing.
  state.ahead = until === "all" && !file.more ? nothingAhead(file, place) : null;
}

/** The cursor at the first line that was left out; null when nothing was taken or the file is gone. */
function stopAt(file: CollectedFile, until: number): Cursor | null {
  const stop = file.stops.filter(({ offset }) => offset >= until).sort((a, b) => a.offset - b.offset)[0];
  if (until <= file.start || !stop) return null;
  return file.target.source.cursorAt(file.target.file, stop.offset, stop.line - 1);
}

function nothingAhead({ target: { file } }: CollectedFile, end: Cursor): Ahead {
  const { size, mtime } = file;
  return { size, mtime, end, groups: [], said: 0, lines: 0, bad: 0, unfinished: 0, drop: null };
}
