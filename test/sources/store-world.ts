/** A store to scan and collect: a projects folder, a book, and a plan over both. */
import { join } from "node:path";
import type { Taken } from "../../src/digest/digest.ts";
import type { TranscriptSource } from "../../src/ports.ts";
import { claudeCodeSource } from "../../src/sources/claude-code.ts";
import { type Collected, collect, commit, type ReadPlan, scan } from "../../src/sources/collect.ts";
import { emptyBook } from "../../src/sources/cursors.ts";
import { conversation, type Json, jsonl, live, put, tempFolder, touch, watchedFiles } from "./world.ts";

export type Change = Partial<Omit<ReadPlan, "ignore">> & { ignore?: Partial<ReadPlan["ignore"]> };

export function storeWorld(files = watchedFiles()) {
  const root = tempFolder();
  const book = emptyBook();
  const source: TranscriptSource = claudeCodeSource(files);
  const plan = (change: Change = {}): ReadPlan => ({
    files,
    book,
    sources: [{ source, root }],
    project: null,
    headless: "auto",
    since: 0,
    ownSessions: new Set(),
    ownFolders: [],
    maxChars: Number.POSITIVE_INFINITY,
    signal: live(),
    progress: () => undefined,
    ...change,
    ignore: { sessions: [], paths: [], projects: [], ...change.ignore },
  });
  return {
    root,
    files,
    book,
    plan,
    source,
    /** Writes a session; the later it is written, the later its mtime, counted in days of March 2026. */
    session(path: string, day: number, records: readonly Json[]): string {
      const file = put(join(root, path), jsonl(records));
      touch(file, Date.UTC(2026, 2, day));
      return file;
    },
    scan: (change: Change = {}) => scan(plan(change)),
    collect: (change: Change = {}) => collect(plan(change)),
    /** Collects, and commits what `taken` says; everything by default. */
    async dream(
      change: Change = {},
      taken: (collected: Collected) => readonly Taken[] = everything,
    ): Promise<Collected> {
      const collected = await collect(plan(change));
      commit(book, collected, taken(collected));
      return collected;
    },
  };
}

export const everything = ({ words }: Collected): Taken[] => words.map(({ file }) => ({ file, until: "all" }));

/** A short talk of one session, one turn and one answer per text. */
export function talk(session: string, texts: readonly string[], fields: Json = {}): Json[] {
  const made = conversation({ sessionId: session, ...fields });
  return texts.flatMap((text) => [made.user(text), made.agent("ok")]);
}

export const turnTexts = ({ words }: Collected): string[] =>
  words.flatMap(({ utterances }) =>
    utterances.filter(({ speaker }) => speaker !== "assistant" && speaker !== "tool").map(({ text }) => text),
  );
