/** Names of a turn by which a copy of it is known again: after a resume, a fork, a moved project, a re-read file. */
import { shortHash } from "../base/ids.ts";
import type { SessionWords, Utterance } from "../digest/utterance.ts";

/**
 * Short hashes, one per way a copy may come back. The record id alone is not a name: clients have been seen to use one
 * again for other words.
 * @param aliases further names, from `TranscriptRead.aliases`
 */
export function keysOf(words: SessionWords, turn: Utterance, aliases: readonly string[] = []): string[] {
  // A log's day is its session; its time follows the time zone of the reader.
  const said = turn.speaker === "log" ? "" : turn.at;
  // Two clients may count their records alike: the same words told to both are two turns.
  const own = `${words.client}\n${turn.record ?? `${words.session}\n${said}`}`;
  return [own, ...aliases].map((name) => shortHash(`${name}\n${turn.text}`));
}

/** Whether the speaker's words are what a session is counted by: a person's, or a daily log's. */
export function isTurn(utterance: Utterance): boolean {
  return utterance.speaker === "user" || utterance.speaker === "log";
}

/** When a turn was said, epoch ms. A log only knows its day: when its file was written says more about what is new. */
export function timeOfTurn(turn: Utterance, mtime: number): number {
  return turn.speaker === "log" ? mtime : (turn.at ?? mtime);
}
