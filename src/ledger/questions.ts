/** Questions that only the user can settle, as one file of the store; never settled by a machine. */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { shortHash } from "../base/ids.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import type { AcceptedOperation, Citation } from "../memory/operation.ts";

export interface Question {
  readonly id: string;
  readonly text: string;
  /** Ids of the entries that it is about. */
  readonly entries: readonly string[];
  readonly citations: readonly Citation[];
  /** ISO time. */
  readonly since: string;
}

const FILE = "questions.json";

function isQuestion(value: unknown): value is Question {
  return isRecord(value) && typeof value["id"] === "string" && typeof value["text"] === "string" && Array.isArray(value["citations"]);
}

export function loadQuestions(files: Files, folder: string): readonly Question[] {
  const read = readJson(files, join(folder, FILE));
  return read.state === "read" && Array.isArray(read.value) ? read.value.filter(isQuestion) : [];
}

/** The questions among accepted operations. One that asks the same about the same entries has the same id. */
export function questionsOf(accepted: readonly AcceptedOperation[], since: string): Question[] {
  return accepted.flatMap(({ operation, citations }) => {
    if (operation.op !== "ask") return [];
    const id = shortHash([operation.text, ...operation.entries].join("\n")).slice(0, 8);
    return [{ id, text: operation.text, entries: operation.entries, citations, since }];
  });
}

/** Adds what is not asked yet; returns all that are open. */
export function addQuestions(files: Files, folder: string, fresh: readonly Question[]): readonly Question[] {
  const known = loadQuestions(files, folder);
  const added = fresh.filter(({ id }) => !known.some((question) => question.id === id));
  if (added.length === 0) return known;
  const all = [...known, ...added];
  writeJson(files, join(folder, FILE), all, "questions");
  return all;
}
