/** Names of memory files: which may be made, which are something else, which are one file on another system. */
import { hasInvisible } from "../base/text.ts";

/** Below the 255 bytes of file systems, with room for temp suffixes; what fits a line of the index. */
const SLUG_BYTES = 80;

/** The index, by the name under which agents load it. */
export const INDEX = "MEMORY.md";

/** The generated topic for pointers that do not fit into the index. */
export const MORE_TOPICS = "more-topics";
export const MORE_FILE = `${MORE_TOPICS}.md`;

/** The two files whose lines lead to topics. */
export const holdsPointers = (file: string): boolean => file === INDEX || file === MORE_FILE;

const RESERVED = new Set(["memory", "team", "logs", "sessions", "proposals", MORE_TOPICS]);

/** Devices on Windows, with any extension; a synced directory would break there. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(?:\.|$)/i;

/** Day files of daily logs: `2026-03-02`, also with a session's name behind it. */
const DATED = /^\d{4}-\d\d-\d\d(?:$|[-_.T ])/;

/** Names that go out of date with a release, a month or a sprint: the subject's name does not. */
const VERSIONED =
  /(?:^|-)(?:v\d+|(?:19|20)\d\d|q[1-4]|\d+-\d+-\d+|(?:version|release|rc|sprint|week|milestone|phase)-?\d+)(?:-|$)/;

/** Copies that synchronising tools and editors leave beside a file, known by their names alone. */
const CONFLICT =
  /\.sync-conflict-|\(.*(?:conflict|冲突).*\)|[ _-]conflict(?:ed)?[ _-](?:copy\.md$|\d)|\.(?:orig|bak|rej|tmp|swp)(?:\.|$)|~\.md$|~$|^\.?#/i;

/** `x 2.md`, `x (1).md`, `x copy.md`: a copy only where `x.md` is there too. */
const NUMBERED = /^(.+?)(?: \d| copy(?: \d)?| 副本| \((?:\d+|copy)\))\.md$/i;

/** The name of the file that this one would be a copy of, or null. */
export function copyOf(name: string): string | null {
  const found = NUMBERED.exec(name);
  return found ? `${found[1]}.md` : null;
}

/** One name on systems that fold case or Unicode forms. */
export function foldName(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

/**
 * Judges a slug for a new topic (no `.md`).
 * @returns null when it is fine, else a stable reason word
 */
export function judgeSlug(slug: string): string | null {
  if (slug === "") return "empty";
  if (Buffer.byteLength(slug) > SLUG_BYTES) return "too-long";
  if (hasInvisible(slug)) return "invisible-characters";
  if (/[/\\]/.test(slug) || slug.includes("..")) return "path-part";
  if (slug.startsWith(".")) return "hidden";
  if (slug.startsWith("-")) return "starts-with-dash";
  if (RESERVED.has(foldName(slug.replace(/\.md$/i, "")))) return "reserved";
  if (DEVICE.test(slug)) return "device-name";
  if (DATED.test(slug)) return "daily-log";
  if (CONFLICT.test(`${slug}.md`)) return "conflict-copy";
  if (slug !== slug.toLowerCase()) return "upper-case";
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug)) return "bad-characters";
  return VERSIONED.test(slug) ? "versioned" : null;
}

export type NameKind = "topic" | "index" | "reserved" | "daily-log" | "conflict-copy" | "hidden" | "other";

/** What a name in a memory directory stands for. Existing topics may have any name; only new ones must be slugs. */
export function nameKind(name: string): NameKind {
  if (name === INDEX) return "index";
  if (CONFLICT.test(name)) return "conflict-copy";
  if (name.startsWith(".")) return "hidden";
  if (!/\.md$/i.test(name)) return RESERVED.has(foldName(name)) ? "reserved" : "other";
  const slug = name.slice(0, -3);
  if (DATED.test(slug)) return "daily-log";
  // On a system that folds case, `memory.md` is the index.
  return foldName(slug) === "memory" ? "reserved" : "topic";
}

/** Groups of names that are one file after case folding and NFC. */
export function collisions(names: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of names) groups.set(foldName(name), [...(groups.get(foldName(name)) ?? []), name]);
  return [...groups.values()].filter((group) => group.length > 1);
}
