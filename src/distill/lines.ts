/** Bounded lines from a byte stream: what is longer than the limit is never gathered in memory. */

export interface LineReader {
  /** @returns the lines that this chunk completes; null, for ever, once a line went over the limit */
  push(chunk: Uint8Array): readonly string[] | null;
}

const NEWLINE = 0x0a;

/** @param max longest line in bytes, without its newline */
export function lineReader(max: number): LineReader {
  let held: Uint8Array[] = [];
  let size = 0;
  let broken = false;

  const take = (part: Uint8Array): boolean => {
    size += part.length;
    if (size > max) broken = true;
    else held.push(part);
    return !broken;
  };
  const finish = (): string => {
    const line = Buffer.concat(held, size).toString("utf8");
    held = [];
    size = 0;
    return line;
  };

  return {
    push(chunk) {
      const lines: string[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        if (broken || !take(chunk.subarray(start, end))) return null;
        lines.push(finish());
        start = end + 1;
      }
      return broken || !take(chunk.subarray(start)) ? null : lines;
    },
  };
}
