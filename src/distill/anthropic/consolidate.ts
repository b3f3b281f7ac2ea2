/** Stage two: the larger model compares the candidates with memory and proposes operations, which the rules answer one by one. */
import { isMemdError } from "../../base/errors.ts";
import type { Operation } from "../../memory/operation.ts";
import { type Bench, benchOf } from "./bench.ts";
import type { Candidate } from "./candidate.ts";
import { converse, type End } from "./conversation.ts";
import type { Stage } from "./extract.ts";
import { openingOf, type Room } from "./opening.ts";
import { withTone } from "./prompts/common.ts";
import { CONSOLIDATE } from "./prompts/consolidate.ts";
import { shelfOf } from "./shelf.ts";

/** Of the first conversation. What was too long is begun again with half of it, twice at the most. */
const ROOM: Room = { candidates: 24_000, memory: 8_000, context: 3_000 };
const SHRINKS = 2;
/** Conversations of one run: one, as long as the candidates fit; a run of 60,000 tokens of evidence does not fill two. */
const CONVERSATIONS = 8;

/** Operations of conversations that were finished; else why they were not, and then nothing of them counts. */
export type Consolidated = { readonly operations: readonly Operation[] } | { readonly unfinished: End };

/** @throws MemdError of the endpoint, except `too-long`, which is met by asking for less */
export async function consolidate(candidates: readonly Candidate[], stage: Stage): Promise<Consolidated> {
  const bench = benchOf(shelfOf(stage.brief), stage.home.judge);
  let waiting = candidates;
  let room = ROOM;
  let shrinks = 0;
  let before: string | null = null;
  for (let talks = 0; waiting.length > 0 && talks < CONVERSATIONS; talks++) {
    stage.home.progress(`consolidate: ${waiting.length} candidates`);
    const { text, held } = openingOf(
      { ...stage, shelf: bench.shelf },
      { candidates: waiting, done: bench.accepted },
      room,
    );
    // It did not fit, and no smaller one can be made: it is not sent again unchanged.
    if (text === before && bench.seen.size === 0) return { unfinished: "context" };
    before = text;
    const end = await endOf(text, bench, stage);
    if (end === "finished") waiting = waiting.slice(held);
    else if (end === "context" && shrinks < SHRINKS) {
      shrinks += 1;
      room = { candidates: room.candidates / 2, memory: room.memory / 2, context: room.context / 2 };
      const left = waiting.filter((candidate) => !isSettled(candidate, bench.accepted));
      // All are settled, perhaps, but only the model may say that it is done.
      if (left.length > 0) waiting = left;
    } else return { unfinished: end };
  }
  if (waiting.length > 0) stage.home.progress(`consolidate: ${waiting.length} candidates found no room`);
  return { operations: bench.accepted };
}

async function endOf(opening: string, bench: Bench, { endpoint, settings }: Stage): Promise<End> {
  const { maxTokens } = settings;
  const system = withTone(CONSOLIDATE, settings.tone);
  try {
    return await converse({ endpoint, model: settings.consolidate.name, system, maxTokens }, opening, bench);
  } catch (error) {
    if (isMemdError(error) && error.code === "too-long") return "context";
    throw error;
  }
}

/** Its words were used by an accepted operation: no need to go through it again. */
export function isSettled({ quotes }: Candidate, accepted: readonly Operation[]): boolean {
  const used = accepted.flatMap((operation) => ("cites" in operation ? operation.cites : []));
  return quotes.some(({ utterance, quote }) =>
    used.some((cite) => cite.utterance === utterance && (cite.quote.includes(quote) || quote.includes(cite.quote))),
  );
}
