/**
 * Judges a proposal: each operation by every rule, in order, against the memory as the operations accepted before it leave it.
 * A refused operation sinks no other; only the limits of a whole store do.
 */
import { clip, oneLine, stripInvisible } from "../base/text.ts";
import type { Digest } from "../digest/digest.ts";
import { secretsIn } from "../digest/redact.ts";
import { applyOperation, type Moment } from "./apply-operation.ts";
import { retireDoubles } from "./duplicates.ts";
import { type Aliases, routed } from "./homes.ts";
import { BUDGET, type MemoryTree } from "./model.ts";
import { entriesNamed } from "./named-entries.ts";
import type { AcceptedOperation, Cite, Operation, Proposal, Refusal, Violation } from "./operation.ts";
import { RULES } from "./rules/all.ts";
import { alternativeTo } from "./rules/alternatives.ts";
import { carryingCites } from "./rules/confirmed.ts";
import { evidenceOf } from "./rules/evidence.ts";
import { isQuestion } from "./rules/foreign-text.ts";
import { likeness, readingOf } from "./rules/likeness.ts";
import { neighbourOf } from "./rules/novelty.ts";
import { type ResolvedCite, resolveCite, toCitation } from "./rules/quote.ts";
import { type Case, violation, type World, wordsOf } from "./rules/rule.ts";
import { findTopic } from "./rules/target.ts";
import { type Knowledge, worldOf } from "./rules/world.ts";
import { siblingFor } from "./sibling.ts";
import { type Limits, limitsOf, overLimit } from "./store-limits.ts";

export interface JudgeContext extends Knowledge {
  readonly tree: MemoryTree;
  /** IANA name; UTC without it. */
  readonly timeZone?: string | undefined;
}

/** Where judging stands; each judged operation gives the next state. */
export interface JudgeState {
  readonly digest: Digest;
  readonly world: World;
  readonly moment: Moment;
  readonly limits: Limits;
  readonly tree: MemoryTree;
  readonly accepted: readonly AcceptedOperation[];
  readonly refused: readonly Refusal[];
  /** Labels of utterances whose words found no room: they stay unread. */
  readonly unread: readonly string[];
  /** Names of topics whose facts go to another one. */
  readonly aliases: Aliases;
  /** Topics that may not be made for want of room: what was meant for them stays unread too. */
  readonly roomless: ReadonlySet<string>;
}

export interface Judgement {
  readonly accepted: readonly AcceptedOperation[];
  readonly refused: readonly Refusal[];
  /** A limit of the whole store was broken: nothing of the proposal is applied. */
  readonly sunk: Violation | null;
  readonly unread: readonly string[];
}

/** Before the first operation: nothing is accepted, and the memory stands as it was read. */
export function startJudging(context: JudgeContext): JudgeState {
  const { now, digest, tree, timeZone = "UTC" } = context;
  return {
    digest,
    world: worldOf(context),
    moment: { now, run: "", timeZone, evidenceOf: () => [] },
    limits: limitsOf(tree),
    tree,
    accepted: [],
    refused: [],
    unread: [],
    aliases: new Map(),
    roomless: new Set(),
  };
}

const citesOf = (operation: Operation): readonly Cite[] => ("cites" in operation ? operation.cites : []);

/** The operation's text for people: clipped, plain, and nothing at all where it holds a secret. */
function shown(operation: Operation): string {
  const text = stripInvisible(oneLine(wordsOf(operation).join(" ")));
  return secretsIn(text).length > 0 ? "[redacted]" : clip(text, 160);
}

function refuse(state: JudgeState, operation: Operation, found: Violation): JudgeState {
  const refusal: Refusal = { operation: operation.op, rule: found.rule, detail: found.detail, text: shown(operation) };
  return { ...state, refused: [...state.refused, refusal] };
}

/** Refused for want of room: the words are good and wait for the next run. */
function postpone(state: JudgeState, operation: Operation, found: Violation): JudgeState {
  const labels = citesOf(operation).map(({ utterance }) => utterance);
  const unread = Array.from(new Set([...state.unread, ...labels]));
  const roomless = operation.op === "create-topic" ? new Set([...state.roomless, operation.topic]) : state.roomless;
  return refuse({ ...state, unread, roomless }, operation, found);
}

function resolve(digest: Digest, cites: readonly Cite[]): ResolvedCite[] | Violation {
  const resolved: ResolvedCite[] = [];
  for (const cite of cites) {
    const found = resolveCite(digest, cite);
    if ("problem" in found) return found.problem;
    resolved.push(found.cite);
  }
  return resolved;
}

function caseOf(state: JudgeState, operation: Operation, cites: readonly ResolvedCite[]): Case {
  const topic = "topic" in operation ? findTopic(state.tree, operation.topic) : null;
  const entries = entriesNamed(operation, topic);
  return { world: state.world, tree: state.tree, cites, topic, entries, evidence: evidenceOf(cites, entries) };
}

/** A revise that says all of the old and more keeps the old reason and use; one that says otherwise drops them: they argued for the old. */
function completed(operation: Operation, given: Case): Operation {
  const entry = given.entries[0];
  if (operation.op !== "revise" || !entry) return operation;
  const how = likeness(readingOf(operation.text), entry, given.evidence);
  if (how !== "known" && how !== "extends") return operation;
  return { ...operation, why: operation.why ?? entry.why ?? undefined, how: operation.how ?? entry.how ?? undefined };
}

/** An add that replaces or extends what stands already becomes a revise of it, so that no wrong value stays beside the right one. */
function asRevise(operation: Operation, given: Case): Operation | null {
  if (operation.op !== "add" || operation.unconfirmed) return null;
  const near =
    neighbourOf(operation.text, given.tree, given.evidence) ??
    alternativeTo(operation.text, given.tree, given.topic?.type ?? null);
  if (near === null || near.likeness === "known") return null;
  const { text, why, how, cites } = operation;
  return { op: "revise", topic: near.topic.slug, entry: near.entry.id, text, why, how, cites };
}

function firstViolation(operation: Operation, given: Case): Violation | null {
  for (const rule of RULES) {
    const found = rule(operation, given);
    if (found) return found;
  }
  return null;
}

/** Rules whose refusal may be the user's to settle. */
const ASKED: ReadonlySet<string> = new Set(["foreign-text", "pinned", "contradiction"]);

/** What only the user can settle becomes a question, with the words that raised it. */
function asQuestion(operation: Operation, given: Case, rule: string): Operation | null {
  const entry = given.entries[0];
  if (!entry || !(rule === "contradiction" || isQuestion(given))) return null;
  const wish = operation.op === "revise" || operation.op === "merge" ? clip(operation.text, 150) : "it should go";
  const text = `"${clip(entry.statement, 150)}" stands in ${given.topic?.slug ?? "memory"}. Which holds, that or: ${wish}?`;
  const instead = operation.op === "revise" || operation.op === "merge" ? operation.text : undefined;
  return { op: "ask", text, entries: [entry.id], cites: citesOf(operation), instead };
}

function refuseOrAsk(state: JudgeState, operation: Operation, given: Case, found: Violation): JudgeState {
  const question = ASKED.has(found.rule) ? asQuestion(operation, given, found.rule) : null;
  // A contradiction that may not be asked today is asked by a later run.
  if (question && overLimit(question, state.limits)) return postpone(state, operation, found);
  const refused = refuse(state, operation, found);
  if (question === null) return refused;
  const asked = { operation: question, citations: given.cites.map(toCitation) };
  return { ...refused, accepted: [...refused.accepted, asked], limits: counted(refused, question) };
}

/** Writes an operation that passed the rules into the tree; what finds no room stays unread. */
function place(state: JudgeState, operation: Operation, cites: readonly ResolvedCite[]): JudgeState {
  const over = overLimit(operation, state.limits);
  if (over?.rule === "topic-limit") return postpone(state, operation, over);
  if (over && over.rule !== "retire-limit") return refuse(state, operation, over);
  if (over) return { ...refuse(state, operation, over), limits: { ...state.limits, broken: over } };
  const accepted: AcceptedOperation = { operation, citations: cites.map(toCitation) };
  const step = applyOperation(state.tree, accepted, state.moment);
  if (step === "full") return placeBeside(state, operation);
  if (step === "gone") return refuse(state, operation, violation("entry-not-found", "it is not there any more"));
  if (step === "unsafe")
    return refuse(state, operation, violation("unsafe-edit", "the file cannot be changed without harm"));
  return { ...state, tree: step.tree, accepted: [...state.accepted, accepted], limits: counted(state, operation) };
}

function counted(state: JudgeState, operation: Operation): Limits {
  const { limits } = state;
  if (operation.op === "create-topic") return { ...limits, created: limits.created + 1 };
  if (operation.op === "ask") return { ...limits, asked: limits.asked + 1 };
  if (operation.op === "draft-skill") return { ...limits, drafted: limits.drafted + 1 };
  return operation.op === "retire" && operation.cites.length > 0 ? { ...limits, retired: limits.retired + 1 } : limits;
}

/** A fact for a full topic goes to a sibling topic about the same, made when there is none. */
function placeBeside(state: JudgeState, operation: Operation): JudgeState {
  const full = violation("topic-full", `the topic has no room left (${BUDGET.topicBytes} bytes): split it by subject`);
  const sibling = operation.op === "add" ? siblingFor(operation, state.tree) : null;
  if (operation.op !== "add" || sibling === null) return postpone(state, operation, full);
  const ready = sibling.create ? place(state, sibling.create, []) : state;
  if (!findTopic(ready.tree, sibling.slug)) return postpone(state, operation, full);
  return judgeOne({ ...operation, topic: sibling.slug }, ready);
}

/**
 * Judges one operation; the next state tells by its longer `accepted` or `refused` what became of it. Never throws on any proposal that
 * `parseProposal` let through. One operation may be accepted as another: an add as a revise, a revise of a person's words as a question.
 */
export function judgeOne(proposed: Operation, state: JudgeState): JudgeState {
  const { operation, aliases } = routed(proposed, state.tree, state.aliases);
  return operation === null ? { ...state, aliases } : judgeHere(operation, { ...state, aliases });
}

function judgeHere(proposed: Operation, state: JudgeState): JudgeState {
  if ("topic" in proposed && proposed.op !== "create-topic" && state.roomless.has(proposed.topic)) {
    return postpone(state, proposed, violation("topic-limit", "its topic was not made: too many new topics at once"));
  }
  const cited = resolve(state.digest, citesOf(proposed));
  if ("rule" in cited) return refuse(state, proposed, cited);
  const carrying = carryingCites(cited);
  // With nothing left, who spoke is the complaint.
  const cites = carrying.length > 0 ? carrying : cited;
  const given = caseOf(state, proposed, cites);
  const operation = completed(proposed, given);
  const found = firstViolation(operation, given);
  if (found?.rule === "topic-limit") return postpone(state, operation, found);
  if (found) return refuseOrAsk(state, operation, given, found);
  const revise = asRevise(operation, given);
  return revise === null ? place(state, operation, cites) : judgeOne(revise, state);
}

/** A topic that was made and got no entry is not made. */
function withoutEmpty(state: JudgeState): JudgeState {
  const isEmpty = (slug: string) => findTopic(state.tree, slug)?.entries.length === 0;
  const empty = state.accepted.flatMap(({ operation }) =>
    operation.op === "create-topic" && isEmpty(operation.topic) ? [operation] : [],
  );
  const dropped = new Set<Operation>(empty);
  const kept = state.accepted.filter(({ operation }) => {
    return (
      !dropped.has(operation) &&
      !(operation.op === "describe-topic" && empty.some(({ topic }) => topic === operation.topic))
    );
  });
  const why = violation("empty-topic", "no entry was accepted for it");
  return empty.reduce<JudgeState>((next, operation) => refuse(next, operation, why), { ...state, accepted: kept });
}

/** Judges a whole proposal; doubles that stand in memory go with it. */
export function judge(proposal: Proposal, context: JudgeContext): Judgement {
  const start = startJudging(context);
  const proposed = proposal.operations.reduce((state, operation) => judgeOne(operation, state), start);
  return judgementOf(proposed, start);
}

/** The same, with a breath between two operations: two hundred of them against a large memory take a second. */
export async function judgeWithBreath(
  proposal: Proposal,
  context: JudgeContext,
  breath: () => Promise<void> | undefined,
): Promise<Judgement> {
  const start = startJudging(context);
  let state = start;
  for (const operation of proposal.operations) {
    state = judgeOne(operation, state);
    await breath();
  }
  return judgementOf(state, start);
}

function judgementOf(proposed: JudgeState, start: JudgeState): Judgement {
  const judged = retireDoubles(proposed.tree, start.world).reduce(
    (state, operation) => judgeOne(operation, state),
    proposed,
  );
  const { accepted, refused, unread, limits } = withoutEmpty(judged);
  return { accepted: limits.broken ? [] : accepted, refused, sunk: limits.broken, unread };
}
