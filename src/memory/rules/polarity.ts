/** Whether a statement asserts what its quotes deny, or denies what they assert. */
import { type Clause, clausesOf, signedDetail } from "../language/clauses.ts";
import { isTurning, type Sign } from "../language/negation.ts";
import { fold } from "../language/words.ts";
import type { Evidence } from "./evidence.ts";

interface Part {
  readonly term: string;
  readonly sign: Sign;
  /** Details weigh alone: a reversed number, name or path is a reversed statement. */
  readonly exact: boolean;
  readonly shown: string;
  readonly start: number;
}

function partsOf(clause: Clause, evidence: Evidence): Part[] {
  const named = new Set(evidence.quotes.details.filter(({ kind }) => kind === "name").map(({ key }) => key));
  const exact = clause.details
    .filter(({ kind }) => kind !== "name")
    .map((detail) => ({ ...signedDetail(detail), exact: true, shown: detail.text, start: detail.start }));
  const words = clause.terms.map((term) => ({
    ...term,
    exact: named.has(term.term) || isTurning(term.term),
    shown: term.term,
  }));
  return [...exact, ...words].sort((a, b) => a.start - b.start);
}

type Meeting = "same" | "opposite" | "unknown";

function meet(part: Part, evidence: Evidence, isReason: boolean): Meeting {
  const said = evidence.quotes.signs.get(part.term) ?? evidence.entries.signs.get(part.term);
  if (part.sign === "." || part.sign === "?" || !said) return "unknown";
  if (said.has(part.sign)) return "same";
  if (said.has("?") || (isReason && said.has("."))) return "unknown";
  return said.has(part.sign === "+" ? "-" : "+") ? "opposite" : "unknown";
}

/** A clause is reversed when an exact detail is, its first or last word is, or at least as many words as agree. */
function reversedIn(clause: Clause, evidence: Evidence, isReason: boolean): string | null {
  const met = partsOf(clause, evidence).map((part) => ({ part, how: meet(part, evidence, isReason) }));
  const opposite = met.filter(({ how }) => how === "opposite");
  const same = met.filter(({ how }) => how === "same");
  const worst = opposite.find(({ part }) => part.exact) ?? opposite[0];
  if (!worst) return null;
  const known = met.filter(({ how }) => how !== "unknown");
  const reversed =
    worst.part.exact ||
    known[0]?.how === "opposite" ||
    known.at(-1)?.how === "opposite" ||
    opposite.length > same.length ||
    (opposite.length > 1 && opposite.length === same.length);
  return reversed ? worst.part.shown : null;
}

const DENIED = /([\u3400-\u9fff]{2})[不没]([\u3400-\u9fff])/g;

/** Texts of one voice that have the three characters side by side, or with a denial before the last. */
const standsIn = (texts: readonly string[], form: string) => texts.some((text) => text.includes(form));

/** `格式不对` told as `格式对`, or the other way round: a predicate of one character makes no word that could be compared. */
function reversedCharacter(claim: string, { quotes, entries }: Evidence): string | null {
  const texts = [...quotes.texts, ...entries.texts];
  for (const [denied, subject = "", predicate = ""] of claim.matchAll(DENIED)) {
    if (standsIn(texts, subject + predicate) && !standsIn(texts, denied)) return predicate;
  }
  for (const [denied, subject = "", predicate = ""] of texts.join("\n").matchAll(DENIED)) {
    const bare = subject + predicate;
    if (claim.includes(bare) && !claim.includes(denied) && !standsIn(texts, bare)) return predicate;
  }
  return null;
}

/**
 * Complaint about a reversed clause of the claim, or null.
 * @param isReason a reason may retell what happened once; a statement may not rest on it
 */
export function reversal(claim: string, evidence: Evidence, isReason: boolean): string | null {
  for (const clause of clausesOf(claim)) {
    const word = reversedIn(clause, evidence, isReason);
    if (word !== null) return `the quotes say the opposite about "${word}"`;
  }
  const predicate = reversedCharacter(fold(claim), evidence);
  return predicate === null ? null : `the quotes say the opposite about "${predicate}"`;
}
