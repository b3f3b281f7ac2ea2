/** Words that make a statement absolute: each must be borne out by a word of its kind in the quotes. */
import { denies } from "../language/negation.ts";
import { fold } from "../language/words.ts";
import type { Evidence } from "./evidence.ts";

/** `forbids X` holds no word that `allows X` could be the denial of. */
const PERMISSION =
  /(?<!\bnot |n't )\b(?:allow(?:s|ed)?|permit(?:s|ted)?|may|can|could|okay|ok|fine|free to|go ahead)\b|(?<!不)(?:可以|能|允许|许可|准|行)/;

interface Cue {
  readonly word: string;
  readonly claimed: RegExp;
  readonly said: RegExp;
}

/** A prohibition is one, however it is worded; `I don't like X` is none. */
const PROHIBITION =
  /\b(?:never|must not|mustn't|cannot|can't|may not|not allowed|no longer|nothing|no one|nobody|no|under no circumstances|avoid|forbid\w*|prohibit\w*|bann?(?:ed|s)?|rejects?|disallow\w*)\b|(?<!\b(?:i|we|you|they) )\b(?:do not|don't)\b|永远不|从不|绝不|决不|绝对不|永不|不许|不要|不准|不得|不能|不可|别|禁止|勿|严禁/;
const STANDING =
  /\b(?:always|every|each|any|all|whenever|from now on|in (?:the )?future|going forward|stays?|keep|never|by default|as a rule)\b|永远|总是|始终|一律|每次|每个|每|一直|以后|今后|统一|都|凡是|从不|任何/;
const REQUIREMENT =
  /\b(?:must|have to|has to|needs?|need to|required?|requires|mandatory|should|shall|always|never|at least|at most|only|make sure|ensure|do not|don't|rejects?|not allow)\b|必须|务必|一定|得|要|应该|统一|只|别|禁止|不许|永远/;
const IMPERATIVE =
  /(?:^|[.!;:,\n]|\b(?:so|and|but|please|then|also))\s*(?:please )?(?:use|keep|run|write|put|answer|reply|ask|make|let|stop|remember|prefer|check|look|add|go|send|show|paste|name|call|commit|push|squash|format|tag|store|save|open|close|start|test|deploy|merge|review|document|follow|respond|speak|set)\b/;

const EVERYONE = /\b(?:anyone|anybody|everyone|everybody|anything|everything)\b|任何人|所有人|谁都|其他人可以/;

const CUES: readonly Cue[] = [
  { word: "everyone", claimed: EVERYONE, said: EVERYONE },
  {
    word: "allowed",
    claimed: /(?<!\bnot |n't )\b(?:allows?|allowed|permits?|permitted|may(?! (?:not|\d)\b))\b|(?<!不)(?:可以|允许)/,
    said: PERMISSION,
  },
  {
    word: "never",
    claimed: /\bnever\b|under no circumstances|永远不|从不|绝不|决不|绝对不|永不|严禁/,
    said: PROHIBITION,
  },
  { word: "always", claimed: /\balways\b|\bevery time\b|永远(?!不)|总是|始终|一律|每次|一直/, said: STANDING },
  {
    word: "only",
    claimed: /\b(?:only|solely|exclusively)\b|只(?![要是])|仅(?!仅)|唯一/,
    said: /\b(?:only|just|solely|exclusively|nothing (?:but|else)|no other|sole|(?:nobody|no one|none|no \w+) (?:except|but|other than))\b|只|仅|唯一/,
  },
  { word: "must", claimed: /\b(?:must|mandatory|has to|have to|required)\b|必须|务必|一定要/, said: REQUIREMENT },
];

/** Complaint about the first absolute word, or the first denial, that nothing in the evidence bears out; else null. */
export function unsupportedCue(claim: string, evidence: Evidence): string | null {
  const text = fold(claim);
  const said = [...evidence.quotes.texts, ...evidence.entries.texts].join("\n");
  for (const cue of CUES) {
    if (!cue.claimed.test(text) || cue.said.test(said)) continue;
    if (cue.word === "must" && IMPERATIVE.test(said)) continue;
    return `nothing in the quotes says "${cue.word}"`;
  }
  const heard = [...evidence.quotes.clauses, ...evidence.entries.clauses];
  if (denies(text) && !heard.some((clause) => clause.denies || denies(fold(clause.text)))) {
    return "the statement denies something, the quotes deny nothing";
  }
  return null;
}
