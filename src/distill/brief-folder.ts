/** The brief on disk: plain files in a folder that memd made, and nothing else in it. */
import { dirname, join } from "node:path";
import { MemdError } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import type { BriefFile } from "../digest/brief.ts";

/** The brief itself, among the files; what the child reads, from its current folder. */
export const BRIEF_FILE = "brief.json";

/**
 * Writes the brief's files into a new or empty folder (0700).
 * @returns the folder's real path: a permission for the path as given would not fit behind a link
 * @throws MemdError misconfigured `brief-folder` when anything else lies there: the permission model follows a link out of the folder
 */
export function writeBriefFolder(files: Files, folder: string, brief: readonly BriefFile[]): string {
  files.mkdir(folder, 0o700);
  if (files.lstat(folder)?.kind !== "dir") throw strange(folder, "it is not a folder of its own");
  const [first] = files.list(folder);
  if (first) throw strange(folder, `${JSON.stringify(first.name)} lies in it already`);
  files.chmod(folder, 0o700);
  for (const { path, text } of brief) {
    files.mkdir(dirname(join(folder, path)), 0o700);
    // One file per session: flushing 6,700 of them took 21 s of a run.
    files.scratch(join(folder, path), text, 0o600);
  }
  const real = files.realpath(folder);
  requireAsWritten(files, real, new Set(brief.map(({ path }) => path)));
  return real;
}

/** Last look before the child starts: exactly the files that were written, plain and with no second name. */
function requireAsWritten(files: Files, folder: string, written: ReadonlySet<string>): void {
  const found = everything(files, folder, "");
  const stranger = found.find(({ path, links, kind }) => !written.has(path) || kind !== "file" || links !== 1);
  if (stranger) throw strange(folder, `${JSON.stringify(stranger.path)} is not a file that was written`);
  if (found.length !== written.size) throw strange(folder, "a file that was written is gone");
}

function everything(files: Files, folder: string, prefix: string): { path: string; kind: string; links: number }[] {
  return files.list(join(folder, prefix)).flatMap(({ name }) => {
    const path = prefix === "" ? name : `${prefix}/${name}`;
    const stat = files.lstat(join(folder, path));
    if (stat?.kind === "dir") return everything(files, folder, path);
    return [{ path, kind: stat?.kind ?? "gone", links: stat?.links ?? 0 }];
  });
}

function strange(folder: string, why: string): MemdError {
  return new MemdError({
    code: "brief-folder",
    family: "misconfigured",
    message: `the brief folder ${folder} cannot be used: ${why}`,
    hint: "Look what put it there, and remove the folder; memd makes it anew.",
  });
}
