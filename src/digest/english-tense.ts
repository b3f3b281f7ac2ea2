/** Which way an English sentence looks: what "Monday" or "March 3" in it means depends on that. */
import type { Direction } from "./calendar.ts";
import { type Place, sentenceAround } from "./phrase.ts";

const PAST =
  /\b(?:was|were|did|had|been|already|previously|since|froze|went|got|made|took|chose|wrote|ran|built|broke|met|said|told|began|came|found|gave|kept|left|lost|sent|spent|(?<!\b(?:be|is|are|get) )[a-z]{2,}ed)\b/gi;
const NOT_PAST =
  /^(?:need|feed|speed|embed|seed|exceed|proceed|indeed|hundred|based|scheduled|planned|expected|required|supposed|allowed)$/i;
const FUTURE =
  /\b(?:will|won't|shall|may be|going to|plans?|planned|until|till|by|due|deadline|upcoming|scheduled|expected|must|should|needs?|starts?|begins?|opens?|reopens?|ends?|expires?|launch(?:es)?|ships?|goes|let's|(?:postponed|delayed|moved|pushed|slipped|rescheduled)(?= (?:\S+ ){0,3}(?:to|until)\b))\b|'ll\b/gi;

/** Where an English sentence ends. */
export const STOPS = /[.!?;](?=\s|$)|\n/;

function lastIndexIn(text: string, pattern: RegExp, not?: RegExp): number {
  let last = -1;
  for (const match of text.matchAll(pattern)) if (!not?.test(match[0])) last = match.index;
  return last;
}

function firstIndexIn(text: string, pattern: RegExp, not?: RegExp): number {
  for (const match of text.matchAll(pattern)) if (!not?.test(match[0])) return match.index;
  return Number.POSITIVE_INFINITY;
}

/** Tense decides: the cue nearest before the phrase, else the first one after it. */
export function englishDirection(place: Place): Direction {
  const { before, after } = sentenceAround(place, STOPS);
  const past = lastIndexIn(before, PAST, NOT_PAST);
  const future = lastIndexIn(before, FUTURE);
  // "moved to" reads as past and ahead at one place: it names where something goes.
  if (past >= 0 || future >= 0) return past > future ? -1 : 1;
  const pastAfter = firstIndexIn(after, PAST, NOT_PAST);
  const futureAfter = firstIndexIn(after, FUTURE);
  if (pastAfter === futureAfter) return 0;
  return pastAfter < futureAfter ? -1 : 1;
}
