import { createHash } from "node:crypto";

/** Hex SHA-256 of a text (UTF-8) or bytes. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Short stable name of a text: the first 12 hex digits of its SHA-256 (48 bits; enough for a few thousand per store). */
export function shortHash(text: string): string {
  return sha256(text).slice(0, 12);
}

/** Random bytes enter memd through this seam, given by compose. */
export type Random = (bytes: number) => Uint8Array;

/**
 * A run id: `YYYYMMDDThhmmssmmm-xxxxxx`, sortable by time, safe in file names and shells.
 * @param now epoch milliseconds
 */
export function runId(now: number, random: Random): string {
  const stamp = new Date(now).toISOString().replace(/[-:.Z]/g, "");
  return `${stamp}-${Buffer.from(random(3)).toString("hex")}`;
}
