/** What takes a run back, one file per run in the store's state folder: undo of any past run needs no database. */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { namesIn } from "../base/folders.ts";
import { readJson, writeJson } from "../base/json.ts";
import { readUndoRecord, type UndoRecord } from "../store/manifest.ts";

export const undoFolder = (state: string): string => join(state, "undo");

export function saveUndoRecord(files: Files, state: string, record: UndoRecord): void {
  writeJson(files, join(undoFolder(state), `${record.run}.json`), record, record.run);
}

/** Null when there is none (the run changed nothing, or retention removed it), and for a damaged one. */
export function loadUndoRecord(files: Files, state: string, run: string): UndoRecord | null {
  const read = readJson(files, join(undoFolder(state), `${run}.json`));
  return read.state === "read" ? readUndoRecord(read.value) : null;
}

export function dropUndoRecord(files: Files, state: string, run: string): void {
  files.unlink(join(undoFolder(state), `${run}.json`));
}

/** Ids of the runs that can be taken back, oldest first. */
export function undoableRuns(files: Files, state: string): string[] {
  return namesIn(files, undoFolder(state))
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .map((name) => name.slice(0, -5));
}
