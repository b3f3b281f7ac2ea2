/** Bounded lines from a byte stream: what is longer than the limit is never gathered in memory. */

export interface LineReader {
  /** @returns the lines that this chunk completes; null, for ever, once a line went over the limit */
  push(chunk: Uint8Array): readonly string[] | null;
}

const NEWLINE = 0x0a;
const FIRST_BYTES = 4_096;

/**
 * The unfinished line lies in one buffer that doubles, not in a list of chunks: four million chunks of one byte would take a
 * hundred times the limit.
 * @param max longest line in bytes, without its newline
 */
export function lineReader(max: number): LineReader {
  let held = Buffer.alloc(FIRST_BYTES);
  let size = 0;
  let broken = false;

  const take = (part: Uint8Array): boolean => {
    if (size + part.length > max) broken = true;
    if (broken) return false;
    if (size + part.length > held.length) {
      held = Buffer.concat([held.subarray(0, size)], Math.max(2 * held.length, size + part.length));
    }
    held.set(part, size);
    size += part.length;
    return true;
  };
  const finish = (): string => {
    const line = held.toString("utf8", 0, size);
    if (held.length > FIRST_BYTES) held = Buffer.alloc(FIRST_BYTES);
    size = 0;
    return line;
  };

  return {
    push(chunk) {
      const lines: string[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        if (!take(chunk.subarray(start, end))) return null;
        lines.push(finish());
        start = end + 1;
      }
      return take(chunk.subarray(start)) ? lines : null;
    },
  };
}
