/** Turns: one thing that a person (or a daily log) said, with the little of its context that is kept. Cuts fall between turns. */
import type { SessionWords, Utterance } from "./utterance.ts";

/** Kept before each turn: the last words of the assistant, and the last tool outputs since the turn before. */
const CONTEXT = { assistant: 1, tool: 2 } as const;

export interface Turn {
  /** Index into the list of session words. */
  readonly part: number;
  /** Context first, in the order of the file; the person's words last. Without those the turn is a session's end. */
  readonly utterances: readonly Utterance[];
}

/** Turns of one file that can only be taken together, and where the first line of them starts. */
export interface Block {
  readonly turns: readonly Turn[];
  readonly offset: number;
  readonly line: number;
}

/** True for words that can support a memory; the rest is context. */
export function isEvidence(utterance: Utterance): boolean {
  return utterance.speaker === "user" || utterance.speaker === "log";
}

/** Joins neighbours of the assistant: clients write one record per content block. Line, record and time are those of the first. */
function joinAssistant(utterances: readonly Utterance[]): Utterance[] {
  const joined: Utterance[] = [];
  for (const utterance of utterances) {
    const last = joined.at(-1);
    if (last?.speaker === "assistant" && utterance.speaker === "assistant") {
      joined[joined.length - 1] = { ...last, text: `${last.text}\n${utterance.text}` };
    } else joined.push(utterance);
  }
  return joined;
}

function contextOf(utterances: readonly Utterance[]): Utterance[] {
  const left: Record<"assistant" | "tool", number> = { ...CONTEXT };
  const kept: Utterance[] = [];
  for (const utterance of joinAssistant(utterances).reverse()) {
    const speaker = utterance.speaker === "tool" ? "tool" : "assistant";
    if (left[speaker] <= 0) continue;
    left[speaker] -= 1;
    kept.push(utterance);
  }
  return kept.reverse();
}

/** The turns of one part of a file. What the assistant said last stands in a turn of its own. */
function turnsOf(words: SessionWords, part: number): Turn[] {
  const turns: Turn[] = [];
  let context: Utterance[] = [];
  for (const utterance of words.utterances) {
    if (utterance.text.trim() === "") continue;
    if (!isEvidence(utterance)) context.push(utterance);
    else {
      turns.push({ part, utterances: [...contextOf(context), utterance] });
      context = [];
    }
  }
  if (turns.length > 0 && context.length > 0) turns.push({ part, utterances: contextOf(context) });
  return turns;
}

interface Reach {
  readonly turns: Turn[];
  readonly first: Utterance;
  last: number;
}

/**
 * The blocks of one file in the order of its lines. Parts of a file (one per project directory) may interleave, and one record may
 * hold two utterances: turns whose lines overlap go into one block, so that a cursor between two blocks parts the words cleanly.
 * Parts without evidence are left out.
 */
export function blocksOf(parts: readonly { readonly index: number; readonly words: SessionWords }[]): Block[] {
  const turns = parts
    .flatMap(({ index, words }) => turnsOf(words, index))
    .map((turn) => ({ turn, first: firstOf(turn.utterances), last: Math.max(...turn.utterances.map((u) => u.offset)) }))
    .sort((a, b) => a.first.offset - b.first.offset);
  const reaches: Reach[] = [];
  for (const { turn, first, last } of turns) {
    const open = reaches.at(-1);
    if (open && first.offset <= open.last) {
      open.turns.push(turn);
      open.last = Math.max(open.last, last);
    } else reaches.push({ turns: [turn], first, last });
  }
  return reaches.map((reach) => ({ turns: reach.turns, offset: reach.first.offset, line: reach.first.line }));
}

function firstOf(utterances: readonly Utterance[]): Utterance {
  return utterances.reduce((a, b) => (b.offset < a.offset ? b : a));
}
