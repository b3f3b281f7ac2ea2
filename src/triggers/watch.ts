/**
 * chokidar over the folders in which the agents keep their projects: what appears and goes there says that the stores may be others now.
 * Direct children only, no files, no globs (chokidar matches none since version 4, and says nothing), links not followed.
 */
import { watch as chokidar } from "chokidar";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";

export interface RootsWorld {
  readonly files: Files;
  /** A project's folder appeared or went. */
  readonly on: () => void;
}

export interface Roots {
  /** Watches those that are there. One that was removed and made again is watched anew: chokidar itself stays blind then (measured). */
  follow(roots: readonly string[]): void;
  readonly watching: number;
  /** The last error of a watcher that stands; null when there was none. */
  readonly trouble: { readonly code: string } | null;
  close(): Promise<void>;
}

interface Watched {
  readonly ino: number;
  readonly close: () => Promise<void>;
  trouble: string | null;
}

export function openRoots({ files, on }: RootsWorld): Roots {
  const watched = new Map<string, Watched>();
  const closing = new Set<Promise<void>>();
  const drop = (root: string) => {
    const closed = watched.get(root)?.close();
    watched.delete(root);
    if (closed) closing.add(closed.finally(() => closing.delete(closed)));
  };
  return {
    follow: (roots) => {
      const there = new Map(roots.map((root) => [root, inodeOf(files, root)]));
      for (const [root, { ino, trouble }] of watched) if (there.get(root) !== ino || trouble !== null) drop(root);
      // A root that is not there makes chokidar watch its parents, up to the whole home.
      for (const [root, ino] of there)
        if (ino !== null && !watched.has(root)) watched.set(root, watchRoot(root, ino, on));
    },
    get watching() {
      return watched.size;
    },
    get trouble() {
      for (const { trouble } of watched.values()) if (trouble !== null) return { code: trouble };
      return null;
    },
    close: async () => {
      for (const root of [...watched.keys()]) drop(root);
      await Promise.all(closing);
    },
  };
}

function inodeOf(files: Files, root: string): number | null {
  try {
    const stat = files.stat(root);
    return stat?.kind === "dir" ? stat.ino : null;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

function watchRoot(root: string, ino: number, on: () => void): Watched {
  const watcher = chokidar(root, {
    depth: 0,
    followSymlinks: false,
    ignoreInitial: true,
    ignored: (_, stat) => stat !== undefined && !stat.isDirectory(),
  });
  const state: Watched = { ino, trouble: null, close: () => watcher.close() };
  watcher.on("addDir", on).on("unlinkDir", on);
  // One error for each entry where the system has no watches left: the first says all of it.
  watcher.on("error", (error) => {
    state.trouble ??= systemCode(error) ?? "unknown";
  });
  return state;
}
