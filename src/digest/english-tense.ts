/** Which way an English sentence looks: what "Monday" or "March 3" in it means depends on that. */
import type { Direction } from "./calendar.ts";
import { type Place, sentenceAround } from "./phrase.ts";

const PAST =
  /\b(?:was|were|did|had|been|already|previously|since|froze|went|got|made|took|chose|wrote|ran|built|broke|met|said|told|began|came|found|gave|kept|left|lost|sent|spent|cost|outage|incident|post-?mortem|(?<!\b(?:be|is|are|get) )[a-z]{2,}ed)\b/gi;
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

/** Where another clause begins: its verb tells nothing about this one. */
const CLAUSE = /[,:()]\s|\s(?:because|since|so|but|and|which|while|although|though|when|if|unless)\s|[.!?;](?=\s|$)|\n/;

/** As `englishDirection`, by the clause of the date alone: "come on 27 October, since the room is double-booked" looks ahead. */
export function ownDirection(place: Place): Direction {
  // "On March 3, we moved": the comma parts no clause.
  const opens = /(?:^|[.!?;,\n])\s*(?:on|by|from|since|until|till|as of)?\s*$/i.test(
    place.text.slice(Math.max(0, place.start - 40), place.start),
  );
  const end = opens && place.text[place.end] === "," ? place.end + 2 : place.end;
  const { before } = sentenceAround(place, CLAUSE);
  const { after } = sentenceAround({ ...place, end }, CLAUSE);
  // "has moved from 1 December": a plan was changed, both days are plans.
  if (
    /\b(?:moved|postponed|delayed|pushed|slipped|rescheduled|shifted|changed|brought forward)\b.{0,20}\bfrom (?:the )?$/i.test(
      before,
    )
  )
    return 0;
  if (/\bfor (?:the )?$/i.test(before)) return 1;
  return directionIn(before, after);
}

/** Tense decides: the cue nearest before the phrase, else the first one after it. */
export function englishDirection(place: Place): Direction {
  const { before, after } = sentenceAround(place, STOPS);
  return directionIn(before, after);
}

function directionIn(before: string, after: string): Direction {
  const past = lastIndexIn(before, PAST, NOT_PAST);
  const future = lastIndexIn(before, FUTURE);
  // "moved to" reads as past and ahead at one place: it names where something goes.
  if (past >= 0 || future >= 0) return past > future ? -1 : 1;
  const pastAfter = firstIndexIn(after, PAST, NOT_PAST);
  const futureAfter = firstIndexIn(after, FUTURE);
  if (pastAfter === futureAfter) return 0;
  return pastAfter < futureAfter ? -1 : 1;
}
