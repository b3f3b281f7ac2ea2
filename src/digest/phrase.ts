/** Phrases of time in a text, before it is known when they were said. */
import type { Day } from "./calendar.ts";

export interface Phrase {
  /** UTF-16 units, end exclusive. */
  readonly start: number;
  readonly end: number;
  /**
   * `relative`: means something only together with the time of speaking; `explicit`: a date, perhaps without its year;
   * `recurring`: a schedule ("Monday to Friday"), which is true as it stands and only keeps others from matching inside.
   */
  readonly kind: "relative" | "explicit" | "recurring";
  /** The one day that is meant, said on `today` (null: not known when); null when no single day is meant. */
  readonly resolve: (today: Day | null) => Day | null;
  /** The phrase stands where "on DATE" would ("yesterday", "in two weeks"), not where "DATE" would ("the 18th of December"). */
  readonly adverb: boolean;
}

/** What a pattern makes of a match; null when it is no phrase of time after all. */
export type Reading = Omit<Phrase, "start" | "end"> | null;

export interface Form {
  readonly pattern: RegExp;
  /** @param groups named groups of the match @param place where it stands */
  readonly read: (groups: Readonly<Record<string, string | undefined>>, place: Place) => Reading;
}

export interface Place {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A phrase relative to the day of speaking. */
export function relative(resolve: (today: Day) => Day | null, adverb = true): NonNullable<Reading> {
  return { kind: "relative", adverb, resolve: (today) => (today === null ? null : resolve(today)) };
}

/** A stretch of time, or a time too vague for one day: it stays words. */
export const RANGE: NonNullable<Reading> = { kind: "relative", adverb: true, resolve: () => null };

/** A schedule. */
export const RECURRING: NonNullable<Reading> = { kind: "recurring", adverb: false, resolve: () => null };

/** All readings of all forms, unsorted. */
export function readForms(text: string, forms: readonly Form[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (const { pattern, read } of forms) {
    for (const match of text.matchAll(pattern)) {
      const place = { text, start: match.index, end: match.index + match[0].length };
      const reading = read(match.groups ?? {}, place);
      if (reading) phrases.push({ start: place.start, end: place.end, ...reading });
    }
  }
  return phrases;
}

/** Phrases in the order of the text; of overlapping ones the first, at a tie the longest. */
export function withoutOverlap(phrases: readonly Phrase[]): Phrase[] {
  const kept: Phrase[] = [];
  for (const phrase of [...phrases].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (!last || phrase.start >= last.end) kept.push(phrase);
  }
  return kept;
}

/** How far a sentence is looked at around a phrase, in UTF-16 units each way: keeps hostile text without full stops linear. */
const SIGHT = 160;

/** The part of the sentence before a phrase, and the part after it. */
export function sentenceAround({ text, start, end }: Place, stops: RegExp): { before: string; after: string } {
  const before =
    text
      .slice(Math.max(0, start - SIGHT), start)
      .split(stops)
      .at(-1) ?? "";
  const after = text.slice(end, end + SIGHT).split(stops)[0] ?? "";
  return { before, after };
}
