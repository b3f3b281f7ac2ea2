/** Transcripts made on the spot, and file verbs that remember what was asked of them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import type { Utterance } from "../../src/digest/utterance.ts";
import type { Cursor, TranscriptFile, TranscriptRead, TranscriptSource } from "../../src/ports.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that goes when the test ends. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "memd-sources-")));
  made.push(folder);
  return folder;
}

export function put(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

export function touch(path: string, at: string | number): void {
  const time = new Date(at);
  utimesSync(path, time, time);
}

export interface WatchedFiles extends Files {
  readonly opened: string[];
  /** Bytes read since `reset`. */
  bytes(): number;
  /** Verbs that change something. */
  readonly changes: string[];
  reset(): void;
}

const CHANGING = ["create", "append", "rename", "link", "unlink", "mkdir", "rmdir", "utimes", "chmod"] as const;

/** The real files, with a note of every open, every byte and every change. `refuse` makes a verb fail on a path. */
export function watchedFiles(
  refuse: { verb: "list" | "open"; path: string; code: string } | null = null,
): WatchedFiles {
  let bytes = 0;
  const opened: string[] = [];
  const changes: string[] = [];
  const refused = (verb: string, path: string) => {
    if (refuse?.verb === verb && refuse.path === path)
      throw Object.assign(new Error(`${refuse.code}: ${verb} '${path}'`), { code: refuse.code });
  };
  const noted = Object.fromEntries(
    CHANGING.map((verb) => [
      verb,
      (...args: unknown[]) => {
        changes.push(verb);
        return Reflect.apply(nodeFiles[verb], nodeFiles, args);
      },
    ]),
  );
  return {
    ...nodeFiles,
    ...noted,
    opened,
    changes,
    bytes: () => bytes,
    reset() {
      bytes = 0;
      opened.length = 0;
      changes.length = 0;
    },
    list(path) {
      refused("list", path);
      return nodeFiles.list(path);
    },
    open(path) {
      refused("open", path);
      opened.push(path);
      return nodeFiles.open(path);
    },
    read(path) {
      opened.push(path);
      return nodeFiles.read(path);
    },
    readAt(fd, buffer, length, position) {
      const got = nodeFiles.readAt(fd, buffer, length, position);
      bytes += got;
      return got;
    },
  };
}

export const live = (): AbortSignal => new AbortController().signal;

/** The one transcript at a path, as its source lists it. */
export function listed(source: TranscriptSource, root: string): TranscriptFile {
  const files = [...source.list(root)].filter(({ drop }) => drop === null);
  if (files[0] === undefined || files.length > 1) throw new Error(`expected one transcript below ${root}`);
  return files[0];
}

export async function readAt(
  source: TranscriptSource,
  root: string,
  from: Cursor | null = null,
): Promise<TranscriptRead> {
  const read = await source.read(listed(source, root), from, live());
  if (read === null) throw new Error("the transcript is gone");
  return read;
}

export const spoken = (read: TranscriptRead): Utterance[] => read.words.flatMap(({ utterances }) => [...utterances]);

/** What people said: texts of users and logs. */
export const turnsOf = (read: TranscriptRead): string[] =>
  spoken(read)
    .filter(({ speaker }) => speaker === "user" || speaker === "log")
    .map(({ text }) => text);

export type Json = Record<string, unknown>;

export const jsonl = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** Writes the records of one Claude Code session: ids count up, and each record follows the one before. */
export function conversation(fields: Json = {}) {
  const session = typeof fields.sessionId === "string" ? fields.sessionId : "5e55";
  let count = 0;
  let last: string | null = null;
  const record = (type: string, body: Json): Json => {
    count++;
    const uuid = `${session}-${String(count).padStart(4, "0")}`;
    const timestamp = new Date(Date.UTC(2026, 2, 2, 9, count)).toISOString();
    const made = {
      parentUuid: last,
      isSidechain: false,
      type,
      ...body,
      uuid,
      timestamp,
      cwd: "/home/sam/app",
      sessionId: session,
      version: "2.1.332",
      entrypoint: "cli",
      ...fields,
    };
    const result = { ...made, ...body };
    last = String(result.uuid);
    return result;
  };
  return {
    record,
    user: (content: unknown, more: Json = {}) => record("user", { message: { role: "user", content }, ...more }),
    agent: (text: string, more: Json = {}) =>
      record("assistant", {
        message: { id: `msg_${session}_${count + 1}`, role: "assistant", content: [{ type: "text", text }] },
        ...more,
      }),
    call: (name: string, input: Json) =>
      record("assistant", {
        message: {
          id: `msg_${session}_${count + 1}`,
          role: "assistant",
          content: [{ type: "tool_use", id: `t${count + 1}`, name, input }],
        },
      }),
    result: (output: unknown) =>
      record("user", {
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: `t${count}`, content: output }] },
        toolUseResult: { stdout: output },
      }),
    attachment: (attachment: Json) => record("attachment", { attachment, type: "attachment" }),
    /** The next record follows this one instead. */
    rewindTo: (to: Json | null) => {
      last = to === null ? null : String(to.uuid);
    },
  };
}
