/**
 * The answers that a person gave to questions: a file of the store's own state, one JSON line per answer, so that an answer can be cited
 * by file and line as a transcript's words are. Lines are never removed: later lines keep their numbers.
 */
import { join } from "node:path";
import { writeAtomic } from "../base/atomic.ts";
import { isRecord, parseJson } from "../base/json.ts";
import type { Files } from "../ports.ts";

export interface Answer {
  readonly id: string;
  /** ISO time. */
  readonly at: string;
  /** The question's id. */
  readonly question: string;
  /** The person's words, redacted: what is cited. */
  readonly text: string;
}

const FILE = "answers.jsonl";

export const answersPath = (state: string): string => join(state, FILE);

function linesOf(files: Files, state: string): string[] {
  if (files.lstat(answersPath(state))?.kind !== "file") return [];
  const text = files.read(answersPath(state)).toString("utf8");
  return text.split("\n").slice(0, text.endsWith("\n") ? -1 : undefined);
}

function parse(line: string): Answer | null {
  const value = parseJson(line);
  if (!isRecord(value)) return null;
  const { id, at, question, text } = value;
  return typeof id === "string" && typeof at === "string" && typeof question === "string" && typeof text === "string"
    ? { id, at, question, text }
    : null;
}

/** Answers that can be read, oldest first; a missing file is none. */
export function loadAnswers(files: Files, state: string): Answer[] {
  return linesOf(files, state).flatMap((line) => parse(line) ?? []);
}

/** The number, from 1, that the next line will have. */
export function nextLine(files: Files, state: string): number {
  return linesOf(files, state).length + 1;
}

/** Adds an answer; on the disk when this returns. */
export function addAnswer(files: Files, state: string, answer: Answer): void {
  files.mkdir(state, 0o700);
  const stat = files.lstat(answersPath(state));
  const torn = stat !== null && stat.size > 0 && !files.read(answersPath(state)).toString("utf8").endsWith("\n");
  files.append(answersPath(state), `${torn ? "\n" : ""}${JSON.stringify(answer)}\n`, 0o600);
}

/** Empties the lines that tell; the others keep their numbers. */
export function forgetInAnswers(files: Files, state: string, tells: (line: string) => boolean): void {
  const lines = linesOf(files, state);
  if (!lines.some(tells)) return;
  const kept = lines.map((line) => (tells(line) ? `${JSON.stringify({ forgotten: true })}\n` : `${line}\n`));
  writeAtomic(files, answersPath(state), kept.join(""), { mode: 0o600, token: "answers" });
}
