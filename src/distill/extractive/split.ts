/** Parts a sentence that lists facts: "A is called x, B lives in y, C runs on z" is three statements. */
import type { Piece } from "./sentence.ts";
import { languagesOf, weigh, withoutLead } from "./weigh.ts";
import { clausesOf } from "./wording.ts";

/** An entry may carry two facts; from three on they are told apart. */
const LISTED = 3;

/** A clause with a subject of its own that names something: not "don't ...", "so ...", "because ...". */
function isFact(clause: string): boolean {
  const { cues } = weigh(clause, false);
  return (
    ((cues.fact ?? 0) >= 2 || (cues.pointer ?? 0) >= 3) &&
    (cues.rule ?? 0) < 2 &&
    (cues.order ?? 0) < 2 &&
    (cues.states ?? 0) + (cues.fact ?? 0) > 0
  );
}

export function splitFacts(piece: Piece): Piece[] {
  const clauses = clausesOf(piece.text);
  if (clauses.length < LISTED || !clauses.every((clause) => isFact(withoutLead(clause)))) return [piece];
  let at = piece.start;
  return clauses.map((clause) => {
    const start = at;
    at += clause.length;
    const text = clause.replace(/[\s，,]+$/u, "");
    return { ...piece, text, start, end: start + text.length };
  });
}

const complains = (clause: string): boolean =>
  languagesOf(clause).some(({ rules }) =>
    rules.some(({ cue, test }) => cue === "complaint" && test.test(withoutLead(clause))),
  );

/** Leaves out clauses that reproach the agent ("you wrote m2", 你又跑错了) where others say what is wanted. */
export function withoutComplaint(piece: Piece): Piece {
  const clauses = clausesOf(piece.text);
  const good = clauses.map((clause) => !complains(clause));
  const from = good.indexOf(true);
  const to = good.lastIndexOf(true);
  if (from < 0 || (from === 0 && to === clauses.length - 1)) return piece;
  const lengthOf = (end: number) => clauses.slice(0, end).reduce((sum, clause) => sum + clause.length, 0);
  const text = piece.text.slice(lengthOf(from), lengthOf(to + 1)).replace(/[\s，,]+$/u, "");
  const start = piece.start + lengthOf(from);
  return { ...piece, text, start, end: start + text.length };
}
