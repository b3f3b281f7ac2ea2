/**
 * The lock directory, `.memd/lease.lock`, and how it is broken without ever breaking the wrong one.
 *
 * proper-lockfile's lock is an empty directory, and its takeover of a stale one is `rmdir`, then `mkdir`: a rival that judged
 * the same stale lock a moment earlier removes the new holder's directory, and both hold. So memd's directory holds one
 * file named by the holder's token. Breaking removes only the names that were seen when the lock was judged; in a directory
 * that changed hands meanwhile another name stands, and `rmdir` fails.
 */
import * as fs from "node:fs";
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import type { FileKind, Files } from "../base/files.ts";

export interface LockDir {
  readonly kind: FileKind;
  /** Epoch ms of the last heartbeat. */
  readonly mtime: number;
  readonly names: readonly string[];
}

/** Null when there is none. The names are listed before the time is read: they are never younger than what is judged. */
export function seeLockDir(files: Files, path: string): LockDir | null {
  // Almost always there is none, and the error of a failed listing costs as much as all other looks at a store.
  if (files.lstat(path) === null) return null;
  const names = listNames(files, path);
  const stat = files.lstat(path);
  return stat === null ? null : { kind: stat.kind, mtime: stat.mtime, names };
}

/** Removes the lock that was seen, whatever it is; one that changed hands meanwhile stays. */
export function breakLockDir(files: Files, path: string, seen: LockDir): void {
  remove(files, path, { kind: seen.kind, names: seen.names, depth: 0 });
}

/** Somebody's litter in the lock directory is shallow; deeper trees are left for a person. */
const LITTER_DEPTH = 32;

function remove(files: Files, path: string, seen: { kind: FileKind; names: readonly string[]; depth: number }): void {
  try {
    if (seen.kind !== "dir") {
      files.unlink(path);
      return;
    }
    for (const name of seen.depth < LITTER_DEPTH ? seen.names : []) {
      const child = join(path, name);
      const kind = files.lstat(child)?.kind;
      if (kind)
        remove(files, child, { kind, names: kind === "dir" ? listNames(files, child) : [], depth: seen.depth + 1 });
    }
    files.rmdir(path);
  } catch (error) {
    // Not what was seen any more: it changed hands.
    if (!["ENOTEMPTY", "EEXIST", "ENOTDIR", "EISDIR", "EPERM"].includes(systemCode(error) ?? "")) throw error;
  }
}

function listNames(files: Files, path: string): string[] {
  try {
    return files.list(path).map((entry) => entry.name);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return [];
    throw error;
  }
}

type Done = (error: Error | null) => void;
type StatDone = (error: Error | null, stat?: fs.Stats) => void;

/**
 * The file system as proper-lockfile is given it: `mkdir` also puts the token inside, `rmdir` takes it out first, and the
 * heartbeat's `stat` finds nothing once the token is gone (the library compares mtimes, which it rounds up to the second:
 * two holders of one second look the same to it). Of two tokens in one directory at most one stays, since each looks
 * after it wrote; both may leave, then both try again.
 */
export function tokenFs(token: string) {
  let claimed = false;
  return {
    utimes: fs.utimes,
    stat: (path: string, done: StatDone) => {
      fs.stat(claimed ? join(path, token) : path, (error, stat) =>
        error || !claimed ? done(error, stat) : fs.stat(path, done),
      );
    },
    mkdir: (path: string, done: Done) => {
      fs.mkdir(path, 0o700, (error) => {
        const refusal = error ?? claim(path, token);
        claimed = refusal === null;
        done(refusal);
      });
    },
    rmdir: (path: string, done: Done) => done(attempt(() => removeOwn(path, token))),
    rmdirSync: (path: string) => removeOwn(path, token),
  };
}

function claim(path: string, token: string): Error | null {
  return attempt(() => {
    fs.writeFileSync(join(path, token), "", { flag: "wx", mode: 0o600 });
    if (fs.readdirSync(path).length === 1) return;
    attempt(() => removeOwn(path, token));
    throw Object.assign(new Error("another process claimed the lock directory first"), { code: "EEXIST" });
  });
}

function removeOwn(path: string, token: string): void {
  fs.rmSync(join(path, token), { force: true });
  fs.rmdirSync(path);
}

function attempt(act: () => void): Error | null {
  try {
    act();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
