/** Reads the shared record types back from JSON on disk: whatever does not have the shape is null, never a guess. */
import { isRecord } from "../base/json.ts";
import type { Change, EvidenceRecord, Retired } from "../memory/changeset.ts";
import type { Citation, Operation } from "../memory/operation.ts";

const OPERATIONS: Readonly<Record<Operation["op"], true>> = {
  add: true,
  revise: true,
  merge: true,
  retire: true,
  move: true,
  "create-topic": true,
  "describe-topic": true,
  ask: true,
  "draft-skill": true,
};

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isOperation = (value: unknown): value is Operation["op"] => isText(value) && Object.hasOwn(OPERATIONS, value);

function readCitation(value: unknown): Citation | null {
  if (!isRecord(value)) return null;
  const { session, client, file, line, record, speaker, at, quote } = value;
  if (!isText(session) || !isText(client) || !isText(file) || !isText(speaker) || !isText(quote)) return null;
  if (typeof line !== "number" || !isTextOrNull(record) || !isTextOrNull(at)) return null;
  return { session, client, file, line, record, speaker, at, quote };
}

function readCitations(value: unknown): Citation[] | null {
  if (!Array.isArray(value)) return null;
  const citations = value.map(readCitation);
  return citations.every((citation) => citation !== null) ? citations : null;
}

export function readChange(value: unknown): Change | null {
  if (!isRecord(value)) return null;
  const { operation, topic, before, after, reason } = value;
  const citations = readCitations(value.citations);
  if (!(operation === "index" || isOperation(operation)) || !isText(topic) || !isText(reason)) return null;
  if (!isTextOrNull(before) || !isTextOrNull(after) || !citations) return null;
  return { operation, topic, before, after, reason, citations };
}

export function readRetired(value: unknown): Retired | null {
  if (!isRecord(value)) return null;
  const { topic, text, reason } = value;
  return isText(topic) && isText(text) && isText(reason) ? { topic, text, reason } : null;
}

export function readEvidenceRecord(value: unknown): EvidenceRecord | null {
  if (!isRecord(value)) return null;
  const { run, operation, topic, key, statement, at } = value;
  const citations = readCitations(value.citations);
  if (!isText(run) || !isOperation(operation) || !isText(topic) || !isText(key) || !isText(statement)) return null;
  return isText(at) && citations ? { run, operation, topic, key, statement, at, citations } : null;
}
