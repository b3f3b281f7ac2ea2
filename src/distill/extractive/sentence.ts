/** Cuts an utterance into sentences that keep their place in it, and leaves out what the speaker did not say: code, logs, quoted chats. */

export interface Piece {
  /** The words as they stand in the utterance. */
  readonly text: string;
  /** UTF-16 units in the utterance, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Follows a semicolon: a part of the sentence before. */
  readonly joined: boolean;
  /** The heading line when the piece is a list item, else null. */
  readonly heading: string | null;
  /** A numbered list item. */
  readonly numbered: boolean;
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly heading: string | null;
  readonly numbered: boolean;
}

/** Longer sentences are no statements but pasted text. */
const SENTENCE_CHARS = 1_200;

/** Where punctuation ends no sentence: code, addresses, quotations, brackets, numbers, file names, abbreviations. */
const CLOSED =
  /`[^`\n]{1,200}`|https?:\/\/[^\s，。；）)]{1,400}|"[^"\n]{1,200}"|“[^”\n]{1,200}”|「[^」\n]{1,200}」|\([^()\n]{1,160}\)|（[^（）\n]{1,160}）|\b(?:e\.g|i\.e|etc|vs|approx|incl|Mr|Mrs|Ms|Dr|St)\.|[\w-]{1,60}(?:\.[\w-]{1,60})+/g;

/** "do this: 1. pull; 2. build": the stop behind the number ends nothing. */
const ITEM_NUMBER = /(?:^|[:;,.]\s)\s*\(?\d{1,2}\.$/;
const BULLET = /^\s*(?:[-*+•]\s+|(\d{1,2}[.)、]|[（(]\d{1,2}[)）])\s*(?=\D))/;
const SPEAKER = /^\s*(?:user|assistant|human|ai|system|bot|agent|用户|助手|系统)\s*[:：]/i;
const NAMED = /^\s*(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?\s*)?<?([A-Z][\w.-]{1,20}|[\u4e00-\u9fff]{2,4})>?\s*[:：]\s*\S/;
const MACHINE =
  /^\s*(?:>|#{1,6} |\||at \S+ ?\(|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE)\b|Traceback |File "|[$❯#] \S|\w+ ERR!|(?:\w+ )?[\w.]*(?:Error|Exception|Timeout|Panic)(?: \w+)?:\s|diff --git|[+-]{3} [ab/]|@@ |<\/?[a-z][\w-]*[ >])/;

/** A name before a colon is a chat only when two different names speak: "Correction: ..." is no speaker. */
function isChat(lines: readonly string[]): boolean {
  const names = lines.map((line) => NAMED.exec(line)?.[1]).filter((name) => name !== undefined);
  return names.length >= 2 && names.length >= lines.length / 2 && new Set(names).size >= 2;
}

function linesOf(text: string): Line[] {
  const raw = text.split("\n");
  const chat = isChat(raw.filter((line) => line.trim() !== ""));
  const lines: Line[] = [];
  let fenced = false;
  let heading: string | null = null;
  let at = 0;
  for (const line of raw) {
    const start = at;
    at += line.length + 1;
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    else if (
      !fenced &&
      !SPEAKER.test(line) &&
      !MACHINE.test(line) &&
      !(chat && NAMED.test(line)) &&
      line.trim() !== ""
    ) {
      const bullet = BULLET.exec(line);
      if (!bullet) heading = line.trim();
      const item = bullet !== null;
      lines.push({
        start: start + (bullet?.[0].length ?? 0),
        end: start + line.length,
        heading: item ? (heading ?? "") : null,
        numbered: bullet?.[1] !== undefined,
      });
    }
  }
  return joinWrapped(text, lines);
}

/** A line wrapped by hand goes on in the next one. */
function joinWrapped(text: string, lines: readonly Line[]): Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const before = joined.at(-1);
    const wrapped =
      before !== undefined &&
      line.heading === null &&
      before.end + 1 === line.start &&
      before.end - before.start > 50 &&
      !/[.!?:;。！？：；]\s*$/.test(text.slice(before.start, before.end)) &&
      /^\s*[a-z\u4e00-\u9fff]/.test(text.slice(line.start, line.end));
    if (wrapped) joined[joined.length - 1] = { ...before, end: line.end };
    else joined.push(line);
  }
  return joined;
}

/** The text with closed spans blanked out by a letter; same length. */
export function maskClosed(text: string): string {
  return text.replace(CLOSED, (span) => "x".repeat(span.length));
}

export function sentencesOf(text: string): Piece[] {
  return linesOf(text).flatMap((line) => {
    const mask = maskClosed(text.slice(line.start, line.end));
    const pieces: Piece[] = [];
    let from = 0;
    let joined = false;
    const cut = (to: number, semicolon: boolean) => {
      const piece = trimmed(text, line.start + from, line.start + to);
      if (piece.text.length > 0 && piece.text.length <= SENTENCE_CHARS)
        pieces.push({ ...piece, joined, heading: line.heading, numbered: line.numbered });
      from = to;
      joined = semicolon;
    };
    for (const end of mask.matchAll(
      /[.!?…]+["')\]]*(?=\s|$)|[.!?](?=[\u4e00-\u9fff])|[。！？；]+["”）]*|;(?=\s)|(?<=[^\s|]) {3,}(?=[^\s|])/g,
    )) {
      const to = end.index + end[0].length;
      if (!ITEM_NUMBER.test(mask.slice(from, to))) cut(to, /[;；]/.test(end[0]));
    }
    cut(mask.length, false);
    return pieces;
  });
}

function trimmed(text: string, start: number, end: number): { text: string; start: number; end: number } {
  const raw = text.slice(start, end);
  const lead = raw.length - raw.trimStart().length;
  const words = raw.trim();
  return { text: words, start: start + lead, end: start + lead + words.length };
}
