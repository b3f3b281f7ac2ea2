/** A person's answer to a question: words of a user like any others, kept where they can be cited, judged by the same rules, undoable. */

import { MemdError } from "../base/errors.ts";
import { shortHash } from "../base/ids.ts";
import type { Digest, DigestSession, DigestUtterance } from "../digest/digest.ts";
import { makeDigest } from "../digest/make.ts";
import type { SessionWords, Utterance } from "../digest/utterance.ts";
import { loadQuestions, type Question, settleQuestion } from "../ledger/questions.ts";
import { judge } from "../memory/judge.ts";
import type { AcceptedOperation, Citation, Cite, Operation, Refusal } from "../memory/operation.ts";
import { apply } from "../store/apply.ts";
import { addAnswer, answersPath, nextLine } from "./answers.ts";
import { byHand, type FileFates, type Hand, keepUndo, NO_FILES, recordByHand } from "./by-hand.ts";
import { compileStep } from "./compile.ts";
import { projectContext } from "./context.ts";
import { filesOf } from "./files-of.ts";
import type { Match } from "./matching.ts";
import { originsOf } from "./origins.ts";
import type { DreamWorld } from "./world.ts";

const CLIENT = "memd";
const SESSION = "answers";

export interface Asked {
  readonly world: DreamWorld;
  readonly question: Question;
}

/** `keep` what stands, `replace` it by the cited words, `drop` it, or words of one's own in its place. */
export type Kind = "keep" | "replace" | "drop" | "words";

export interface AnswerDone {
  /** Null when nothing in memory changed. */
  readonly run: string | null;
  readonly question: string;
  readonly answer: Kind;
  readonly files: FileFates;
  readonly entries: number;
  readonly conflicts: readonly never[];
  /** Why the rules did not take the answer; the question then stays open. */
  readonly refused: readonly Refusal[];
}

/** Open questions of the stores, oldest first. */
export function openQuestions(worlds: readonly DreamWorld[]): Asked[] {
  const asked = worlds.flatMap((world) =>
    loadQuestions(world.files, world.store.state).map((question) => ({ world, question })),
  );
  return asked.sort((a, b) => (a.question.since < b.question.since ? -1 : 1));
}

/** @throws MemdError usage: `unknown-question`, `ambiguous-question` */
export function chooseQuestion(worlds: readonly DreamWorld[], id: string): Asked {
  const open = openQuestions(worlds);
  const found = open.filter(({ question }) => question.id === id || (id.length >= 2 && question.id.startsWith(id)));
  const [one] = found;
  if (one && found.length === 1) return one;
  const code = one ? "ambiguous-question" : "unknown-question";
  const message = one ? `${id} names more than one question` : `there is no open question ${JSON.stringify(id)}`;
  throw new MemdError({ code, family: "usage", message, hint: "memd questions lists them with their ids." });
}

function kindOf(words: string): Kind {
  const word = words.trim().toLowerCase().replace(/[.!]$/, "");
  return word === "keep" || word === "replace" || word === "drop" ? word : "words";
}

/** A value for the held lock, as a dream has one. */
export async function answerQuestion(asked: Asked, words: string): Promise<AnswerDone | { readonly held: string }> {
  return byHand(asked.world, (hand) => answerUnder(asked, hand, words.trim()));
}

async function answerUnder({ world, question }: Asked, hand: Hand, words: string): Promise<AnswerDone> {
  const { files, store } = world;
  const kind = kindOf(words);
  const target = targetOf(question, hand);
  const digest = await evidenceOf(world, hand, { question, text: spoken(kind, words, target) });
  const said = digest.sessions[0]?.utterances[0];
  if (said === undefined)
    throw new MemdError({
      code: "usage",
      family: "usage",
      message: "the answer holds no words",
      hint: "keep, replace, drop, or what should stand instead.",
    });
  // On the disk before anything cites it.
  addAnswer(files, store.state, { id: said.record ?? hand.id, at: hand.at, question: question.id, text: said.text });
  const proposed = proposalsFor(kind, { question, target, digest, said });
  if (proposed.length === 0) return settled(world, { question, kind });
  const { accepted, refused } = firstTaken(world, hand, { question, digest, proposed });
  if (accepted.length === 0)
    return { run: null, question: question.id, answer: kind, files: NO_FILES, entries: 0, conflicts: [], refused };
  const done = await write(world, hand, accepted);
  return { ...settled(world, { question, kind }), ...done };
}

function settled(world: DreamWorld, { question, kind }: { question: Question; kind: Kind }): AnswerDone {
  const open = settleQuestion(world.files, world.store.state, question.id);
  world.state.save({ questions: open.length });
  return { run: null, question: question.id, answer: kind, files: NO_FILES, entries: 0, conflicts: [], refused: [] };
}

/** The entry that the question is about, as it stands now; null when it is gone. */
function targetOf(question: Question, { snapshot }: Hand): Match | null {
  for (const topic of snapshot.tree.topics) {
    const entry = topic.entries.find(({ id }) => question.entries.includes(id));
    if (entry) return { topic, entry };
  }
  return null;
}

/** What is kept and cited: a bare `drop` would say nothing about what it drops. */
function spoken(kind: Kind, words: string, target: Match | null): string {
  return target && (kind === "keep" || kind === "drop") ? `${words}: ${target.entry.statement}` : words;
}

/** The answer as session 1, and behind it the words that raised the question. */
async function evidenceOf(
  world: DreamWorld,
  hand: Hand,
  { question, text }: { question: Question; text: string },
): Promise<Digest> {
  const { files, store, timeZone } = world;
  const line = nextLine(files, store.state);
  const record = `${question.id}-${shortHash(`${hand.id}\n${text}`)}`;
  const own: Utterance = { speaker: "user", trust: "user", text, at: hand.startedAt, line, offset: line, record };
  const answers = sessionOf({ session: SESSION, client: CLIENT, file: answersPath(store.state) }, own);
  const cited = question.citations.flatMap((citation) => citedWords(citation));
  return makeDigest([answers, ...cited], {
    tokens: world.config.dream.evidenceTokens,
    timeZone,
    redactor: await world.redactor(),
  });
}

const sessionOf = (from: Pick<SessionWords, "session" | "client" | "file">, utterance: Utterance): SessionWords => ({
  ...from,
  cwd: null,
  headless: false,
  utterances: [utterance],
});

/** A person's or a log's words; others support nothing. The place in the file keeps its line. */
function citedWords(citation: Citation): SessionWords[] {
  const { speaker, line, record, quote } = citation;
  if (speaker !== "user" && speaker !== "log") return [];
  const at = citation.at === null ? null : Date.parse(citation.at);
  return [sessionOf(citation, { speaker, trust: speaker, text: quote, at, line, offset: line, record })];
}

interface Scene {
  readonly question: Question;
  readonly target: Match | null;
  readonly digest: Digest;
  readonly said: DigestUtterance;
}

const whole = ({ label, text }: DigestUtterance): Cite => ({ utterance: label, quote: text });

/** What the answer asks of memory, best first; nothing for what changes nothing. */
function proposalsFor(kind: Kind, scene: Scene): Operation[] {
  const { question, target, digest, said } = scene;
  const cited = digest.sessions.slice(1).flatMap(({ utterances }: DigestSession) => utterances.map(whole));
  if (kind === "keep" || (kind === "drop" && target === null)) return [];
  if (kind === "drop" || (kind === "replace" && question.instead === null))
    return target ? [retire(target, [whole(said), ...(kind === "drop" ? [] : cited)])] : [];
  const text = kind === "replace" ? (question.instead ?? "") : said.text;
  const cites = kind === "replace" ? [...cited, whole(said)] : [whole(said)];
  const topic = target?.topic.slug ?? question.entries[0]?.split("#")[0] ?? "";
  const add: Operation = { op: "add", topic, text, cites };
  return target ? [{ op: "revise", topic, entry: target.entry.id, text, cites }, add] : [add];
}

const retire = ({ topic, entry }: Match, cites: readonly Cite[]): Operation => ({
  op: "retire",
  topic: topic.slug,
  entry: entry.id,
  reason: "dropped by the user's answer",
  cites,
});

/** Rules that say "not here, but elsewhere": only then the words are added beside the entry instead of replacing it. */
const ELSEWHERE: ReadonlySet<string> = new Set(["different-subject", "entry-not-found"]);

function firstTaken(
  world: DreamWorld,
  hand: Hand,
  ask: { question: Question; digest: Digest; proposed: readonly Operation[] },
): { accepted: readonly AcceptedOperation[]; refused: readonly Refusal[] } {
  const { question, digest, proposed } = ask;
  const originOf = originsOf(world, hand.snapshot);
  const knowledge = {
    now: hand.at,
    digest,
    context: projectContext(world.files, world.store.project),
    tree: hand.snapshot.tree,
    timeZone: world.timeZone,
    isTombstone: (key: string) => world.tombstones.has(key),
    // The person who was asked has answered: from here on the entry may be changed like an old one of anybody's.
    originOf: (...[topic, entry]: Parameters<typeof originOf>) =>
      question.entries.includes(entry.id) ? { by: "agent" as const, foreignSince: null } : originOf(topic, entry),
    foreignRest: 0,
  };
  const first: Refusal[] = [];
  for (const operation of proposed) {
    const { accepted, refused } = judge({ operations: [operation] }, knowledge);
    const taken = accepted.filter(({ operation: { op } }) => op !== "ask");
    if (taken.length > 0) return { accepted: taken, refused: [] };
    first.push(...refused);
    if (!refused.every(({ rule }) => ELSEWHERE.has(rule))) break;
  }
  return { accepted: [], refused: first.slice(-1) };
}

async function write(
  world: DreamWorld,
  hand: Hand,
  accepted: readonly AcceptedOperation[],
): Promise<Pick<AnswerDone, "run" | "files" | "entries">> {
  const { place, files } = world;
  const changeset = compileStep(world, hand, { snapshot: hand.snapshot, accepted });
  const result = apply({
    ...place,
    files,
    changeset,
    run: { id: hand.id, at: hand.at },
    snapshot: hand.snapshot,
    recompile: (snapshot, leave) => compileStep(world, hand, { snapshot, accepted, leave }),
    record: keepUndo(world),
    mayWrite: hand.mayWrite,
  });
  if (result.outcome !== "applied") {
    throw new MemdError({
      code: "concurrent-write",
      family: "unavailable",
      message: `${result.left.join(", ")} was being changed by someone else; nothing was written`,
      hint: "The question is still open: answer it again.",
    });
  }
  const written = { files: filesOf(result.changeset.files), changes: result.changeset.changes };
  await recordByHand(world, hand, { cause: "answer", ...written });
  return {
    run: hand.id,
    files: written.files,
    entries: written.changes.filter(({ operation }) => operation !== "index").length,
  };
}
