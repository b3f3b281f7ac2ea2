/** Reads the configuration file and tells everything that is wrong with it, with lines; never throws for what a file can hold. */
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { readYamlFile } from "../base/yaml.ts";
import { decode } from "../memory/decode.ts";
import { checkConfig, type Values } from "./check.ts";
import type { Paths } from "./paths.ts";
import { type Problem, problem } from "./problem.ts";

export interface LocatedProblem extends Problem {
  /** From 1; null where the problem is not in a line. */
  readonly line: number | null;
}

export interface ConfigRead {
  /** The file that was read or should have been; null when there is none and none was named. */
  readonly file: string | null;
  /** The parsed file, for the cache. */
  readonly raw: unknown;
  readonly values: Values;
  readonly problems: readonly LocatedProblem[];
}

/** All keys with their comments are 4 KB; a thousand stores some 200 KB. */
const MAX_CONFIG_BYTES = 256 * 1_024;

/** Everything that the file says and everything that is wrong with it; the defaults where there is none. */
export function readConfig(files: Files, paths: Paths): ConfigRead {
  const defaults = { file: null, raw: null, values: checkConfig(null, paths.home).values, problems: [] };
  const text = readText(files, paths);
  if (text === null) return defaults;
  const file = paths.configFile;
  if ("wrong" in text) return { ...defaults, file, problems: [{ ...problem([], text.wrong), line: null }] };
  const parsed = readYamlFile(text.text);
  if (parsed.faults.length > 0) {
    return {
      ...defaults,
      file,
      problems: parsed.faults.map(({ line, message }) => ({ ...problem([], message), line })),
    };
  }
  const { values, problems } = checkConfig(parsed.value, paths.home);
  return {
    file,
    raw: parsed.value,
    values,
    problems: inOrder(problems.map((item) => ({ ...item, line: item.at.length > 0 ? parsed.lineOf(item.at) : null }))),
  };
}

function inOrder(problems: readonly LocatedProblem[]): readonly LocatedProblem[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

type Text = { readonly text: string } | { readonly wrong: string };

/** Null when there is no file and nobody named one. A linked file is followed: people keep their dotfiles elsewhere. */
function readText(files: Files, paths: Paths): Text | null {
  try {
    return readFile(files, paths);
  } catch (error) {
    const code = systemCode(error);
    if (code === null) throw error;
    const why = code === "EACCES" || code === "EPERM" ? "no permission: give this user read permission there" : code;
    return { wrong: `cannot be read (${why})` };
  }
}

function readFile(files: Files, { configFile, configNamed }: Paths): Text | null {
  const stat = files.stat(configFile);
  if (stat === null) {
    if (files.lstat(configFile) !== null) return { wrong: "is a link that leads nowhere" };
    return configNamed ? { wrong: "is not there, and MEMD_CONFIG names it" } : null;
  }
  if (stat.kind !== "file") return { wrong: stat.kind === "dir" ? "is a folder, not a file" : "is not a regular file" };
  const tooLarge = { wrong: `is larger than ${MAX_CONFIG_BYTES / 1_024} KB` };
  if (stat.size > MAX_CONFIG_BYTES) return tooLarge;
  const decoded = decode(files.read(files.realpath(configFile)));
  if ("text" in decoded) return { text: decoded.text.replace(/^\uFEFF/, "") };
  return decoded.locked === "too-large" ? tooLarge : { wrong: `is ${decoded.locked}: save it as UTF-8 text` };
}
