/**
 * Where a run will have read to. Written before the memory is, under the run's id, and given their name after it: a run that was cut short
 * and finished later has read what it read, and its words are not read twice.
 */
import { join } from "node:path";
import type { Run } from "../dream.ts";
import { type Book, saveBook } from "../sources/cursors.ts";
import { memdFolder } from "../store/place.ts";
import { loadUndoRecord } from "./undo-records.ts";
import type { DreamWorld } from "./world.ts";

/** Written into the memory directory by the first run that reads anything for it: places belong to this directory alone. */
export const MARK = "store.json";

export const bookPath = (world: DreamWorld): string => join(world.store.state, "cursors.json");

const AHEAD = /^cursors-after-(.+)\.json$/;
const aheadPath = (world: DreamWorld, run: string) => join(world.store.state, `cursors-after-${run}.json`);

export function preparePlaces(world: DreamWorld, run: Run, book: Book): void {
  const { files, store } = world;
  const mark = join(memdFolder(store.memory), MARK);
  if (files.lstat(mark) === null) {
    files.create(mark, `${JSON.stringify({ since: run.startedAt })}\n`, 0o600);
    files.syncDir(memdFolder(store.memory));
  }
  saveBook(files, aheadPath(world, run.id), book, run.id);
}

/** The run is over, and so is the reading. */
export function takePlaces(world: DreamWorld, run: string): void {
  world.files.rename(aheadPath(world, run), bookPath(world));
  world.files.syncDir(world.store.state);
}

/** What was read is to be read again. */
export function dropPlaces(world: DreamWorld, run: string): void {
  world.files.unlink(aheadPath(world, run));
}

/** After a crash: a run that stands, as its undo record tells, takes its places; the places of any other are none. */
export function settlePlaces(world: DreamWorld): void {
  const { files, store } = world;
  if (files.lstat(store.state)?.kind !== "dir") return;
  for (const { name } of files.list(store.state)) {
    const run = AHEAD.exec(name)?.[1];
    if (run === undefined) continue;
    if (loadUndoRecord(files, store.state, run)) takePlaces(world, run);
    else dropPlaces(world, run);
  }
}
