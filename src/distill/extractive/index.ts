/**
 * The distiller without a model: rules, English and Chinese, that turn what people said into operations with their quotes.
 * Pure: the brief holds all that it knows. It proposes only what was said; the rules of memory/ judge it like any other proposal.
 */
import type { DigestSession } from "../../digest/digest.ts";
import type { MemoryTree } from "../../memory/model.ts";
import type { Operation, Proposal } from "../../memory/operation.ts";
import type { Brief } from "../../ports.ts";
import { citesOf, type Heard, textOf, whyOf } from "./fact.ts";
import { hear } from "./hear.ts";
import { recall } from "./recall.ts";
import { type Standing, settle } from "./settle.ts";
import { type Place, placeOf } from "./topics.ts";

/** People's words in the order of time; a session's time stands in for an utterance without one. */
function listen(sessions: readonly DigestSession[]): Heard[] {
  const timed = sessions.flatMap((session) => {
    let at = session.utterances.find((u) => u.at !== null)?.at ?? 0;
    return session.utterances.map((utterance) => {
      at = utterance.at ?? at;
      return { utterance, at };
    });
  });
  return timed
    .filter(({ utterance }) => utterance.speaker === "user" || utterance.speaker === "log")
    .sort((a, b) => a.at - b.at)
    .flatMap(({ utterance, at }) => hear(utterance, at));
}

/** New topics of one run: the limit of an empty store, and of one that has topics. */
const NEW_TOPICS = { empty: 12, grown: 8 };

/**
 * Past the limit a fact goes to a new topic of its type that is there already; where none is, its topic is proposed all the same:
 * it is judged unread and comes again, while a fact that is not proposed is lost.
 */
function additions(facts: readonly Standing[], tree: MemoryTree): Operation[] {
  const known = new Set(tree.topics.map((topic) => topic.slug));
  const created = new Map<string, Place["type"]>();
  const room = tree.topics.length === 0 ? NEW_TOPICS.empty : NEW_TOPICS.grown;
  return facts.flatMap(({ fact, gist }): Operation[] => {
    const { slug, type, title, description } = placeOf(fact, gist, tree);
    const isOver = !known.has(slug) && !created.has(slug) && created.size >= room && fact.kind !== "procedure";
    const other = isOver ? [...created].find(([, own]) => own === type)?.[0] : undefined;
    const topic = other ?? slug;
    const isNew = !known.has(topic) && !created.has(topic);
    const create: Operation[] = isNew ? [{ op: "create-topic", topic, type, title, description }] : [];
    if (isNew) created.set(topic, type);
    return [...create, { op: "add", topic, text: textOf(fact), why: whyOf(fact), cites: citesOf(fact) }];
  });
}

/** What the brief's people said that memory should hold, change or let go. */
export function extract(brief: Brief): Proposal {
  const { facts, withdrawals } = settle(listen(brief.digest.sessions));
  const { fresh, operations } = recall(facts, withdrawals, brief);
  return { operations: [...operations, ...additions(fresh, brief.memory)] };
}
