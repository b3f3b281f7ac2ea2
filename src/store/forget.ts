/** Forgetting beside the topics: archive, evidence, the journals of past runs. What cannot be cut is removed as a whole. */

import { join } from "node:path";
import { namesIn } from "../base/folders.ts";
import type { EvidenceRecord } from "../memory/changeset.ts";
import { forgetInIndex, forgetInTopic, isUnwanted } from "../memory/forget.ts";
import { holdsPointers } from "../memory/names.ts";
import { topicOf } from "../memory/topic.ts";
import { FORGOTTEN, type Unwanted } from "../memory/unwanted.ts";
import { type ArchivedText, editArchive } from "./archive.ts";
import { editEvidence } from "./evidence.ts";
import type { UndoFile, UndoRecord } from "./manifest.ts";
import { memdFolder, type Place, readFile, tempToken, UNTOUCHABLE } from "./place.ts";

/** A memory file's text without what is unwanted; null when nothing of it may stay. */
export function forgetInFile(file: string, text: string, unwanted: Unwanted): string | null {
  return holdsPointers(file) ? forgetInIndex(text, unwanted) : forgetInTopic(file, text, unwanted);
}

function forgetInArchived(item: ArchivedText, unwanted: Unwanted): ArchivedText | null {
  // Bytes that were no text are kept as base64.
  const hidden = /^base64:(\S+)$/.exec(item.text)?.[1];
  if (hidden !== undefined) return unwanted.mentions(Buffer.from(hidden, "base64").toString("utf8")) ? null : item;
  const text = forgetInTopic(`${item.topic}.md`, item.text, unwanted);
  if (text === null || unwanted.mentions(text) || unwanted.mentions(item.reason)) return null;
  return text === item.text ? item : { ...item, text };
}

/** Records of unwanted statements go; of others only the quotes that tell them, so that session and line still show where words stood. */
function forgetInRecord(record: EvidenceRecord, unwanted: Unwanted): EvidenceRecord | null {
  if (unwanted.keys.has(record.key) || isUnwanted({ statement: record.statement, raw: record.statement }, unwanted))
    return null;
  if (!record.citations.some(({ quote }) => unwanted.mentions(quote))) return record;
  return {
    ...record,
    citations: record.citations.map((citation) =>
      unwanted.mentions(citation.quote) ? { ...citation, quote: FORGOTTEN } : citation,
    ),
  };
}

function forgetInUndoFile(undo: UndoFile, unwanted: Unwanted): UndoFile[] {
  const cut = (text: string | null) => (text === null ? null : forgetInFile(undo.file, text, unwanted));
  const [before, after] = [cut(undo.before), cut(undo.after)];
  return before === after ? [] : [{ ...undo, before, after }];
}

/** What still can be taken back of a past run; null when that is nothing. */
export function forgetInUndo(record: UndoRecord, unwanted: Unwanted): UndoRecord | null {
  const files = record.files.flatMap((file) => forgetInUndoFile(file, unwanted));
  const isGone = (text: string | null) =>
    text !== null && (unwanted.mentions(text) || blocksOf(text).some((entry) => isUnwanted(entry, unwanted)));
  const changes = record.changes
    .filter(({ before, after }) => !isGone(before) && !isGone(after))
    .map((change) => ({
      ...change,
      citations: change.citations.map((cite) => (unwanted.mentions(cite.quote) ? { ...cite, quote: FORGOTTEN } : cite)),
    }));
  const evidenceRemoved = record.evidenceRemoved.flatMap((item) => forgetInRecord(item, unwanted) ?? []);
  const left = { ...record, files, changes, evidenceRemoved };
  // What the cut did not reach (a locked file, a frame) must not come back with an undo.
  return files.length === 0 || unwanted.mentions(JSON.stringify(left)) ? null : left;
}

/** The entries of a block or text that a record holds. */
export function blocksOf(text: string) {
  return topicOf("record.md", text).entries;
}

/** Removes every trace below `.memd/` but journals of unfinished runs of other machines, which are theirs to finish. */
export function forgetBeside(place: Place, unwanted: Unwanted): void {
  const { files } = place;
  editArchive(place, (item) => forgetInArchived(item, unwanted));
  editEvidence(
    files,
    { path: place.evidence, token: tempToken(place, "evidence") },
    {
      record: (record) => forgetInRecord(record, unwanted),
      keepsDamaged: (line) => !unwanted.mentions(line),
    },
  );
  for (const folder of pastJournals(place)) {
    if (namesIn(files, folder).some((name) => tells(place, join(folder, name), unwanted))) dropFolder(place, folder);
  }
}

/** Last runs of all machines, and journals that were set aside as damaged. */
function pastJournals(place: Place): string[] {
  const root = memdFolder(place.directory);
  const last = namesIn(place.files, join(root, "last")).map((name) => join(root, "last", name));
  const damaged = namesIn(place.files, root).filter((name) => name.startsWith("damaged-journal-"));
  return [...last, ...damaged.map((name) => join(root, name))];
}

/** Files of a journal are manifests, or the inodes of past texts; what cannot be looked into is taken for telling. */
function tells(place: Place, path: string, unwanted: Unwanted): boolean {
  const bytes = readFile(place.files, path);
  if (bytes === null) return false;
  if (bytes === UNTOUCHABLE) return true;
  const text = bytes.toString("utf8");
  return (
    unwanted.mentions(text) || (!path.endsWith(".json") && blocksOf(text).some((entry) => isUnwanted(entry, unwanted)))
  );
}

function dropFolder({ files }: Place, folder: string): void {
  for (const name of namesIn(files, folder)) files.unlink(join(folder, name));
  files.rmdir(folder);
}
