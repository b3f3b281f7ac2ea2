/** From bytes to text, without ever guessing: what is no plain UTF-8 is named and left alone. */

/** 64 times what an agent loads of a topic; above it a file is a dump, not a memory. */
const MAX_BYTES = 262_144;

export type Decoded = { readonly text: string } | { readonly locked: string };

/** UTF-16 without a mark shows as NULs in every other byte; any other NUL is binary. */
function looksUtf16(bytes: Uint8Array): boolean {
  const head = bytes.slice(0, 64);
  const nulls = (parity: number) => head.filter((byte, i) => byte === 0 && i % 2 === parity).length;
  const [even, odd] = [nulls(0), nulls(1)];
  return Math.min(even, odd) === 0 && Math.max(even, odd) * 4 >= head.length;
}

/** Text of a memory file, its BOM kept; or why it must not be rewritten. */
export function decode(bytes: Uint8Array): Decoded {
  if (bytes.length > MAX_BYTES) return { locked: "too-large" };
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return { locked: "utf-16" };
  if (bytes.includes(0)) return { locked: looksUtf16(bytes) ? "utf-16" : "binary" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    // Rewriting bytes that are not UTF-8 would replace them; the file is reported and left alone.
    if (error instanceof TypeError) return { locked: "not-utf-8" };
    throw error;
  }
}
