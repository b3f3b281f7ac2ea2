/** Looking at one transcript for the session gate: how many new turns, when, where. Only new bytes are read. */
import { systemCode } from "../base/errors.ts";
import type { SessionWords, Utterance } from "../digest/utterance.ts";
import type { TranscriptRead } from "../ports.ts";
import { type Ahead, type AheadGroup, type Book, type FileState, withFolders, withWaiting } from "./cursors.ts";
import { daysOf } from "./days.ts";
import { isTurn, keysOf, timeOfTurn } from "./keys.ts";
import type { Target } from "./plan.ts";

/** Whether the last look still holds: the file has not been touched since. */
export function isUpToDate(state: FileState | undefined, { file }: Target): state is FileState & { ahead: Ahead } {
  const ahead = state?.ahead;
  return !!ahead && ahead.size === file.size && ahead.mtime === file.mtime && ahead.end.ino === file.ino;
}

/** Turns known by key: taken ones, and those that wait in some other transcript. */
export interface KnownTurns {
  has(key: string): boolean;
  add(key: string): void;
  /** Forgets what a transcript held that is about to be read again from its start. */
  forget(ahead: Ahead | null): void;
}

export function knownTurns(book: Book): KnownTurns {
  // Gathered for the first transcript that is opened: when all are up to date there is none.
  let gathered: Set<string> | null = null;
  const waiting = () => {
    gathered ??= waitingIn(book);
    return gathered;
  };
  return {
    has: (key) => book.seen.has(key) || waiting().has(key),
    add: (key) => waiting().add(key),
    forget(ahead) {
      for (const group of ahead?.groups ?? []) for (const key of group.keys) waiting().delete(key);
    },
  };
}

function waitingIn(book: Book): Set<string> {
  const waiting = new Set<string>();
  for (const state of book.files.values())
    for (const group of state.ahead?.groups ?? []) for (const key of group.keys) waiting.add(key);
  return waiting;
}

/**
 * Reads what was appended since the last look, and updates the file's state.
 * @returns false when the file is gone
 */
export async function look(target: Target, state: FileState, known: KnownTurns, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const from = state.ahead?.end ?? state.cursor;
    const read = await target.source.read(target.file, from, signal);
    if (read === null) return false;
    if (read.start < (from?.offset ?? 0)) {
      known.forget(state.ahead);
      Object.assign(state, { cursor: null, ahead: null, turns: 0 });
    }
    state.ahead = extended(state.ahead, { target, read, known });
    state.cwds = withFolders(
      state.cwds,
      read.words.map((words) => words.cwd),
    );
    if (!hasMore(target, read)) return true;
  }
}

/** True when a read ended early because the file held too much for one. */
export function hasMore({ file }: Target, read: TranscriptRead): boolean {
  return read.end.offset > read.start && read.end.offset < file.size && read.counts.unfinished === 0;
}

interface Seen {
  readonly target: Target;
  readonly read: TranscriptRead;
  readonly known: KnownTurns;
}

/** What a look saw, with what a further read brought. */
function extended(before: Ahead | null, { target, read, known }: Seen): Ahead {
  const groups = new Map<string | null, AheadGroup>(before?.groups.map((group) => [group.cwd, group]));
  let said = before?.said ?? 0;
  for (const words of read.words) {
    const turns = words.utterances.filter(isTurn);
    said += turns.length;
    const fresh = freshTurns(words, turns, { read, known });
    if (fresh.length > 0)
      groups.set(words.cwd, withTurns(groups.get(words.cwd), { words, fresh, mtime: target.file.mtime }));
  }
  return {
    size: target.file.size,
    mtime: target.file.mtime,
    end: read.end,
    groups: [...groups.values()],
    said,
    lines: (before?.lines ?? 0) + read.counts.lines,
    bad: (before?.bad ?? 0) + read.counts.bad,
    unfinished: read.counts.unfinished,
    drop: said > 0 ? null : read.drop,
  };
}

interface Fresh {
  readonly turn: Utterance;
  readonly keys: readonly string[];
}

function freshTurns(words: SessionWords, turns: readonly Utterance[], by: Omit<Seen, "target">): Fresh[] {
  const fresh = turns
    .map((turn) => ({ turn, keys: keysOf(words, turn, by.read.aliases?.get(turn.offset)) }))
    .filter(({ keys }) => !keys.some((key) => by.known.has(key)));
  for (const { keys } of fresh) for (const key of keys) by.known.add(key);
  return fresh;
}

function withTurns(
  group: AheadGroup | undefined,
  more: { words: SessionWords; fresh: readonly Fresh[]; mtime: number },
): AheadGroup {
  const times = more.fresh.map(({ turn }) => timeOfTurn(turn, more.mtime));
  return {
    cwd: more.words.cwd,
    turns: (group?.turns ?? 0) + more.fresh.length,
    lastAt: times.reduce((a, b) => Math.max(a, b), group?.lastAt ?? 0),
    days: daysOf([...(group?.days ?? []), ...times]),
    headless: (group?.headless ?? true) && more.words.headless,
    keys: withWaiting(
      group?.keys ?? [],
      more.fresh.flatMap(({ keys }) => keys),
    ),
  };
}

/** Runs `act`; `refused` when the system or the database does not let memd read it, which costs that file only. */
export async function unlessRefused<T>(act: () => Promise<T>): Promise<T | "refused"> {
  try {
    return await act();
  } catch (error) {
    const code = systemCode(error);
    if (code === "EACCES" || code === "EPERM" || code === "ELOOP") return "refused";
    if (code !== null && /^(?:SQLITE_|database-)/.test(code)) return "refused";
    throw error;
  }
}
