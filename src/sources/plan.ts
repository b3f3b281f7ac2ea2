/** What a run may read, as one plain object; and the listing that scan and collect share. */
import { classify, MemdError, systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import type { TranscriptFile, TranscriptSource, Trouble } from "../ports.ts";
import type { Book } from "./cursors.ts";
import { breathe } from "./lines.ts";

export type HeadlessPolicy = "auto" | "include" | "ignore";

export interface SourceRoot {
  readonly source: TranscriptSource;
  /** Absolute folder. */
  readonly root: string;
  /** A root that is not there is no error: a discovered folder that its client has deleted. Default: it is one. */
  readonly optional?: boolean;
}

export interface Ignore {
  /** Session ids. */
  readonly sessions: readonly string[];
  /** Folders: transcripts below them, and sessions that worked below them. */
  readonly paths: readonly string[];
  /** Project roots. */
  readonly projects: readonly string[];
}

export interface ReadPlan {
  readonly files: Files;
  readonly book: Book;
  readonly sources: readonly SourceRoot[];
  /** Canonical project root whose sessions feed the store; null takes every session, whatever its project. */
  readonly project: string | null;
  /** Roots that were found by what lies in them, and may hold other projects' sessions: words there that name no folder are nobody's. */
  readonly found?: readonly string[];
  /** Folders that are gone and that were the project's. */
  readonly formerly?: readonly string[];
  readonly headless: HeadlessPolicy;
  readonly ignore: Ignore;
  /** The stamp, epoch ms: only turns after it count for the session gate. */
  readonly since: number;
  /** Sessions that memd itself started, by recorded id; and folders in which it works. */
  readonly ownSessions: ReadonlySet<string>;
  readonly ownFolders: readonly string[];
  /** Folders whose files agents may have written: their writes are gathered. Default: none. */
  readonly writesBelow?: readonly string[];
  /** `collect` opens no further file once this much text is gathered. */
  readonly maxChars: number;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

/** Why a source cannot be read whole, or is read in a way that a person may not expect. */
const NOTICES = [
  "unreadable-folder",
  "unreadable-file",
  "shared-folder",
  "most-sessions-dropped",
  "no-sqlite",
  "database-busy",
  "database-unusable",
  "unknown-format",
  "zstd-unsupported",
] as const;

/** True for the codes of what a scan finds anew each time. */
export function isSourceNotice(code: string): boolean {
  return NOTICES.some((known) => known === code);
}

/** Something the user should know; a value, not an error. */
export interface Notice {
  readonly code: (typeof NOTICES)[number] | Trouble["code"];
  readonly message: string;
  readonly hint: string;
}

export interface SessionCounts {
  /** Transcripts found, dropped ones included. */
  readonly seen: number;
  /** By reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

export interface RecordCounts {
  readonly lines: number;
  readonly bad: number;
  readonly unfinished: number;
}

/** Adds the records of one transcript to a sum. */
export function addRecords(sum: { -readonly [Key in keyof RecordCounts]: number }, part: RecordCounts): void {
  sum.lines += part.lines;
  sum.bad += part.bad;
  sum.unfinished += part.unfinished;
}

/** A transcript with the source that can read it. */
export interface Target {
  readonly source: TranscriptSource;
  readonly file: TranscriptFile;
}

/** Files listed between two breaths: about a millisecond of work. */
const BATCH = 256;

/**
 * All transcripts of the plan, each once however many roots lead to it, oldest first: what its client deletes next comes
 * first, and an original comes before its copies.
 * @throws MemdError misconfigured: a root that is missing (`no-such-folder`) or cannot be read (`no-permission`)
 */
export async function listTargets(plan: ReadPlan): Promise<Target[]> {
  const targets: Target[] = [];
  const isNew = firstMeetings();
  let steps = 0;
  for (const { source, root, optional } of plan.sources) {
    try {
      for (const file of source.list(root)) {
        if (isNew(file)) targets.push({ source, file });
        if (steps++ % BATCH !== 0) continue;
        await breathe();
        plan.signal.throwIfAborted();
      }
    } catch (error) {
      if (!(optional && isAbsent(error))) throw rootError(error, root);
    }
  }
  return targets.sort((a, b) => a.file.mtime - b.file.mtime || (a.file.path < b.file.path ? -1 : 1));
}

/** True for a transcript that was not met before, by its inode; joined to texts, twenty thousand of them would cost more than their stats. */
function firstMeetings(): (file: TranscriptFile) => boolean {
  const inodes = new Map<number, Set<number>>();
  const others = new Set<string>();
  return (file) => {
    const isPlain = file.ino !== 0 && file.container === undefined;
    const known: Set<number | string> = isPlain ? (inodes.get(file.dev) ?? new Set()) : others;
    if (isPlain && known.size === 0) inodes.set(file.dev, known as Set<number>);
    const before = known.size;
    known.add(isPlain ? file.ino : file.ino === 0 ? file.path : `${file.dev}:${file.ino}#${file.session}`);
    return known.size > before;
  };
}

function isAbsent(error: unknown): boolean {
  const code = systemCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

const SHUT: ReadonlySet<string | null> = new Set(["EACCES", "EPERM"]);

function rootError(error: unknown, root: string): MemdError {
  if (SHUT.has(systemCode(error))) return mayNotRead(`the sessions below ${root} may not be read`, root, error);
  if (!isAbsent(error)) return classify(error, `read the sessions below ${root}`);
  return new MemdError({
    code: "no-such-folder",
    family: "misconfigured",
    message: `there is no folder ${root} to read sessions from`,
    hint: "Correct the path in the configuration or on the command line.",
    cause: error,
  });
}

/**
 * Nothing of what was found can be read: that is no quiet day, and must not pass for one.
 * @param dropped counts by reason
 * @throws MemdError misconfigured: `no-permission`
 */
export function refuseUnreadable({ sources }: ReadPlan, seen: number, dropped: Readonly<Record<string, number>>): void {
  const shut = (dropped["unreadable-folder"] ?? 0) + (dropped["unreadable-file"] ?? 0);
  if (shut === 0 || shut < seen) return;
  const roots = sources.map(({ root }) => root).join(", ");
  throw mayNotRead(`none of the sessions below ${roots} may be read`, sources[0]?.root ?? "");
}

/** On macOS the right belongs to the program: an update of Node at another path loses it, and the folder looks empty or shut. */
function mayNotRead(message: string, root: string, cause?: unknown): MemdError {
  const hint = `Give this user read permission there: ls -ld ${root} shows whose it is (on macOS: Full Disk Access for node).`;
  return new MemdError({ code: "no-permission", family: "misconfigured", message, hint, cause });
}

/** Counts by reason. */
export function tally(): { add(reason: string): void; counts: Record<string, number> } {
  const counts: Record<string, number> = {};
  return {
    counts,
    add(reason) {
      counts[reason] = (counts[reason] ?? 0) + 1;
    },
  };
}

export function unreadable(path: string, kind: "file" | "folder"): Notice {
  return {
    code: `unreadable-${kind}`,
    message: `cannot read the ${kind} ${path}`,
    hint: "Give this user read permission there.",
  };
}
