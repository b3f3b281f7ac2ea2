/**
 * The batch that a store waits for: one small file in its state folder. It is written before the batch is sent, so that one whose id nobody
 * came to write down is found again by the marker in the names of its requests.
 */
import { childPath } from "../base/child-path.ts";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import type { BatchFacts } from "../gate/batch.ts";
import { NO_USAGE, type Usage } from "../ports.ts";

export interface Batch {
  /** `made`: about to be sent, or sent and its id unknown. `over`: its answers are taken; what is missing is asked for directly. */
  readonly stage: "made" | "sent" | "over";
  readonly marker: string;
  /** As the endpoint calls it; null while it is unknown. */
  readonly id: string | null;
  /** Where the answers are kept, in the order of the requests. */
  readonly keys: readonly string[];
  readonly model: string;
  /** Hash of the endpoint's address, salted with the marker. */
  readonly endpoint: string;
  /** In the spend book: what it may cost, until it is known what it did. */
  readonly reservation: string;
  /** Epoch ms. */
  readonly since: number;
  readonly lookAt: number;
  /** What it came to, once it is over. */
  readonly usage: Usage;
}

const FILE = "batch.json";
const STAGES: readonly unknown[] = ["made", "sent", "over"];
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 200;
const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;
/** Beyond it there are no dates. */
const isTime = (value: unknown): value is number => isCount(value) && value <= 8.64e15;

/** Null when there is none. A file that cannot be read is one nobody can look after: what it reserved goes on counting. @param folder the store's state */
export function loadBatch(files: Files, folder: string): Batch | null {
  const path = childPath(folder, FILE);
  if (files.lstat(path) === null) return null;
  const read = readJson(files, path);
  return read.state === "read" ? batchOf(read.value) : null;
}

function batchOf(value: unknown): Batch | null {
  if (!isRecord(value) || value["schema"] !== 1) return null;
  const { stage, marker, id, keys, model, endpoint, reservation, since, lookAt, usage } = value;
  const named = [marker, model, endpoint, reservation].every(isText) && (id === null || isText(id));
  const timed = isTime(since) && isTime(lookAt);
  if (!STAGES.includes(stage) || !named || !timed || !Array.isArray(keys) || !keys.every(isText)) return null;
  const { requests, inputTokens, cachedTokens, outputTokens, costUsd } = isRecord(usage) ? usage : NO_USAGE;
  const figures = { requests, inputTokens, cachedTokens, outputTokens, costUsd };
  const spent = Object.values(figures).every(isCount) ? (figures as Usage) : NO_USAGE;
  return { ...(value as unknown as Batch), usage: spent };
}

/** @param token unique to this call */
export function saveBatch(files: Files, folder: string, { batch, token }: { batch: Batch; token: string }): void {
  writeJson(files, childPath(folder, FILE), { schema: 1, ...batch }, token);
}

export function dropBatch(files: Files, folder: string): void {
  files.unlink(childPath(folder, FILE));
}

/** For the gates and for `status`; null when nothing waits. */
export function waitingBatch(files: Files, folder: string): BatchFacts | null {
  const batch = loadBatch(files, folder);
  if (batch === null || batch.stage === "over") return null;
  return { since: batch.since, parts: batch.keys.length, lookAt: batch.lookAt };
}

/** An endpoint that has no batches, though it answers. */
export interface Batchless {
  /** Hash of the endpoint's address, salted with the marker. */
  readonly endpoint: string;
  readonly marker: string;
  /** Epoch ms. */
  readonly since: number;
}

const BATCHLESS = "no-batches.json";

export function loadBatchless(files: Files, folder: string): Batchless | null {
  const path = childPath(folder, BATCHLESS);
  const read = files.lstat(path) === null ? null : readJson(files, path);
  if (read?.state !== "read" || !isRecord(read.value)) return null;
  const { endpoint, marker, since } = read.value;
  return isText(endpoint) && isText(marker) && isTime(since) ? { endpoint, marker, since } : null;
}

/** @param token unique to this call */
export function saveBatchless(
  files: Files,
  folder: string,
  { batchless, token }: { batchless: Batchless; token: string },
): void {
  writeJson(files, childPath(folder, BATCHLESS), batchless, token);
}

export function dropBatchless(files: Files, folder: string): void {
  files.unlink(childPath(folder, BATCHLESS));
}
