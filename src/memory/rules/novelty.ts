/** Nothing is said twice, nothing that was forgotten comes back, and a changed entry stays about its subject. */
import { detailsOf } from "../language/details.ts";
import { areNumberedApart } from "../language/labels.ts";
import { denies } from "../language/negation.ts";
import { fold } from "../language/words.ts";
import type { Entry, MemoryTree, Topic } from "../model.ts";
import { statementKey } from "../statement.ts";
import type { Evidence } from "./evidence.ts";
import { textOf } from "./evidence.ts";
import {
  corrects,
  isApart,
  isUnsucceeded,
  type Likeness,
  likeness,
  readingOf,
  saysChange,
  sharesSubject,
  withdraws,
} from "./likeness.ts";
import type { ResolvedCite } from "./quote.ts";
import { type Rule, statementOf, violation } from "./rule.ts";

export const tombstone: Rule = (operation, { world }) => {
  const text = statementOf(operation);
  if (text === null || !world.isTombstone(statementKey(text))) return null;
  return violation("tombstone", "the user forgot or undid this; it is not proposed again");
};

export interface Neighbour {
  readonly topic: Topic;
  readonly entry: Entry;
  readonly likeness: Exclude<Likeness, "other">;
}

const RANK: Readonly<Record<Likeness, number>> = { known: 0, replaces: 1, extends: 2, other: 3 };

/** The entry anywhere in memory that a new statement repeats, replaces or extends; the closest relation wins. */
export function neighbourOf(statement: string, tree: MemoryTree, quotes: Evidence): Neighbour | null {
  const reading = readingOf(statement);
  let best: Neighbour | null = null;
  for (const topic of tree.topics) {
    for (const entry of topic.entries) {
      const how = likeness(reading, entry, quotes);
      if (how !== "other" && (best === null || RANK[how] < RANK[best.likeness])) best = { topic, entry, likeness: how };
    }
  }
  return best;
}

export const alreadyKnown: Rule = (operation, { tree, evidence }) => {
  if (operation.op !== "add") return null;
  const near = neighbourOf(operation.text, tree, evidence);
  if (near?.likeness !== "known") return null;
  return violation("already-known", `\`${near.topic.slug}\` says so already (${near.entry.id})`);
};

/** A revise or merge that would leave the same words is no change; one that repeats a third entry is a merge. */
export const noChange: Rule = (operation, { tree, entries }) => {
  if (operation.op !== "revise" && operation.op !== "merge") return null;
  const key = statementKey(operation.text);
  const named = new Set(entries.map(({ id }) => id));
  const [entry] = entries;
  const why = operation.why ?? entry?.why ?? null;
  const how = operation.how ?? entry?.how ?? null;
  if (
    operation.op === "revise" &&
    entry &&
    statementKey(entry.statement) === key &&
    entry.why === why &&
    entry.how === how
  ) {
    return violation("no-change", "the entry says exactly this");
  }
  const twin = tree.topics
    .flatMap((topic) => topic.entries)
    .find((other) => !named.has(other.id) && statementKey(other.statement) === key);
  return twin ? violation("already-known", `another entry says so already (${twin.id}): merge them`) : null;
};

/** The words speak of another one of a series than the entry: s1, not s0. */
const areOfAnother = (entry: Entry, cites: readonly ResolvedCite[]) =>
  cites.length > 0 && cites.every(({ sentence }) => areNumberedApart(sentence, entry.statement));

export const differentSubject: Rule = (operation, { entries, evidence, cites }) => {
  const [entry] = entries;
  if (operation.op !== "revise" || !entry) return null;
  const isOther = areOfAnother(entry, cites) && areNumberedApart(operation.text, entry.statement);
  return !isOther && sharesSubject(entry, evidence) && !isApart(entry, operation.text, evidence)
    ? null
    : violation(
        "different-subject",
        "the quotes are not about this entry: add a new one, or retire this one with its own cite",
      );
};

/** A denial withdraws what asserts; of an entry that denies it only says the same again: `never push to main`. */
const takesBack = (entry: Entry, sentence: string) =>
  withdraws(sentence) && (saysChange(sentence) || !denies(fold(entry.statement)));

/** A retired entry needs words that are about it and withdraw it. */
export const retireWithoutCause: Rule = (operation, { entries, evidence, cites, tree }) => {
  const [entry] = entries;
  if (operation.op !== "retire" || !entry || cites.length === 0) return null;
  const meant =
    corrects(entry, evidence) ||
    (sharesSubject(entry, evidence) && cites.some(({ sentence }) => takesBack(entry, sentence)));
  if (!meant || areOfAnother(entry, cites))
    return violation("retire-without-cause", "the quotes do not withdraw this entry");
  const others = tree.topics.flatMap((topic) => topic.entries.filter(({ id }) => id !== entry.id));
  const alone = isUnsucceeded(entry, evidence, others);
  return alone ? violation("retire-without-cause", "what takes this entry's place does not stand in memory") : null;
};

/** What merges keeps every exact detail: the entries merged away are gone. */
export const mergeLosesDetail: Rule = (operation, { entries, evidence }) => {
  if (operation.op !== "merge") return null;
  const merged = fold([operation.text, operation.why, operation.how].filter((part) => part !== undefined).join(" "));
  const kept = new Set(detailsOf(merged).map(({ key }) => key));
  const lost = entries
    .flatMap((entry) => detailsOf(textOf(entry)))
    .find(
      ({ kind, key }) =>
        kind !== "name" &&
        !kept.has(key) &&
        !merged.includes(key) &&
        !evidence.quotes.signs.get(`${kind}:${key}`)?.has("-"),
    );
  return lost ? violation("merge-loses-detail", `"${lost.text}" would be lost`) : null;
};
