/** Finds a quote in the words it claims to come from: verbatim, white space folded, nothing else. */
import type { Digest, DigestSession, DigestUtterance } from "../../digest/digest.ts";
import { findUtterance } from "../../digest/digest.ts";
import type { Citation, Cite } from "../operation.ts";
import { isTakenOver, meant, type Span, sentenceAround } from "./surroundings.ts";

/** A cite whose words were found. */
export interface ResolvedCite {
  readonly label: string;
  readonly session: DigestSession;
  readonly utterance: DigestUtterance;
  /** The quote as it stands in the utterance. */
  readonly quote: string;
  /** The whole sentences around the quote, resolved dates behind their phrases, so that `use npm` cut out of `do not use npm` is seen for what it is. */
  readonly sentence: string;
  /** Resolved dates whose phrase stands in the quote, `2026-12-03`. */
  readonly dates: readonly string[];
}

export type CiteProblem = { readonly rule: string; readonly detail: string };

/** At most this many places of one quote are looked at; a quote that stands more often says next to nothing. */
const MAX_PLACES = 5;

/** Text with white space folded, and for each of its units the position in the original. */
function foldWhite(text: string): { folded: string; at: readonly number[] } {
  let folded = "";
  const at: number[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const white = /\s/.test(text.charAt(i));
    if (white && (folded === "" || folded.endsWith(" "))) continue;
    folded += white ? " " : text.charAt(i);
    at.push(i);
  }
  return { folded, at };
}

const WORD = /[A-Za-z0-9]/;
const splits = (text: string, at: number) => WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at));

/** Where the quote stands in the text; places that cut a word or a number in two do not count (`4` out of `40 MB`). */
function placesOf(text: string, quote: string): Span[] {
  const { folded, at } = foldWhite(text);
  const wanted = foldWhite(quote).folded.trim();
  const places: Span[] = [];
  if (wanted === "") return places;
  for (let i = folded.indexOf(wanted); i >= 0 && places.length < MAX_PLACES; i = folded.indexOf(wanted, i + 1)) {
    const last = i + wanted.length - 1;
    if (splits(folded, i) || splits(folded, last + 1)) continue;
    places.push({ start: at[i] ?? 0, end: (at[last] ?? 0) + 1 });
  }
  return places;
}

/** The words of a span with each resolved date behind its phrase, so that a date has its place among the words. */
function dated({ text, dates }: DigestUtterance, span: Span): string {
  let out = "";
  let from = span.start;
  const inside = dates.map(({ index, phrase, date }) => ({ at: index + phrase.length, date }));
  for (const { at, date } of inside.filter((d) => d.at > span.start && d.at <= span.end).sort((a, b) => a.at - b.at)) {
    out += `${text.slice(from, at)} ${date} `;
    from = at;
  }
  return (out + text.slice(from, span.end)).trim();
}

function overlapping(utterance: DigestUtterance, spans: readonly Span[]): string[] {
  return utterance.dates
    .filter(({ index, phrase }) => spans.some((span) => index < span.end && span.start < index + phrase.length))
    .map(({ date }) => date);
}

/** Resolves one cite: `utterance-not-found`, `quote-not-found` and `not-their-words` are its failures. */
export function resolveCite(
  digest: Digest,
  cite: Cite,
): { readonly cite: ResolvedCite } | { readonly problem: CiteProblem } {
  const found = findUtterance(digest, cite.utterance);
  if (!found) {
    return { problem: { rule: "utterance-not-found", detail: `the digest has no utterance \`${cite.utterance}\`` } };
  }
  const { text } = found.utterance;
  const spans = placesOf(text, cite.quote);
  const first = spans[0];
  if (!first) {
    const detail = `these words do not stand in ${cite.utterance}: copy them exactly, whole words, white space aside`;
    return { problem: { rule: "quote-not-found", detail } };
  }
  if (spans.every((span) => isTakenOver(text, span))) {
    const detail = `${cite.utterance} only repeats these words of somebody else (">"): cite what the person says of them`;
    return { problem: { rule: "not-their-words", detail } };
  }
  const around = spans.map((span) => meant(dated(found.utterance, sentenceAround(text, span)), text, span));
  const sentence = Array.from(new Set(around)).join("\n");
  const quote = text.slice(first.start, first.end);
  return { cite: { label: cite.utterance, ...found, quote, sentence, dates: overlapping(found.utterance, spans) } };
}

/** What evidence.jsonl keeps of a resolved cite. */
export function toCitation(cite: ResolvedCite): Citation {
  const { session, utterance } = cite;
  return {
    session: session.session,
    client: session.client,
    file: session.file,
    line: utterance.line,
    record: utterance.record,
    speaker: utterance.speaker,
    at: utterance.at === null ? null : new Date(utterance.at).toISOString(),
    quote: cite.quote,
  };
}
