/** What the rules know of a run, made once from the brief and from what the store remembers. */
import type { Digest, DigestUtterance } from "../../digest/digest.ts";
import { termsOf } from "../language/words.ts";
import type { Entry, Topic } from "../model.ts";
import type { Origin, Voices, World } from "./rule.ts";

export interface Knowledge {
  /** ISO time of the run. */
  readonly now: string;
  readonly digest: Digest;
  /** The project's instruction files, as in the brief. */
  readonly context: readonly { readonly file: string; readonly text: string }[];
  /** True for the `statementKey` of a statement that the user forgot or undid. */
  readonly isTombstone?: ((key: string) => boolean) | undefined;
  /** Who wrote an entry; null where nothing is known: then memd's own form is memd's, and the rest is an agent's of long ago. */
  readonly originOf?: ((topic: Topic, entry: Entry) => Origin | null) | undefined;
  /** How long foreign text is left alone, ms; one dream interval. */
  readonly foreignRest?: number | undefined;
}

const DAY = 86_400_000;
/** Lines of instruction files that are compared; longer files are no instructions. */
const MAX_LINES = 2_000;

function voicesOf(digest: Digest): Voices {
  const spoken = digest.sessions.flatMap(({ utterances }) => utterances);
  const isOther = ({ trust }: DigestUtterance) => trust === "tool" || trust === "assistant";
  const userTexts = spoken.filter((utterance) => !isOther(utterance)).map(({ text }) => text);
  return {
    user: new Set(userTexts.flatMap((text) => Array.from(termsOf(text)))),
    userTexts,
    others: spoken.filter(isOther).map((utterance) => ({ utterance, terms: termsOf(utterance.text) })),
  };
}

function knownLines(context: Knowledge["context"]): World["known"] {
  return context.flatMap(({ file, text }) =>
    text
      .split(/\n|(?<=[。！!])|(?<=\.)\s/)
      .filter((line) => line.trim() !== "")
      .slice(0, MAX_LINES)
      .map((line) => ({ file, line, terms: termsOf(line) })),
  );
}

/** Without what a store knows of its entries (`originOf`), their form alone tells whose they are. */
export function worldOf(knowledge: Knowledge): World {
  const byForm = (entry: Entry): Origin => ({ by: entry.ours ? "ours" : "agent", foreignSince: null });
  return {
    now: knowledge.now,
    voices: voicesOf(knowledge.digest),
    known: knownLines(knowledge.context),
    isTombstone: knowledge.isTombstone ?? (() => false),
    originOf: (topic, entry) => knowledge.originOf?.(topic, entry) ?? byForm(entry),
    foreignRest: knowledge.foreignRest ?? DAY,
  };
}
