/**
 * The start of a long record as a record of its own. Of a tool's output only the first words are kept, and clients write the rest,
 * megabytes of it, behind them: parsing all of it would cost what most of a transcript's bytes cost.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = { 123: "}", 91: "]" } as const;
const CLOSERS: ReadonlySet<number | undefined> = new Set([0x7d, 0x5d]);

/** What stands open at a place. */
interface Open {
  readonly at: number;
  /** Closers of what is open, outermost first. */
  readonly closers: string;
}

/**
 * The first bytes of a line, cut where a value ends or inside a text, with all that is open closed: valid JSON if the line is.
 * @param max bytes looked at
 */
export function headRecord(line: Buffer, max: number): string {
  const end = Math.min(line.length, max);
  let closers = "";
  let safe: Open = { at: 0, closers: "" };
  let isValue = false;
  for (let at = 0; at < end; at++) {
    const byte = line[at];
    if (byte === QUOTE) {
      const close = stringEnd(line, at + 1, end);
      if (close < 0) return isValue ? `${wholeText(line, at, end)}"${closed(closers)}` : closedAt(line, safe);
      at = close;
      if (isValue) safe = { at: close + 1, closers };
    } else if (byte === 0x7b || byte === 0x5b) {
      closers += OPEN[byte];
      isValue = byte === 0x5b;
      safe = { at: at + 1, closers };
    } else if (CLOSERS.has(byte)) {
      closers = closers.slice(0, -1);
      safe = { at: at + 1, closers };
    } else if (byte === COLON) isValue = true;
    else if (byte === COMMA) {
      // A number or a word ends here at the latest.
      safe = { at, closers };
      isValue = closers.endsWith("]");
    }
  }
  return closedAt(line, safe);
}

/** The quote that ends a text, or -1 when it is not before `end`. */
function stringEnd(line: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (line[at] === BACKSLASH) at++;
    else if (line[at] === QUOTE) return at;
  }
  return -1;
}

const ESCAPE_BYTES = 6;

/** Everything up to `end`, which lies in a text that began at `quote`, without half a character or half an escape at its end. */
function wholeText(line: Buffer, quote: number, end: number): string {
  let cut = end;
  const slash = line.lastIndexOf(BACKSLASH, cut - 1);
  // The backslash itself may be escaped: what stands before a run of them is whole.
  if (slash > quote && slash >= cut - ESCAPE_BYTES) cut = slash;
  while (cut > quote + 1 && line[cut - 1] === BACKSLASH) cut--;
  while (cut > quote + 1 && ((line[cut] ?? 0) & 0xc0) === 0x80) cut--;
  return line.toString("utf8", 0, cut);
}

function closedAt(line: Buffer, { at, closers }: Open): string {
  return line.toString("utf8", 0, at) + closed(closers);
}

const closed = (closers: string) => [...closers].reverse().join("");
