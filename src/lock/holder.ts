/** The holder record, `.memd/lease.json`: who dreams here, and what the stamp was before. */
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";

export interface Holder {
  /** Random, 32 hex digits: the fencing token. */
  readonly token: string;
  readonly pid: number;
  readonly processStart: string | null;
  readonly bootId: string | null;
  readonly machineId: string;
  /** What the stamp was before the run, epoch ms; 0 never. */
  readonly priorStamp: number;
  /** When the lease was taken, epoch ms; also the time in the held stamp. */
  readonly since: number;
  readonly run: string;
}

/** A record is some 300 bytes; anything much larger was not written by memd. */
const RECORD_BYTES = 4_096;

/** Null when there is none or it is damaged: the lock directory then tells what there is to tell. */
export function readHolder(files: Files, path: string): Holder | null {
  const stat = files.lstat(path);
  if (stat === null || stat.kind !== "file" || stat.size > RECORD_BYTES) return null;
  const read = readJson(files, path);
  return read.state === "read" && isHolder(read.value) ? read.value : null;
}

/** Writes the record atomically, over whatever stands there. */
export function writeHolder(files: Files, path: string, holder: Holder): void {
  if (files.lstat(path)?.kind === "dir") files.rename(path, `${path}.displaced-${holder.token}`);
  writeJson(files, path, holder, `${holder.machineId}-${holder.token}`);
}

export function removeHolder(files: Files, path: string): void {
  try {
    files.unlink(path);
  } catch (error) {
    // A directory there is moved aside when the next record is written.
    if (systemCode(error) !== "EISDIR" && systemCode(error) !== "EPERM") throw error;
  }
}

/** The token names a file and is therefore checked to the letter. */
function isHolder(value: unknown): value is Holder {
  if (!isRecord(value)) return false;
  const { token, pid, processStart, bootId, machineId, priorStamp, since, run } = value;
  return (
    typeof token === "string" &&
    /^[0-9a-f]{32}$/.test(token) &&
    Number.isSafeInteger(pid) &&
    isTextOrNull(processStart) &&
    isTextOrNull(bootId) &&
    typeof machineId === "string" &&
    isTime(priorStamp) &&
    isTime(since) &&
    typeof run === "string"
  );
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
