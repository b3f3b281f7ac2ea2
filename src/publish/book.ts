/** Which files of a store carry its block, and what takes each publication back; small JSON files in the store's state folder. */
import { isAbsolute, join } from "node:path";
import type { Files } from "../base/files.ts";
import { namesIn } from "../base/folders.ts";
import { shortHash } from "../base/ids.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import type { Edges } from "./block.ts";

/** One file that somebody asked to keep equal to the memory. */
export interface Published {
  /** Absolute, its folder's real path. */
  readonly path: string;
  /** ISO time. */
  readonly since: string;
  readonly edges: Edges;
  /** memd made the file: without the block it is nothing. */
  readonly created: boolean;
  /** `shortHash` of blocks that memd wrote, newest last: a checkout of another branch brings an older one back, and it is still ours. */
  readonly wrote: readonly string[];
}

/** A block is written when the memory changed: some hundred are years. */
const MAX_WROTE = 500;

/** The entry with one more block of ours. */
export function withWritten(entry: Published, block: string): Published {
  const hash = shortHash(block);
  return { ...entry, wrote: [...entry.wrote.filter((known) => known !== hash), hash].slice(-MAX_WROTE) };
}

export const isOurs = (entry: Published | undefined, block: string): boolean =>
  entry?.wrote.includes(shortHash(block)) === true;

const FILE = "published.json";

const isText = (value: unknown): value is string => typeof value === "string";

function readPublished(value: unknown): Published | null {
  if (!isRecord(value) || !isRecord(value["edges"]) || !Array.isArray(value["wrote"])) return null;
  const { path, since, created, wrote } = value;
  const { lead, tail } = value["edges"];
  if (!isText(path) || !isAbsolute(path) || !isText(since) || !isText(lead) || !isText(tail)) return null;
  if (!/^[\r\n]*$/.test(lead + tail)) return null;
  return { path, since, edges: { lead, tail }, created: created === true, wrote: wrote.filter(isText) };
}

/** The files of a store; none where nobody asked, or the record is lost. */
export function loadPublished(files: Files, state: string): readonly Published[] {
  const read = readJson(files, join(state, FILE));
  if (read.state !== "read" || !isRecord(read.value) || !Array.isArray(read.value["files"])) return [];
  return read.value["files"].flatMap((item) => readPublished(item) ?? []);
}

export function savePublished(files: Files, state: string, published: readonly Published[], token: string): void {
  const sorted = [...published].sort((a, b) => (a.path < b.path ? -1 : 1));
  writeJson(files, join(state, FILE), { schema: 1, files: sorted }, token);
}

/** One file that a publication changed. */
export interface PublishedFile {
  readonly path: string;
  /** Texts of the whole file; null: there was none. */
  readonly before: string | null;
  readonly after: string | null;
  /** What was known of the file before and after; null: nobody had asked for it. */
  readonly was: Published | null;
  readonly is: Published | null;
}

export interface PublishRecord {
  readonly run: string;
  /** The run that this one took back. */
  readonly undoes: string | null;
  readonly files: readonly PublishedFile[];
}

export const publishFolder = (state: string): string => join(state, "publish");

const RUN = /^[A-Za-z0-9_-]{1,80}$/;
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);

function readFile(value: unknown): PublishedFile | null {
  if (!isRecord(value)) return null;
  const { path, before, after } = value;
  if (!isText(path) || !isAbsolute(path) || !isTextOrNull(before) || !isTextOrNull(after)) return null;
  const entry = (item: unknown) => (item === null ? null : readPublished(item));
  return { path, before, after, was: entry(value["was"]), is: entry(value["is"]) };
}

export function savePublishRecord(files: Files, state: string, record: PublishRecord): void {
  writeJson(files, join(publishFolder(state), `${record.run}.json`), record, record.run);
}

/** Null when there is none, and for a damaged one: an undo writes what the record says. */
export function loadPublishRecord(files: Files, state: string, run: string): PublishRecord | null {
  const read = readJson(files, join(publishFolder(state), `${run}.json`));
  if (read.state !== "read" || !isRecord(read.value) || !Array.isArray(read.value["files"])) return null;
  const { run: id, undoes } = read.value;
  const found = read.value["files"].map(readFile);
  const whole = found.filter((file) => file !== null);
  if (!isText(id) || !RUN.test(id) || !isTextOrNull(undoes) || whole.length < found.length) return null;
  return { run: id, undoes, files: whole };
}

export function dropPublishRecord(files: Files, state: string, run: string): void {
  files.unlink(join(publishFolder(state), `${run}.json`));
}

/** Ids of the publications that can be taken back, oldest first. */
export function publishRuns(files: Files, state: string): string[] {
  return namesIn(files, publishFolder(state))
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .map((name) => name.slice(0, -5));
}
