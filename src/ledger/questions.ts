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
  /** The statement that the cited words would put in the entry's place; null when they only would have it gone. */
  readonly instead: string | null;
}

const FILE = "questions.json";
/** Ids of questions that were answered: the same one is not asked again. */
const ANSWERED = "answered.json";
/** Far more than a person answers; the oldest go first. */
const MAX_ANSWERED = 2_000;

function isQuestion(value: unknown): value is Question {
  return (
    isRecord(value) &&
    typeof value["id"] === "string" &&
    typeof value["text"] === "string" &&
    Array.isArray(value["citations"])
  );
}

export function loadQuestions(files: Files, folder: string): readonly Question[] {
  const read = readJson(files, join(folder, FILE));
  if (read.state !== "read" || !Array.isArray(read.value)) return [];
  return read.value
    .filter(isQuestion)
    .map((question) => ({ ...question, entries: question.entries ?? [], instead: question.instead ?? null }));
}

function answeredIds(files: Files, folder: string): readonly string[] {
  const read = readJson(files, join(folder, ANSWERED));
  return read.state === "read" && Array.isArray(read.value) ? read.value.filter((id) => typeof id === "string") : [];
}

/** The questions among accepted operations. One that asks the same about the same entries has the same id. */
export function questionsOf(accepted: readonly AcceptedOperation[], since: string): Question[] {
  return accepted.flatMap(({ operation, citations }) => {
    if (operation.op !== "ask") return [];
    const id = shortHash([operation.text, ...operation.entries].join("\n")).slice(0, 8);
    return [
      { id, text: operation.text, entries: operation.entries, citations, since, instead: operation.instead ?? null },
    ];
  });
}

/** Adds what is neither asked nor answered yet; returns all that are open. */
export function addQuestions(files: Files, folder: string, fresh: readonly Question[]): readonly Question[] {
  const known = loadQuestions(files, folder);
  const past = new Set([...known.map(({ id }) => id), ...answeredIds(files, folder)]);
  const added = fresh.filter(({ id }) => !past.has(id));
  if (added.length === 0) return known;
  const all = [...known, ...added];
  writeJson(files, join(folder, FILE), all, "questions");
  return all;
}

/** The question is settled: it leaves the list and is not asked again. */
export function settleQuestion(files: Files, folder: string, id: string): readonly Question[] {
  const known = answeredIds(files, folder);
  if (!known.includes(id)) writeJson(files, join(folder, ANSWERED), [...known, id].slice(-MAX_ANSWERED), "answered");
  return keepQuestions(files, folder, (question) => question.id !== id);
}

/** Drops questions without an answer: what they were about is gone. */
export function keepQuestions(
  files: Files,
  folder: string,
  keep: (question: Question) => boolean,
): readonly Question[] {
  const known = loadQuestions(files, folder);
  const kept = known.filter(keep);
  if (kept.length < known.length) writeJson(files, join(folder, FILE), kept, "questions");
  return kept;
}
