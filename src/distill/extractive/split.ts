/** Parts a sentence that lists facts: "A is called x, B lives in y, C runs on z" is three statements. */
import type { ResolvedDate } from "../../digest/digest.ts";
import { contentWords } from "../../memory/language/words.ts";
import type { Cue } from "./rule.ts";
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
    (cues.rule ?? 0) + (cues.norm ?? 0) < 2 &&
    (cues.order ?? 0) < 2 &&
    (cues.states ?? 0) + (cues.fact ?? 0) > 0
  );
}

/** The clauses as pieces of their own. */
function apart(piece: Piece, clauses: readonly string[]): Piece[] {
  let at = piece.start;
  return clauses.map((clause) => {
    const start = at;
    at += clause.length;
    const text = clause.replace(/(?:[\s，,]|\sand\s)+$/u, "");
    return { ...piece, text, start, end: start + text.length };
  });
}

/** A day counted from the one named before it. */
const COUNTED =
  /^(?:[前后後那这這之以]|第二天|次日|隔天)|[前后後]\s?[\d一二两兩三四五六七八九十]+\s?(?:天|日|周|週)$|\b(?:after|before) (?:that|then|it)$/i;

/** Clauses that each name a day tell of different days: 昨天换了数据库，下周一上线. */
function splitDays(piece: Piece, clauses: readonly string[], dates: readonly ResolvedDate[]): Piece[] {
  const pieces = apart(piece, clauses);
  // ", the 18th of December" only says the day again.
  const isDated = ({ text, start, end }: Piece) => {
    const said = dates.filter((date) => date.index >= start && date.index < end);
    return (
      said.length > 0 && contentWords(said.reduce((rest, { phrase }) => rest.replace(phrase, ""), text)).length > 0
    );
  };
  // "the day before that" moves with the day before it.
  const isTied = dates.some(({ index, phrase }) => index >= piece.start && index < piece.end && COUNTED.test(phrase));
  // "from the 1st, until the 12th" is one stretch.
  const isStretch = pieces.slice(1).some(({ text }) => /^(?:直?[至到]|(?:until|till|to|through)\b)/i.test(text));
  return clauses.length > 1 && !isTied && !isStretch && pieces.every(isDated) ? pieces : [piece];
}

/** "The kick-off is on May 4 and the demo is on May 9" */
const AND =
  /(?<=\sand )(?=(?:the |our )?[\w-]+(?: [\w-]+){0,2} (?:is|are|will|starts?|begins?|ends?|opens?|closes?|ships?|goes|go) )/i;

/** "I pasted it by accident, but remember that deploys go through the blue runner": what is asked for stands by itself. */
const ASKED =
  /^(?:(?:but|and|so|though|however) )?(?:please |do |just )*(?:remember|keep in mind|don't forget|make a note|note) (?:that |this)|^(?:但是?|不过|不過|另外)?(?:请|請)?(?:记住|記住|记一下|記一下|牢记|牢記)/i;

export function splitFacts(piece: Piece, dates: readonly ResolvedDate[]): Piece[] {
  const clauses = clausesOf(piece.text);
  const asked = clauses.findIndex((clause, i) => i > 0 && ASKED.test(clause.trim()));
  if (asked > 0) {
    const [head, tail] = [clauses.slice(0, asked).join(""), clauses.slice(asked).join("")];
    return apart(piece, [head, tail]);
  }
  if (clauses.length === 1) return splitDays(piece, piece.text.split(AND), dates);
  if (clauses.length < LISTED || !clauses.every((clause) => isFact(withoutLead(clause))))
    return splitDays(piece, clauses, dates);
  return apart(piece, clauses);
}

const shows = (text: string, name: Cue): boolean =>
  languagesOf(text).some(({ rules }) => rules.some(({ cue, test }) => cue === name && test.test(withoutLead(text))));

/** Leaves out clauses that reproach the agent ("you wrote m2", 你又跑错了) where others say what is wanted. */
export function withoutComplaint(piece: Piece): Piece {
  const clauses = clausesOf(piece.text);
  if (shows(piece.text, "praise")) return piece;
  if (clauses.length < 2) return piece;
  const good = clauses.map((clause) => !shows(clause, "complaint"));
  const from = good.indexOf(true);
  const to = good.lastIndexOf(true);
  if (from < 0 || (from === 0 && to === clauses.length - 1)) return piece;
  const lengthOf = (end: number) => clauses.slice(0, end).reduce((sum, clause) => sum + clause.length, 0);
  const text = piece.text.slice(lengthOf(from), lengthOf(to + 1)).replace(/[\s，,]+$/u, "");
  const start = piece.start + lengthOf(from);
  return { ...piece, text, start, end: start + text.length };
}
