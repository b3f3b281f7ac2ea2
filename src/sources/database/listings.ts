/**
 * What databases listed a moment ago. Discovery asks for the sessions of a database, and then every project that has some in it: one
 * pass would ask as often as there are projects, where once is enough.
 */
import type { Files } from "../../base/files.ts";
import type { SessionRow } from "./source.ts";

/** Longer than a pass that finds nothing new takes, and far shorter than the time between two. */
const FRESH_MS = 2_000;

interface Listing {
  readonly mark: string;
  readonly rows: readonly SessionRow[];
}

/** By file system, then by format and path. A second copy of this module costs a query, nothing else. */
const known = new WeakMap<Files, Map<string, Listing>>();

/** @param name of the format and the database; what it listed is asked anew once a commit moved its file or its log */
export function listedOnce(
  files: Files,
  { name, path }: { readonly name: string; readonly path: string },
  ask: () => readonly SessionRow[] | null,
): readonly SessionRow[] | null {
  const listings = known.get(files) ?? new Map<string, Listing>();
  known.set(files, listings);
  const key = `${name}\n${path}`;
  // Before the rows are read: a commit in between then makes the next look ask again.
  const mark = markOf(files, path);
  const before = listings.get(key);
  if (before?.mark === mark) return before.rows;
  const rows = ask();
  if (rows === null) return null;
  const listing = { mark, rows };
  listings.set(key, listing);
  setTimeout(() => {
    if (listings.get(key) === listing) listings.delete(key);
  }, FRESH_MS).unref();
  return rows;
}

function markOf(files: Files, path: string): string {
  return [path, `${path}-wal`]
    .map((name) => files.stat(name))
    .map((stat) => (stat === null ? "" : `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtime}`))
    .join("\n");
}
