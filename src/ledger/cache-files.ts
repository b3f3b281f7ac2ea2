/**
 * Extractions that were paid for while there was no database to keep them: a file each, so that nothing is paid for twice on a machine where
 * SQLite does not load. The next database that works takes them over.
 */
import { join } from "node:path";
import type { Files } from "../base/files.ts";
import { namesIn } from "../base/folders.ts";
import { sha256 } from "../base/ids.ts";
import { isRecord, readJson, writeJson } from "../base/json.ts";
import { LARGEST_VALUE } from "./cache.ts";
import type { IsMention } from "./forgetting.ts";
import type { Retention } from "./verbs.ts";

export interface CacheFiles {
  get(key: string, now: number): string | null;
  put(key: string, value: string): void;
  /** Removes the values that hold a mention; returns how many. */
  forget(isMention: IsMention): number;
  trim(retention: Pick<Retention, "cacheDays" | "cacheBytes">, now: number): void;
  /** Hands every value to `take`, with the time of its last use in epoch ms, and removes those that it did not throw at. */
  takeOver(take: (key: string, value: string, used: number) => void): void;
}

const FOLDER = "cache";
const DAY = 86_400_000;

/** @param state the state directory @param token unique to each call */
export function cacheFiles(files: Files, state: string, token: () => string): CacheFiles {
  const folder = join(state, FOLDER);
  const pathOf = (key: string) => join(folder, `${sha256(key)}.json`);
  const paths = () =>
    namesIn(files, folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(folder, name));
  const read = (path: string) => entryOf(files, path);
  return {
    get: (key, now) => {
      const path = pathOf(key);
      const entry = files.lstat(path) === null ? null : read(path);
      if (entry?.key !== key) return null;
      files.utimes(path, now);
      return entry.value;
    },
    put: (key, value) => {
      if (Buffer.byteLength(value) <= LARGEST_VALUE) writeJson(files, pathOf(key), { key, value }, token());
    },
    forget: (isMention) => paths().filter((path) => isMention(read(path)?.value ?? null) && files.unlink(path)).length,
    trim: ({ cacheDays, cacheBytes }, now) => {
      let kept = 0;
      for (const { path, at, bytes } of latestFirst(files, paths())) {
        kept += bytes;
        if (at < now - cacheDays * DAY || kept > cacheBytes) files.unlink(path);
      }
    },
    takeOver: (take) => {
      for (const path of paths()) {
        const entry = read(path);
        if (entry) take(entry.key, entry.value, files.lstat(path)?.mtime ?? 0);
        files.unlink(path);
      }
    },
  };
}

function latestFirst(files: Files, paths: readonly string[]): { path: string; at: number; bytes: number }[] {
  const found = paths.flatMap((path) => {
    const stat = files.lstat(path);
    return stat ? [{ path, at: stat.mtime, bytes: stat.size }] : [];
  });
  return found.sort((a, b) => b.at - a.at);
}

function entryOf(files: Files, path: string): { key: string; value: string } | null {
  const found = readJson(files, path);
  if (found.state !== "read" || !isRecord(found.value)) return null;
  const { key, value } = found.value;
  return typeof key === "string" && typeof value === "string" ? { key, value } : null;
}
