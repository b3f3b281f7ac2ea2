/** The seams of memd: everything a run needs from the world, as narrow interfaces. */
import type { Digest } from "./digest/digest.ts";
import type { SessionWords } from "./digest/utterance.ts";
import type { BatchFacts } from "./gate/batch.ts";
import type { Notice } from "./memory/changeset.ts";
import type { MemoryTree } from "./memory/model.ts";
import type { Proposal, Refusal } from "./memory/operation.ts";

export type { Clock } from "./base/clock.ts";
export type { Files } from "./base/files.ts";

/** A transcript on disk, found without opening it. */
export interface TranscriptFile {
  readonly path: string;
  /** Session id as the file's name tells it. */
  readonly session: string;
  readonly size: number;
  /** Epoch ms. */
  readonly mtime: number;
  readonly ino: number;
  readonly dev: number;
  /** Why it will never be read (`subagent`, `archived-copy`, ...), or null. */
  readonly drop: string | null;
  /**
   * The database that holds this session beside others; absent for a file of its own. Then `path` is the database's with
   * `#session`, `size` counts the session's rows, and offsets and lines are rows too.
   */
  readonly container?: string;
  /** Working directory at its start, where the listing tells it: a session of a database. */
  readonly cwd?: string;
  /** Why it, or a part of it, cannot be read now. */
  readonly trouble?: Trouble;
}

/** Why a source could not read something, and what a person can do. */
export interface Trouble {
  readonly code: "no-sqlite" | "database-busy" | "database-unusable" | "unknown-format" | "zstd-unsupported";
  readonly message: string;
  readonly hint: string;
}

/**
 * How far a transcript has been read. Stored per file; survives restarts. A file whose identity or fingerprint differs is
 * read again from the start (records already seen are then known by their ids).
 */
export interface Cursor {
  readonly dev: number;
  readonly ino: number;
  /** Bytes consumed: always the start of a line. */
  readonly offset: number;
  /** Lines before `offset`. */
  readonly lines: number;
  /** Hash over the first bytes and the last bytes before `offset`. */
  readonly fingerprint: string;
}

export interface ReadCounts {
  readonly lines: number;
  /** Lines that were damaged and could not be used (salvaged parts of them may have been). */
  readonly bad: number;
  /** 1 when the file ends in a line that is not finished. */
  readonly unfinished: number;
  /** Bytes read from the disk. */
  readonly bytes: number;
}

export interface TranscriptRead {
  /** The words after the cursor, one item per project directory (`cwd`) found in the records; empty when there were none. */
  readonly words: readonly SessionWords[];
  /** Byte offset at which reading began: 0 when the cursor no longer fitted the file. */
  readonly start: number;
  /** The cursor at the end of the last whole line that was read; more may follow when a file holds too much for one read. */
  readonly end: Cursor;
  readonly counts: ReadCounts;
  /** Why the words do not count (`subagent`, `own-run`, `no-user-words`), or null. */
  readonly drop: string | null;
  /** By byte offset: further names of a turn, which a copy of it under new record ids still has. */
  readonly aliases?: ReadonlyMap<number, readonly string[]>;
  /** What the agent wrote into Markdown files with its own tools, dropped sessions too; absent where the format does not tell. */
  readonly writes?: readonly FileWrite[];
  /** A part could not be read. */
  readonly trouble?: Trouble;
}

export interface FileWrite {
  /** As the agent named it. */
  readonly path: string;
  /** The new text, of an edit only its own part. */
  readonly text: string;
}

/**
 * One agent's transcript format. Implementations never write, never throw for damage inside a file, and never load a file whole.
 * Absence (a file that vanished between list and read) is `null`; a root that cannot be read throws.
 */
export interface TranscriptSource {
  readonly client: string;
  /** All transcripts below `root`, dropped ones included with their reason. Opens no file. */
  list(root: string): Iterable<TranscriptFile>;
  /** Reads what is new since `from` (null: from the start). Yields to the event loop between chunks. */
  read(file: TranscriptFile, from: Cursor | null, signal: AbortSignal): Promise<TranscriptRead | null>;
  /** The cursor that stops at `offset`, a line start that `read` reported; for words that stay unread. */
  cursorAt(file: TranscriptFile, offset: number, lines: number): Cursor | null;
}

/** Transcripts of a client that memd does not know, as the configuration describes them. Fields are dotted paths into a record, `message.role`; null: the format has none. */
export interface Description {
  readonly name: string;
  /** All transcripts below these folders are of this format. */
  readonly folders: readonly string[];
  readonly speaker: string;
  /** A text, or a list of texts or of objects with a `text`. */
  readonly text: string;
  /** ISO 8601, or a number of seconds or milliseconds since 1970. */
  readonly time: string | null;
  readonly cwd: string | null;
  readonly id: string | null;
  readonly session: string | null;
  /** Values of the speaker's field. */
  readonly user: readonly string[];
  readonly assistant: readonly string[];
  readonly tool: readonly string[];
}

/** What a distiller is given; also what the brief folder holds as files. */
export interface Brief {
  readonly schema: 1;
  readonly store: string;
  /** ISO time of the run. */
  readonly now: string;
  readonly digest: Digest;
  readonly memory: MemoryTree;
  /** The project's own instruction files (CLAUDE.md, AGENTS.md, GEMINI.md): what stands there is not saved again. */
  readonly context: readonly { readonly file: string; readonly text: string }[];
}

/** How a distiller run went, for the ledger. */
export interface Usage {
  readonly requests: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

export const NO_USAGE: Usage = { requests: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    requests: a.requests + b.requests,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}

export interface Distilled {
  readonly proposal: Proposal;
  /** Operations that were sent but could not be read. */
  readonly refused: readonly Refusal[];
  readonly usage: Usage;
  /** How many parts of sessions were sent off to be read within a day; absent: none, and the proposal is one. */
  readonly waiting?: number;
  /** What held the distiller: `node` (permission model), that within `bubblewrap`, `systemd` or `sandbox-exec`, `claude-code` (its own restrictions), `none`. */
  readonly fence: string;
}

/** What the rules said of one operation, while the distiller can still mend it. */
export type Ruling =
  | { readonly accepted: true; readonly rule: null; readonly detail: string }
  | { readonly accepted: false; readonly rule: string; readonly detail: string };

export interface DistillJob {
  /** Id of the run, for what it spends. */
  readonly run: string;
  readonly brief: Brief;
  /**
   * Judges one operation by every rule, after the operations accepted before it in this job: what the rules will say of the whole
   * proposal when the operations come in the same order. Takes anything; what is no operation is refused as `malformed`.
   */
  readonly judge: (operation: unknown) => Ruling;
  /** Folder for the brief's files; the distiller may read nothing else of the user's. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
  /** Nobody waits for the run: what is cheaper and answered within a day may be sent off. Absent: answers are wanted now. */
  readonly mayWait?: boolean;
}

/** A look after what an earlier run of the store sent off. */
export interface LookJob extends Pick<DistillJob, "run" | "folder" | "signal" | "progress"> {
  /** The answers are wanted now: what is not ready is called off. */
  readonly cancel: boolean;
}

export interface Looked {
  /** Null: nothing waits any more, and what was answered will be found. */
  readonly waiting: BatchFacts | null;
  readonly notices: readonly Notice[];
}

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** What a distiller expects to spend on one brief, before its first request. */
export interface Estimate {
  readonly distiller: Distiller["name"];
  /** Sessions to read, and how many of them were paid for before. */
  readonly sessions: number;
  readonly cached: number;
  readonly requests: Range;
  readonly tokens: Range;
  /** Null where the price of a model is not known: `unpriced` names them. */
  readonly usd: Range | null;
  readonly unpriced: readonly string[];
  /** Where the prices come from, with the date; for people. */
  readonly prices: string;
  /** The least that any cap leaves to the run; absent until it was looked up. */
  readonly left?: { readonly usd: number; readonly tokens: number; readonly requests: number };
}

export interface Distiller {
  readonly name: "extractive" | "anthropic" | "claude";
  /** Absent for a distiller that costs nothing. @throws MemdError misconfigured, where it could not be asked at all */
  estimate?(job: Pick<DistillJob, "brief" | "signal">): Promise<Estimate>;
  /** @throws MemdError: unavailable, rejected, over-budget, misconfigured, interrupted */
  distill(job: DistillJob): Promise<Distilled>;
  /** Absent for a distiller that answers at once. @throws MemdError: as `distill` */
  look?(job: LookJob): Promise<Looked>;
}

/** A store: one memory directory plus the sources that feed it. */
export interface Store {
  readonly name: string;
  /** `custom`: a directory that a person named and that needs no layout of its own. `person` and `team`: fed by other stores, without sessions of their own. */
  readonly layout: "claude-code" | "custom" | "workspace" | "icode" | "daily" | "person" | "team";
  /** Absolute; need not exist yet. */
  readonly memory: string;
  /** Folders (or files) of transcripts. */
  readonly sessions: readonly string[];
  /** Those of `sessions` that were found, not named, beside ones that a person named. */
  readonly found?: readonly string[];
  /** Folders of daily logs. */
  readonly logs: readonly string[];
  /** The client, or described format, of all its transcripts; absent: each file tells its own. */
  readonly format?: string | null;
  /** Canonical project root whose sessions feed the store; null: all below `sessions`. */
  readonly project: string | null;
  /** Folders that are gone and that were this project: its earlier places, removed worktrees. */
  readonly formerly?: readonly string[];
  readonly paused: boolean;
  /** What becomes of memories that hold for a whole team, where the directory has a `team/`; absent: they are proposed. */
  readonly shared?: "propose" | "write" | "off";
  /** This store's folder in the state directory. */
  readonly state: string;
}

/** Fed by other stores: no sessions of its own, so that no gate decides for it. */
export const isFed = ({ layout }: Pick<Store, "layout">): boolean => layout === "person" || layout === "team";
