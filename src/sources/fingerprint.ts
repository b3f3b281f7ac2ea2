/** The place up to which a file was read, and how to tell that it still is the same file. */
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { sha256 } from "../base/ids.ts";
import type { Cursor, TranscriptFile } from "../ports.ts";

/** Bytes at the start and before the offset that stand for the whole: enough for one record's unique ids. */
const PROBE_BYTES = 1_024;

/** Hash over the first bytes of the file and the last ones before `offset`; null when the file is shorter than that. */
export function fingerprint(files: Files, fd: number, offset: number): string | null {
  const length = Math.min(PROBE_BYTES, offset);
  const probe = Buffer.alloc(2 * length);
  const head = files.readAt(fd, probe.subarray(0, length), length, 0);
  const tail = files.readAt(fd, probe.subarray(length), length, offset - length);
  if (head < length || tail < length) return null;
  return sha256(probe).slice(0, 16);
}

/**
 * Whether reading may go on at the cursor: same inode, not shorter, same fingerprint. The device number does not decide,
 * since some file systems hand out a new one at each mount.
 */
export function fits(files: Files, fd: number, file: TranscriptFile, from: Cursor): boolean {
  return from.ino === file.ino && from.offset <= file.size && fingerprint(files, fd, from.offset) === from.fingerprint;
}

/** A line start in a transcript. */
export interface Place {
  readonly file: TranscriptFile;
  readonly offset: number;
  /** Lines before it. */
  readonly lines: number;
}

/** The cursor at an offset of an open file; one at the start when the file has become shorter meanwhile. */
export function cursorIn(files: Files, fd: number, { file, offset, lines }: Place): Cursor {
  const { dev, ino } = file;
  const print = fingerprint(files, fd, offset);
  if (print === null) return { dev, ino, offset: 0, lines: 0, fingerprint: "" };
  return { dev, ino, offset, lines, fingerprint: print };
}

/** Opens for reading; null when the file is gone. */
export function openOrGone(files: Files, path: string): number | null {
  try {
    return files.open(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

/** `TranscriptSource.cursorAt` for every source whose transcripts are plain files. */
export function cursorAt(files: Files, place: Place): Cursor | null {
  const fd = openOrGone(files, place.file.path);
  if (fd === null) return null;
  try {
    return cursorIn(files, fd, place);
  } finally {
    files.close(fd);
  }
}
