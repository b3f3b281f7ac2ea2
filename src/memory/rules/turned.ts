/** Two parties that changed places around the same words: `Anna reports to Ben` told as `Ben reports to Anna`. */
import { fold, stem } from "../language/words.ts";
import type { Evidence } from "./evidence.ts";

/** Stands where a comma or a full stop was: nothing is beside it. */
const EDGE = "|";
const ARTICLE = /^(?:the|an?|our|my|its?|this|that)$/;
/** What is the same from both sides: `Ben and Anna`, `Ben pairs with Anna`. */
const MUTUAL = /^(?:and|or|nor|with|plus|vs|versus|between|equals?|both)$/;
/** Longest run of words between the two that is compared. */
const RUN = 4;

const tokensOf = (text: string): string[] =>
  (text.match(/[a-z0-9][\w./@#-]*[\w#]|[a-z0-9]|[.,:;!?()，。；：！？（）\u3400-\u9fff]/g) ?? [])
    .map((token) => (/^[a-z0-9]/.test(token) ? token : EDGE))
    .filter((token) => !ARTICLE.test(token))
    .map((token) => (token === EDGE ? EDGE : stem(token)));

interface Around {
  /** Nearest first, two at the most. */
  readonly left: readonly string[];
  readonly right: readonly string[];
}

const untilEdge = (tokens: readonly string[]) => {
  const edge = tokens.indexOf(EDGE);
  return edge < 0 ? tokens : tokens.slice(0, edge);
};

const around = (tokens: readonly string[], start: number, length: number): Around => ({
  left: untilEdge(tokens.slice(Math.max(0, start - 2), start).reverse()),
  right: untilEdge(tokens.slice(start + length, start + length + 2)),
});

function placesOf(run: readonly string[], tokens: readonly string[]): Around[] {
  return tokens.flatMap((_, at) =>
    run.every((token, i) => tokens[at + i] === token) ? [around(tokens, at, run.length)] : [],
  );
}

const meet = (a: readonly string[], b: readonly string[]) => a.find((token) => b.includes(token));

/** The party that stands on the other side in every place where the quotes have these words; null where one place agrees. */
function crossed(told: Around, said: readonly Around[]): string | null {
  if (told.left.length === 0 || told.right.length === 0 || told.right[0] === "by") return null;
  let found: string | null = null;
  for (const place of said) {
    if (place.right[0] === "by" || place.left[0] === told.left[0] || place.right[0] === told.right[0]) return null;
    const party = meet(told.left, place.right);
    if (party !== undefined && meet(told.right, place.left) !== undefined) found = party;
  }
  return found;
}

/** Complaint about two words of the claim that stand the other way round in its evidence, or null. */
export function turned(claim: string, { quotes, entries }: Evidence): string | null {
  const told = tokensOf(fold(claim));
  const heard = [...quotes.texts, ...entries.texts].map(tokensOf);
  for (let length = 1; length <= RUN; length += 1) {
    for (let at = 1; at + length < told.length; at += 1) {
      const run = told.slice(at, at + length);
      if (run.includes(EDGE) || run.some((token) => MUTUAL.test(token))) continue;
      const places = heard.flatMap((tokens) => placesOf(run, tokens));
      const party = places.length > 0 ? crossed(around(told, at, length), places) : null;
      if (party !== null) return `the quotes have "${party}" on the other side of "${run.join(" ")}"`;
    }
  }
  return null;
}
