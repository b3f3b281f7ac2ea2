/** The file that gets a block: found inside its project without following a link, read whole, written only if it is still what was read. */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { TEMP_PREFIX } from "../base/atomic.ts";
import { systemCode } from "../base/errors.ts";
import type { FileStat, Files } from "../base/files.ts";
import { shortHash } from "../base/ids.ts";
import { decode } from "../memory/decode.ts";

/** Why a file gets no block; a stable word, and what a person can do. */
export interface Refused {
  readonly state: "refused";
  readonly reason: string;
  readonly message: string;
  readonly hint: string;
}

export interface Standing {
  readonly state: "file";
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

export type TargetRead = Standing | { readonly state: "absent"; readonly path: string } | Refused;

const refused = (reason: string, message: string, hint: string): Refused => ({
  state: "refused",
  reason,
  message,
  hint,
});

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(folder + sep);

/**
 * The place of a file that a person named, absolute and below the project.
 * @param named as typed; relative names count from `from`
 */
export function placeTarget(
  files: Files,
  named: string,
  at: { readonly project: string; readonly memory: string; readonly from: string },
): { readonly path: string } | Refused {
  const wanted = isAbsolute(named) ? resolve(named) : resolve(at.from, named);
  if (!/\.md$/i.test(wanted))
    return refused("not-markdown", `${named} is no Markdown file`, "Name a file that ends in .md: AGENTS.md.");
  const folder = realFolder(files, dirname(wanted));
  if (folder === null)
    return refused(
      "no-such-folder",
      `there is no folder ${dirname(wanted)}`,
      "Make it, or name a file in a folder that is there.",
    );
  const project = realFolder(files, at.project);
  if (project === null)
    return refused(
      "no-such-folder",
      `the project's folder ${at.project} is gone`,
      "Bring it back, or stop with memd publish --remove.",
    );
  const path = join(folder, basename(wanted));
  if (!isBelow(path, project))
    return refused("outside-project", `${path} does not lie in ${project}`, "Name a file of the store's own project.");
  if (relative(project, path).split(sep).includes(".git"))
    return refused("inside-git", `${path} belongs to git`, "Name a file of the work tree.");
  if (isBelow(path, realFolder(files, at.memory) ?? at.memory))
    return refused("inside-memory", `${path} belongs to the memory itself`, "Name a file beside it: AGENTS.md.");
  return { path };
}

function realFolder(files: Files, path: string): string | null {
  return files.stat(path)?.kind === "dir" ? files.realpath(path) : null;
}

/** @param path as `placeTarget` gave it. Never follows a link: it may lead to a file that is not the project's. */
export function readTarget(files: Files, path: string): TargetRead {
  const folder = dirname(path);
  if (realFolder(files, folder) !== folder)
    return refused(
      "folder-moved",
      `${folder} is gone, or a link by now`,
      "Name the file anew: memd publish --file NAME.",
    );
  const stat = files.lstat(path);
  if (stat === null) return { state: "absent", path };
  const strange = strangeness(files, path, stat);
  if (strange !== null) return strange;
  const decoded = decode(files.read(path));
  if ("locked" in decoded)
    return refused(decoded.locked, `${path} is ${decoded.locked}`, "Save it as UTF-8 text of at most 256 KB.");
  return { state: "file", path, text: decoded.text, mode: stat.mode };
}

function strangeness(files: Files, path: string, stat: FileStat): Refused | null {
  if (stat.kind === "link") {
    const to = files.stat(path) === null ? null : files.realpath(path);
    return refused(
      "is-a-link",
      `${path} is a link`,
      to === null ? "It leads nowhere: put a file in its place." : `Name the file that it leads to: ${to}.`,
    );
  }
  if (stat.kind !== "file")
    return refused("not-a-file", `${path} is no regular file`, "Put a Markdown file in its place.");
  if (stat.links > 1)
    return refused(
      "hard-linked",
      `${path} has ${stat.links} names`,
      "Give each name a file of its own: only this one would change.",
    );
  return null;
}

const textAt = (files: Files, path: string): string | null => {
  const read = readTarget(files, path);
  return read.state === "file" ? read.text : null;
};

/** File systems without hard links: FAT, some network mounts. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"]);

/** Another name for what stands there, to look at it once more when its name has gone to the new text; false where links do not work. */
function linked(files: Files, path: string, held: string): boolean {
  try {
    files.link(path, held);
    return true;
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error) ?? "")) throw error;
    return false;
  }
}

/** Names beside the file that only this writer uses. */
function besides(path: string, owner: string): { readonly temp: string; readonly held: string } {
  const temp = join(dirname(path), `${TEMP_PREFIX}${shortHash(`${owner}\n${path}`)}`);
  return { temp, held: `${temp}-held` };
}

/** Removes what a crash left: a second name of the file would look like somebody's own. Called under the lease. */
export function clearTarget(files: Files, path: string, owner: string): void {
  const { temp, held } = besides(path, owner);
  files.unlink(temp);
  files.unlink(held);
}

export interface Write {
  /** Text that was read; null: there was no file. */
  readonly before: string | null;
  /** Text to stand there; null: no file. */
  readonly after: string | null;
  readonly mode: number;
}

/**
 * Brings the file from one text to the other, whole at every moment. Called under the store's lease, which makes the temp names ours.
 * @param owner names the writer, so that `clearTarget` later removes what a crash of this one left
 * @returns `changed` when somebody else wrote meanwhile: then their text stands, and nothing of ours does
 */
export function writeTarget(
  files: Files,
  path: string,
  { before, after, mode }: Write,
  owner: string,
): "done" | "changed" {
  const folder = dirname(path);
  const { temp, held } = besides(path, owner);
  try {
    if (after !== null) {
      files.create(temp, after, mode);
      // The umask narrows what create was given; a file that changes keeps its mode.
      if (before !== null) files.chmod(temp, mode);
    }
    if (textAt(files, path) !== before) return "changed";
    if (before === null) return after === null || named(files, temp, path) ? "done" : "changed";
    return replaced(files, { path, temp, held }, { before, after });
  } finally {
    files.unlink(temp);
    files.unlink(held);
    files.syncDir(folder);
  }
}

/** Gives the new file its name only where it is free. */
function named(files: Files, temp: string, path: string): boolean {
  try {
    files.link(temp, path);
    return true;
  } catch (error) {
    const code = systemCode(error) ?? "";
    if (code === "EEXIST") return false;
    if (!NO_LINKS.has(code)) throw error;
    if (files.lstat(path) !== null) return false;
    files.rename(temp, path);
    return true;
  }
}

/** Who wrote into the old file between the last look and the rename finds their text where they left it. */
function replaced(
  files: Files,
  { path, temp, held }: { path: string; temp: string; held: string },
  { before, after }: { before: string; after: string | null },
): "done" | "changed" {
  if (after === null) {
    files.rename(path, held);
    if (heldText(files, held) === before) return "done";
    named(files, held, path);
    return "changed";
  }
  const isHeld = linked(files, path, held);
  files.rename(temp, path);
  if (!isHeld || heldText(files, held) === before) return "done";
  files.rename(held, path);
  return "changed";
}

/** The held name makes two of it where links work, so it is read without the look at names. */
function heldText(files: Files, held: string): string | null {
  const decoded = decode(files.read(held));
  return "text" in decoded ? decoded.text : null;
}
