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

const NOBODY = /\b(?:nobody|no one|none)\b|没有人|谁都不|任何人都不/;
const ALL = /\ball\b(?! (?:right|set|good|in all|of (?:it|this|that))\b)|(?<!不是)所有|全部/;

const CUES: readonly Cue[] = [
  {
    word: "all",
    claimed: ALL,
    said: /\b(?:all|every\w*|each|any\w*|whole|entire(?:ly)?|both|always|never|nothing|nobody|no)\b|所有|全部|全(?=[都量体员])|都|一律|统一|每|凡|任何/,
  },
  {
    word: "nobody",
    claimed: NOBODY,
    said: /\b(?:nobody|no one|none|no|only|never|any(?:one|body)|nothing)\b|没有?人|谁|任何人|只/,
  },
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

/** Of two words only the other one was said: the statement turns it round. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:starts?|started|begins?|began)\b|开始/,
    /\b(?:ends?|ended|finish(?:es|ed)?|stops?|stopped|expires?)\b|结束|截止|到期/,
  ],
  [/\b(?:opens?|opened)\b/, /\b(?:closes?|closed|shuts?)\b/],
  [
    /\b(?:enabled?|enables|turn(?:ed|s)? on|switch(?:ed)? on)\b|启用|打开|开启/,
    /\b(?:disabled?|disables|turn(?:ed|s)? off|switch(?:ed)? off)\b|禁用|关闭|关掉/,
  ],
  [/\b(?:buy|buys|bought)\b/, /\b(?:sell|sells|sold)\b/],
  [/\b(?:joins?|joined)\b/, /\b(?:leaves?|left|quits?)\b/],
  [/\b(?:adds?|added)\b|添加|增加/, /\b(?:removes?|removed|deletes?|deleted)\b|删除|移除/],
  [/\b(?:public|open to all)\b/, /\b(?:private|internal)\b/],
  [/\b(?:increas\w+|raise[sd]?)\b|提高|增大/, /\b(?:decreas\w+|lower(?:s|ed)?|reduc\w+)\b|降低|减小/],
  [/\b(?:first)\b|首先|最先/, /\b(?:last)\b|最后/],
  [/\b(?:optional)\b|可选/, /\b(?:mandatory|required|compulsory)\b|必填|必须/],
  [/\b(?:all|every)\b/, /\b(?:some|most|several|many|few)\b/],
];

function turnedRound(text: string, said: string): string | null {
  for (const [one, other] of [...OPPOSITES, ...OPPOSITES.map(([a, b]) => [b, a] as const)]) {
    const word = one.exec(text)?.[0];
    if (word !== undefined && !one.test(said) && other.test(said) && !other.test(text)) return word;
  }
  return null;
}

/** Complaint about the first absolute word, or the first denial, that nothing in the evidence bears out; else null. */
export function unsupportedCue(claim: string, evidence: Evidence): string | null {
  const text = fold(claim);
  const said = [...evidence.quotes.texts, ...evidence.entries.texts].join("\n");
  for (const cue of CUES) {
    if (!cue.claimed.test(text) || cue.said.test(said)) continue;
    if (cue.word === "must" && IMPERATIVE.test(said)) continue;
    return `nothing in the quotes says "${cue.word}"`;
  }
  const opposite = turnedRound(text, said);
  if (opposite !== null) return `the quotes say the opposite of "${opposite}"`;
  const heard = [...evidence.quotes.clauses, ...evidence.entries.clauses];
  if (denies(text) && !heard.some((clause) => clause.denies || denies(fold(clause.text)))) {
    return "the statement denies something, the quotes deny nothing";
  }
  return null;
}
