/** Sessions as the small model reads them: under a name that is the same in every run, and in parts where they are long. */
import { estimateTokens } from "../../base/text.ts";
import type { DigestSession, DigestUtterance } from "../../digest/digest.ts";

const MARGIN_TOKENS = 8;

/** True when somebody spoke whose words may become a memory. */
export function hasEvidence({ utterances }: DigestSession): boolean {
  return utterances.some(({ speaker }) => speaker === "user" || speaker === "log");
}

/** A session is `S3` in this run and `S1` in the next; its text, and the hash of it, must not change with that. */
export function anonymous(session: DigestSession): DigestSession {
  const utterances = session.utterances.map((u) => ({ ...u, label: `S:${u.label.split(":")[1]}` }));
  return { ...session, label: "S", utterances };
}

/** What a person said, with the words before it that it may answer. */
function turnsOf(utterances: readonly DigestUtterance[]): DigestUtterance[][] {
  const turns: DigestUtterance[][] = [[]];
  for (const utterance of utterances) {
    turns.at(-1)?.push(utterance);
    if (utterance.speaker === "user" || utterance.speaker === "log") turns.push([]);
  }
  return turns.filter((turn) => turn.length > 0);
}

const tokensOf = (utterances: readonly DigestUtterance[]) =>
  utterances.reduce((sum, { text }) => sum + estimateTokens(text) + MARGIN_TOKENS, 0);

/**
 * Parts of at most `tokens` that have something said in them, filled from the start so that a session which grew keeps its first parts.
 * A single turn may be longer: an utterance is never cut, half a sentence proves nothing.
 */
export function chunksOf(session: DigestSession, tokens: number): DigestSession[] {
  const chunks: DigestUtterance[][] = [];
  let room = 0;
  for (const turn of turnsOf(session.utterances)) {
    const size = tokensOf(turn);
    const last = chunks.at(-1);
    if (last === undefined || size > room) {
      chunks.push(turn);
      room = tokens - size;
    } else {
      last.push(...turn);
      room -= size;
    }
  }
  return chunks.map((utterances) => ({ ...session, utterances })).filter(hasEvidence);
}
