/** What the quotes of one operation say, prepared once for all rules that compare a statement with them. */
import { type Clause, clausesOf, contentTerms, signedDetail } from "../language/clauses.ts";
import { type DateParts, datesIn } from "../language/dates.ts";
import { type Detail, detailsOf } from "../language/details.ts";
import type { Sign } from "../language/negation.ts";
import { fold, foldForms, wordsOf } from "../language/words.ts";
import type { Entry } from "../model.ts";
import type { ResolvedCite } from "./quote.ts";

/** One voice: the quotes, or the entries that a revise or merge starts from. */
export interface Source {
  /** Folded, lower case, one text per quote. */
  readonly texts: readonly string[];
  /** Content terms. */
  readonly terms: ReadonlySet<string>;
  /** Stems of all words, function words too. */
  readonly words: ReadonlySet<string>;
  readonly details: readonly Detail[];
  readonly dates: readonly DateParts[];
  /** Of the whole sentences around the quotes. */
  readonly clauses: readonly Clause[];
  /** Signs under which a term stands; details under `KIND:KEY`. */
  readonly signs: ReadonlyMap<string, ReadonlySet<Sign>>;
}

export interface Evidence {
  readonly quotes: Source;
  /** The text that is already in memory and that the operation changes; empty for an add. */
  readonly entries: Source;
  /** Years in which the words were said, and the ones after: a date without a year may be either. */
  readonly years: ReadonlySet<number>;
}

function signsOf(clauses: readonly Clause[]): Map<string, Set<Sign>> {
  const signs = new Map<string, Set<Sign>>();
  const add = (term: string, sign: Sign) => signs.set(term, (signs.get(term) ?? new Set()).add(sign));
  for (const clause of clauses) {
    for (const { term, sign } of [...clause.terms, ...clause.meant]) add(term, sign);
    for (const detail of clause.details) {
      const { term, sign } = signedDetail(detail);
      add(term, sign);
    }
  }
  return signs;
}

function sourceOf(texts: readonly string[], sentences: readonly string[], resolved: readonly string[]): Source {
  const folded = texts.map(fold);
  const clauses = sentences.flatMap(clausesOf);
  return {
    texts: folded,
    terms: new Set(texts.flatMap((text) => contentTerms(text).map(({ term }) => term))),
    words: new Set(folded.flatMap((text) => wordsOf(text).map((word) => word.term))),
    details: texts.flatMap((text) => detailsOf(foldForms(text))),
    dates: [...folded, ...resolved].flatMap(datesIn),
    clauses,
    signs: signsOf(clauses),
  };
}

/** Statement, reason and use of an entry as one text. */
export function textOf(entry: Pick<Entry, "statement" | "why" | "how">): string {
  return [entry.statement, entry.why, entry.how].filter((part) => part !== null && part !== "").join(". ");
}

/** What a statement may rest on: the cited words with their dates, and the entries that it replaces. A year may be that of the words, or the next. */
export function evidenceOf(cites: readonly ResolvedCite[], entries: readonly Entry[]): Evidence {
  const quotes = cites.map(({ quote }) => quote);
  const sentences = cites.map(({ sentence }) => sentence);
  const resolved = cites.flatMap(({ dates }) => dates);
  const said = cites.flatMap(({ utterance }) =>
    utterance.at === null ? [] : [new Date(utterance.at).getUTCFullYear()],
  );
  const known = entries.map(textOf);
  return {
    quotes: sourceOf(quotes, sentences, resolved),
    entries: sourceOf(known, known, []),
    years: new Set(said.flatMap((year) => [year, year + 1])),
  };
}
