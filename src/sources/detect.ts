/**
 * Which client a transcript is of. Names tell most; where they do not, the first records do, at the moment at which the file is
 * read anyway. Nothing is remembered, so that a file that was replaced is never taken for what it was.
 */
import type { Files } from "../base/files.ts";
import type { TranscriptSource } from "../ports.ts";
import { claudeCodeSource } from "./claude-code.ts";
import { CODEX, codexSource, isCodexPath } from "./codex.ts";
import { openOrGone } from "./fingerprint.ts";
import { GEMINI, geminiSource, isGeminiPath } from "./gemini.ts";
import { type RecordFormat, recordsIn } from "./jsonl/source.ts";
import { isPiPath, PI, piSource } from "./pi.ts";
import { isQwenPath, QWEN, qwenSource } from "./qwen.ts";

export interface Client {
  /** What `--format` and reports call it. */
  readonly name: string;
  readonly source: TranscriptSource;
  /** Whether a path can only be this client's. */
  hasPath(path: string): boolean;
  /** Of a client that writes one JSON record per line: how to know one. */
  readonly format?: RecordFormat;
}

/** Claude Code comes last: what no other client knows is read as its transcript, as it always was. */
export function clientsOf(files: Files): readonly Client[] {
  return [
    { name: CODEX.client, source: codexSource(files), hasPath: isCodexPath, format: CODEX },
    { name: GEMINI.client, source: geminiSource(files), hasPath: isGeminiPath, format: GEMINI },
    { name: QWEN.client, source: qwenSource(files), hasPath: isQwenPath, format: QWEN },
    { name: PI.client, source: piSource(files), hasPath: isPiPath, format: PI },
    { name: "claude-code", source: claudeCodeSource(files), hasPath: (path) => path.includes("/.claude/") },
  ];
}

/** Reads a folder in which transcripts of any clients lie. Each read says whose words they are. */
export function anySource(files: Files): TranscriptSource {
  const clients = clientsOf(files);
  const claude = clients[clients.length - 1] as Client;
  const clientOf = (path: string): Client => {
    const named = clients.find((client) => client.hasPath(path));
    return named ?? recognised(files, path, clients) ?? claude;
  };
  return {
    client: "any",
    *list(root) {
      for (const client of clients)
        for (const file of client.source.list(root)) {
          const owner = clients.find(({ hasPath }) => hasPath(file.path)) ?? claude;
          if (owner === client) yield file;
        }
    },
    read: (file, from, signal) => clientOf(file.path).source.read(file, from, signal),
    cursorAt: (file, offset, lines) => clientOf(file.path).source.cursorAt(file, offset, lines),
  };
}

/** Read of a file's start; codex's first record is 22 KB long and longer with a project's rules in it. */
const HEAD_BYTES = 262_144;
/** A damaged start is passed over, but not a whole file of something else. */
const MAX_RECORDS = 20;

function recognised(files: Files, path: string, clients: readonly Client[]): Client | null {
  const records = recordsIn(headOf(files, path)).slice(0, MAX_RECORDS);
  for (const record of records) {
    const client = clients.find(({ format }) => format?.isRecord(record));
    if (client) return client;
  }
  return null;
}

function headOf(files: Files, path: string): string {
  const fd = openOrGone(files, path);
  if (fd === null) return "";
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString("utf8", 0, files.readAt(fd, bytes, HEAD_BYTES, 0));
  } finally {
    files.close(fd);
  }
}
