/** The configuration file that memd init writes: every key with its default as a comment, so that a later version's defaults still hold. */
import { dirname } from "node:path";
import { writeAtomic } from "../base/atomic.ts";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { exampleConfig } from "../config/example.ts";
import type { Paths } from "../config/paths.ts";

const HEAD = `# memd's configuration. Every key stands here with its default, behind a # without a blank: take that away to set one,
# and from its group's name as well. Paths are absolute or start with ~/. Without a line of yours the defaults hold.
# memd config shows the values in effect, memd config check what is wrong.`;

/** What is found by itself, for whoever wants to name a store or leave one out. */
export interface Known {
  readonly name: string;
  readonly project: string | null;
  readonly memory: string;
}

const KEY = /^( *)(\w+:.*)$/;

/** The text of the file; to be read it holds nothing but comments. */
export function starterConfig(stores: readonly Known[]): string {
  const [, ...groups] = exampleConfig().split("\n\n");
  const body = groups.join("\n\n").replace(/^(?! *#).+$/gm, (line) => line.replace(KEY, "$1#$2"));
  const found = stores.map(({ name, project, memory }) => `#   ${name}: ${project ?? "any project"} → ${memory}`);
  const list =
    found.length === 0
      ? []
      : ["", "# Found on this machine when this file was made, and watched without a line here:", ...found];
  return `${[HEAD, ...list, "", body.trimEnd()].join("\n")}\n`;
}

/** The file behind a link: people keep their dotfiles elsewhere. */
export function placeOfConfig(files: Files, { configFile }: Paths): string {
  return files.lstat(configFile)?.kind === "link" && files.stat(configFile) !== null
    ? files.realpath(configFile)
    : configFile;
}

/** The file's text; null where there is none, or none that can be read. */
export function standingConfig(files: Files, path: string): string | null {
  try {
    return files.stat(path)?.kind === "file" ? files.readText(path) : null;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

/**
 * Writes the file, readable by its owner only; the one that stood there is kept beside it.
 * @param made.stamp names the copy, and the temp file
 * @returns where the copy is; null where there was nothing to keep
 */
export function writeConfig(files: Files, path: string, made: { text: string; stamp: string }): string | null {
  const old = files.lstat(path)?.kind === "file" ? files.read(path) : null;
  const backup = old === null ? null : `${path}.${made.stamp}.bak`;
  files.mkdir(dirname(path), 0o700);
  if (old !== null && backup !== null) files.create(backup, old, 0o600);
  writeAtomic(files, path, made.text, { mode: 0o600, token: made.stamp });
  return backup;
}
