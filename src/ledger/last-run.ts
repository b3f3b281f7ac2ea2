/** The last run of a store as one file: `status`, `show last` and `undo last` work from it without a database. */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import { forgetInReport, mentionOf } from "./forgetting.ts";
import type { RunReport } from "./report.ts";

const FILE = "last-run.json";

/** @param folder the store's folder in the state directory */
export function saveLastRun(files: Files, folder: string, report: RunReport): void {
  writeJson(files, join(folder, FILE), report, report.id);
}

/** Null when there was no run yet, or the file is damaged. */
export function loadLastRun(files: Files, folder: string): RunReport | null {
  const read = readJson(files, join(folder, FILE));
  return read.state === "read" && isReport(read.value) ? read.value : null;
}

/** Removes every trace of these texts; returns whether there was one. */
export function forgetInLastRun(files: Files, folder: string, texts: readonly string[]): boolean {
  const report = loadLastRun(files, folder);
  const isMention = mentionOf(texts);
  if (report === null || !isMention(JSON.stringify(report))) return false;
  saveLastRun(files, folder, forgetInReport(report, isMention));
  return true;
}

/** memd wrote the file itself and atomically; the check is for files of another version. */
function isReport(value: unknown): value is RunReport {
  if (!isRecord(value)) return false;
  const { id, store, startedAt, operations, changes } = value;
  const texts = [id, store, startedAt].every((text) => typeof text === "string");
  return texts && isRecord(operations) && Array.isArray(operations["rejected"]) && Array.isArray(changes);
}
