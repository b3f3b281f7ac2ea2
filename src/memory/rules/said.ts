/** Whether the quotes say it at all: a question, a guess, or what would hold under a condition is no fact. */
import { type Clause, clausesOf } from "../language/clauses.ts";
import { fold } from "../language/words.ts";
import type { Evidence } from "./evidence.ts";

const CONDITIONAL =
  /\b(?:if|when|whenever|unless|once|until|after|before|in case|as soon as|on)\b|如果|若|时|后|的话|一旦|万一/;

const shares = (a: ReadonlySet<string>, b: ReadonlySet<string>) => Array.from(a).some((term) => b.has(term));

/** The clauses of the quotes that a clause of the claim can rest on. */
function carriers(clause: Clause, heard: readonly Clause[]): Clause[] {
  return heard.filter((said) => shares(clause.about, new Set(said.terms.map(({ term }) => term))));
}

/** Complaint about a clause that rests on nothing but questions, guesses or a condition that the claim leaves out; else null. */
export function unsaid(claim: string, evidence: Evidence): string | null {
  const all = new Set(clausesOf(claim).flatMap(({ terms }) => terms.map(({ term }) => term)));
  for (const clause of clausesOf(claim)) {
    const carrying = carriers(clause, [...evidence.quotes.clauses, ...evidence.entries.clauses]);
    if (carrying.length === 0) continue;
    if (!clause.open && carrying.every(({ open }) => open)) return "the quotes only ask or wonder about it";
    const bound = carrying.every(
      ({ condition }) => condition !== null && condition.size > 0 && !shares(condition, all),
    );
    if (bound && !CONDITIONAL.test(fold(claim))) return "the quotes say it only under a condition: name it";
  }
  return null;
}
