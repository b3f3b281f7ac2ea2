/** Limits of a whole store per run: what bounds the harm that any one proposal can do. */
import type { MemoryTree } from "./model.ts";
import type { Operation, Violation } from "./operation.ts";

export interface Limits {
  readonly maxCreated: number;
  readonly maxRetired: number;
  readonly created: number;
  readonly retired: number;
  /** Questions and drafts of skills. */
  readonly asked: number;
  readonly drafted: number;
  /** The limit that sinks the proposal, once it is broken. */
  readonly broken: Violation | null;
}

/** New topics in an empty store: a first dream over years of sessions still makes a list that a person reads through. */
const FIRST_TOPICS = 12;
const NEW_TOPICS = 8;

/** More questions than a person answers in one sitting bury the ones that matter; more drafts are not looked at. */
const QUESTIONS = 10;
const DRAFTS = 5;

/** What one run may do to a store of this size. */
export function limitsOf(tree: MemoryTree): Limits {
  const entries = tree.topics.reduce((sum, topic) => sum + topic.entries.length, 0);
  const topics = tree.topics.length;
  return {
    maxCreated: topics === 0 ? FIRST_TOPICS : Math.max(NEW_TOPICS, Math.floor(topics / 4)),
    maxRetired: Math.max(1, Math.floor(entries / 4)),
    created: 0,
    retired: 0,
    asked: 0,
    drafted: 0,
    broken: null,
  };
}

/**
 * `topic-limit` (what was meant for the topic stays unread), `retire-limit` (sinks the proposal), `question-limit`, `draft-limit`, or null. Exact duplicates that go, and
 * entries that merge, take nothing out of memory and do not count as retired.
 */
export function overLimit(operation: Operation, limits: Limits): Violation | null {
  if (operation.op === "create-topic" && limits.created >= limits.maxCreated) {
    return { rule: "topic-limit", detail: `at most ${limits.maxCreated} new topics in one run` };
  }
  if (operation.op === "retire" && operation.cites.length > 0 && limits.retired >= limits.maxRetired) {
    return { rule: "retire-limit", detail: `at most ${limits.maxRetired} entries may be retired in one run` };
  }
  if (operation.op === "ask" && limits.asked >= QUESTIONS) {
    return { rule: "question-limit", detail: `at most ${QUESTIONS} questions in one run` };
  }
  if (operation.op === "draft-skill" && limits.drafted >= DRAFTS) {
    return { rule: "draft-limit", detail: `at most ${DRAFTS} drafts of skills in one run` };
  }
  return null;
}
