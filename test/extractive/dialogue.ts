/** Dialogues in a compact form, as briefs: `@2026-04-06T09:00` starts a session, `u:`, `a:`, `t:`, `l:` say who speaks. */
import { readFileSync } from "node:fs";
import { resolveDates } from "../../src/digest/dates.ts";
import type { DigestSession, DigestUtterance } from "../../src/digest/digest.ts";
import type { Speaker, Trust } from "../../src/digest/utterance.ts";
import { renderEntry } from "../../src/memory/entry.ts";
import type { MemoryTree, MemoryType } from "../../src/memory/model.ts";
import type { Operation } from "../../src/memory/operation.ts";
import { newTopic, topicOf } from "../../src/memory/topic.ts";
import type { Brief } from "../../src/ports.ts";

export interface Keep {
  readonly type: MemoryType | readonly MemoryType[];
  /** Every inner list is an any-of group; one entry must satisfy all groups. */
  readonly must: readonly (readonly string[])[];
  readonly why?: readonly string[];
  readonly ordered?: readonly string[];
}

export interface Dialogue {
  readonly id: string;
  readonly about: string;
  readonly memory?: readonly {
    readonly slug: string;
    readonly type: MemoryType;
    readonly description: string;
    readonly entries: readonly string[];
  }[];
  readonly said: readonly string[];
  readonly keep: readonly Keep[];
  /** Regular expressions that no memory may match. */
  readonly drop: readonly string[];
}

export interface KeptEntry {
  readonly topic: string;
  readonly type: MemoryType;
  readonly text: string;
}

const SPEAKERS: Readonly<Record<string, { speaker: Speaker; trust: Trust }>> = {
  u: { speaker: "user", trust: "user" },
  h: { speaker: "user", trust: "headless" },
  a: { speaker: "assistant", trust: "assistant" },
  t: { speaker: "tool", trust: "tool" },
  l: { speaker: "log", trust: "log" },
};

export function dialogues(file: string): Dialogue[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/extractive/${file}`, import.meta.url), "utf8"));
}

function sessionsOf(said: readonly string[]): DigestSession[] {
  const sessions: { label: string; at: number; utterances: DigestUtterance[] }[] = [];
  for (const line of said) {
    if (line.startsWith("@"))
      sessions.push({ label: `S${sessions.length + 1}`, at: Date.parse(`${line.slice(1)}:00Z`), utterances: [] });
    else {
      const session = sessions.at(-1);
      const who = SPEAKERS[line.slice(0, 1)];
      if (!session || !who) throw new Error(`not a dialogue line: ${line}`);
      const n = session.utterances.length + 1;
      const text = line.slice(3);
      const at = session.at + n * 60_000;
      session.utterances.push({
        label: `${session.label}:${n}`,
        ...who,
        text,
        at,
        dates: resolveDates(text, at, "UTC"),
        line: n,
        record: null,
      });
    }
  }
  return sessions.map(({ label, utterances }) => ({
    label,
    session: label,
    client: "claude-code",
    file: `/sessions/${label}.jsonl`,
    cwd: "/home/a/b",
    headless: false,
    utterances,
  }));
}

export function treeOf(memory: Dialogue["memory"]): MemoryTree {
  const topics = (memory ?? []).map(({ slug, type, description, entries }) => {
    const parts = { slug, type, title: slug, description, createdAt: "2026-01-10T00:00:00.000Z" };
    return topicOf(
      `${slug}.md`,
      newTopic(
        parts,
        entries.map((statement) => renderEntry({ statement, created: "2026-01-10" })),
      ),
    );
  });
  return { topics, index: null, others: [] };
}

export function briefOf(dialogue: Pick<Dialogue, "said" | "memory">, context: Brief["context"] = []): Brief {
  const digest = { sessions: sessionsOf(dialogue.said), tokens: 0, redacted: {}, taken: [] };
  return { schema: 1, store: "s", now: "2026-11-30T10:00:00.000Z", digest, memory: treeOf(dialogue.memory), context };
}

/** What memory holds after the operations, without the rules' judgement. */
export function applied(tree: MemoryTree, operations: readonly Operation[]): KeptEntry[] {
  const types = new Map(tree.topics.map((topic) => [topic.slug, topic.type ?? "project"]));
  let entries = tree.topics.flatMap((topic) =>
    topic.entries.map((entry) => ({ id: entry.id, topic: topic.slug, text: entry.raw })),
  );
  for (const op of operations) {
    if (op.op === "create-topic") types.set(op.topic, op.type);
    if (op.op === "revise" || op.op === "retire") entries = entries.filter((entry) => entry.id !== op.entry);
    if (op.op === "add" || op.op === "revise")
      entries.push({ id: "", topic: op.topic, text: renderEntry({ statement: op.text, why: op.why }) });
  }
  return entries.map(({ topic, text }) => ({ topic, type: types.get(topic) ?? "project", text }));
}

export interface Score {
  readonly facts: number;
  readonly kept: number;
  readonly typed: number;
  readonly whys: number;
  readonly whysKept: number;
  readonly entries: number;
  readonly carrying: number;
  /** What to look at: missed facts, entries without a fact, forbidden words. */
  readonly faults: readonly string[];
}

const has = (text: string, words: readonly string[]) =>
  words.some((word) => text.toLowerCase().includes(word.toLowerCase()));

function inOrder(text: string, words: readonly string[]): boolean {
  let at = 0;
  return words.every((word) => {
    const found = text.toLowerCase().indexOf(word.toLowerCase(), at);
    at = found + word.length;
    return found >= 0;
  });
}

const satisfies = (text: string, fact: Keep) => fact.must.every((group) => has(text, group));

/** The entries of the topic that tells the procedure in its order; it may fill several. */
function procedureOf(entries: readonly KeptEntry[], fact: Keep): KeptEntry[] {
  const topics = [...new Set(entries.map((entry) => entry.topic))];
  const told = topics.map((topic) => entries.filter((entry) => entry.topic === topic));
  const text = (own: readonly KeptEntry[]) => own.map((entry) => entry.text).join("\n");
  return told.find((own) => satisfies(text(own), fact) && inOrder(text(own), fact.ordered ?? [])) ?? [];
}

/** Facts kept, entries that carry one, types right: an entry carries at most two facts. */
export function scoreOf(dialogue: Dialogue, entries: readonly KeptEntry[]): Score {
  const carries = new Map<KeptEntry, number>();
  const faults: string[] = [];
  const sums = { kept: 0, typed: 0, whys: 0, whysKept: 0 };
  for (const fact of dialogue.keep) {
    const single = entries.filter((e) => satisfies(e.text, fact) && (carries.get(e) ?? 0) < 2);
    const found = fact.ordered ? procedureOf(entries, fact) : single;
    const types = [fact.type].flat();
    const best = found.find((e) => types.includes(e.type)) ?? found[0];
    if (fact.why) sums.whys += 1;
    if (!best) {
      faults.push(`missed ${JSON.stringify(fact.must)}`);
      continue;
    }
    for (const entry of fact.ordered ? found : [best]) carries.set(entry, (carries.get(entry) ?? 0) + 1);
    sums.kept += 1;
    if (types.includes(best.type)) sums.typed += 1;
    else faults.push(`type ${best.type}: ${best.text}`);
    if (fact.why && has(best.text, fact.why)) sums.whysKept += 1;
    else if (fact.why) faults.push(`why ${fact.why}: ${best.text}`);
  }
  for (const e of entries) if (!carries.has(e)) faults.push(`idle ${e.text}`);
  for (const e of entries)
    for (const drop of dialogue.drop)
      if (new RegExp(drop, "i").test(e.text)) faults.push(`forbidden ${drop}: ${e.text}`);
  return { facts: dialogue.keep.length, ...sums, entries: entries.length, carrying: carries.size, faults };
}
