/**
 * When two statements mean the same fact, and when they contradict each other. Bags of content words (Latin) and character pairs (CJK): no
 * model, so precision comes first. A missed likeness costs a second line; a false one costs a fact.
 */
import type { Entry } from "./model.ts";
import { CJK, type Details, detailsOf, normal, statementKey, withoutTails } from "./statement.ts";

/** Words that carry no subject or only stress it; each word here makes statements look more alike, so the list is short. */
const SOFT = new Set(
  (
    "a an the is are was were be been being of to in on at for by with from and or as it its this that these those we our us i my me " +
    "you your they their he she his her user users has have had do does did will would should shall can could may might must now " +
    "currently so then please just also only use uses used using actually correction always each every all whenever when"
  ).split(" "),
);

/** The same for Chinese; written without blanks, so these are cut out before pairs are made. */
const SOFT_CJK =
  /总是|始终|每次|每个|所有|必须|一定要?|务必|应该|应当|目前|现在|如今|更正|用户|我们|使用|请|的|是|为|了|都|要|在|用/g;

const PREFER = /喜欢|偏好|倾向于?|偏爱|爱用|想要/g;
const LIKE = new Set([
  "like",
  "likes",
  "prefer",
  "prefers",
  "preferred",
  "want",
  "wants",
  "favor",
  "favors",
  "favour",
  "favours",
]);

/** `25 MB, not 40 MB`: the words after the turn are what the statement rejects. */
const CONTRAST =
  /[,;(]?\s*(?:\b(?:not|instead of|rather than|no longer|in place of)\b|[，,；;]?\s*(?:而不是|而非|不再是|不是|代替|取代))\s*(?=\S)/iu;

export interface Contrast {
  readonly head: string;
  /** Null when the statement rejects nothing by name. */
  readonly rejected: string | null;
}

/** Splits off a rejected value at the end of a statement; a negation of the statement itself ("do not push") is no contrast. */
function contrastOf(statement: string): Contrast {
  const text = normal(withoutTails(statement));
  const turn = CONTRAST.exec(text);
  const head = turn ? text.slice(0, turn.index).trim() : "";
  const rejected = turn ? text.slice(turn.index + turn[0].length).replace(/[\s).。!！]+$/u, "") : "";
  const named = /^\s*[,;(，；]/u.test(turn?.[0] ?? "") || /instead|rather|place|而|代替|取代/iu.test(turn?.[0] ?? "");
  const isContrast = named && tokens(head).length > 0 && tokens(rejected).length > 0 && tokens(rejected).length <= 6;
  return isContrast ? { head, rejected } : { head: text, rejected: null };
}

/** Light stemming, so that `limits` meets `limit` and `pushing` meets `push`. */
function stem(word: string): string {
  if (LIKE.has(word)) return "prefer";
  if (word.length <= 4) return word.replace(/(?<=\w{2}[^s])s$/, "");
  return word.replace(/ies$/, "y").replace(/(?<=\w{3})(?:ing|ed|es|s)$/, "");
}

function pairs(run: string): string[] {
  const points = [...run];
  return points.length < 2 ? points : points.slice(1).map((point, i) => `${points[i] ?? ""}${point}`);
}

const RUN = new RegExp(`[${CJK}]+|[\\p{L}\\p{N}_]+(?:[.:/'@-]+[\\p{L}\\p{N}_]+)*`, "gu");
const STARTS_CJK = new RegExp(`^[${CJK}]`);
/** `25MB` and `25 MB` are the same words. */
const splitUnits = (text: string) =>
  text.replace(/(?<![\p{L}\p{N}.-])(\d+(?:[.,]\d+)?)(?=(?:[kmgt]i?b|ms|s|min|h|px|%)\b)/giu, "$1 ");

/** Content words of Latin text and character pairs of CJK text, numbers included. */
export function tokens(statement: string): string[] {
  const text = splitUnits(normal(statement)).toLowerCase().replace(PREFER, " prefer ").replace(SOFT_CJK, " ");
  return [...text.matchAll(RUN)].flatMap(([run]) => {
    if (STARTS_CJK.test(run)) return pairs(run);
    if (SOFT.has(run)) return [];
    return [/\d/.test(run) ? run : stem(run)];
  });
}

const minus = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].filter((token) => !b.has(token));

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  return (2 * (a.size - minus(a, b).length)) / (a.size + b.size);
}

/** 0: no word shared; 1: the same content words, in any order. */
export function similarity(a: string, b: string): number {
  if (statementKey(a) === statementKey(b)) return 1;
  return dice(new Set(tokens(withoutTails(a))), new Set(tokens(withoutTails(b))));
}

const within = (a: ReadonlySet<string>, b: ReadonlySet<string>) => minus(a, b).length === 0 || minus(b, a).length === 0;

/** One may tell more than the other ("40 MB" and "40 MB since 2026-01-10"), but neither tells something else. */
function agree(a: Details, b: Details): boolean {
  return a.denies === b.denies && within(a.numbers, b.numbers) && within(a.identifiers, b.identifiers);
}

/**
 * How much of the words must be shared when one statement only adds words to the other. "Use tabs" against "use tabs in Go, spaces in
 * TypeScript" is 0.33 and stays apart; "prefers short answers" against "prefers short answers in reviews" is 0.86.
 */
const CONTAINED = 0.6;
/** With words exchanged on both sides only a long statement can be a rewording: "avatar limit" against "upload limit" is 0.75. */
const REWORDED = 0.92;

const alike = (a: ReadonlySet<string>, b: ReadonlySet<string>) => dice(a, b) >= (within(a, b) ? CONTAINED : REWORDED);

/** What the statement is about: its words without values and without negations. */
function subjectOf(text: string): Set<string> {
  const { numbers, identifiers } = detailsOf(text);
  const bare = (token: string) => token.replace(/[^\p{L}\p{N}]/gu, "");
  const values = new Set([...numbers, ...identifiers].map(bare));
  const negation =
    /^(?:not|no|never|none|without|cannot|don't|doesn't|didn't|won't|isn't|aren't|can't|shouldn't|mustn't|avoid|stop)$/;
  return new Set(
    tokens(text).filter((token) => !/^\d/.test(token) && !values.has(bare(token)) && !negation.test(token)),
  );
}

export type Relation = "same" | "near" | "conflicts" | "differs";

function rejects(a: Contrast, b: Contrast): boolean {
  const rejected = new Set(tokens(a.rejected ?? ""));
  const head = new Set(tokens(b.head));
  return rejected.size > 0 && minus(rejected, head).length === 0;
}

/**
 * `same`: equal keys. `near`: the same fact in other or more words. `conflicts`: the same subject with another number, name or
 * negation. `differs`: two facts.
 */
export function relation(a: string, b: string): Relation {
  if (statementKey(a) === statementKey(b)) return "same";
  const [left, right] = [contrastOf(a), contrastOf(b)];
  const agrees = agree(detailsOf(left.head), detailsOf(right.head));
  if (agrees && alike(new Set(tokens(left.head)), new Set(tokens(right.head)))) return "near";
  const subjects = [subjectOf(left.head), subjectOf(right.head)] as const;
  if (rejects(left, right) || rejects(right, left)) return "conflicts";
  if (agrees || subjects[0].size === 0 || subjects[1].size === 0) return "differs";
  return alike(...subjects) ? "conflicts" : "differs";
}

/** Share of the smaller subject that both have. */
function sharedSubject(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const smaller = Math.min(a.size, b.size);
  return smaller === 0 ? 0 : (a.size - minus(a, b).length) / smaller;
}

/** How surely the entry is what the statement corrects; 0 when it is not. */
function rivalry(statement: string, entry: string): number {
  const kind = relation(statement, entry);
  if (kind === "same" || kind === "near") return 0;
  const { head, rejected } = contrastOf(statement);
  const shared = sharedSubject(subjectOf(head), subjectOf(entry));
  if (kind === "conflicts") return 1 + shared;
  // The old value is named ("not 40 MB"): then half of the subject is enough to know the entry.
  const old = new Set(tokens(rejected ?? ""));
  const named = old.size > 0 && minus(old, new Set(tokens(entry))).length === 0;
  return named && shared >= 0.5 ? shared : 0;
}

/**
 * The entry that tells the statement's subject with another value: what a correction revises. Null when there is none, or when two
 * fit equally well (then only a person can say which one is meant).
 */
export function rivalOf(statement: string, entries: readonly Entry[]): Entry | null {
  const scored = entries
    .map((entry) => ({ entry, score: rivalry(statement, entry.statement) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const [best, next] = scored;
  return best && best.score > (next?.score ?? 0) ? best.entry : null;
}
