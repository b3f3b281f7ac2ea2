/** Holds what was said against what memory says already: the same adds nothing, the newer revises, the withdrawn retires. */
import { areNumberedApart } from "../../memory/language/labels.ts";
import type { Entry, Topic } from "../../memory/model.ts";
import type { Operation } from "../../memory/operation.ts";
import type { Brief } from "../../ports.ts";
import { citesOf, textOf, type Withdrawal, whyOf } from "./fact.ts";
import { type Gist, gistOf, hasOtherValue, holds, isCovered, isTurned, shared } from "./likeness.ts";
import { isMeant, targetWords } from "./meant.ts";
import { replaces, type Standing } from "./settle.ts";

interface Known {
  readonly topic: Topic;
  readonly entry: Entry;
  readonly gist: Gist;
}

function knownIn(topics: readonly Topic[]): Known[] {
  return topics.flatMap((topic) => topic.entries.map((entry) => ({ topic, entry, gist: gistOf(entry.statement) })));
}

/** A contrast has done its work when the entry that held the old value is revised: ", not 40 MB". */
function withoutContrast(text: string, values: readonly string[], older: Gist): string {
  const gone = values.filter((value) => holds(older.text, value));
  return gone.reduce((rest, value) => {
    const at = rest.toLowerCase().indexOf(value.toLowerCase());
    if (at < 0) return rest;
    const before = rest
      .slice(0, at)
      .replace(
        /(?:[,，;；(（]\s*|\s+)(?:and )?(?:not|instead of|rather than|no longer|而不是|不是|不再用|不用)\s*$/i,
        "",
      );
    return before.length + 1 < at ? (before + rest.slice(at + value.length)).replace(/\s+([,.;])/g, "$1").trim() : rest;
  }, text);
}

function revision(newer: Standing, known: Known): Operation {
  const text = withoutContrast(textOf(newer.fact), newer.fact.outdated, known.gist);
  return {
    op: "revise",
    topic: known.topic.slug,
    entry: known.entry.id,
    text,
    why: whyOf(newer.fact),
    cites: citesOf(newer.fact),
  };
}

/** True when the project's own instructions say it already. */
function stands(gist: Gist, lines: readonly Gist[]): boolean {
  return lines.some(
    (line) => gist.terms.size >= 2 && isCovered(gist, line, 0.85) && !areNumberedApart(gist.text, line.text),
  );
}

/** More would sink the whole proposal: a quarter of the entries, one at least. */
const retireLimit = (known: readonly Known[]) => Math.max(1, Math.floor(known.length / 4));

function retirements(withdrawals: readonly Withdrawal[], known: readonly Known[]): Operation[] {
  const retired = new Map<string, Operation>();
  for (const { target, cite } of withdrawals) {
    const words = targetWords(target);
    for (const { topic, entry, gist } of known) {
      if (retired.size >= retireLimit(known) || entry.pinned || topic.pinned || !isMeant(words, gist)) continue;
      retired.set(entry.id, {
        op: "retire",
        topic: topic.slug,
        entry: entry.id,
        reason: "withdrawn by the user",
        cites: [cite],
      });
    }
  }
  return [...retired.values()];
}

/**
 * Entries that the fact's words replace, the closest first; pinned ones too: the rules make a question of those. Where the words name the
 * value that is wrong, the entries that hold it are meant, whatever their topic's type; else only those of the fact's own type.
 */
function replacedBy(newer: Standing, known: readonly Known[], touched: ReadonlySet<string>): Known[] {
  const closeness = ({ gist }: Known) => shared(newer.gist, gist);
  const found = known
    .filter(
      ({ entry, gist }) => !touched.has(entry.id) && replaces(newer, { gist, settled: newer.fact.type === "project" }),
    )
    .sort((a, b) => closeness(b) - closeness(a));
  const holding = found.filter(({ gist }) => newer.fact.outdated.some((value) => holds(gist.text, value)));
  const [best] = holding;
  if (best) return holding.filter((one) => closeness(one) >= closeness(best));
  return found.filter(({ topic }) => topic.type === null || topic.type === newer.fact.type);
}

/** The first entry takes the newer words, the others that said the same go. */
function revisions(newer: Standing, replaced: readonly Known[], room: number): Operation[] {
  return replaced.slice(0, 1 + room).map((known, i): Operation => {
    if (i === 0) return revision(newer, known);
    const { topic, entry } = known;
    const cites = citesOf(newer.fact);
    return { op: "retire", topic: topic.slug, entry: entry.id, reason: "superseded by newer words", cites };
  });
}

const linesOf = (context: Brief["context"]) =>
  context.flatMap(({ text }) =>
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map(gistOf),
  );

const retired = (operations: readonly Operation[]) => operations.filter(({ op }) => op === "retire").length;

/** What is left to add, and what changes in the entries that are there. */
export function recall(
  facts: readonly Standing[],
  withdrawals: readonly Withdrawal[],
  brief: Brief,
): { fresh: Standing[]; operations: Operation[] } {
  const known = knownIn(brief.memory.topics);
  const lines = linesOf(brief.context);
  const operations = retirements(withdrawals, known);
  const touched = new Set(operations.flatMap((op) => ("entry" in op ? [op.entry] : [])));
  const fresh = facts.filter((newer) => {
    const isKnown = known.some(
      ({ gist }) =>
        isCovered(newer.gist, gist) &&
        !areNumberedApart(newer.gist.text, gist.text) &&
        !hasOtherValue(newer.gist, gist) &&
        !isTurned(newer.gist, gist),
    );
    if (isKnown || stands(newer.gist, lines)) return false;
    const changed = revisions(newer, replacedBy(newer, known, touched), retireLimit(known) - retired(operations));
    operations.push(...changed);
    for (const op of changed) if ("entry" in op) touched.add(op.entry);
    return changed.length === 0;
  });
  return { fresh, operations };
}
