/** Finds a procedure that the user teaches: three or more ordered steps under words that announce one. */
import { oneLine } from "../../base/text.ts";
import { simplified } from "../../memory/language/han.ts";
import type { Piece } from "./sentence.ts";
import { goneOn, toldProcedure } from "./told.ts";
import { chineseProcedure } from "./told-chinese.ts";
import { languagesOf, withoutLead } from "./weigh.ts";
import { withoutRelative } from "./wording.ts";

export interface Taught {
  /** The pieces that the procedure is made of, in order. */
  readonly pieces: readonly Piece[];
  /** One text per entry: all in one when it fits an entry. */
  readonly texts: readonly { readonly text: string; readonly pieces: readonly Piece[] }[];
}

const MARKER =
  /第[一二三四五六七八九十\d]+步|(?:^|[：:；。，\s])[一二三四五六七八九十][、是]|[①-⑩]|[，。；：\s](?:首先|先|然后|再|接着|随后|最后)(?=[^，。；]{2})|\b(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth|fifth|sixth|then|thereafter|next|after that|afterwards|only when (?:that|those|they|these|it)|when that's here|finally|lastly|last|step (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten))\b|(?:^|[\s;:,])[（(]?\d{1,2}[.)）、](?=\s?[^\d\s])/gi;

/** Below three steps it is an instruction, not a procedure. */
const STEPS = 3;
/** The entry budget of 400, less both dates and the bullet. */
const ENTRY_CHARS = 350;

/** A sentence that says what to do is a step where a procedure was announced: "Check the queue. Run the job." */
const STEP =
  /^(?:add|append|archive|ask|bake|build|bump|call|check|clear|close|commit|compare|confirm|copy|create|delete|deploy|drain|edit|export|fetch|fill|go through|import|install|log|make|mark|merge|move|notify|open|paste|pause|ping|post|pull|publish|push|put|rebase|remove|rename|reset|restart|resume|review|run|send|set|sign|start|stop|switch|tag|tell|test|train|update|upload|verify|wait|write|zip)\b/i;

const markers = (text: string) => (text.match(MARKER)?.length ?? 0) || (STEP.test(text.trim()) ? 1 : 0);
const announces = (text: string) => languagesOf(text).some((language) => language.teach.test(simplified(text)));

function listProcedure(pieces: readonly Piece[]): Piece[] | null {
  const items = pieces.filter((piece) => piece.numbered);
  const heading = items[0]?.heading ?? "";
  if (items.length < STEPS || !announces(heading)) return null;
  const own = pieces.filter((piece) => piece.heading === null && heading.endsWith(piece.text));
  const first = pieces.filter(
    (piece) => piece.heading === null && heading.includes(piece.text) && announces(piece.text),
  );
  return [...new Set([...first, ...own, ...items])].sort((a, b) => a.start - b.start);
}

function spokenProcedure(pieces: readonly Piece[]): Piece[] | null {
  const steps = pieces.map((piece) => (piece.numbered ? 0 : markers(` ${simplified(piece.text)}`)));
  if (steps.reduce((sum, n) => sum + n, 0) < STEPS) return null;
  const from = pieces.findIndex(
    (piece, i) => announces(piece.text) && steps.slice(i).reduce((sum, n) => sum + n, 0) >= STEPS,
  );
  const to = steps.findLastIndex((n) => n > 0);
  if (from < 0 || to < from || steps.slice(from, to + 1).filter((n) => n === 0).length > 3) return null;
  return pieces.slice(from, to + 1);
}

/** Numbers in circles look like others to the rules. */
const uncircled = (text: string) => text.replace(/[①-⑩]/g, (sign) => `${sign.charCodeAt(0) - 0x245f}. `);
/** "this month we take on several": the announcement may say when it matters, the steps are for every time. */
const wordsOf = (piece: Piece, i: number) =>
  piece.numbered ? `${i}. ${oneLine(piece.text)}` : uncircled(oneLine(withoutRelative(piece.text) ?? piece.text));

/** Words that show steps as steps; where there are none, arrows do. */
const SHOWN =
  /第[一二三四五六七八九十\d]+步|(?:^|[\s;；])\(?\d[.)、]|\bstep \d|[；：，]\s?[一二三四五六][、是]|①|\b(?:first|then|next|finally|afterwards)\b|然后|接着|最后/i;

/** Sentences as steps; an arrow stands for the full stop, and for none after a colon. */
const arrowed = (texts: readonly string[]) =>
  texts.reduce((all, text) => (/[:：]$/.test(all) ? `${all} ${text}` : `${all.replace(/[.;。；]$/, "")} → ${text}`));

/** Asks to keep the procedure, and is no part of it. */
const KEEP_IT =
  /,? (?:and )?please (?:keep|remember|save|note|store|learn|memori[sz]e) (?:it|this|that)(?: (?:for later|well|down))?(?=[.:;,])/i;

function said(pieces: readonly Piece[]): string {
  let step = 0;
  const texts = pieces.map((piece) => wordsOf(piece, piece.numbered ? ++step : 0));
  const whole = texts.join(" ").replace(KEEP_IT, "");
  if (!SHOWN.test(whole)) return withoutLead(texts.length < 4 ? whole : arrowed(texts));
  return withoutLead(whole).replace(/(?<=[；。，：]) (?=[\u3400-\u9fff])/g, "");
}

/** Where a long text of steps may be parted: behind a mark, or before a number. */
const JOINT = /(?<=[;；。，]|[,.] )\s*(?=\S)|(?=(?<=\s)[（(]?\d{1,2}[.)）、]\s)/;

interface Step {
  readonly text: string;
  readonly piece: Piece;
}

function stepsOf(pieces: readonly Piece[]): Step[] {
  let number = 0;
  return pieces.flatMap((piece) => {
    const text = wordsOf(piece, piece.numbered ? ++number : 0);
    return text.length <= ENTRY_CHARS
      ? [{ text, piece }]
      : text.split(JOINT).map((part) => ({ text: part.trim(), piece }));
  });
}

/** Entries in order, each as full as the budget allows; the first carries the announcement. */
function entriesOf(pieces: readonly Piece[]): Taught["texts"] {
  const whole = said(pieces);
  if (whole.length <= ENTRY_CHARS) return [{ text: whole, pieces }];
  const entries: { text: string; pieces: Piece[] }[] = [];
  for (const { text, piece } of stepsOf(pieces)) {
    const last = entries.at(-1);
    if (last && last.text.length + text.length < ENTRY_CHARS) {
      entries[entries.length - 1] = { text: `${last.text} ${text}`, pieces: [...new Set([...last.pieces, piece])] };
    } else entries.push({ text, pieces: [piece] });
  }
  return entries.map((entry) => ({ ...entry, text: entry.text.replace(/[\s,，;；:：]+$/, "") }));
}

/** The procedure in an utterance, or null. */
export function procedureIn(pieces: readonly Piece[]): Taught | null {
  const found = listProcedure(pieces) ?? spokenProcedure(pieces) ?? toldProcedure(pieces) ?? chineseProcedure(pieces);
  if (found === null) return null;
  const whole = goneOn(pieces, found);
  return { pieces: whole, texts: entriesOf(whole) };
}
