/**
 * One plain watch per folder: 501 watches and 65 MB for 20,000 transcripts, where chokidar over the files takes 20,502 and 230 MB, and
 * over the folders, which it lists with a stat per file, 166 MB (measured).
 */
import { statfsSync, watch } from "node:fs";
import { systemCode } from "../base/errors.ts";
import type { FileStat, Files } from "../base/files.ts";

export interface FolderWatch {
  /** @param name of the file; null where the system does not tell */
  (path: string, on: (name: string | null) => void, failed: (error: Error) => void): { close(): void };
}

export const nodeFolderWatch: FolderWatch = (path, on, failed) => {
  const watcher = watch(path, { persistent: true, recursive: false }, (_, name) => on(name));
  watcher.on("error", failed);
  return watcher;
};

/** File systems of other machines, by their number in statfs(2): NFS, SMB and CIFS, AFS, and what WSL shows of Windows (9p). */
const REMOTE = new Set([0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x5346414f, 0x01021997]);

/** True where what others write sends no events here. */
export function isRemoteFolder(path: string): boolean {
  try {
    return REMOTE.has(statfsSync(path).type);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return false;
  }
}

/** Beyond this, the least recently changed are left to the scan: many systems allow a user 8,192 watches for all programs together. */
export const MAX_WATCHES = 4_096;

export interface FoldersWorld {
  readonly files: Files;
  readonly watchFolder: FolderWatch;
  readonly isRemote: (path: string) => boolean;
  /** An event in a watched folder. */
  readonly on: (path: string, name: string | null) => void;
}

export interface Folders {
  /** Watches just these; a folder that was removed and made again is another one, and is watched anew. */
  follow(paths: Iterable<string>): void;
  readonly watching: number;
  /** Why not all of them are watched: a system code, `too-many` or `remote`; null when all are. */
  readonly trouble: { readonly code: string; readonly left: number } | null;
  close(): void;
}

interface Armed {
  readonly ino: number;
  readonly dev: number;
  close(): void;
}

export function openFolders(world: FoldersWorld): Folders {
  const armed = new Map<string, Armed>();
  let trouble: Folders["trouble"] = null;
  const drop = (path: string) => {
    armed.get(path)?.close();
    armed.delete(path);
  };
  // A file system is asked once; a folder that is mounted anew is another device.
  const remote = new Map<number, boolean>();
  const arm = (path: string, { ino, dev }: FileStat): string | null => {
    const isRemote = remote.get(dev) ?? world.isRemote(path);
    remote.set(dev, isRemote);
    if (isRemote) return "remote";
    const watcher = watched(world, path, () => drop(path));
    if (typeof watcher === "string") return watcher;
    armed.set(path, { ino, dev, close: () => watcher.close() });
    return null;
  };
  return {
    follow: (paths) => {
      const there = present(world.files, paths);
      for (const [path, { ino, dev }] of armed) {
        const stat = there.get(path);
        if (stat?.ino !== ino || stat.dev !== dev) drop(path);
      }
      trouble = armAll(there, { armed, arm });
    },
    get watching() {
      return armed.size;
    },
    get trouble() {
      return trouble;
    },
    close: () => {
      for (const path of [...armed.keys()]) drop(path);
    },
  };
}

/** The system's code where it refuses. @param lost a watcher that fails later is gone; the next scan arms it again */
function watched(world: FoldersWorld, path: string, lost: () => void): ReturnType<FolderWatch> | string {
  try {
    return world.watchFolder(path, (name) => world.on(path, name), lost);
  } catch (error) {
    const code = systemCode(error);
    if (code === null) throw error;
    return code;
  }
}

/** What the system refuses once it refuses for every folder: asking on costs time at each scan, and fills the log. */
const FOR_ALL = new Set(["ENOSPC", "EMFILE", "ENFILE", "ENOMEM"]);

function armAll(
  there: ReadonlyMap<string, FileStat>,
  by: { armed: ReadonlyMap<string, Armed>; arm: (path: string, stat: FileStat) => string | null },
): Folders["trouble"] {
  // The most recently changed first: there words are likely to come, if not all can be watched.
  const missing = [...there].filter(([path]) => !by.armed.has(path)).sort(([, a], [, b]) => b.mtime - a.mtime);
  let trouble: string | null = null;
  let left = 0;
  for (const [path, stat] of missing) {
    if (by.armed.size >= MAX_WATCHES) trouble ??= "too-many";
    const code = trouble !== null && (FOR_ALL.has(trouble) || trouble === "too-many") ? trouble : by.arm(path, stat);
    if (code === null) continue;
    // One that vanished in between is no trouble.
    if (code === "ENOENT" || code === "ENOTDIR") continue;
    trouble = code;
    left++;
  }
  return trouble === null ? null : { code: trouble, left };
}

function present(files: Files, paths: Iterable<string>): Map<string, FileStat> {
  const there = new Map<string, FileStat>();
  for (const path of paths) {
    const stat = statOf(files, path);
    if (stat?.kind === "dir") there.set(path, stat);
  }
  return there;
}

/** A folder behind one that may not be entered is told by the scan, as a problem of permission. */
function statOf(files: Files, path: string): FileStat | null {
  try {
    return files.stat(path);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}
