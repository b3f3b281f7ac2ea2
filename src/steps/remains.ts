/** Looks through every file of memd's own, and the memory itself, for what should be forgotten: what is said to be gone is gone. */
import { dirname, join } from "node:path";
import { namesIn } from "../base/folders.ts";
import { isTelling } from "../ledger/forgetting.ts";
import type { Files } from "../ports.ts";
import { isMemoryFile, memdFolder } from "../store/place.ts";
import type { Sightings } from "./sightings.ts";
import type { DreamWorld } from "./world.ts";

/** Paths of files that still hold one of the statements or a telling quote. Sources (sessions, daily logs) are not memd's and not looked at. */
export function remainsOf(world: DreamWorld, found: Sightings): string[] {
  const { files, store, briefs } = world;
  const texts = found.needles.filter(isTelling).map((text) => Buffer.from(text));
  // Text files may fold or escape it; a database is bytes.
  const tells = (path: string) => {
    const bytes = files.read(path);
    return (
      texts.some((text) => bytes.includes(text)) || (isText(path) && found.unwanted.mentions(bytes.toString("utf8")))
    );
  };
  const memory = namesIn(files, store.memory)
    .filter((name) => isMemoryFile(name) && !DAILY_LOG.test(name))
    .map((name) => join(store.memory, name));
  const root = dirname(briefs);
  const own = namesIn(files, root)
    .filter((name) => name !== "stores")
    .map((name) => join(root, name));
  const places = [...memory, memdFolder(store.memory), store.state, ...own];
  return places.flatMap((path) => filesBelow(files, path)).filter(tells);
}

const DAILY_LOG = /^\d{4}-\d\d-\d\d/;
const isText = (path: string) => /\.(?:md|jsonl?|txt|log)$/i.test(path);

function filesBelow(files: Files, path: string): string[] {
  const kind = files.lstat(path)?.kind;
  if (kind === "file") return [path];
  return kind === "dir" ? namesIn(files, path).flatMap((name) => filesBelow(files, join(path, name))) : [];
}
