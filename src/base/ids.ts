/** Loaded when first needed: it costs a start as much as all else that `memd status` loads. */
let crypto: typeof import("node:crypto") | null = null;

/** Hex SHA-256 of a text (UTF-8) or bytes. */
export function sha256(data: string | Uint8Array): string {
  crypto ??= process.getBuiltinModule("node:crypto");
  return crypto.hash("sha256", data, "hex");
}

/** Short stable name of a text: the first 12 hex digits of its SHA-256 (48 bits; enough for a few thousand per store). */
export function shortHash(text: string): string {
  return sha256(text).slice(0, 12);
}

/**
 * 53 bits of a text (cyrb53): for tables of very many ids, and where loading node:crypto would cost too much. Not against people who
 * choose their texts. A million ids as strings take more than 100 MB, as numbers 30; two of a million collide with a chance of 1 in 18,000.
 */
export function quickHash(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
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

/** The time that a run id begins with, epoch milliseconds; null for a name of another form. */
export function runTime(id: string): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})-/.exec(id);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second, ms] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return Number.isNaN(time) ? null : time;
}

/** `memd` in hex: the first group of every session id that memd gives to an agent that it starts. */
const OWN_SESSION = "6d656d64-";

/**
 * The session id of a run's agent: a UUID of version 8, which is free to mean anything, so that no client makes one by itself. A transcript
 * of it, wherever it lies and on whatever machine, is known by its name.
 */
export function ownSessionId(run: string): string {
  const hex = sha256(run);
  return `${OWN_SESSION}${hex.slice(0, 4)}-8${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
}

export function isOwnSession(session: string): boolean {
  return session.startsWith(OWN_SESSION) && /^.{14}8.{21}$/.test(session);
}
