/**
 * The room store: the memory directory on disk. It reads, journals, applies, archives, undoes and recovers; it never judges
 * what a memory should say. This file knows where everything lies and what stands at a path.
 */
import { join } from "node:path";
import { TEMP_PREFIX } from "../base/atomic.ts";
import { MemdError, systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { ensureFolder, ensureIgnored } from "../base/folders.ts";
import { sha256 } from "../base/ids.ts";

/**
 * Largest memory file that is read, in bytes. A topic's budget is 4,096 and an index's 25,000; agents' own files of up to
 * 200 KB were seen. Beyond a megabyte it is no memory, and a run must not hold many of them.
 */
export const MAX_FILE_BYTES = 1_048_576;

/** One memory directory, as this machine writes to it. */
export interface Place {
  readonly files: Files;
  /** Real path of the memory directory. */
  readonly directory: string;
  /** Random id of this machine. */
  readonly machine: string;
  /** Path of evidence.jsonl: in `.memd/`, or in the state directory when the store lies inside a git work tree. */
  readonly evidence: string;
}

export const memdFolder = (directory: string): string => join(directory, ".memd");

/** The journal has one folder per machine: two machines that share a directory never write into each other's. */
export const journalFolder = (place: Place): string => join(memdFolder(place.directory), "journal", machineName(place));

/** The last finished run's journal: what undo works from when the ledger is lost. */
export const lastFolder = (place: Place): string => join(memdFolder(place.directory), "last", machineName(place));

function machineName(place: Place): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(place.machine)) return place.machine;
  throw new MemdError({
    code: "bad-machine-id",
    family: "bug",
    message: `not a machine id: ${JSON.stringify(place.machine).slice(0, 80)}`,
    hint: "This is a bug in memd: a machine id is made of letters, digits, `-` and `_`.",
  });
}

/** Makes temp names of this machine's runs tellable from those of others. */
export const tempToken = (place: Place, run: string): string => `${machineName(place)}-${run}`;
export const ownTempPrefix = (place: Place): string => `${TEMP_PREFIX}${machineName(place)}-`;

/** Names that memd may write: top-level Markdown, no path parts, no dot names. Guards against journals not written by memd. */
export function isMemoryFile(name: string): boolean {
  return name.length <= 255 && /\.md$/i.test(name) && !name.startsWith(".") && !/[/\\\u0000-\u001F\u007F]/.test(name);
}

/** `.memd/` with the `.gitignore` that keeps it out of commits; makes the memory directory itself when it is missing. */
export function ensureMemdFolder(place: Place): void {
  const { files, directory } = place;
  const folder = memdFolder(directory);
  ensureFolder(files, directory);
  ensureFolder(files, folder);
  if (ensureIgnored(files, folder, tempToken(place, "gitignore"))) files.syncDir(directory);
}

/** What a path holds that memd must not open: a link, a folder, a device, or a file that is too large. */
export const UNTOUCHABLE = "untouchable";

/**
 * What stands at a path: null for nothing, the SHA-256 of a regular file's bytes, else `UNTOUCHABLE`.
 * Never follows a link, never opens anything but a file.
 */
export function standing(files: Files, path: string): string | null {
  const bytes = readFile(files, path);
  return bytes === null || bytes === UNTOUCHABLE ? bytes : sha256(bytes);
}

/** The bytes of a regular file, null when nothing is there, else `UNTOUCHABLE`. */
export function readFile(files: Files, path: string): Buffer | null | typeof UNTOUCHABLE {
  const stat = files.lstat(path);
  if (!stat) return null;
  if (stat.kind !== "file" || stat.size > MAX_FILE_BYTES) return UNTOUCHABLE;
  try {
    return files.read(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    if (systemCode(error) === "ELOOP") return UNTOUCHABLE;
    throw error;
  }
}
