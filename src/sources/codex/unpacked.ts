/** Rollouts that the client packed with zstd, read as if they were plain: their offsets count unpacked bytes. */
import * as zlib from "node:zlib";
import { systemCode } from "../../base/errors.ts";
import type { Files } from "../../base/files.ts";
import type { TranscriptFile } from "../../ports.ts";

/** Unpacks at most `max` bytes; throws for damage and for more. */
export type Unzstd = (packed: Buffer, max: number) => Buffer;

/** Packed ones are small: a rollout that unpacks to more is left alone rather than held in memory. */
const MAX_PACKED = 64 * 1_048_576;
const MAX_UNPACKED = 256 * 1_048_576;

/** Node's own zstd, from 22.15 on; null before. */
export function nodeUnzstd(): Unzstd | null {
  const unpack: unknown = Reflect.get(zlib, "zstdDecompressSync");
  if (typeof unpack !== "function") return null;
  return (packed, max) => {
    const bytes: unknown = Reflect.apply(unpack, zlib, [packed, { maxOutputLength: max }]);
    return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
  };
}

/** The file as its plain form would look; null when it is gone. One that cannot be unpacked looks like one damaged line. */
export function withUnpacked(
  files: Files,
  file: TranscriptFile,
  unzstd: Unzstd,
): { files: Files; file: TranscriptFile } | null {
  const packed = file.size > MAX_PACKED ? Buffer.alloc(0) : readOrGone(files, file.path);
  if (packed === null) return null;
  const bytes = unpacked(packed, unzstd);
  const view: Files = {
    ...files,
    open: () => -1,
    close: () => undefined,
    readAt: (_fd, buffer, length, position) => bytes.copy(buffer, 0, position, position + length),
  };
  return { files: view, file: { ...file, size: bytes.length } };
}

const DAMAGED = Buffer.from("?\n");

function unpacked(packed: Buffer, unzstd: Unzstd): Buffer {
  try {
    return unzstd(packed, MAX_UNPACKED);
  } catch (error) {
    if (systemCode(error) === null && !(error instanceof RangeError)) throw error;
    return DAMAGED;
  }
}

function readOrGone(files: Files, path: string): Buffer | null {
  try {
    return files.read(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}
