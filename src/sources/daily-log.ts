/**
 * Daily logs: append-only Markdown, one file per day. Each list item and each paragraph is one utterance of a writer who
 * is not known. Only files named by a date are read; MEMORY.md and topics in the same folder never are.
 */
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import type { Files } from "../base/files.ts";
import { UTTERANCE_CHARS, type Utterance } from "../digest/utterance.ts";
import type { Cursor, TranscriptFile, TranscriptRead, TranscriptSource } from "../ports.ts";
import { cursorAt, cursorIn, fits, openOrGone } from "./fingerprint.ts";
import { eachLine } from "./lines.ts";
import { finishBlocks, newBlocks, takeLogLine } from "./log-blocks.ts";

const CLIENT = "daily-log";
const DATED = /^(\d{4})-(\d{2})-(\d{2})\.md$/;
/** `<root>/`, `<root>/logs/2026/03/`, `<root>/memory/`, `<root>/daily/`: a workspace is never searched beyond these. */
const LOG_FOLDERS: readonly (RegExp | null)[] = [/^(?:logs|memory|daily|\d{4}|\d{2})$/, /^(?:\d{4}|\d{2})$/, /^\d{2}$/];

export interface DayTimes {
  /** Noon of a calendar day where the user lives, epoch ms. Months count from 1. */
  localNoon(year: number, month: number, day: number): number;
}

export function dailyLogSource(files: Files, times: DayTimes): TranscriptSource {
  return {
    client: CLIENT,
    list: (root) => listLogs(files, root, 0),
    read: async (file, from, signal) => {
      const fd = openOrGone(files, file.path);
      if (fd === null) return null;
      try {
        return await readLog(files, fd, { file, from, signal, at: dayOf(file.session, times) });
      } finally {
        files.close(fd);
      }
    },
    cursorAt: (file, offset, lines) => cursorAt(files, { file, offset, lines }),
  };
}

function* listLogs(files: Files, folder: string, depth: number): Generator<TranscriptFile> {
  for (const { name, kind } of listOrGone(files, folder, depth)) {
    const path = join(folder, name);
    if (kind === "dir" && LOG_FOLDERS[depth]?.test(name)) yield* listLogs(files, path, depth + 1);
    if (kind !== "file" || !isDated(name)) continue;
    const stat = files.lstat(path);
    if (stat?.kind !== "file") continue;
    const { size, mtime, ino, dev } = stat;
    yield { path, session: name.slice(0, -".md".length), size, mtime, ino, dev, drop: null };
  }
}

function listOrGone(files: Files, folder: string, depth: number) {
  try {
    return files.list(folder);
  } catch (error) {
    const code = systemCode(error);
    if (depth > 0 && (code === "ENOENT" || code === "ENOTDIR")) return [];
    throw error;
  }
}

/** A real calendar day: 2026-02-30 is a name like any other. */
function isDated(name: string): boolean {
  const [, year, month, day] = DATED.exec(name) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function dayOf(session: string, times: DayTimes): number | null {
  const [year, month, day] = session.split("-").map(Number);
  return year && month && day ? times.localNoon(year, month, day) : null;
}

interface Job {
  readonly file: TranscriptFile;
  readonly from: Cursor | null;
  readonly signal: AbortSignal;
  readonly at: number | null;
}

async function readLog(files: Files, fd: number, { file, from, signal, at }: Job): Promise<TranscriptRead> {
  const start = from && fits(files, fd, file, from) ? from : { offset: 0, lines: 0 };
  const blocks = newBlocks(start.offset === 0);
  let bad = 0;
  const part = { offset: start.offset, lines: start.lines, limit: file.size, signal };
  const read = await eachLine(files, fd, part, (line, offset, number) => {
    if (line === null) bad++;
    else takeLogLine(blocks, line.toString("utf8"), { offset, line: number });
    return true;
  });
  takeLogLine(blocks, lastLine(files, fd, read), { offset: read.offset, line: read.lines + 1 });
  const { said, unclosed } = finishBlocks(blocks);
  const stop = unclosed ?? { offset: read.offset + read.unfinished, line: read.lines + 1 };
  const end = cursorIn(files, fd, { file, offset: stop.offset, lines: stop.line - 1 });
  const utterances = said.map((block): Utterance => ({ speaker: "log", trust: "log", at, record: null, ...block }));
  const words = { session: file.session, client: CLIENT, file: file.path, cwd: null, headless: false, utterances };
  return {
    words: utterances.length > 0 ? [words] : [],
    start: start.offset,
    end,
    counts: { lines: read.lines - start.lines, bad, unfinished: 0, bytes: read.bytes },
    drop: utterances.length > 0 ? null : "no-words",
  };
}

/** People leave the last line of a log without a newline; unlike a record, it is whole. */
function lastLine(files: Files, fd: number, { offset, unfinished }: { offset: number; unfinished: number }): string {
  const length = Math.min(unfinished, UTTERANCE_CHARS * 4);
  const bytes = Buffer.alloc(length);
  return bytes.toString("utf8", 0, files.readAt(fd, bytes, length, offset));
}
