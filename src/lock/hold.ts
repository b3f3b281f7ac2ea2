/** Writing the stamp. Every change is a temp file, dated before it is renamed: no reader sees a body with the wrong time. */
import { join } from "node:path";
import { TEMP_PREFIX } from "../base/atomic.ts";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { STAMP_FILE } from "./stamp.ts";

/** memd's own folder in a memory directory. */
export const OWN_FOLDER = ".memd";

export interface StampSite {
  readonly files: Files;
  readonly memoryDir: string;
  /** Unique to the run. */
  readonly token: string;
  /** This machine's id: temp files carry it, so that its next run knows what a crash left. */
  readonly machine: string;
}

/**
 * Marks the stamp as held by `pid` since `now` (epoch ms).
 * @param mark.keep keep the file that is there aside until the run ends; false for an invalid one, which is not worth it
 */
export function holdStamp(site: StampSite, mark: { pid: number; now: number; keep: boolean }): void {
  dropPrior(site);
  if (mark.keep) keepPrior(site);
  put(site, `${mark.pid}\n${mark.now}`, mark.now);
}

/** The store is consolidated as of `stamp` (epoch ms). */
export function releaseSuccess(site: StampSite, stamp: number): void {
  put(site, `\n${stamp}`, stamp);
  dropPrior(site);
}

/** The store is as it was at `prior` (epoch ms; 0 never). */
export function rollBack(site: StampSite, prior: number): void {
  if (prior === 0) site.files.unlink(stampPath(site));
  else put(site, `\n${prior}`, prior);
  dropPrior(site);
}

/**
 * Puts back the very file that was there before `holdStamp`: same bytes, same mtime to the nanosecond, same inode.
 * Where none could be kept (no file, an invalid one, a file system without hard links) it rolls back to `prior`.
 */
export function restoreExactly(site: StampSite, prior: number): void {
  if (!restoreKept(site)) rollBack(site, prior);
}

/** Puts back the file that `holdStamp` kept; false when there is none. */
export function restoreKept(site: StampSite): boolean {
  const { files } = site;
  if (files.lstat(priorPath(site))?.kind !== "file") return false;
  files.rename(priorPath(site), stampPath(site));
  files.syncDir(site.memoryDir);
  dropPrior(site);
  return true;
}

/** Forgets the kept file; also when a rename between two names of one file left both in place. */
export function dropPrior(site: StampSite): void {
  site.files.unlink(priorPath(site));
}

/**
 * A hard link keeps what utimes cannot give back: Node sets and reads times in doubles, so an mtime that another program
 * wrote in nanoseconds does not survive a round trip.
 */
function keepPrior(site: StampSite): void {
  if (site.files.lstat(stampPath(site))?.kind !== "file") return;
  try {
    site.files.link(stampPath(site), priorPath(site));
  } catch (error) {
    // Not every file system has hard links; the run then ends with a stamp of the same time in memd's own form.
    if (systemCode(error) === null) throw error;
  }
}

function put(site: StampSite, body: string, mtime: number): void {
  const { files, memoryDir, token, machine } = site;
  const path = stampPath(site);
  const temp = join(memoryDir, `${TEMP_PREFIX}${machine}-${token}-stamp`);
  const there = files.lstat(path);
  files.unlink(temp);
  try {
    files.create(temp, body, there?.kind === "file" ? there.mode & 0o666 : 0o600);
    files.utimes(temp, mtime);
    if (there?.kind === "dir") files.rename(path, join(memoryDir, OWN_FOLDER, `displaced-${token}`));
    files.rename(temp, path);
  } catch (error) {
    files.unlink(temp);
    throw error;
  }
  files.syncDir(memoryDir);
}

function stampPath(site: StampSite): string {
  return join(site.memoryDir, STAMP_FILE);
}

function priorPath(site: StampSite): string {
  return join(site.memoryDir, OWN_FOLDER, "stamp.prior");
}
