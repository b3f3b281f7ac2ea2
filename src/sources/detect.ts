/**
 * Which client a transcript is of. Names tell most; where they do not, the first records do, at the moment at which the file is
 * read anyway. Nothing is remembered, so that a file that was replaced is never taken for what it was.
 */
import type { Files } from "../base/files.ts";
import type { ClientName } from "../digest/clients.ts";
import type { Description, TranscriptFile, TranscriptRead, TranscriptSource } from "../ports.ts";
import { claudeCodeSource } from "./claude-code.ts";
import { CODEX, codexSource, isCodexPath } from "./codex.ts";
import { describedFormat, describedSource } from "./described.ts";
import { openOrGone } from "./fingerprint.ts";
import { GEMINI, geminiSource, isGeminiPath } from "./gemini.ts";
import { type RecordFormat, recordsIn } from "./jsonl/source.ts";
import { walkNamed } from "./jsonl/walk.ts";
import { isOpenclawPath, OPENCLAW, openclawSource } from "./openclaw.ts";
import { isOpencodePath, opencodeSource } from "./opencode.ts";
import { isPiPath, PI, piSource } from "./pi.ts";
import { isInside } from "./project.ts";
import { isQwenPath, QWEN, qwenSource } from "./qwen.ts";

export interface Client {
  /** What `--format` and reports call it: a client's name, or that of a described format. */
  readonly name: ClientName | string;
  readonly source: TranscriptSource;
  /** Whether a path can only be this client's. */
  hasPath(path: string): boolean;
  /** Of a client that writes one JSON record per line: how its names and its records are known. */
  readonly format?: RecordFormat;
  /** It keeps sessions in a database too, which only its source can list. */
  readonly hasDatabase?: boolean;
}

/** Every client but Claude Code, whose transcripts are what is left; described ones first, since a person named their folders. */
export function otherClients(files: Files, described: readonly Description[] = []): readonly Client[] {
  return [
    ...described.map((description) => describedClient(files, description)),
    { name: "codex", source: codexSource(files), hasPath: isCodexPath, format: CODEX },
    { name: "gemini-cli", source: geminiSource(files), hasPath: isGeminiPath, format: GEMINI },
    { name: "qwen-code", source: qwenSource(files), hasPath: isQwenPath, format: QWEN },
    { name: "opencode", source: opencodeSource(files), hasPath: isOpencodePath, hasDatabase: true },
    { name: "openclaw", source: openclawSource(files), hasPath: isOpenclawPath, format: OPENCLAW, hasDatabase: true },
    // OpenClaw's records are pi's: only their paths tell them apart.
    { name: "pi", source: piSource(files), hasPath: isPiPath, format: PI },
  ];
}

/** Known by its folders alone: records that look alike may be anyone's. */
function describedClient(files: Files, description: Description): Client {
  const { name, folders } = description;
  return {
    name,
    source: describedSource(files, description),
    hasPath: (path) => path.includes(".jsonl") && folders.some((folder) => isInside(path, folder)),
    format: { ...describedFormat(description), isRecord: () => false },
  };
}

/** The source of one client, which then takes every transcript below a folder as its own; Claude Code's for a name that is none. */
export function sourceNamed(
  files: Files,
  name: ClientName | string,
  described: readonly Description[] = [],
): TranscriptSource {
  const other = otherClients(files, described).find((client) => client.name === name);
  return other?.source ?? claudeCodeSource(files);
}

const CLAUDE_PATH = /\/\.claude\/(?!.*\/\.(?:codex|gemini|qwen|pi|openclaw)\/)/;

/** Reads a folder in which transcripts of any clients lie. What a read brings says whose words they are. */
export function anySource(files: Files, described: readonly Description[] = []): TranscriptSource {
  const others = otherClients(files, described);
  const claude = claudeCodeSource(files);
  const ownerOf = (path: string) => (CLAUDE_PATH.test(path) ? undefined : others.find(({ hasPath }) => hasPath(path)));
  const sourceOf = (path: string): TranscriptSource => {
    if (CLAUDE_PATH.test(path)) return claude;
    return (ownerOf(path) ?? recognised(files, path, others))?.source ?? claude;
  };
  return {
    client: "any",
    *list(root) {
      if (!CLAUDE_PATH.test(`${root}/`)) yield* listOthers(files, root, others, ownerOf);
      for (const file of claude.list(root)) if (!ownerOf(file.path)) yield file;
    },
    read: async (file, from, signal) => {
      const source = sourceOf(file.path);
      const read = await source.read(file, from, signal);
      return read && source === claude ? unknownIfEmpty(files, file, read) : read;
    },
    cursorAt: (file, offset, lines) => sourceOf(file.path).cursorAt(file, offset, lines),
  };
}

/** Tells the client of a listed transcript; opens those that their path does not tell. */
export function clientTeller(files: Files, described: readonly Description[] = []): (path: string) => string {
  const others = otherClients(files, described);
  return (path) => {
    if (CLAUDE_PATH.test(path)) return "claude-code";
    return (others.find(({ hasPath }) => hasPath(path)) ?? recognised(files, path, others))?.name ?? "claude-code";
  };
}

/** One walk for all clients of files that are told by their names; databases list themselves. */
function* listOthers(
  files: Files,
  root: string,
  others: readonly Client[],
  ownerOf: (path: string) => Client | undefined,
): Generator<TranscriptFile> {
  const named = walkNamed(files, root, (path) => ownerOf(path)?.format?.nameOf(path) ?? null);
  // The folders that cannot be read are told by the listing of Claude Code's.
  const told = (file: TranscriptFile) => file.drop !== "unreadable-folder";
  for (const file of named) if (told(file)) yield file;
  for (const { source, format, hasDatabase } of others)
    if (hasDatabase) for (const file of source.list(root)) if (told(file) && !format?.nameOf(file.path)) yield file;
}

/** Read of a file's start; a second, longer read where the first record does not end in it: codex's is 22 KB and more. */
const HEAD_BYTES = [4_096, 262_144] as const;

/** The client whose records stand at the start; damaged lines before them are passed over. */
function recognised(files: Files, path: string, clients: readonly Client[]): Client | undefined {
  for (const record of recordsIn(headOf(files, path))) {
    const client = clients.find(({ format, hasDatabase }) => !hasDatabase && format?.isRecord(record));
    if (client) return client;
  }
  return undefined;
}

function headOf(files: Files, path: string): string {
  const fd = openOrGone(files, path);
  if (fd === null) return "";
  try {
    for (const length of HEAD_BYTES) {
      const bytes = Buffer.alloc(length);
      const got = files.readAt(fd, bytes, length, 0);
      if (got < length || bytes.includes("\n") || length === HEAD_BYTES[1]) return bytes.toString("utf8", 0, got);
    }
    return "";
  } finally {
    files.close(fd);
  }
}

const CLAUDE_RECORD = /"(?:sessionId|parentUuid|uuid|leafUuid|summary)"\s*:/;

/** Whole lines without one word, and nothing of Claude Code in them: a format that memd does not know. */
function unknownIfEmpty(files: Files, file: TranscriptFile, read: TranscriptRead): TranscriptRead {
  if (read.drop !== "no-user-words" || read.start > 0 || read.counts.lines === 0) return read;
  return CLAUDE_RECORD.test(headOf(files, file.path)) ? read : { ...read, drop: "unknown-format" };
}
