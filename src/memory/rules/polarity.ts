/** Whether a statement asserts what its quotes deny, or denies what they assert. */
import { type Clause, clausesOf, signedDetail } from "../language/clauses.ts";
import type { Sign } from "../language/negation.ts";
import type { Evidence } from "./evidence.ts";

interface Part {
  readonly term: string;
  readonly sign: Sign;
  /** Details weigh alone: a reversed number, name or path is a reversed statement. */
  readonly exact: boolean;
  readonly shown: string;
}

function partsOf(clause: Clause): Part[] {
  const exact = clause.details.map((detail) => ({ ...signedDetail(detail), exact: true, shown: detail.text }));
  const names = new Set(clause.details.filter(({ kind }) => kind === "name").map(({ key }) => key));
  const free = clause.terms.filter(({ term }) => !names.has(term));
  return [...exact, ...free.map(({ term, sign }) => ({ term, sign, exact: false, shown: term }))];
}

type Meeting = "same" | "opposite" | "unknown";

function meet(part: Part, evidence: Evidence): Meeting {
  const said = evidence.quotes.signs.get(part.term) ?? evidence.entries.signs.get(part.term);
  if (part.sign === "." || part.sign === "?" || !said) return "unknown";
  if (said.has(part.sign) || said.has("?")) return "same";
  return said.has(part.sign === "+" ? "-" : "+") ? "opposite" : "unknown";
}

/** A clause is reversed when an exact detail is, its first word is, or at least as many words as agree. */
function reversedIn(clause: Clause, evidence: Evidence): string | null {
  const met = partsOf(clause).map((part) => ({ part, how: meet(part, evidence) }));
  const opposite = met.filter(({ how }) => how === "opposite");
  const same = met.filter(({ how }) => how === "same");
  const worst = opposite.find(({ part }) => part.exact) ?? opposite[0];
  if (!worst) return null;
  const first = met.find(({ part, how }) => !part.exact && how !== "unknown");
  const reversed =
    worst.part.exact ||
    first?.how === "opposite" ||
    opposite.length > same.length ||
    (opposite.length > 1 && opposite.length === same.length);
  return reversed ? worst.part.shown : null;
}

/** Complaint about a reversed clause of the claim, or null. */
export function reversal(claim: string, evidence: Evidence): string | null {
  for (const clause of clausesOf(claim)) {
    const word = reversedIn(clause, evidence);
    if (word !== null) return `the quotes say the opposite about "${word}"`;
  }
  return null;
}
