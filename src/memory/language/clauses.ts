/** Clauses: what is said about what, and whether it is asserted or denied. The grain at which a statement meets its quotes. */
import { type Detail, detailsOf } from "./details.ts";
import { denies, type Sign, signAt, zonesOf } from "./negation.ts";
import { contentWords, foldForms, pairUp, type Word } from "./words.ts";

export interface SignedTerm {
  readonly term: string;
  readonly sign: Sign;
}

export interface Clause {
  /** Folded, case kept. */
  readonly text: string;
  /** In reading order. */
  readonly terms: readonly SignedTerm[];
  readonly details: readonly (Detail & { readonly sign: Sign })[];
  readonly denies: boolean;
  /** Terms that say what the clause is about: its own, or for a fragment (`, not 40 MB`) also those of the clause before. */
  readonly about: ReadonlySet<string>;
}

const SENTENCE_END = "[。！？!?；;\\n]+|\\.(?=\\s|$)";
const CLAUSE_END = `(?<hard>${SENTENCE_END})|[，,](?!\\d)|[:：](?=\\s|[^\\d/\\\\\\w])|\\s[-–—]+\\s|[()（）—]|\\b(?:but|because|since|although|whereas|however)\\b|而(?!不是|且|非)|但是?|因为|所以`;
const BOUNDARY = new RegExp(CLAUSE_END, "gi");
/** A short fragment behind a denial may go on with its list: `don't use npm, yarn or bower`. */
const NEW_START =
  /^\s*(?:but|use|instead|just|only|prefer|always|let|we|i|it|the|so|because|then|please|he|she|they|you|this|that)\b/i;

interface Piece {
  readonly text: string;
  /** True when a comma or the like stands before it, false at the start of a sentence. */
  readonly goesOn: boolean;
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let goesOn = false;
  for (const match of text.matchAll(BOUNDARY)) {
    pieces.push({ text: text.slice(start, match.index), goesOn });
    start = match.index + match[0].length;
    goesOn = match.groups?.hard === undefined;
  }
  pieces.push({ text: text.slice(start), goesOn });
  return pieces.filter((piece) => piece.text.trim() !== "");
}

/** What happened once says nothing about what holds: `上次自动重试把库灌了两遍` is no support for retrying. */
const PAST_EVENT = /\b(?:last time|the other day|back then|in the past)\b|上次|上一次|那次|当时/;
/** Denies the clause before it: `Earlier you said 40 MB, that was wrong.` */
const DENIES_BEFORE = /^\s*(?:and )?(?:that|this|which|it)(?: is|'s| was) (?:wrong|incorrect|outdated|obsolete|not (?:true|right|correct))\b|^\s*(?:这|那)?(?:是错的|不对了?|错了)\s*$/;

/** Words inside a number, a path or the like are that detail and no words of the sentence. */
function freeWords(lower: string, details: readonly Detail[]): Word[] {
  const taken = details.filter(({ kind }) => kind !== "name" && kind !== "quoted" && kind !== "code");
  const words = contentWords(lower).filter((word) => !taken.some((d) => word.start < d.end && d.start < word.end));
  return pairUp(words, lower);
}

/** The clause that a piece of text makes after the clause before it. */
function clauseOf(piece: Piece, before: Clause | undefined): Clause {
  const lower = piece.text.toLowerCase();
  const zones = zonesOf(lower);
  const bare = detailsOf(piece.text);
  const words = freeWords(lower, bare);
  const own = denies(lower);
  const listed = before?.denies === true && !own && words.length <= 3 && !NEW_START.test(lower) && !words.some((w) => w.cjk);
  const past = PAST_EVENT.test(lower);
  const sign = (at: number): Sign => (past ? "." : listed ? "?" : signAt(zones, at));
  const details = bare.map((detail) => ({ ...detail, sign: sign(detail.start) }));
  const terms = words.map((word) => ({ term: word.term, sign: sign(word.start) }));
  const about = new Set(terms.map(({ term }) => term));
  const names = new Set(details.filter(({ kind }) => kind === "name").map(({ key }) => key));
  const fragment = piece.goesOn && Array.from(about).every((term) => names.has(term));
  if (fragment) for (const term of before?.about ?? []) about.add(term);
  return { text: piece.text, terms, details, denies: own || listed, about };
}

function denied(clause: Clause): Clause {
  const turn = <T extends { readonly sign: Sign }>(part: T): T => (part.sign === "+" ? { ...part, sign: "-" } : part);
  return { ...clause, terms: clause.terms.map(turn), details: clause.details.map(turn), denies: true };
}

/** The clauses of a text in order. */
export function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  for (const piece of piecesOf(foldForms(text))) {
    const before = clauses.at(-1);
    if (before && DENIES_BEFORE.test(piece.text.toLowerCase())) clauses[clauses.length - 1] = denied(before);
    clauses.push(clauseOf(piece, piece.goesOn ? before : undefined));
  }
  return clauses;
}
