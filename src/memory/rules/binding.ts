/** Whether a detail stands beside the same words as in the quotes: catches values and names that swapped places. */
import { type Clause, clausesOf } from "../language/clauses.ts";
import { type Detail, detailsOf } from "../language/details.ts";
import { termsOf } from "../language/words.ts";
import type { Evidence } from "./evidence.ts";

/** Kinds in which two details can be taken for each other. */
const COMPARED = new Set(["number", "date", "name", "identifier", "path", "url"]);

/** Numbers of different units are taken for each other only where one stands in the other's place: that one is then gone from the clause. */
function alike(a: Detail, b: Detail, clause: Clause): boolean {
  if (a.kind !== b.kind || a.key === b.key) return false;
  return a.kind !== "number" || a.number?.unit === b.number?.unit || !has(clause, b);
}

const has = (clause: Clause, detail: Detail) =>
  clause.details.some((d) => d.kind === detail.kind && d.key === detail.key);

/** A capital at the start of a sentence makes no name of a word that the quotes also write small. */
function isProper(detail: Detail, heard: readonly Clause[]): boolean {
  return !heard.some((clause) => clause.terms.some(({ term }) => term === detail.key) && !has(clause, detail));
}

/** What one detail is told of, and what else is told. A name that is told of something is told of nothing else. */
function sidesOf(detail: Detail, clause: Clause, heard: readonly Clause[]): { own: Clause[]; rivals: Clause[] } {
  const own = heard.filter((other) => has(other, detail));
  const alone = own.some(({ about }) => about.size <= 1);
  const rivals = heard.filter(
    (other) =>
      !has(other, detail) &&
      ((detail.kind === "name" && !alone) || other.details.some((d) => alike(detail, d, clause))),
  );
  return { own, rivals };
}

/**
 * The word that gives a swap away: it stands only beside another detail of the same kind, while no word of the statement's clause
 * stands beside this one. Words beside both say nothing.
 */
function swappedWord(detail: Detail, clause: Clause, heard: readonly Clause[]): string | null {
  const { own, rivals } = sidesOf(detail, clause, heard);
  if (own.length === 0 || rivals.length === 0) return null;
  const same = clause.details.filter(
    (d) => d.kind === "name" && d.start <= detail.end + 1 && detail.start <= d.end + 1,
  );
  const parts = new Set([detail.key, ...same.map(({ key }) => key)]);
  const words = Array.from(clause.about).filter((term) => !parts.has(term));
  const near = (term: string, clauses: readonly Clause[]) => clauses.some((other) => other.about.has(term));
  const distinct = words.filter((term) => near(term, own) !== near(term, rivals));
  if (distinct.some((term) => near(term, own))) return null;
  const elsewhere = heard.filter((other) => !own.includes(other) && !rivals.includes(other));
  return distinct.find((term) => near(term, rivals) && !near(term, elsewhere)) ?? null;
}

const ORDERS: readonly (readonly [form: RegExp, turned: boolean])[] = [
  [/^(.*?)\bbefore\b(.*)$/i, false],
  [/^(.*?)\bafter\b(.*)$/i, true],
  [/\bfrom (.*?) (?:to|until|through) (.*)$/i, false],
  [/从(.*?)到(.*)$/, false],
];

const wordsAndDetails = (text: string) => new Set([...termsOf(text), ...detailsOf(text).map(({ key }) => key)]);

/** `X before Y` told as `Y before X`, `from A to B` as `from B to A`. */
function turnedOrder(clause: Clause, heard: readonly Clause[]): string | null {
  const read = ({ text }: Clause) => {
    for (const [form, turned] of ORDERS) {
      const found = form.exec(text);
      if (!found) continue;
      const [left, right] = [wordsAndDetails(found[1] ?? ""), wordsAndDetails(found[2] ?? "")];
      return turned ? { early: right, late: left } : { early: left, late: right };
    }
    return null;
  };
  const claimed = read(clause);
  if (!claimed) return null;
  const meets = (a: ReadonlySet<string>, b: ReadonlySet<string>) => Array.from(a).find((term) => b.has(term));
  for (const said of heard.map(read).filter((order) => order !== null)) {
    const straight = meets(claimed.early, said.early) ?? meets(claimed.late, said.late);
    const turned = meets(claimed.early, said.late) ?? meets(claimed.late, said.early);
    if (straight === undefined && turned !== undefined) return turned;
  }
  return null;
}

/** Complaint about a detail that the quotes tell of something else, or null. */
export function swap(claim: string, evidence: Evidence): string | null {
  const heard = [...evidence.quotes.clauses, ...evidence.entries.clauses];
  for (const clause of clausesOf(claim)) {
    const late = turnedOrder(clause, heard);
    if (late !== null) return `the quotes put "${late}" on the other side`;
    const own = new Set(clause.terms.map(({ term }) => term));
    for (const detail of clause.details) {
      // `(decided by Priya)`, `, not Redis`: a name alone or a denied one is not bound to the clause before it.
      const bound =
        COMPARED.has(detail.kind) &&
        (detail.sign !== "-" || detail.kind !== "name") &&
        (detail.kind !== "name" || (own.size > 1 && isProper(detail, heard)));
      const word = bound ? swappedWord(detail, clause, heard) : null;
      if (word !== null) return `the quotes do not say "${detail.text}" of "${word}"`;
    }
  }
  return null;
}
