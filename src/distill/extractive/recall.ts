/** Holds what was said against what memory says already: the same adds nothing, the newer revises, the withdrawn retires. */
import type { Entry, Topic } from "../../memory/model.ts";
import type { Operation } from "../../memory/operation.ts";
import type { Brief } from "../../ports.ts";
import { citesOf, textOf, type Withdrawal, whyOf } from "./fact.ts";
import { type Gist, gistOf, hasOtherValue, holds, isCovered } from "./likeness.ts";
import { isMeant, replaces, type Standing, targetWords } from "./settle.ts";

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
  return lines.some((line) => gist.terms.size >= 2 && isCovered(gist, line, 0.85));
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

/** What is left to add, and what changes in the entries that are there. */
export function recall(
  facts: readonly Standing[],
  withdrawals: readonly Withdrawal[],
  brief: Brief,
): { fresh: Standing[]; operations: Operation[] } {
  const known = knownIn(brief.memory.topics);
  const lines = brief.context.flatMap(({ text }) =>
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map(gistOf),
  );
  const operations = retirements(withdrawals, known);
  const touched = new Set(operations.flatMap((op) => ("entry" in op ? [op.entry] : [])));
  const fresh = facts.filter((newer) => {
    const old = known.filter(
      (k) =>
        !touched.has(k.entry.id) &&
        replaces(newer, { gist: k.gist, settled: k.topic.type === "project" && newer.fact.type === "project" }),
    );
    const twin = known.some((k) => isCovered(newer.gist, k.gist) && !hasOtherValue(newer.gist, k.gist));
    const first = old[0];
    if (twin || stands(newer.gist, lines)) return false;
    if (first === undefined) return true;
    for (const k of old) {
      operations.push(
        k === first
          ? revision(newer, k)
          : {
              op: "retire",
              topic: k.topic.slug,
              entry: k.entry.id,
              reason: "superseded by newer words",
              cites: citesOf(newer.fact),
            },
      );
      touched.add(k.entry.id);
    }
    return false;
  });
  return { fresh, operations };
}
