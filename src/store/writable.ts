/** Asks before the first request whether the memory could be written at all: a run that cannot end must not begin. */
import { join } from "node:path";
import { TEMP_PREFIX } from "../base/atomic.ts";
import { classify, MemdError } from "../base/errors.ts";
import { INDEX } from "../memory/names.ts";
import { ensureMemdFolder, memdFolder, type Place, tempToken } from "./place.ts";
import type { MemorySnapshot } from "./read.ts";

/**
 * Writes and removes a small file in the memory directory and in `.memd/`, and looks at the files' own permissions: a rename would
 * replace a file that its owner protected, so the permission bits count even where the system would allow it.
 * @throws MemdError misconfigured (`no-permission`, `read-only`, `file-not-readable`, `file-not-writable`) or unavailable (`disk-full`)
 */
export function checkWritable(place: Place, snapshot: MemorySnapshot): void {
  const { files, directory } = place;
  try {
    ensureMemdFolder(place);
    for (const folder of [directory, memdFolder(directory)]) {
      const probe = join(folder, `${TEMP_PREFIX}${tempToken(place, "probe")}`);
      files.unlink(probe);
      try {
        files.create(probe, "memd\n", 0o600);
      } finally {
        files.unlink(probe);
      }
    }
  } catch (error) {
    throw classify(error, `write in ${directory}`);
  }
  refuseUnreadable(snapshot);
  const names = [INDEX, ...snapshot.tree.topics.map((topic) => topic.file)];
  const shut = names.find((name) => ((snapshot.stats.get(name)?.mode ?? 0o200) & 0o200) === 0);
  if (shut === undefined) return;
  throw new MemdError({
    code: "file-not-writable",
    family: "misconfigured",
    message: `${join(directory, shut)} is write-protected`,
    hint: "Make it writable (chmod u+w); to keep dreams from changing it, set `pinned: true` in its front matter.",
  });
}

/** What cannot be read would be said a second time beside it, or refused for ever: words that belong there must wait. */
function refuseUnreadable(snapshot: MemorySnapshot): void {
  const shut = snapshot.notices.find(({ code }) => code === "no-permission");
  if (shut === undefined) return;
  throw new MemdError({
    code: "file-not-readable",
    family: "misconfigured",
    message: shut.message,
    hint: "Make it readable (chmod u+r), or move it out of the memory directory.",
  });
}
