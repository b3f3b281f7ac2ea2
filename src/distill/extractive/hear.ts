/** Hears an utterance: which of its sentences state facts, which explain the one before, which take something back. */
import type { DigestUtterance } from "../../digest/digest.ts";
import { contentWords } from "../../memory/language/words.ts";
import type { MemoryType } from "../../memory/model.ts";
import type { Fact, Heard, Kind, Part, Withdrawal } from "./fact.ts";
import { textOf } from "./fact.ts";
import { procedureIn } from "./procedure.ts";
import type { Language } from "./rule.ts";
import { type Piece, sentencesOf } from "./sentence.ts";
import { ENOUGH, isLasting, isPassing, languagesOf, type Weighing, weigh, withoutLead } from "./weigh.ts";
import { wordingOf } from "./wording.ts";

/** The entry budget, less its dates. */
const STATEMENT_CHARS = 360;

interface Sentence {
  readonly piece: Piece;
  readonly bare: string;
  readonly languages: readonly Language[];
  readonly weighing: Weighing;
  readonly dated: boolean;
}

const any = (sentence: Sentence, test: (language: Language) => boolean) => sentence.languages.some(test);
const cue = (sentence: Sentence, name: keyof Weighing["cues"]) => sentence.weighing.cues[name] ?? 0;

const SECRET =
  /\[redacted:|(?:password|passwd|secret|api[ _-]?key|token|密码|口令|密钥)\s*(?:is|=|:|：|是|为)\s*(?=\S*\d)\S{6,}/i;

function read(piece: Piece, utterance: DigestUtterance): Sentence {
  const dated = utterance.dates.some((d) => d.index >= piece.start && d.index < piece.end);
  const languages = languagesOf(piece.text);
  return { piece, bare: withoutLead(piece.text), languages, weighing: weigh(piece.text, dated), dated };
}

/** A list under "Conventions for this repo:" needs no cue of its own. */
function underHeading(sentence: Sentence): boolean {
  const heading = sentence.piece.heading;
  return heading !== null && languagesOf(heading).some((language) => language.heading.test(heading));
}

function isKept(sentence: Sentence, utterance: DigestUtterance): boolean {
  const words = contentWords(sentence.bare);
  if (words.length < 2) return false;
  const { weighing } = sentence;
  if (utterance.speaker === "log") return weighing.score >= ENOUGH || (sentence.dated && weighing.score > -ENOUGH);
  const bonus = underHeading(sentence) ? ENOUGH : 0;
  if (weighing.score + bonus >= ENOUGH) return true;
  return isLasting(weighing) && weighing.score >= 0 && (weighing.cues.question ?? 0) === 0;
}

const KINDS: readonly (readonly [Kind, (s: Sentence) => boolean])[] = [
  ["person", (s) => cue(s, "profile") >= 3 || cue(s, "talk") >= 3],
  ["pointer", (s) => cue(s, "pointer") >= 3 && (cue(s, "rule") < 3 || /https?:/.test(s.piece.text))],
  ["owner", (s) => cue(s, "owner") >= 3],
  ["decision", (s) => cue(s, "decision") >= 2],
  ["date", (s) => cue(s, "date") >= 2],
  [
    "instruction",
    (s) =>
      cue(s, "rule") > 0 ||
      cue(s, "order") >= 2 ||
      cue(s, "confirm") > 0 ||
      (cue(s, "order") > 0 && cue(s, "fact") === 0),
  ],
  ["fact", (s) => cue(s, "fact") > 0],
];

const TYPES: Readonly<Record<Kind, MemoryType>> = {
  person: "user",
  pointer: "reference",
  owner: "project",
  decision: "project",
  date: "project",
  instruction: "feedback",
  fact: "project",
  procedure: "project",
};

function kindOf(sentence: Sentence): Kind {
  const kind = KINDS.find(([, is]) => is(sentence))?.[0];
  return kind ?? (cue(sentence, "scope") > 0 ? "instruction" : "fact");
}

function matches(text: string, patterns: readonly RegExp[]): string[] {
  return patterns
    .flatMap((pattern) => Array.from(text.matchAll(pattern), (match) => (match[1] ?? "").trim()))
    .filter((found) => found !== "");
}

function partOf(sentence: Sentence, utterance: DigestUtterance, text: string): Part {
  return { text, cite: { utterance: utterance.label, quote: sentence.piece.text } };
}

interface State {
  readonly utterance: DigestUtterance;
  readonly at: number;
  readonly heard: Heard[];
  /** The fact that a following sentence may explain. */
  last: Fact | null;
  /** The sentence before took something back: this one says what holds instead. */
  replaced: boolean;
}

function replaceLast(state: State, fact: Fact): void {
  const i = state.heard.findLastIndex((heard) => "fact" in heard && heard.fact === state.last);
  if (i >= 0) state.heard[i] = { fact };
  state.last = fact;
}

/** Adds the sentence to the fact before it. False: it does not belong there. */
function explains(sentence: Sentence, state: State): boolean {
  const { last } = state;
  const shift = any(sentence, (l) => l.shift.test(sentence.piece.text));
  if (last === null || shift || sentence.piece.heading !== null || isPassing(sentence.weighing)) return false;
  const isReason = any(sentence, (l) => l.reason.test(sentence.bare));
  if (!isReason && !belongs(sentence, last)) return false;
  const wording = wordingOf(sentence.piece, state.utterance.dates);
  if (wording === null) return true;
  const part = partOf(sentence, state.utterance, wording.text);
  if (textOf(last).length + wording.text.length > STATEMENT_CHARS) return true;
  const why = wording.why === null ? [] : [partOf(sentence, state.utterance, wording.why)];
  if (isReason) replaceLast(state, { ...last, why: [...last.why, part] });
  else replaceLast(state, { ...last, parts: [...last.parts, part], why: [...last.why, ...why] });
  return true;
}

/** A sentence without a subject of its own, or too light to stand alone, completes the statement before it. */
function belongs(sentence: Sentence, last: Fact): boolean {
  if (any(sentence, (l) => l.anaphora.test(sentence.bare))) return true;
  if (last.type === "user")
    return (
      cue(sentence, "profile") > 0 ||
      /explain|describe|relate|compar|analog|example|解释|讲|类比|例子/i.test(sentence.piece.text)
    );
  if (sentence.piece.joined && TYPES[kindOf(sentence)] === last.type) return true;
  if (
    last.kind === "decision" &&
    cue(sentence, "date") > 0 &&
    cue(sentence, "rule") === 0 &&
    cue(sentence, "decision") === 0
  )
    return true;
  if (cue(sentence, "confirm") > 0 && last.kind === "instruction") return true;
  return sentence.weighing.score < ENOUGH && last.kind !== "pointer" && last.parts.length < 3;
}

function factOf(sentence: Sentence, state: State): Fact | null {
  const wording = wordingOf(sentence.piece, state.utterance.dates);
  if (wording === null || contentWords(wording.text).length < 2) return null;
  const kind = state.replaced ? "decision" : kindOf(sentence);
  const log = state.utterance.speaker === "log";
  const type = log && (TYPES[kind] === "user" || TYPES[kind] === "feedback") ? "project" : TYPES[kind];
  return {
    kind,
    type,
    parts: [partOf(sentence, state.utterance, wording.text)],
    why: wording.why === null ? [] : [partOf(sentence, state.utterance, wording.why)],
    at: state.at,
    changes: state.replaced || any(sentence, (l) => l.change.test(sentence.piece.text)),
    restates: cue(sentence, "restates") < 0 || cue(sentence, "complaint") < 0,
    outdated: sentence.languages.flatMap((l) => matches(sentence.piece.text, l.outdated)),
  };
}

function takeBack(sentence: Sentence, state: State): boolean {
  const targets = sentence.languages.flatMap((l) => matches(sentence.piece.text, l.withdrawn));
  if (targets.length === 0) return false;
  const cite = { utterance: state.utterance.label, quote: sentence.piece.text };
  for (const target of targets) state.heard.push({ withdrawal: { target, at: state.at, cite } satisfies Withdrawal });
  state.last = null;
  state.replaced = true;
  return true;
}

/** "Don't store that": what was said just before it goes too, when the words only point back. */
function keepOut(sentence: Sentence, state: State): void {
  if (state.last !== null && contentWords(sentence.bare).length < 3) {
    const i = state.heard.findLastIndex((heard) => "fact" in heard && heard.fact === state.last);
    if (i >= 0) state.heard.splice(i, 1);
  }
  state.last = null;
}

function hearSentence(sentence: Sentence, state: State): void {
  if (any(sentence, (l) => l.private.test(sentence.piece.text))) return keepOut(sentence, state);
  if (SECRET.test(sentence.piece.text)) {
    state.last = null;
    return;
  }
  if (takeBack(sentence, state)) return;
  if (explains(sentence, state)) return;
  const passing = isPassing(sentence.weighing) && !state.replaced;
  const fact =
    !passing && (isKept(sentence, state.utterance) || (state.replaced && sentence.weighing.score > -ENOUGH))
      ? factOf(sentence, state)
      : null;
  if (fact !== null) state.heard.push({ fact });
  state.last = fact;
  state.replaced = false;
}

function hearProcedure(pieces: readonly Piece[], state: State): readonly Piece[] {
  const taught = procedureIn(pieces);
  if (taught === null || taught.pieces.some((piece) => SECRET.test(piece.text))) return [];
  const parts = taught.texts.map(({ text, pieces: own }) =>
    own.map((piece, i) => ({
      text: i === 0 ? text : "",
      cite: { utterance: state.utterance.label, quote: piece.text },
    })),
  );
  for (const own of parts) {
    state.heard.push({
      fact: {
        kind: "procedure",
        type: "project",
        parts: own.filter((p) => p.text !== ""),
        why: [],
        at: state.at,
        changes: false,
        restates: false,
        outdated: [],
      },
    });
  }
  return taught.pieces;
}

/**
 * Everything that one utterance states or takes back, in order.
 * @param at epoch ms; the session's time when the utterance has none
 */
export function hear(utterance: DigestUtterance, at: number): Heard[] {
  const pieces = sentencesOf(utterance.text);
  const state: State = { utterance, at, heard: [], last: null, replaced: false };
  const taught = new Set(hearProcedure(pieces, state));
  for (const piece of pieces) {
    if (taught.has(piece)) state.last = null;
    else hearSentence(read(piece, utterance), state);
  }
  return state.heard;
}
