/** Hears an utterance: which of its sentences state facts, which explain the one before, which take something back. */
import type { DigestUtterance } from "../../digest/digest.ts";
import { simplified } from "../../memory/language/han.ts";
import { contentWords } from "../../memory/language/words.ts";
import {
  completes,
  excuses,
  isEnough,
  isLeaning,
  isPastPlan,
  isTopic,
  namesOnly,
  needsTopic,
  redates,
} from "./before.ts";
import type { Fact, Heard, Withdrawal } from "./fact.ts";
import { textOf } from "./fact.ts";
import { hearsayIn } from "./hearsay.ts";
import { belongs, givesReason, isEmphasis, isOrphan } from "./join.ts";
import { any, cue, read, type Sentence, TYPES } from "./kind.ts";
import { procedureIn } from "./procedure.ts";
import { type Piece, sentencesOf } from "./sentence.ts";
import { splitFacts, withoutComplaint } from "./split.ts";
import { factOf, isKept, type Occasion, partOf } from "./statement.ts";
import { FAULT, isOthers, isWish, REVERSED, targetOf } from "./taken-back.ts";
import { ENOUGH, isPassing, outlivesTask, unquoted, weigh } from "./weigh.ts";
import { wordingOf } from "./wording.ts";

/** The entry budget, less its dates. */
const STATEMENT_CHARS = 360;
/** Sentences of one statement: more are more than one fact. */
const MOST_PARTS = 3;
const SECRET =
  /\[redacted:|\b(?:password|passwd|passphrase|psk)\b[^.\n]{0,30}?\s(?:is|=|:)\s*(?!\d{1,4}\b)(?=\S*\d)\S{6,}|(?:password|passwd|secret|api[ _-]?key|token|密码|口令|密钥)\s*(?:is|=|:|：|是|为)\s*(?=\S*\d)\S{6,}/i;

interface State extends Occasion {
  readonly heard: Heard[];
  /** The fact that a following sentence may explain. */
  last: Fact | null;
  /** The sentence before took something back: this one says what holds instead. */
  replaced: boolean;
  corrects: boolean;
  /** It was a wish of the user's: the next sentence may excuse it. */
  excused: boolean;
  /** A task was given: what follows describes it, unless it plainly outlives it. */
  task: boolean;
  /** A sentence that was too light by itself: "If it fails you stop." */
  before: Sentence | null;
  /** What the next sentences were said to be about. */
  topic: Sentence | null;
  /** The rest of the utterance is material that a task is about. */
  quoted: boolean;
}

function replaceLast(state: State, fact: Fact): void {
  const i = state.heard.findLastIndex((heard) => "fact" in heard && heard.fact === state.last);
  if (i >= 0) state.heard[i] = { fact };
  state.last = fact;
}

/** "Hands off core. The Lagos team owns it.": whose it is makes an instruction a fact of the project. */
function owned(last: Fact, sentence: Sentence): Fact {
  // "One file per locale was easy to read. Do that again."
  if (cue(sentence, "confirm") >= 3 && last.kind === "fact")
    return { ...last, kind: "instruction", type: TYPES.instruction };
  const isOwners = cue(sentence, "owner") >= 3 && (last.kind === "instruction" || last.kind === "fact");
  return isOwners ? { ...last, kind: "owner", type: TYPES.owner } : last;
}

/** Adds the sentence to the fact before it. False: it does not belong there. */
function explains(sentence: Sentence, state: State): boolean {
  const { last } = state;
  if (isEmphasis(sentence)) return true;
  const shift = any(sentence, (l) => l.shift.test(sentence.said));
  if (last === null || shift || sentence.piece.heading !== null) return false;
  const isReason = givesReason(sentence);
  // What went wrong before is told in words that would otherwise make a bug report or hearsay.
  if (isReason ? cue(sentence, "question") < 0 : isPassing(sentence.weighing) || cue(sentence, "bug") < 0) return false;
  if (!isReason && !belongs(sentence, last)) return false;
  const wording = wordingOf(sentence.piece, state.utterance.dates);
  if (wording === null) return true;
  const part = partOf(sentence, state.utterance, wording.text);
  if (textOf(last).length + wording.text.length > STATEMENT_CHARS || last.parts.length >= MOST_PARTS) return true;
  // "Keep doing that." confirms, and says nothing by itself.
  if (contentWords(wording.text).length < 1 && cue(sentence, "confirm") > 0) return true;
  const why = wording.why === null ? [] : [partOf(sentence, state.utterance, wording.why)];
  if (isReason) replaceLast(state, { ...last, why: [...last.why, part] });
  else replaceLast(state, { ...owned(last, sentence), parts: [...last.parts, part], why: [...last.why, ...why] });
  return true;
}

/** Hears what is taken back; the rest of the sentence says what holds instead. */
function takeBack(sentence: Sentence, state: State): boolean {
  const { piece, bare } = sentence;
  const own = unquoted(bare);
  const found = sentence.languages.flatMap((l) => l.withdrawn.flatMap((pattern) => Array.from(own.matchAll(pattern))));
  if (found.length === 0) return false;
  const end = Math.max(...found.map((match) => match.index + match[0].length));
  if (isWish(sentence, found, end) || isOthers(sentence)) return false;
  const cite = { utterance: state.utterance.label, quote: piece.text };
  for (const match of found)
    state.heard.push({
      withdrawal: { target: targetOf(match, bare), at: state.at, cite } satisfies Withdrawal,
    });
  state.last = null;
  state.replaced = true;
  state.excused = !found.some((match) => REVERSED.test(match[0]));
  const { length } = bare.slice(end).replace(/^[\s，,;；:：.。–—-]+/, "");
  const tail = bare.slice(bare.length - length);
  // "Kafka 不用了，换成 NATS": the two halves are one decision.
  if (length > 2 && sentence.languages.some((l) => l.instead?.test(tail))) {
    hearStatement(sentence, state);
    return true;
  }
  // 改用 B，A 不用了: what holds stands before what does not.
  const head = bare.slice(0, Math.min(...found.map((match) => match.index)));
  if (length < 8 && head.length > 5 && !isOrphan(sentence) && weigh(head, sentence.dated).score >= ENOUGH)
    hearStatement(sentence, state);
  if (length < 8) {
    state.before = sentence;
    return true;
  }
  const rest = piece.text.slice(piece.text.length - length);
  if (FAULT.test(simplified(rest))) return true;
  hearStatement(read({ ...piece, text: rest, start: piece.end - rest.length }, state.utterance), state);
  // "Lambda is out, the cold starts killed us. Fargate it is."
  if (state.last === null) Object.assign(state, { before: sentence, replaced: true });
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

/** A task ends the statement before it; one that ends in a colon is about the text that follows. */
function hearTask(sentence: Sentence, state: State): void {
  const shift = any(sentence, (l) => l.shift.test(sentence.said));
  if (shift) state.task = false;
  if (cue(sentence, "task") > -3 || sentence.weighing.score >= ENOUGH) return;
  state.task = true;
  state.quoted = /^[^:：]{3,60}[:：](?:\s|$)/.test(sentence.said);
}

function statementOf(sentence: Sentence, state: State): Fact | null {
  const { weighing, bare } = sentence;
  const { before } = state;
  // "We had hoped for May. The shelves are stuck, so June it is.": what holds is the day, not the shelves.
  const isDay =
    before !== null && redates(sentence, before) && cue(sentence, "question") + cue(sentence, "doubt") === 0;
  if (!isDay && (isPassing(weighing) || (state.task && !outlivesTask(weighing, bare)))) return null;
  // "If the import fails you stop. Don't rerun it.": the second sentence needs the first.
  if (before !== null && isEnough(sentence, before) && completes(sentence, before)) {
    const whole = factOf(sentence, state, before);
    if (whole !== null) return whole;
  }
  if (before !== null && state.replaced && namesOnly(sentence)) return factOf(sentence, state, before);
  if (isOrphan(sentence)) return null;
  const kept = isKept(sentence, state.utterance) || (state.replaced && weighing.score > 0);
  return kept && !givesReason(sentence) ? factOf(sentence, state) : null;
}

/** "No retries for payouts. It doubled forty salaries.": who gives a reason from before means the wish for good. */
function grounded(sentence: Sentence, state: State): Fact | null {
  const { before } = state;
  if (before === null || !givesReason(sentence) || isPassing(before.weighing) || before.weighing.score < 0.5)
    return null;
  const fact = factOf(before, state);
  const wording = wordingOf(sentence.piece, state.utterance.dates);
  if (fact === null || wording === null) return fact;
  return { ...fact, why: [...fact.why, partOf(sentence, state.utterance, wording.text)] };
}

/** "No wait, that's wrong.": what comes next differs from what was said. */
const CORRECTS =
  /^(?:(?:no|nope|oh|ah|hm+|sorry|actually|hang on|hold on),? )*(?:wait|correction|scratch that|(?:that|it)(?:'s| is| was) (?:wrong|not right|a mistake|outdated|not true)|I was wrong|my mistake|no)[\s.!,]*(?:that(?:'s| is| was) (?:wrong|not right))?[.!]*$/i;

/** "Diff first. Always.": the weight is in the second sentence. */
function stressed(sentence: Sentence, state: State): boolean {
  const { before } = state;
  if (before === null || state.last !== null || !isEmphasis(sentence) || cue(sentence, "rule") < 3) return false;
  const fact = factOf(sentence, state, before);
  if (fact !== null) state.heard.push({ fact });
  state.last = fact;
  state.before = null;
  return fact !== null;
}

/** What happened once makes no statement with what comes next: "last time it was the vault. Stop and page me." */
const LAST_TIME = /^(?:the )?last time\b/i;

/** "The public portal. It opens in March.": the pronoun's noun stands further up. */
function withTopic(fact: Fact, sentence: Sentence, { topic, utterance }: State): Fact {
  if (topic === null || topic === sentence || !fact.parts.some(({ text }) => needsTopic(text))) return fact;
  return { ...fact, parts: [partOf(topic, utterance, topic.bare), ...fact.parts] };
}

function hearStatement(sentence: Sentence, state: State): void {
  if (state.last === null && CORRECTS.test(sentence.piece.text)) state.corrects = true;
  if (stressed(sentence, state) || explains(sentence, state)) return;
  if (state.excused && excuses(sentence)) return;
  hearTask(sentence, state);
  if (isTopic(sentence)) state.topic = sentence;
  const days = state.utterance.dates.filter(({ index }) => index >= sentence.piece.start && index < sentence.piece.end);
  const isPast = isPastPlan(sentence, days.length);
  const found = isPast ? null : (grounded(sentence, state) ?? statementOf(sentence, state));
  const fact = found && withTopic(found, sentence, state);
  if (fact !== null) state.heard.push({ fact });
  state.last = fact;
  state.before =
    isPast || (fact === null && !state.task && isLeaning(sentence) && !LAST_TIME.test(sentence.bare)) ? sentence : null;
  state.replaced = false;
  state.excused = false;
}

function hearSentence(sentence: Sentence, state: State): void {
  if (state.quoted) return;
  if (any(sentence, (l) => l.private.test(sentence.said))) keepOut(sentence, state);
  else if (SECRET.test(sentence.said)) state.last = null;
  else if (!takeBack(sentence, state)) hearStatement(sentence, state);
}

function hearProcedure(pieces: readonly Piece[], state: State): readonly Piece[] {
  const taught = procedureIn(pieces);
  if (taught === null || taught.pieces.some((piece) => SECRET.test(piece.text))) return [];
  const subject = taught.texts.map(({ text }) => text).join(" ");
  for (const { text, pieces: own } of taught.texts) {
    // Only the first part carries the words: a procedure is told in one breath, and every piece of it is cited.
    const parts = own.map((piece, i) => ({
      text: i === 0 ? text : "",
      cite: { utterance: state.utterance.label, quote: piece.text },
    }));
    const plain = { why: [], at: state.at, changes: false, restates: false, outdated: [] };
    state.heard.push({ fact: { kind: "procedure", type: "project", parts, subject, ...plain } });
  }
  return taught.pieces;
}

/**
 * Everything that one utterance states or takes back, in order.
 * @param at epoch ms; the session's time when the utterance has none
 */
export function hear(utterance: DigestUtterance, at: number): Heard[] {
  const pieces = sentencesOf(utterance.text);
  const state: State = {
    utterance,
    at,
    heard: [],
    last: null,
    replaced: false,
    excused: false,
    corrects: false,
    task: false,
    before: null,
    topic: null,
    quoted: false,
  };
  const taught = new Set(hearProcedure(pieces, state));
  const others = hearsayIn(pieces);
  for (const piece of pieces) {
    if (taught.has(piece) || others.has(piece)) state.last = null;
    else
      for (const part of splitFacts(withoutComplaint(piece), utterance.dates))
        hearSentence(read(part, utterance), state);
  }
  return state.heard;
}
