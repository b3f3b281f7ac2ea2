/** Parts a sentence that lists facts: "A is called x, B lives in y, C runs on z" is three statements. */
import type { Piece } from "./sentence.ts";
import { weigh, withoutLead } from "./weigh.ts";
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
