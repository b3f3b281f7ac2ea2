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
import { placeOf } from "./topics.ts";

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

/** New topics are proposed however many they are: what is over the limit is judged unread and comes again. */
function additions(facts: readonly Standing[], tree: MemoryTree): Operation[] {
  const known = new Set(tree.topics.map((topic) => topic.slug));
  const created = new Set<string>();
  return facts.flatMap(({ fact, gist }): Operation[] => {
    const place = placeOf(fact, gist, tree);
    const isNew = !known.has(place.slug) && !created.has(place.slug);
    const { slug: topic, type, title, description } = place;
    const create: Operation[] = isNew ? [{ op: "create-topic", topic, type, title, description }] : [];
    created.add(topic);
    return [...create, { op: "add", topic, text: textOf(fact), why: whyOf(fact), cites: citesOf(fact) }];
  });
}

/** What the brief's people said that memory should hold, change or let go. */
export function extract(brief: Brief): Proposal {
  const { facts, withdrawals } = settle(listen(brief.digest.sessions));
  const { fresh, operations } = recall(facts, withdrawals, brief);
  return { operations: [...operations, ...additions(fresh, brief.memory)] };
}
