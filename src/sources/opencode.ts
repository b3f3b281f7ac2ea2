/**
 * opencode's sessions (1.18): one SQLite database for all projects of a user. A message's parts are rows of their own, and the `event`
 * table repeats every text of them at each keystroke of the model, so only `session`, `message` and `part` are read.
 */
import type { Files } from "../base/files.ts";
import type { Database } from "../base/sqlite.ts";
import type { FileWrite, TranscriptFile, TranscriptSource } from "../ports.ts";
import {
  type DatabaseFormat,
  databaseSource,
  type SessionReading,
  type SessionRow,
  type Step,
} from "./database/source.ts";
import { isFull, newTalk, say, type Talk, wordsOf } from "./jsonl/talk.ts";
import { toolText } from "./jsonl/tools.ts";
import { columnsOf, hasTables, type Message, messagesFrom, placeOf, sessionOf, settled } from "./opencode/rows.ts";
import { personText } from "./opencode/text.ts";

const CLIENT = "opencode";
/** Development builds name the database after their channel. */
const NAME = /^opencode(?:-[\w.]+)?\.db$/;

export function isOpencodePath(path: string): boolean {
  return NAME.test(path.slice(path.lastIndexOf("/") + 1).replace(/#.*$/, ""));
}

export function opencodeSource(files: Files): TranscriptSource {
  return databaseSource(files, OPENCODE);
}

export const OPENCODE: DatabaseFormat = { client: CLIENT, hasName: (name) => NAME.test(name), sessions, begin };

/** The last message grows while the model speaks: its time tells what neither the count nor the session's own time does. */
const SESSIONS = `
  SELECT s.id AS session, s.parent_id AS parent, s.time_updated AS updated,
    (SELECT count(*) FROM message m WHERE m.session_id = s.id) AS messages,
    (SELECT m.time_updated FROM message m WHERE m.session_id = s.id ORDER BY m.time_created DESC, m.id DESC LIMIT 1) AS spoken
  FROM session s ORDER BY s.id`;

function sessions(db: Database): SessionRow[] | null {
  if (!hasTables(db)) return null;
  return db
    .prepare<[], { session: string; parent: string | null; updated: number; messages: number; spoken: number | null }>(
      SESSIONS,
    )
    .all()
    .map(({ session, parent, updated, messages, spoken }) => ({
      session,
      rows: messages,
      changedAt: Math.max(updated, spoken ?? 0),
      // Its prompt was written by a model and is not marked as such.
      drop: parent === null ? null : "subagent",
    }));
}

/** Messages taken at once; with their parts a few megabytes. */
const PAGE = 128;

function begin(db: Database, file: TranscriptFile): SessionReading | null {
  const session = sessionOf(db, file.session, columnsOf(db, "session"));
  if (session === null) return null;
  const talk = newTalk();
  const writes: FileWrite[] = [];
  const aliases = new Map<number, string[]>();
  return {
    markAt: (offset) => placeOf(db, file.session, offset),
    next(offset): Step {
      const { stop, total } = settled(db, file.session, session.revertedTo);
      const room = Math.max(0, Math.min(PAGE, stop - offset));
      const messages = room === 0 ? [] : messagesFrom(db, { session: file.session, offset, limit: room });
      const sums = { bad: 0, bytes: 0 };
      messages.forEach((message, i) => {
        const spot = { offset: offset + i, line: offset + i + 1 };
        sums.bytes += message.bytes;
        if (message.isBad) sums.bad++;
        takeMessage(talk, message, { spot, cwd: session.directory, headless: session.isHeadless });
        for (const { write } of message.parts) if (write) writes.push(write);
        // A fork copies messages under new ids, and keeps their times.
        if (message.role === "user" && message.createdAt !== null)
          aliases.set(spot.offset, [`${CLIENT}:${message.createdAt}`]);
      });
      const end = offset + messages.length;
      return {
        ...sums,
        offset: end,
        rows: messages.length,
        isLast: end >= stop,
        isUnfinished: Math.max(end, stop) < total,
      };
    },
    isFull: () => isFull(talk),
    finish() {
      const words = wordsOf(talk.said, { client: CLIENT, file, session: null });
      return { words, drop: words.length > 0 ? null : "no-user-words", aliases, writes };
    },
  };
}

interface Around {
  readonly spot: { readonly offset: number; readonly line: number };
  readonly cwd: string;
  readonly headless: boolean;
}

function takeMessage(talk: Talk, message: Message, around: Around): void {
  const { role, createdAt: at, parts } = message;
  if (role === "user") {
    const own = parts.filter(({ kind, isMachine }) => kind === "text" && !isMachine);
    const text = personText(own.map((part) => part.text).join("\n"), around.headless);
    say(talk, { ...around, speaker: "user", text, at, record: own[0]?.id ?? null });
  } else if (role === "assistant" && !message.isSummary) {
    for (const part of parts) {
      if (part.kind === "text") say(talk, { ...around, speaker: "assistant", text: part.text, at, record: part.id });
      if (part.kind === "tool")
        say(talk, { ...around, speaker: "tool", text: toolText(part.label, part.text), at, record: part.id });
    }
  }
}
