/** The journal's manifest: everything that finishing or taking back a run needs, in one file. */

import { sha256 } from "../base/ids.ts";
import { isRecord } from "../base/json.ts";
import type { Change, EvidenceRecord, Retired } from "../memory/changeset.ts";
import { isMemoryFile } from "./place.ts";
import { readChange, readEvidenceRecord, readRetired } from "./shapes.ts";

export type RunKind = "apply" | "undo";

export interface JournalFile {
  readonly file: string;
  /** Text that the run found; null: the file was not there. */
  readonly before: string | null;
  /** Text that the run leaves; null: the file goes. */
  readonly after: string | null;
  /** SHA-256 of the bytes before and after: how a later start tells what stands there. */
  readonly beforeHash: string | null;
  readonly afterHash: string | null;
  /** Permission bits for the new text. */
  readonly mode: number;
  /** Epoch ms that the new text shall carry, or null for the time of writing. */
  readonly mtime: number | null;
  /** Epoch ms of the file that the run found. */
  readonly beforeMtime: number | null;
}

export interface Manifest {
  readonly schema: 1;
  readonly run: string;
  readonly machine: string;
  readonly kind: RunKind;
  /** The run that an undo takes back; null for a dream. */
  readonly undoes: string | null;
  /** ISO time of the run. */
  readonly at: string;
  /** In the order of writing: an index pointer never leads to a file that is not there. */
  readonly files: readonly JournalFile[];
  readonly changes: readonly Change[];
  readonly retired: readonly Retired[];
  readonly evidenceAdded: readonly EvidenceRecord[];
  readonly evidenceRemoved: readonly EvidenceRecord[];
  /** Hashes of memd's own index lines. */
  readonly ownLinesBefore: readonly string[];
  readonly ownLinesAfter: readonly string[];
}

/**
 * What undo needs to know of a past run, as plain data that any keeper may store as JSON.
 */
export interface UndoRecord {
  readonly run: string;
  /** The run that this one took back; null for a dream. */
  readonly undoes: string | null;
  readonly files: readonly UndoFile[];
  readonly changes: readonly Change[];
  readonly ownLinesBefore: readonly string[];
  readonly ownLinesAfter: readonly string[];
  /** What the run took out of the evidence (an undo does): comes back with the run's own undo. */
  readonly evidenceRemoved: readonly EvidenceRecord[];
}

export interface UndoFile {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Epoch ms of the file before the run; null when it was new. */
  readonly beforeMtime: number | null;
}

export function toUndoRecord(manifest: Manifest): UndoRecord {
  const { run, undoes, changes, ownLinesBefore, ownLinesAfter, evidenceRemoved } = manifest;
  const files = manifest.files.map(({ file, before, after, beforeMtime }) => ({ file, before, after, beforeMtime }));
  return { run, undoes, files, changes, ownLinesBefore, ownLinesAfter, evidenceRemoved };
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isTime = (value: unknown): value is number | null => value === null || Number.isFinite(value);
const hashOf = (text: string | null) => (text === null ? null : sha256(text));

/** A text whose hash does not fit is damage: what is written from a journal is exactly what was meant. */
function readJournalFile(value: unknown): JournalFile | null {
  if (!isRecord(value)) return null;
  const { file, before, after, beforeHash, afterHash, mode, mtime, beforeMtime } = value;
  if (!isText(file) || !isMemoryFile(file) || !isTextOrNull(before) || !isTextOrNull(after)) return null;
  if (beforeHash !== hashOf(before) || afterHash !== hashOf(after)) return null;
  if (typeof mode !== "number" || !isTime(mtime) || !isTime(beforeMtime)) return null;
  const hashes = { beforeHash: hashOf(before), afterHash: hashOf(after) };
  return { file, before, after, ...hashes, mode: mode & 0o666, mtime, beforeMtime };
}

function listOf<T>(value: unknown, read: (item: unknown) => T | null): T[] | null {
  if (!Array.isArray(value)) return null;
  const items = value.map(read);
  return items.every((item) => item !== null) ? items : null;
}

const readText = (value: unknown) => (isText(value) ? value : null);

const RUN = /^[A-Za-z0-9_-]{1,80}$/;

/** Reads a manifest's JSON; null when anything in it is not as memd writes it. */
export function readManifest(value: unknown): Manifest | null {
  if (!isRecord(value) || value.schema !== 1) return null;
  const { run, machine, kind, at, undoes = null } = value;
  if (!isText(run) || !RUN.test(run) || !isText(machine) || !isText(at)) return null;
  if (undoes !== null && !(isText(undoes) && RUN.test(undoes))) return null;
  if ((kind !== "apply" && kind !== "undo") || !/^\d{4}-/.test(at)) return null;
  const files = listOf(value.files, readJournalFile);
  const changes = listOf(value.changes, readChange);
  const retired = listOf(value.retired, readRetired);
  const evidenceAdded = listOf(value.evidenceAdded, readEvidenceRecord);
  const evidenceRemoved = listOf(value.evidenceRemoved, readEvidenceRecord);
  const ownLinesBefore = listOf(value.ownLinesBefore, readText);
  const ownLinesAfter = listOf(value.ownLinesAfter, readText);
  if (!files || !changes || !retired || !evidenceAdded || !evidenceRemoved || !ownLinesBefore || !ownLinesAfter) {
    return null;
  }
  const lines = { ownLinesBefore, ownLinesAfter };
  return {
    schema: 1,
    run,
    machine,
    kind,
    undoes,
    at,
    files,
    changes,
    retired,
    evidenceAdded,
    evidenceRemoved,
    ...lines,
  };
}

function readUndoFile(value: unknown): UndoFile | null {
  if (!isRecord(value)) return null;
  const { file, before, after, beforeMtime } = value;
  if (!isText(file) || !isMemoryFile(file) || !isTextOrNull(before) || !isTextOrNull(after)) return null;
  return isTime(beforeMtime) ? { file, before, after, beforeMtime } : null;
}

/** Reads an undo record's JSON; null when anything in it is not as memd writes it: an undo writes what the record says. */
export function readUndoRecord(value: unknown): UndoRecord | null {
  if (!isRecord(value)) return null;
  const { run, undoes } = value;
  if (!isText(run) || !RUN.test(run) || !(undoes === null || (isText(undoes) && RUN.test(undoes)))) return null;
  const files = listOf(value.files, readUndoFile);
  const changes = listOf(value.changes, readChange);
  const ownLinesBefore = listOf(value.ownLinesBefore, readText);
  const ownLinesAfter = listOf(value.ownLinesAfter, readText);
  const evidenceRemoved = listOf(value.evidenceRemoved, readEvidenceRecord);
  if (!files || !changes || !ownLinesBefore || !ownLinesAfter || !evidenceRemoved) return null;
  return { run, undoes, files, changes, ownLinesBefore, ownLinesAfter, evidenceRemoved };
}
