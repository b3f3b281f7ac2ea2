/** evidence.jsonl: one line per change that memd made, with the citations that carry it. Private: it quotes what people said. */
import { dirname, join } from "node:path";
import { writeAtomic } from "../base/atomic.ts";
import type { Files } from "../base/files.ts";
import { parseJson } from "../base/json.ts";
import type { EvidenceRecord } from "../memory/changeset.ts";
import { memdFolder } from "./place.ts";
import { readEvidenceRecord } from "./shapes.ts";

/** At most this much of the file is read, and kept when it is rewritten: the newest part, some 60,000 records of the usual 1 KB. */
const MAX_EVIDENCE_BYTES = 64 * 1_048_576;

/** A longer line is damage: at most 8 citations of 1,000 characters stand behind an entry. */
const MAX_LINE_CHARS = 262_144;

export interface Evidence {
  readonly records: readonly EvidenceRecord[];
  /** Lines that could not be read; they stay in the file as they are. */
  readonly damaged: number;
}

/** Reads the evidence; a missing file is no evidence, a damaged line is counted and harms no other. */
export function readEvidence(files: Files, path: string): Evidence {
  const parsed = readLines(files, path).map(parseLine);
  const records = parsed.flatMap((record) => record ?? []);
  return { records, damaged: parsed.length - records.length };
}

/**
 * Adds records that are not there yet and takes out others, in one atomic write; writes nothing when nothing would change.
 * Exactly once, however often it is repeated: a record's line is its identity (it names run, topic and statement).
 */
export function changeEvidence(
  files: Files,
  where: { path: string; token: string },
  change: { add: readonly EvidenceRecord[]; remove: readonly EvidenceRecord[] },
): void {
  if (change.add.length + change.remove.length === 0) return;
  const lines = readLines(files, where.path);
  const removed = new Set(change.remove.map(lineOf));
  const kept = lines.filter((line) => !removed.has(canonical(line)));
  const known = new Set(kept.map(canonical));
  const added = [...new Set(change.add.map(lineOf))].filter((line) => !known.has(line));
  if (added.length === 0 && kept.length === lines.length) return;
  files.mkdir(dirname(where.path), 0o700);
  const text = [...kept, ...added].map((line) => `${line}\n`).join("");
  writeAtomic(files, where.path, text, { mode: 0o600, token: where.token });
}

/** Changes or drops records where they stand (the order tells which is the latest), and damaged lines that are not to stay. For forgetting. */
export function editEvidence(
  files: Files,
  where: { path: string; token: string },
  edit: { record: (record: EvidenceRecord) => EvidenceRecord | null; keepsDamaged: (line: string) => boolean },
): void {
  const lines = readLines(files, where.path);
  const kept = lines.flatMap((line) => {
    const record = parseLine(line);
    if (record === null) return edit.keepsDamaged(line) ? [line] : [];
    const changed = edit.record(record);
    return changed === null ? [] : [changed === record ? line : lineOf(changed)];
  });
  if (kept.length === lines.length && kept.every((line, i) => line === lines[i])) return;
  const text = kept.map((line) => `${line}\n`).join("");
  writeAtomic(files, where.path, text, { mode: 0o600, token: where.token });
}

function lineOf(record: EvidenceRecord): string {
  const { run, operation, topic, key, statement, at, citations } = record;
  return JSON.stringify({ run, operation, topic, key, statement, at, citations });
}

/** A line as memd would write it, so that key order and white space do not make two of one record. */
function canonical(line: string): string {
  const record = parseLine(line);
  return record ? lineOf(record) : line;
}

function parseLine(line: string): EvidenceRecord | null {
  return line.length > MAX_LINE_CHARS ? null : readEvidenceRecord(parseJson(line));
}

/** The whole lines of the file's newest part. */
function readLines(files: Files, path: string): string[] {
  const stat = files.lstat(path);
  if (stat?.kind !== "file") return [];
  const from = Math.max(0, stat.size - MAX_EVIDENCE_BYTES);
  const lines = readFrom(files, path, { from, size: stat.size - from })
    .toString("utf8")
    .split("\n");
  if (from > 0) lines.shift();
  return lines.filter((line) => line !== "");
}

function readFrom(files: Files, path: string, part: { from: number; size: number }): Buffer {
  const buffer = Buffer.alloc(part.size);
  const fd = files.open(path);
  try {
    let filled = 0;
    while (filled < part.size) {
      const read = files.readAt(fd, buffer.subarray(filled), part.size - filled, part.from + filled);
      if (read === 0) break;
      filled += read;
    }
    return buffer.subarray(0, filled);
  } finally {
    files.close(fd);
  }
}

/**
 * True when a directory lies inside a git work tree (a `.git` folder, or the `.git` file of a worktree or submodule, in it or
 * above it). Evidence is private then: it must not lie where a commit could take it along.
 * @param directory real path
 */
export function insideGitWorkTree(files: Files, directory: string): boolean {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (files.lstat(join(folder, ".git"))) return true;
    if (dirname(folder) === folder) return false;
  }
}

/** @param where `directory`: real path of the memory; `state`: the store's folder in the state directory */
interface Homes {
  readonly directory: string;
  readonly state: string;
}

const homesOf = ({ directory, state }: Homes) => [join(memdFolder(directory), FILE), join(state, FILE)] as const;

const FILE = "evidence.jsonl";

/** A folder that others of a team get as well. */
const TEAM = /\/team(?:\/[^/]+)?$/;

/** Where a store's evidence lies: beside the memory, or, where others may get that, in the store's own state folder. */
export function evidencePath(files: Files, where: Homes): string {
  const [beside, apart] = homesOf(where);
  return TEAM.test(where.directory) || insideGitWorkTree(files, where.directory) ? apart : beside;
}

/**
 * Brings evidence along when a git work tree has appeared around the memory, or gone: without it memd would take its own entries for
 * somebody else's. May be cut short and repeated. A file with damaged lines stays, since they can only be left where they are.
 */
export function bringEvidence(files: Files, where: Homes, to: { path: string; token: string }): void {
  for (const from of homesOf(where)) {
    if (from === to.path || files.lstat(from)?.kind !== "file") continue;
    const { records, damaged } = readEvidence(files, from);
    changeEvidence(files, to, { add: records, remove: [] });
    if (damaged === 0) files.unlink(from);
  }
}
