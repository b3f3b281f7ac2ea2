/** What was said in one transcript, gathered record by record and sorted by working directory at the end. */
import { type SessionWords, type Speaker, UTTERANCE_CHARS, type Utterance } from "../../digest/utterance.ts";
import type { TranscriptFile } from "../../ports.ts";
import { cleanText } from "../words.ts";

/** Text and number of utterances held of one file. What lies beyond stays unread and comes with the next run. */
const MAX_CHARS = 48_000_000;
const MAX_UTTERANCES = 150_000;

/** An agent's text is context, never evidence by itself; of a tool's output a label and its first words are. */
const MAX_OF: Readonly<Record<Speaker, number>> = {
  user: UTTERANCE_CHARS,
  log: UTTERANCE_CHARS,
  assistant: 1_500,
  tool: 300,
};

/** Where a record stands in its file. */
export interface Spot {
  readonly line: number;
  readonly offset: number;
}

export interface Saying {
  readonly spot: Spot;
  readonly speaker: "user" | "assistant" | "tool";
  readonly text: string;
  readonly at: number | null;
  readonly record: string | null;
  readonly cwd: string | null;
  readonly headless?: boolean;
  /** Whatever the format sorts by at the end: a tree's node, a layer. */
  readonly mark?: number;
}

export interface Said extends Utterance {
  readonly cwd: string | null;
  readonly mark: number;
}

export interface Talk {
  readonly said: Said[];
  chars: number;
}

export const newTalk = (): Talk => ({ said: [], chars: 0 });

export function isFull({ said, chars }: Talk): boolean {
  return chars >= MAX_CHARS || said.length >= MAX_UTTERANCES;
}

/** False when nothing is left of the text. */
export function say(
  talk: Talk,
  { spot, speaker, text, at, record, cwd, headless = false, mark = -1 }: Saying,
): boolean {
  const clean = cleanText(text, MAX_OF[speaker]);
  if (clean === "") return false;
  const trust = speaker === "user" && headless ? "headless" : speaker;
  talk.said.push({ speaker, trust, text: clean, at, line: spot.line, offset: spot.offset, record, cwd, mark });
  talk.chars += clean.length;
  return true;
}

/** Epoch ms of an ISO text or a number of milliseconds; null for anything else. */
export function timeOf(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

export interface About {
  readonly client: string;
  readonly file: TranscriptFile;
  /** Session id of the records; null: the one in the file's name. */
  readonly session: string | null;
}

/**
 * One item per working directory that has a person's words, in the order of the first ones. A record that the file repeats
 * counts once: a person's at its first place, an agent's with its last text, since clients write those again as they grow.
 */
export function wordsOf(said: readonly Said[], { client, file, session }: About): SessionWords[] {
  const groups = new Map<string | null, Said[]>();
  const kept = withoutRepeats(said);
  const first = kept.find(({ cwd }) => cwd !== null)?.cwd ?? null;
  for (const item of kept) {
    const group = groups.get(item.cwd ?? first);
    if (group) group.push(item);
    else groups.set(item.cwd ?? first, [item]);
  }
  return [...groups]
    .filter(([, items]) => items.some(({ speaker }) => speaker === "user"))
    .map(([cwd, items]) => ({
      session: session ?? file.session,
      client,
      file: file.path,
      cwd,
      headless: items.every(({ speaker, trust }) => speaker !== "user" || trust === "headless"),
      utterances: items.map(plain),
    }));
}

function withoutRepeats(said: readonly Said[]): Said[] {
  const seen = new Set<string>();
  const last = new Map<string, Said>();
  for (const item of said) if (item.speaker !== "user" && item.record !== null) last.set(item.record, item);
  return said.filter((item) => {
    if (item.record === null) return true;
    if (item.speaker !== "user") return last.get(item.record) === item;
    const name = `${item.record}\n${item.text}`;
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  });
}

function plain({ speaker, trust, text, at, line, offset, record }: Said): Utterance {
  return { speaker, trust, text, at, line, offset, record };
}
