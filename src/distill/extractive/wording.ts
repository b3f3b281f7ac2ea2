/** Turns a said sentence into a statement: lead-ins off, dates absolute, the reason apart. The words stay the speaker's own. */
import { oneLine } from "../../base/text.ts";
import { absolute, relativeWords } from "../../digest/dates.ts";
import type { ResolvedDate } from "../../digest/digest.ts";
import { simplified } from "../../memory/language/han.ts";
import { maskClosed, type Piece } from "./sentence.ts";
import { languagesOf, withoutLead } from "./weigh.ts";

export interface Wording {
  readonly text: string;
  readonly why: string | null;
}

const RANGE =
  "(?:(?:late|early|earlier|at the end of) )?(?:last|the past|the previous) (?:week(?:end)?|month|quarter|year|sprint|spring|summer|autumn|fall|winter)|recently|the other day|(?:a few|two|three|four|five|six|\\d+) (?:days|weeks|months|years) ago";
const COMING =
  /,? (?:for|over|during) the (?:next|coming) (?:few |couple of |two |three |four |six )?(?:days|weeks?|months?|years?|quarter)\b(?=[,.;:!]|$)/gi;
const CJK_RANGE = "上(?:个)?(?:周|礼拜|星期|月|季度)(?![一二三四五六日天])|去年|前几天|最近";
/** When something was, beside what was: at a clause's start or end the words can go without harm, elsewhere ("last week's numbers") not. */
const PAST_RANGE = new RegExp(
  `(?<=^|[,;(] )(?:${RANGE}),? (?!'s)|,? (?:${RANGE})(?=[,.;:)!]|$| (?:when|because|and|after|as|that)\\b)|(?<=^|[，；])(?:${CJK_RANGE})`,
  "gi",
);
/** The piece's words with every resolved phrase replaced by its date; a phrase that names its year stays as it was said. */
function withDates(piece: Piece, dates: readonly ResolvedDate[]): string {
  const inside = dates.filter(
    (d) => d.index >= piece.start && d.index + d.phrase.length <= piece.end && !/\d{4}/.test(d.phrase),
  );
  return absolute(
    piece.text,
    inside.map((d) => ({ ...d, index: d.index - piece.start })),
  );
}

const VAGUE =
  /\b(?:recently|soon|the other day|lately|(?:days?|weeks?) (?:after|before) (?:that|it|then)|(?:mon|tues|wednes|thurs|fri|satur|sun)day after)\b|最近|前几天|过几天|不久/i;

const isRelative = (text: string) => VAGUE.test(text) || relativeWords(text).length > 0;

/** Clauses as commas part them, with their commas; closed spans are not cut. */
export function clausesOf(text: string): string[] {
  const mask = maskClosed(text);
  const clauses: string[] = [];
  let from = 0;
  for (const comma of mask.matchAll(/，(?=.)|, |——| — | – /g)) {
    clauses.push(text.slice(from, comma.index + comma[0].length));
    from = comma.index + comma[0].length;
  }
  clauses.push(text.slice(from));
  return clauses;
}

/** Leaves out what a reader could not date: the words of a past range, or the clause around any other relative phrase. Null: nothing is left. */
export function withoutRelative(text: string): string | null {
  if (!isRelative(text)) return text;
  const bare = text
    .replace(PAST_RANGE, "")
    .replace(COMING, "")
    .replace(/(?:接下来|未来)[一两三半几]个?(?:年|月|周|季度)/g, "");
  if (!isRelative(bare)) return bare;
  const clauses = clausesOf(bare);
  // "We had three outages last year, so changes go through git only": what follows from it stands without it.
  const from = clauses.findIndex((clause) =>
    /^(?:so|therefore|hence):? (?!that\b|far\b|we (?:had|were|did)\b)/i.test(clause),
  );
  const follows = clauses
    .slice(from)
    .join("")
    .replace(/^(?:so|therefore|hence):? /i, "");
  if (isRelative(clauses[0] ?? ""))
    return from > 0 && !isRelative(follows) && !/\b(?:it|its|there|them|they|that|this)\b/i.test(follows)
      ? follows
      : null;
  return ended(clauses.filter((clause) => !isRelative(clause)).join(""));
}

const ended = (text: string) => text.replace(/[\s，、,;；:：–—-]+$/u, "");

const DROPPED_TAIL =
  /(?:[,，]?\s*(?:(?<![\w-])(?:please|thanks|thank you|thx|(?<=[,，]\s*)(?:ok|okay)|just so you know|fyi|btw|lol|haha|:\)|if you don'?t mind)|谢谢|好吗|哈|哦|啊))?\s*[.。!！;；…]*\s*$/i;

/** One line with a full stop, unless it ends in something that a dot would spoil. */
export function endSentence(text: string): string {
  const bare = oneLine(ended(text));
  if (bare === "" || /[.?!。？！]$/.test(bare)) return bare;
  if (CJK.test(bare)) return `${bare}。`;
  if (/(?:\S*[/_@\\.]\S*|[^\p{L}\p{N}%"'”」）)>`])$/u.test(bare)) return bare;
  return `${bare}.`;
}

/** Takes away pleasantries. */
const tidy = (text: string): string => endSentence(text.replace(DROPPED_TAIL, ""));

const CJK = /[\u3400-\u9fff]/;

/** The connective of a reason is the label's job. */
const CONNECTIVE =
  /^(?:because|since|as|the reason is(?: that)?|reason:|that'?s because|this is because|因为|由于|毕竟|原因是|原因[：:]|理由是|理由[：:])\s*/i;

export function asReason(text: string): string {
  return tidy(
    withoutLead(text)
      .replace(/^[,，;；(（\s]+/, "")
      .replace(CONNECTIVE, ""),
  ).replace(/^\((.*)\)$/, "$1");
}

/** Splits at the first joint that leaves a statement before it and a reason behind it. */
function partReason(text: string): Wording {
  const mask = maskClosed(text);
  for (const language of languagesOf(text)) {
    const joint = language.because.exec(simplified(mask));
    if (!joint || joint.index < 8) continue;
    const rest = text.slice(joint.index);
    if (/[,，] ?(?:so|therefore|hence|所以|因此) ?/i.test(rest)) continue;
    const why = asReason(rest);
    if (why.length >= 4) return { text: tidy(text.slice(0, joint.index)), why };
  }
  return { text: tidy(text), why: null };
}

/** A sentence that starts with its reason turns round: "Because X, do Y" states Y. */
function turned(text: string): Wording | null {
  const match =
    /^(?:because|since|as)\s+(.{8,200}?),\s+(.{8,})$/i.exec(text) ??
    /^(?:因为|由于)(.{4,80}?)[，,]\s*(?:所以|因此)?(.{4,})$/.exec(text);
  return match?.[1] && match[2] ? { text: tidy(match[2]), why: tidy(match[1]) } : null;
}

/** "Our test runner is now Vitest": what the change leaves is that it is. */
const settled = (text: string) =>
  text.replace(/\b(is|are) now (?=(?:on |in |at )?(?!\d{4}-)(?:[A-Z`"\d]|[a-z]+[-_.]?[\w-]*\d))/g, "$1 ");

const OPENER =
  /^(?:the|a|an|we|our|this|these|when|if|all|every|each|never|always|use|don't|do|keep|run|put|no|only|nobody|anything|any|in|on|for|sessions|please|bugs|answer|prefer|avoid|write|stop|my|it|there) /;

const capital = (text: string) => (OPENER.test(text) ? text.slice(0, 1).toUpperCase() + text.slice(1) : text);

/** 上线后的周一 counts from a day that nobody named: no date of its own. */
function isAnchored(piece: Piece, dates: readonly ResolvedDate[]): boolean {
  return dates.some(
    ({ index }) =>
      index > piece.start && index < piece.end && /[后前]的?$/.test(piece.text.slice(0, index - piece.start)),
  );
}

/** Stems that lost an e before -ing. */
const LOST_E =
  /(?:[^aeiou](?:us|ak|av|ov|iv|ot|am|as|os|yp|ap|ar|ir|or)|[aeiou](?:v|c|g|z)|[nr][cg]|writ|merg|updat|reat|erat|idat|slat|clud|vid|crib|cod|cach|pars|squash?e|schedul|handl|enabl|disabl|toggl|delet|quot|cit|rout)$/;
const KEEPS = /(?:for|cover|order|answer|prefer|offer|follow|avoid|monitor|error|repeat|visit)$/;

/** "using" → "use", "putting" → "put" */
function infinitive(participle: string): string {
  const stem = participle.replace(/ing$/i, "");
  if (/^us$/i.test(stem) || (LOST_E.test(stem) && !KEEPS.test(stem))) return `${stem}e`;
  return stem.replace(/([bdgmnprt])\1$/i, "$1");
}

/** "Would you mind not using X?" → "Don't use X." */
const minded = (text: string) =>
  text.replace(
    /^(?:would|do) you mind (?:please )?(not )?((?:always|never) )?([a-z]+ing)\b(.*?)[?.]*$/i,
    (_, not: string | undefined, when: string | undefined, verb: string, rest: string) =>
      `${not ? "Don't " : ""}${when ?? ""}${not || when ? infinitive(verb) : cap(infinitive(verb))}${rest}.`,
  );
const cap = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** "Could you always put the number first?" wishes, and asks nothing. */
const wished = (text: string) =>
  minded(text)
    .replace(/^(?:could|can|would|will) you (?:please |kindly )?(.{6,}?)\?$/i, "$1.")
    .replace(
      /^((?:when|whenever|before|after|every time|each time|any time)\b[^?]{3,80}, )(?:could|can|would|will) you (?:please |just |also )?(.{6,}?)\?$/i,
      "$1$2.",
    )
    .replace(/[，,]?(?:行不行|好不好|可以吗|好吗|行吗|成不成|成吗)[？?。]*$/, "。")
    .replace(/^((?:could|can|may|might) .*)\?$/i, "$1.");

/** The statement of a piece, or null when nothing datable is left of it. */
export function wordingOf(piece: Piece, dates: readonly ResolvedDate[]): Wording | null {
  if (isAnchored(piece, dates)) return null;
  const dated = withoutRelative(wished(withoutLead(withDates(piece, dates))));
  if (dated === null) return null;
  const wording = turned(dated) ?? partReason(dated);
  return wording.text === "" ? null : { ...wording, text: capital(settled(wording.text)) };
}
