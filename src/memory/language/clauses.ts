/** Clauses: what is said about what, and whether it is asserted or denied. The grain at which a statement meets its quotes. */
import { type Detail, detailsOf } from "./details.ts";
import { denies, type Sign, signAt, signOf, zonesOf } from "./negation.ts";
import { assertedWords, contentWords, fold, foldForms, pairUp, type Word } from "./words.ts";

export interface SignedTerm {
  readonly term: string;
  readonly sign: Sign;
  readonly start: number;
}

export interface Clause {
  /** Folded, case kept. */
  readonly text: string;
  /** In reading order. */
  readonly terms: readonly SignedTerm[];
  /** Words of the clause before that a pronoun here may stand for. */
  readonly meant: readonly SignedTerm[];
  readonly details: readonly (Detail & { readonly sign: Sign })[];
  readonly denies: boolean;
  /** A denial that its words have yet to follow: `Do not, ever, push`. */
  readonly dangling: boolean;
  /** Asked, wondered, played or taken back, not said: `should we ban it?`, `we might move`. A request put as a question is said. */
  readonly open: boolean;
  /** Words of the condition under which it holds; null: it holds without one. */
  readonly condition: ReadonlySet<string> | null;
  /** Terms that say what the clause is about: its own, or for a fragment (`, not 40 MB`) also those of the clause before. */
  readonly about: ReadonlySet<string>;
}

/** Behind each end of a sentence; a full stop ends one only before white space. */
const SENTENCES = /(?<=[。！？!?；;\n])|(?<=\.)(?=\s)|(?<=\S {3,})(?=\S)/;
const SUBJECT = "(?:the|that|this|these|those|our|its?|we|i|they|he|she|all|every|each)";
const CLAUSE_END = [
  "[。！？!?；;\\n]+|\\.(?=\\s|$)",
  // Between two digits it parts thousands, before a date it does not.
  "(?<!\\d)[，,]|[，,](?!\\d)|[，,](?=\\d{4}-\\d\\d)",
  "[:：](?=\\s|[^\\d/\\\\\\w])",
  "\\s[-–—]+\\s",
  "[()（）—]",
  "\\b(?:but|because|since|although|whereas|however)\\b",
  `\\band(?= ${SUBJECT}\\b| \\w+ (?:about|for|on|with|in|to|from|is|was|has|goes|owns|runs|uses|needs|gets|stays|handles|reviews)\\b)`,
  // `Anna and Ben must ask` is one clause; where a verb stands before it, another begins.
  "(?<=\\b(?:go(?:es)?|is|are|was|were|has|have|runs?|uses?|owns?|needs?|must|may|can|should|will)\\b.*)\\band(?= \\w+ (?:are|were|have|must|may|can|should|will)\\b)",
  "而(?!不是|且|非)|但是?|因为|所以",
].join("|");
const BOUNDARY = new RegExp(CLAUSE_END, "gi");
/** A short fragment behind a denial may go on with its list: `don't use npm, yarn or bower`. */
const NEW_START =
  /^\s*(?:but|use|instead|just|only|prefer|always|let|we|i|it|the|so|because|then|please|he|she|they|you|this|that)\b/i;

interface Piece {
  readonly text: string;
  /** True when a comma or the like stands before it, false at the start of a sentence. */
  readonly goesOn: boolean;
  /** The whole sentence, its end mark included. */
  readonly sentence: string;
}

function piecesOf(text: string): Piece[] {
  return text
    .split(SENTENCES)
    .flatMap(piecesOfSentence)
    .filter((piece) => piece.text.trim() !== "");
}

function piecesOfSentence(sentence: string): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const match of sentence.matchAll(BOUNDARY)) {
    pieces.push({ text: sentence.slice(start, match.index), goesOn: start > 0, sentence });
    start = match.index + match[0].length;
  }
  return [...pieces, { text: sentence.slice(start), goesOn: start > 0, sentence }];
}

/** What happened once says nothing about what holds: `上次自动重试把库灌了两遍` is no support for retrying. */
const PAST_EVENT = /\b(?:last time|the other day|back then|in the past)\b|上次|上一次|那次|当时/;
/** Denies the clause before it: `Earlier you said 40 MB, that was wrong.` */
const DENIES_BEFORE =
  /^\s*(?:(?:and|but|though|of course) )?(?:that|this|which|it|all of (?:that|this))(?: is|'s| was) (?:just |simply |plain |total |complete |utter |pure )?(?:wrong|false|untrue|nonsense|rubbish|bullshit|garbage|a (?:lie|myth|joke|mistake)|incorrect|outdated|obsolete|no longer (?:true|so|the case)|not (?:true|right|correct|so|the case))\b|^\s*(?:这|那)?(?:是错的|不对了?|错了)\s*$/;

/** `the tag format is wrong` faults what was done with it; what is denied is the exact value, if one is named. */
const FAULTED = /\b(?:wrong|incorrect)\b|不对|错了/;
const PRONOUN = /^\s*(?:and |so )?(?:it|this|that|these|those|they|which|who|i|i'm)\b|^\s*[它这那其]/;
const ENDS_DENYING = /(?:\b(?:not|never|n't)|[不别]要?|绝不)\s*$/;

/** Words inside a number, a path or the like are that detail and no words of the sentence. */
function freeWords(words: readonly Word[], text: string, details: readonly Detail[]): Word[] {
  const taken = details.filter(({ kind }) => kind !== "name" && kind !== "quoted" && kind !== "code");
  return pairUp(
    words.filter((word) => !taken.some((d) => word.start < d.end && d.start < word.end)),
    text,
  );
}

/** How the clause before reaches into this one: as a list that goes on, a denial that waits for its words, or not. */
function carried(lower: string, words: readonly Word[], before: Clause | undefined): Sign | null {
  if (before?.dangling) return "-";
  const listed = before?.denies === true && words.length <= 4 && !NEW_START.test(lower) && !words.some((w) => w.cjk);
  return listed && !denies(lower) ? "?" : null;
}

function aboutOf(piece: Piece, terms: readonly SignedTerm[], details: readonly Detail[], before: Clause | undefined) {
  const about = new Set(terms.map(({ term }) => term));
  const names = new Set(details.filter(({ kind }) => kind === "name").map(({ key }) => key));
  const fragment = piece.goesOn && Array.from(about).every((term) => names.has(term));
  if (fragment) for (const term of before?.about ?? []) about.add(term);
  return about;
}

const HEDGE =
  /\b(?:might|maybe|perhaps|possibly|what if|not sure|unsure|considering|thinking (?:about|of)|some ?day|wondering|would be nice|suppose|hypothetically|i guess|tempted|imagine|pretend|(?:as|for) a joke|jokingly|kidding|in theory|would say|(?:myth|lie|rumou?r|misconception|wrong to (?:say|think|claim|assume)) that|(?:i|we) (?:doubt|wish|hope|thought|believed|assumed)|long ago|wants? us to)\b|假装|开玩笑|假设|我以为|也许|或许|说不定|考虑一下|要不要|(?<![尽不])可能(?![的])/;
/** What others say is theirs: `someone claims the tests are flaky`. */
const HEARSAY =
  /\b(?:someone|somebody|you|(?:the|an?) (?:\w+ )?(?:docs?|readme|article|blog|bot|model|internet)) (?:on \w+ )?(?:claims?|claimed|says?|said|thinks?|thought|suggests?|suggested|told)\b|\bi (?:was told|read|heard)\b|\bapparently\b|\ballegedly\b|据说|听说/;
/** `The old readme says: skip the tests`: what follows is the readme's. */
const ENDS_SAYING = /\b(?:claims?|claimed|says?|said|suggests?|suggested|told \w+|thinks?|thought)\s*$/;
/** Wherever in the sentence it stands, all of it is meant so. */
const JOKE = /\b(?:(?:as|for) a joke|jokingly|just kidding)\b|开(?:个|了个)?玩笑/;
const ASKS = /[?？]\s*$|吗\s*[。.]?\s*$/;
const REQUEST =
  /(?:^|[,，])\s*(?:(?:and|so|also|hey|ok|okay|please)[, ]+)*(?:can|could|would|will) you\b|能不能|能否|可不可以|可以.*吗|麻烦/;

function isOpen({ text, sentence }: Piece): boolean {
  const lower = sentence.toLowerCase();
  return (
    HEDGE.test(text.toLowerCase()) ||
    HEARSAY.test(text.toLowerCase()) ||
    JOKE.test(lower) ||
    (ASKS.test(lower) && !REQUEST.test(lower))
  );
}

/** Without idioms that set no condition; a place or a time sets one where it opens the sentence: `In the docs repo, …`. */
const CONDITION =
  /(?<!\b(?:even|as|only) )\bif\b(?! (?:possible|needed|necessary|you (?:can|like|want)|not\b|so\b|in doubt))\s+([^,;.!?]*)|(?:如果|要是|假如|万一)([^，。；]*)|\bunless\s+([^,;.!?]*)|^\s*(?:when(?:ever)?|while|until|as long as|in|on|for|with|during|inside|under)\s+([^,;.!?:]{1,60}),\s/;
/** Words of openings that narrow nothing: `in this project`, `for now`, `on the other hand`. */
const EVERYWHERE = new Set(
  "repo repositori codebas code project futur general context record exampl fact short end hand opinion addition order default point moment mind doubt respons answer case time note meantim sure".split(
    " ",
  ),
);
const MAIN_CLAUSE = /(?<=\w \w+ .*)\b(?:we|i|you|they|then|please|just|use|run|do|don't|never|always)\b.*$/;

function conditionOf(sentence: string): ReadonlySet<string> | null {
  const match = CONDITION.exec(sentence.toLowerCase());
  if (!match) return null;
  const text = (match.slice(1).find((group) => group !== undefined) ?? "").replace(MAIN_CLAUSE, "");
  const terms = pairUp(assertedWords(text), text).map(({ term }) => term);
  return new Set(terms.filter((term) => !EVERYWHERE.has(term)));
}

const OBJECT = /\b(?:it|them|this|that|these|those)\b(?=\s*(?:$|in|on|at|to|from|with|for|by|into)\b|\s*$)|它/;

/** What a pronoun may mean: the words of the clause before it up to its first preposition, and its details. */
function meantBy(lower: string, before: Clause | undefined): SignedTerm[] {
  if (!before || !OBJECT.test(lower)) return [];
  const end = /\b(?:in|on|at|from|to|with|for|into|by)\b/.exec(before.text.toLowerCase())?.index ?? before.text.length;
  return before.terms.filter(({ start }) => start < end).map((term) => ({ ...term, sign: "?" as const }));
}

/** The clause that a piece of text makes after the clause before it. */
function clauseOf(piece: Piece, last: Clause | undefined): Clause {
  const before = piece.goesOn ? last : undefined;
  const lower = piece.text.toLowerCase();
  const zones = zonesOf(lower);
  const bare = detailsOf(piece.text);
  const words = freeWords(assertedWords(lower), lower, bare);
  const over = PAST_EVENT.test(lower) ? "." : carried(lower, words, before);
  const faulted = FAULTED.test(lower);
  const details = bare.map((detail) => ({ ...detail, sign: over ?? signAt(zones, detail.start) }));
  const terms = words.map(({ term, start }) => ({
    term,
    sign: over ?? (faulted ? "?" : signOf(term, start, lower, zones)),
    start,
  }));
  // `It is 99.9 % now` tells its own value: the one before it is not what it means.
  const pointed = PRONOUN.test(lower)
    ? (before?.details ?? [])
        .filter(({ kind }) => !bare.some((own) => own.kind === kind && kind !== "name"))
        .map((detail) => ({ ...detail, sign: "?" as const }))
    : [];
  const meant = meantBy(lower, last);
  const about = aboutOf(piece, terms, details, before);
  const dangling = ENDS_DENYING.test(lower) || (before?.dangling === true && terms.length === 0);
  return {
    text: piece.text,
    terms,
    meant,
    details: [...details, ...pointed],
    denies: denies(lower) || over === "?" || over === "-",
    dangling,
    open: isOpen(piece) || (before?.open === true && ENDS_SAYING.test(before.text.toLowerCase())),
    condition: conditionOf(piece.sentence),
    about,
  };
}

function denied(clause: Clause): Clause {
  const names = new Set(clause.details.filter(({ kind }) => kind === "name").map(({ key }) => key));
  return {
    ...clause,
    terms: clause.terms.map((term) => ({ ...term, sign: names.has(term.term) ? "-" : "?" })),
    details: clause.details.map((detail) => ({ ...detail, sign: "-" })),
    denies: true,
    open: true,
  };
}

/** The clauses of a text in order. */
export function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  for (const piece of piecesOf(foldForms(text))) {
    const before = clauses.at(-1);
    if (before && DENIES_BEFORE.test(piece.text.toLowerCase())) clauses[clauses.length - 1] = denied(before);
    clauses.push(clauseOf(piece, before));
  }
  return clauses;
}

/** A denied upper bound is a lower bound: `nothing under 44px` and `at least 44px` meet. */
export function signedDetail(detail: Detail & { readonly sign: Sign }): { term: string; sign: Sign } {
  const bound = detail.number?.bound ?? null;
  if (bound === null) return { term: `${detail.kind}:${detail.key}`, sign: detail.sign };
  const turned = bound === "min" ? "max" : "min";
  return detail.sign === "-"
    ? { term: `${detail.kind}:${detail.key}:${turned}`, sign: "+" }
    : { term: `${detail.kind}:${detail.key}:${bound}`, sign: detail.sign };
}

/** Content words outside of numbers, paths and the like, CJK characters in pairs: what a paraphrase is measured by. */
export function contentTerms(text: string): Word[] {
  const folded = fold(text);
  return freeWords(contentWords(folded), folded, detailsOf(text));
}
