/** What a session offers to memory, before anybody compared it with what is remembered. */
import { isRecord, parseJson } from "../../base/json.ts";
import { clip, oneLine, stripInvisible, wellFormed } from "../../base/text.ts";
import type { DigestSession } from "../../digest/digest.ts";
import { MEMORY_TYPES, type MemoryType } from "../../memory/model.ts";
import type { Cite } from "../../memory/operation.ts";
import { resolveCite } from "../../memory/rules/quote.ts";
import { object, type Schema } from "./fits.ts";

const SAYS = ["fact", "correction", "confirmation", "withdrawal"] as const;
const CONFIDENCE = ["stated", "implied"] as const;

export interface Candidate {
  readonly statement: string;
  readonly type: MemoryType;
  readonly why: string;
  readonly says: (typeof SAYS)[number];
  readonly confidence: (typeof CONFIDENCE)[number];
  readonly quotes: readonly Cite[];
}

/** `itemChars`: twice the longest; `bytes`: a cached value travels in one message of 64 KB; a session that has more to say than this is being retold. */
const LIMITS = {
  candidates: 24,
  statementChars: 500,
  whyChars: 400,
  quotes: 4,
  quoteChars: 1_000,
  bytes: 40_000,
  itemChars: 12_000,
} as const;

const STRING: Schema = { type: "string" };

/**
 * The answer's schema on the wire: types and words only. Length limits are left out, since endpoints refuse schemas that have them;
 * `readCandidates` keeps them.
 */
export const ANSWER: Schema = object({
  candidates: {
    type: "array",
    items: object({
      quotes: { type: "array", items: object({ utterance: STRING, quote: STRING }) },
      statement: STRING,
      why: STRING,
      type: { type: "string", enum: MEMORY_TYPES },
      says: { type: "string", enum: SAYS },
      confidence: { type: "string", enum: CONFIDENCE },
    }),
  },
});

/** The JSON object in an answer: bare, fenced, or with words around it. */
export function jsonIn(text: string): unknown {
  const bare = parseJson(text.trim());
  if (bare !== undefined) return bare;
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")];
  return start >= 0 && end > start ? parseJson(text.slice(start, end + 1)) : undefined;
}

/**
 * The candidates of an answer, or of a cached one, as far as they hold: known words, within bounds, each with a quote that stands in
 * the session and comes from a person. What does not hold is left out, not mended. Null: the answer has no such list.
 */
export function readCandidates(value: unknown, session: DigestSession): readonly Candidate[] | null {
  const list = listIn(value);
  return list && within(list.flatMap((item) => readOne(item, session) ?? []));
}

function listIn(value: unknown): unknown[] | null {
  const list = isRecord(value) && Object.hasOwn(value, "candidates") ? value.candidates : null;
  return Array.isArray(list) ? list.slice(0, LIMITS.candidates) : null;
}

/** The list of an answer whose session is not at hand, within its bounds: read again, against the words, by whoever uses it. */
export function boundedList(value: unknown): unknown[] | null {
  const list = listIn(value);
  return list && within(list.filter((item) => JSON.stringify(item).length <= LIMITS.itemChars));
}

function within<T>(list: T[]): T[] {
  while (Buffer.byteLength(JSON.stringify(list)) > LIMITS.bytes) list.pop();
  return list;
}

function readOne(value: unknown, session: DigestSession): Candidate | null {
  if (!isRecord(value)) return null;
  const statement = plain(value.statement, LIMITS.statementChars);
  const type = MEMORY_TYPES.find((one) => one === value.type);
  const quotes = quotesOf(value.quotes, session);
  if (statement === "" || type === undefined || !quotes.some(({ utterance }) => isEvidence(utterance, session)))
    return null;
  return {
    statement,
    type,
    why: plain(value.why, LIMITS.whyChars),
    says: SAYS.find((one) => one === value.says) ?? "fact",
    confidence: CONFIDENCE.find((one) => one === value.confidence) ?? "implied",
    quotes,
  };
}

const plain = (value: unknown, max: number) =>
  typeof value === "string" ? clip(oneLine(stripInvisible(wellFormed(value.slice(0, 4 * max)))), max) : "";

function quotesOf(value: unknown, session: DigestSession): Cite[] {
  const items = Array.isArray(value) ? value.slice(0, LIMITS.quotes) : [];
  return items.flatMap((item) => {
    if (!isRecord(item) || typeof item.quote !== "string" || item.quote.length > LIMITS.quoteChars) return [];
    // Small models leave the letter away, or write the label with its margin.
    const number = /(\d+)\D*$/.exec(String(item.utterance).slice(0, 40))?.[1];
    const cite = { utterance: `${session.label}:${number}`, quote: item.quote };
    const found = resolveCite({ sessions: [session], tokens: 0, redacted: {}, taken: [] }, cite);
    return "cite" in found && found.cite.utterance.speaker !== "tool" ? [{ ...cite, quote: found.cite.quote }] : [];
  });
}

function isEvidence(label: string, session: DigestSession): boolean {
  const speaker = session.utterances.find((utterance) => utterance.label === label)?.speaker;
  return speaker === "user" || speaker === "log";
}

/** The same candidates under another name of their session. */
export function relabelled(candidates: readonly Candidate[], label: string): Candidate[] {
  const renamed = ({ utterance, quote }: Cite) => ({ utterance: `${label}:${utterance.split(":")[1]}`, quote });
  return candidates.map((candidate) => ({ ...candidate, quotes: candidate.quotes.map(renamed) }));
}
