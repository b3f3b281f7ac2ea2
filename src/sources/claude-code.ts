/** Claude Code's transcripts, versions 1.0.100 to 2.1.332: one JSON record per line, a tree by parent ids. */
import type { Files } from "../base/files.ts";
import { isRecord } from "../base/json.ts";
import type { Cursor, TranscriptFile, TranscriptRead, TranscriptSource } from "../ports.ts";
import { classifyLine, trimLine } from "./claude-code/bytes.ts";
import { parseLine } from "./claude-code/record.ts";
import { salvageBetween } from "./claude-code/salvage.ts";
import {
  CLIENT,
  finishSession,
  isFull,
  linkRecord,
  newSession,
  type Session,
  takeRecord,
} from "./claude-code/session.ts";
import { walkTranscripts } from "./claude-code/walk.ts";
import { cursorAt, cursorIn, fits, openOrGone } from "./fingerprint.ts";
import { eachLine } from "./lines.ts";

const NUL = 0;

export function claudeCodeSource(files: Files): TranscriptSource {
  return {
    client: CLIENT,
    list: (root) => walkTranscripts(files, root),
    read: async (file, from, signal) => {
      const fd = openOrGone(files, file.path);
      if (fd === null) return null;
      try {
        return await readTranscript(files, fd, { file, from, signal });
      } finally {
        files.close(fd);
      }
    },
    cursorAt: (file, offset, lines) => cursorAt(files, { file, offset, lines }),
  };
}

interface Job {
  readonly file: TranscriptFile;
  readonly from: Cursor | null;
  readonly signal: AbortSignal;
}

async function readTranscript(files: Files, fd: number, { file, from, signal }: Job): Promise<TranscriptRead> {
  const start = from && fits(files, fd, file, from) ? from : { offset: 0, lines: 0 };
  const session = newSession();
  let bad = 0;
  const part = { offset: start.offset, lines: start.lines, limit: file.size, signal };
  const read = await eachLine(files, fd, part, (line, offset, number) => {
    if (line === null || !takeLine(session, line, { offset, line: number })) bad++;
    return !isFull(session);
  });
  const counts = { lines: read.lines - start.lines, bad, unfinished: read.unfinished > 0 ? 1 : 0, bytes: read.bytes };
  return {
    ...finishSession(session, file),
    start: start.offset,
    end: cursorIn(files, fd, { file, offset: read.offset, lines: read.lines }),
    counts,
  };
}

/** False for a damaged line, whatever could be saved of it. */
function takeLine(session: Session, raw: Buffer, spot: { offset: number; line: number }): boolean {
  const line = trimLine(raw);
  if (line.length === 0) return !raw.includes(NUL);
  const kind = classifyLine(line);
  if (kind === "skip") return true;
  if (kind !== "parse") {
    linkRecord(session, kind, spot);
    return true;
  }
  const value = parseLine(line);
  if (value === undefined) {
    takeDamaged(session, line, spot);
    return false;
  }
  // No client writes a bare number or list: whatever left it there lost a record.
  if (!isRecord(value)) return false;
  takeRecord(session, value, spot);
  return raw[0] !== NUL && raw[raw.length - 1] !== NUL;
}

/** A run of NUL bytes is where a crash lost a block: what stands on one side of it is whole, what it stands in is not. */
function takeDamaged(session: Session, line: Buffer, spot: { offset: number; line: number }): void {
  for (const record of salvageBetween(line.toString("utf8"))) takeRecord(session, record, spot);
}
