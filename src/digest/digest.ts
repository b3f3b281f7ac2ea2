/** What the distiller will see of the sessions: numbered, redacted, dated and bounded. */
import type { Speaker, Trust } from "./utterance.ts";

/** A date phrase inside an utterance, resolved against the utterance's own time. Ranges ("last week") are not resolved. */
export interface ResolvedDate {
  /** The words as they stand in the text, for example `Thursday of next week`. */
  readonly phrase: string;
  /** Where the phrase starts in the text (UTF-16 units). */
  readonly index: number;
  /** `2026-12-03` */
  readonly date: string;
}

export interface DigestUtterance {
  /** `S3:14`: session 3, utterance 14 of the digest. */
  readonly label: string;
  readonly speaker: Speaker;
  readonly trust: Trust;
  /** Redacted; secrets are replaced by `[redacted:RULE]`. */
  readonly text: string;
  readonly at: number | null;
  readonly dates: readonly ResolvedDate[];
  readonly line: number;
  readonly record: string | null;
}

export interface DigestSession {
  /** `S3` */
  readonly label: string;
  readonly session: string;
  readonly client: string;
  readonly file: string;
  readonly cwd: string | null;
  readonly headless: boolean;
  readonly utterances: readonly DigestUtterance[];
}

export interface Digest {
  readonly sessions: readonly DigestSession[];
  /** Estimated tokens of all texts. */
  readonly tokens: number;
  /** Secrets found, by rule; never a value. */
  readonly redacted: Readonly<Record<string, number>>;
  /** One item per file of the input: taken whole, in part (up to a byte offset) or not at all. */
  readonly taken: readonly Taken[];
}

export interface Taken {
  readonly file: string;
  /** `all`, or the byte offset of the first line that was left out; 0 when nothing was taken. */
  readonly until: "all" | number;
  /** Physical line (from 1) of that first line that was left out; absent when all was taken. */
  readonly line?: number | undefined;
}

/** Finds an utterance by its label; null when the digest has none. */
export function findUtterance(
  digest: Digest,
  label: string,
): { session: DigestSession; utterance: DigestUtterance } | null {
  const session = digest.sessions.find((s) => label.startsWith(`${s.label}:`));
  const utterance = session?.utterances.find((u) => u.label === label);
  return session && utterance ? { session, utterance } : null;
}
