/**
 * opencode's sessions (1.18): one SQLite database for all projects of a user. A message's parts are rows of their own, and the `event`
 * table repeats every text of them at each keystroke of the model, so only `session`, `message` and `part` are read.
 */
import type { Files } from "../base/files.ts";
import type { Database } from "../base/sqlite.ts";
import type { FileWrite, TranscriptFile, TranscriptSource } from "../ports.ts";
import { hasColumns } from "./database/columns.ts";
import { databaseSource, type SessionReading, type SessionRow, type Step } from "./database/source.ts";
import { isFull, newTalk, wordsOf } from "./jsonl/talk.ts";
import {
  FIRST,
  hasMessagesAfter,
  keyBefore,
  type Message,
  messageReader,
  placeOf,
  sessionOf,
  settled,
} from "./opencode/rows.ts";
import { hear, saidAt, writesIn } from "./opencode/text.ts";

const CLIENT = "opencode";
/** Development builds name the database after their channel. */
const NAME = /^opencode(?:-[\w.]+)?\.db$/;

export function isOpencodePath(path: string): boolean {
  return NAME.test(path.slice(path.lastIndexOf("/") + 1).replace(/#.*$/, ""));
}

export function opencodeSource(files: Files): TranscriptSource {
  return databaseSource(files, { client: CLIENT, name: CLIENT, hasName: (name) => NAME.test(name), sessions, begin });
}

const NEEDED = {
  session: ["id", "parent_id", "directory", "time_updated"],
  message: ["id", "session_id", "time_created", "time_updated", "data"],
  part: ["id", "message_id", "data"],
};

/** The last message grows while the model speaks: its time tells what neither the count nor the session's own time does. */
const SESSIONS = `
  SELECT s.id AS session, s.parent_id AS parent, s.directory AS cwd, s.time_updated AS updated,
    (SELECT count(*) FROM message m WHERE m.session_id = s.id) AS messages,
    (SELECT m.time_updated FROM message m WHERE m.session_id = s.id ORDER BY m.time_created DESC, m.id DESC LIMIT 1) AS spoken
  FROM session s ORDER BY s.id`;

interface Listed {
  readonly session: string;
  readonly parent: string | null;
  readonly cwd: string;
  readonly updated: number;
  readonly messages: number;
  readonly spoken: number | null;
}

function sessions(db: Database): SessionRow[] | null {
  if (!hasColumns(db, NEEDED)) return null;
  return db
    .prepare<[], Listed>(SESSIONS)
    .all()
    .map(({ session, parent, cwd, updated, messages, spoken }) => ({
      session,
      rows: messages,
      changedAt: Math.max(updated, spoken ?? 0),
      // Its prompt was written by a model and is not marked as such.
      drop: parent === null ? null : "subagent",
      cwd,
    }));
}

/** Messages taken at once; with their parts a few megabytes. */
const PAGE = 128;

function begin(db: Database, file: TranscriptFile): SessionReading | null {
  const session = sessionOf(db, file.session);
  if (session === null) return null;
  const talk = newTalk();
  const writes: FileWrite[] = [];
  const aliases = new Map<number, string[]>();
  const read = messageReader(db, file.session, settled(db, file.session, session.revertedTo));
  const take = (message: Message, offset: number) => {
    hear(talk, message, { spot: { offset, line: offset + 1 }, cwd: session.directory, headless: session.isHeadless });
    writes.push(...writesIn(message));
    // A fork copies messages under new ids, and keeps their times.
    const at = message.data?.role === "user" ? saidAt(message.data) : null;
    if (at !== null) aliases.set(offset, [`${CLIENT}:${at}`]);
  };
  let place = { offset: 0, key: FIRST };
  // One transaction, so that a message and its parts are of one moment.
  const next = db.transaction((offset: number): Step => {
    const after = offset === place.offset ? place.key : (keyBefore(db, file.session, offset) ?? FIRST);
    const messages = read(after, PAGE);
    messages.forEach((message, i) => {
      take(message, offset + i);
    });
    place = { offset: offset + messages.length, key: messages.at(-1) ?? after };
    const isLast = messages.length < PAGE;
    const isUnfinished = isLast && hasMessagesAfter(db, file.session, place.key);
    return { ...countsOf(messages), offset: place.offset, isLast, isUnfinished };
  });
  return {
    markAt: (offset) => placeOf(db, file.session, offset),
    next,
    isFull: () => isFull(talk),
    finish() {
      const words = wordsOf(talk.said, { client: CLIENT, file, session: null });
      return { words, drop: words.length > 0 ? null : "no-user-words", aliases, writes };
    },
  };
}

function countsOf(messages: readonly Message[]): Pick<Step, "rows" | "bad" | "bytes"> {
  const bytes = messages.reduce((sum, message) => sum + bytesOf(message), 0);
  return { rows: messages.length, bad: messages.filter(isBad).length, bytes };
}

function bytesOf({ bytes, parts }: Message): number {
  return parts.reduce((sum, part) => sum + part.bytes, bytes);
}

function isBad({ data, parts }: Message): boolean {
  return data === null || parts.some((part) => part.data === null);
}
