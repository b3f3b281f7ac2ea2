/** Builds the words and the memory that an operation is judged against. */
import type { Digest, DigestUtterance } from "../../src/digest/digest.ts";
import type { Trust } from "../../src/digest/utterance.ts";
import { type JudgeContext, judge } from "../../src/memory/judge.ts";
import type { MemoryTree, MemoryType, Topic } from "../../src/memory/model.ts";
import type { Cite, Operation } from "../../src/memory/operation.ts";
import { newTopic, topicOf } from "../../src/memory/topic.ts";

export const NOW = "2026-11-30T12:00:00.000Z";

export interface Said {
  readonly text: string;
  /** What is quoted of it; all without it. */
  readonly quote?: string;
  readonly trust?: Trust;
  /** ISO time; null: the record has none. */
  readonly at?: string | null;
  readonly dates?: readonly (readonly [phrase: string, date: string])[];
  /** Number of the session, from 1. */
  readonly session?: number;
}

export type Words = string | Said;

const full = (words: Words): Said => (typeof words === "string" ? { text: words } : words);

function utterance(said: Said, label: string, line: number): DigestUtterance {
  const { text, trust = "user", at = "2026-11-24T10:00:00.000Z", dates = [] } = said;
  return {
    label,
    speaker: trust === "headless" ? "user" : trust,
    trust,
    text,
    at: at === null ? null : Date.parse(at),
    dates: dates.map(([phrase, date]) => ({ phrase, index: text.indexOf(phrase), date })),
    line,
    record: `record-${line}`,
  };
}

const labelOf = (said: Said, i: number) => `S${said.session ?? 1}:${i + 1}`;

/** Utterance i is labelled `S<session>:<i + 1>`. */
export function digestOf(words: readonly Words[]): Digest {
  const said = words.map(full);
  const numbers = Array.from(new Set([1, ...said.map(({ session }) => session ?? 1)]));
  const sessions = numbers.map((n) => ({
    label: `S${n}`,
    session: `session-${n}`,
    client: "claude-code",
    file: `/home/sam/session-${n}.jsonl`,
    cwd: "/home/sam/code/shop",
    headless: false,
    utterances: said.flatMap((one, i) => ((one.session ?? 1) === n ? [utterance(one, labelOf(one, i), i + 1)] : [])),
  }));
  return { sessions, tokens: 0, redacted: {}, taken: [] };
}

/** One cite per utterance. */
export function citesOf(words: readonly Words[]): Cite[] {
  return words.map(full).map((said, i) => ({ utterance: labelOf(said, i), quote: said.quote ?? said.text }));
}

/** A topic as memd writes it, or as others do when `entries` are blocks. */
export function topicWith(slug: string, type: MemoryType, entries: readonly string[]): Topic {
  const parts = {
    slug,
    type,
    title: slug,
    description: `Read before touching ${slug}`,
    createdAt: "2026-01-01T00:00:00.000Z",
  };
  return topicOf(
    `${slug}.md`,
    newTopic(
      parts,
      entries.map((entry) => (entry.startsWith("- ") ? entry : `- ${entry}`)),
    ),
  );
}

export function treeOf(...topics: readonly Topic[]): MemoryTree {
  return { topics, index: null, others: [] };
}

export function contextOf(words: readonly Words[], more: Partial<JudgeContext> = {}): JudgeContext {
  return { now: NOW, digest: digestOf(words), context: [], tree: treeOf(topicWith("notes", "project", [])), ...more };
}

/** The rule that refuses an operation, or null when it is accepted. */
export function ruleFor(operation: Operation, context: JudgeContext): string | null {
  const { refused, sunk } = judge({ operations: [operation] }, context);
  return refused[0]?.rule ?? sunk?.rule ?? null;
}

/** Judges an add of `text` to a project topic, all words cited. */
export function addRule(words: readonly Words[], text: string, why?: string): string | null {
  const operation: Operation = { op: "add", topic: "notes", text, why, cites: citesOf(words) };
  return ruleFor(operation, contextOf(words));
}
