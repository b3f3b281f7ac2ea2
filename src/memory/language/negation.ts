/** Where a clause denies: which stretch of it a negation reaches, in English and Chinese. */

/**
 * `+` asserted, `-` denied, `?` either (the subject of a denial, a list that goes on behind it, a double negation),
 * `.` neither: told as something that happened once.
 */
export type Sign = "+" | "-" | "?" | ".";

export interface Zone {
  readonly from: number;
  readonly sign: Sign;
}

/** A denial that reaches to the end of its clause. */
const BOUND = "(?: (?:more|less|fewer|later|earlier) than| exceed| (?:be|go) (?:over|above|under|below))";
const BOUND_ZH = "(?:要|能|得|可|许|应)?(?:超过|超出|少于|多于|低于|高于|大于|小于)";
const LONG = [
  `\\b(?:not|never)(?! (?:only|just|sure|to mention|forget|hesitate|miss)|${BOUND})\\b`,
  `\\bno(?! (?:problem|worries|matter|doubt|\\.? ?\\d)|${BOUND})\\b`,
  "\\b(?:cannot|no longer|none|nothing|nobody|no one|neither|nor|avoid(?:s|ing)?|forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|ban(?:s|ned)?)\\b",
  "\\b(?:refuse[sd]?|reject(?:s|ed|ing)?|stop(?= \\w+ing)|scrap(?:s|ped)?|drop(?:s|ped)?|ditch(?:ed)?|abandon(?:ed)?|deprecate[sd]?|get rid of)\\b",
  "\\b(?:forget(?! to\\b)|steer clear of|stay away from|keep away from|hands off|leave out|formerly|previously|originally|used to|was(?= (?:\\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \\d)))\\b",
  `\\b\\w+n't\\b(?! (?:forget|hesitate|miss)\\b|${BOUND})`,
  `不(?![同仅但只过错断管论然足安妨])(?!要?忘)(?!${BOUND_ZH})`,
  "(?<![特区级类分识差性辨个])别(?![人名的处忘])|勿|没有?(?!问题|关系|事)|禁止|弃用|废弃|停用|取消|拒绝|避免|杜绝|而非|并非",
  "原(?:来|先|本)?[是为]?(?=\\s*\\d)|(?<=[\\s，。；：]|^|我|们)反对",
  "\\b(?:hardly|barely|scarcely|seldom|rarely|anything but|far from|turn(?:ed|s)? down|(?<!\\b(?:a|the|next|last|first|past|these|those|every|very) )few(?= (?:of|\\w+s)\\b)(?! (?:days|weeks|months|hours|minutes|years)\\b))\\b",
].join("|");
/** In the languages that have no rules of their own here: enough to see that a sentence denies. */
const FOREIGN = [
  // German, Dutch, Swedish, Danish, Norwegian
  "(?<!\\p{L})(?:nicht|kein(?:e|en|em|er|es)?|nie|niemals|keineswegs|niet|geen|nooit|niemand|inte|aldrig|ingen|inga|ikke|aldri)(?!\\p{L})",
  // French, Spanish, Portuguese, Italian, Polish, Russian and Ukrainian
  "(?<!\\p{L})(?:ne|n'(?=\\p{L})|pas|jamais|aucune?|nunca|jam[áa]s|ning[uú]na?|tampoco|não|nem|non(?= \\p{L})|nie|nigdy|не|нет|ні|никогда|ніколи|нельзя)(?!\\p{L})",
  // Turkish, Vietnamese, Indonesian, Arabic, Hebrew, Hindi
  "(?<!\\p{L})(?:değil|asla|không|đừng|jangan|tidak|bukan|لا|ليس|لن|לא|אל|नहीं|मत)(?![\\p{L}\\p{M}])",
  // Korean and Japanese deny behind the verb: what the ending takes leaves the whole clause before it denied.
  "(?:지 ?(?:마|말|않)|못 ?하|안 ?(?:돼|되|됩)|없[다어는이]|금지)\\p{Script=Hangul}*|(?<=\\p{Script=Hiragana})(?:ない|ません)\\p{Script=Hiragana}*|ないで\\p{Script=Hiragana}*",
].join("|");
/** A denial of the next few words: `pnpm instead of npm for installs` says nothing against installs. */
const PREFERRED = "(?<=\\b(?:prefer\\w*|use|choose|pick|favou?rs?)\\b[^,;]{1,40} )over(?= [a-z])";
const RATHER = "(?<=\\brather\\b[^,;]{1,40} )than(?= )";
const SHORT = `${PREFERRED}|${RATHER}|\\b(?:instead of|rather than|other than|without|except|unlike|as opposed to)\\b|代替|取代|而不是|以外|除了|除非`;
const NEGATOR = new RegExp(`(${SHORT})|(${LONG}|${FOREIGN})`, "gu");
/** Behind a denial these turn the rest round: `not outside the EU`, `never push without review`. */
const TURN =
  /(?<=\b(?:outside|beyond|unless|until|without|except|before|other than)\b|以外|之外|除非|除了|之前|就(?!是)|则)/g;
/** `forbids events outside Switzerland` denies no events: it places them. */
const PLACES = /\b(?:outside|beyond)\b|以外|之外/;
/** Stems of words on which a whole sentence turns; they keep their own sign. */
const TURNING = new Set(["allow", "permit", "support", "requir", "accept", "outsid", "beyond", "允许", "支持"]);
const LIST_GOES_ON = /\b(?:and|or)\b|以及|或者?|和|并/g;
const PREPOSITION = /\b(?:for|in|on|at|when|because|with|to|from|by|as|if|while|during)\b/g;

/** The subject itself is denied: `Redis is not allowed`, `npm 不能用`, `40 MB was wrong`. */
const BARE_END =
  /^\s*(?:be |been )?(?:allowed|permitted|ok|okay|acceptable|fine|an option|supported|used|welcome|wanted|possible)?\s*(?:here|any ?more|anymore|either|any longer)?\s*$|^(?![对好])\p{Script=Han}{0,2}[了的啊吧过]?\s*$/u;
const PASSIVE =
  /\b(?:is|are|was|were|be|been|gets?|being) (?:rejected|forbidden|banned|prohibited|disallowed|wrong|incorrect|dropped|scrapped|gone|deprecated|off[ -]limits|obsolete|outdated|out|turned down|voted down|vetoed)\b|(?:作废|废弃|取消|停用|禁用|是错的|错了|(?<!行)不行)了?\s*$/;

/** `from 25 to 40` with a verb of change: the first is no longer so. */
const MOVED =
  /\bfrom (.{1,60}?) (?:to|until) |从\s?(.{1,40}?)\s?(?:推迟|延期|提前|改|挪|调整|换|升|降|涨|减|移|迁移?)*[到为成至]|由\s?(.{1,40}?)\s?(?:改|调整|换|变)+[到为成]/;
const CHANGE =
  /\b(?:chang|mov|postpon|delay|rais|lower|bump|push|shift|switch|migrat|updat|increas|decreas|rescheduled|slip|correct|went|goes|go)\w*\b|推迟|延期|提前|改|挪|调整|换|升|降|涨|减|移|迁|变/;

interface Negator {
  readonly start: number;
  readonly end: number;
  readonly short: boolean;
}

function negatorsIn(clause: string): Negator[] {
  // `能不能` and its like ask, they deny nothing.
  const text = clause.replace(/([能可是要会行好对])不(?=\1)/g, "$1 ");
  return Array.from(text.matchAll(NEGATOR), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    short: match[1] !== undefined,
  }));
}

function positions(form: RegExp, text: string, from: number): number[] {
  return Array.from(text.matchAll(form), (match) => match.index).filter((at) => at >= from);
}

function reach(clause: string, negator: Negator, double: boolean): Zone[] {
  const { end } = negator;
  const opens: Zone = { from: end, sign: double ? "?" : "-" };
  const limits = negator.short ? [LIST_GOES_ON, PREPOSITION] : [LIST_GOES_ON, TURN];
  const open = limits.flatMap((form) => positions(form, clause, end)).map((from): Zone => ({ from, sign: "?" }));
  return [opens, ...open];
}

/** `Nobody except Dana may approve` asserts that Dana may. */
const ONLY_ONE = /\b(?:nobody|no one|none|nothing|no \w+) (?:except|but|other than)\b/;

/** True when the clause holds a denial of any kind. `clause` must be folded. */
export function denies(clause: string): boolean {
  if (ONLY_ONE.test(clause)) return false;
  return negatorsIn(clause).length > 0 || PASSIVE.test(clause) || movedZones(clause).length > 0;
}

function movedZones(clause: string): Zone[] {
  const match = CHANGE.test(clause) ? MOVED.exec(clause) : null;
  const old = match?.slice(1).find((group) => group !== undefined);
  if (!match || old === undefined) return [];
  const from = clause.indexOf(old, match.index);
  return [
    { from, sign: "-" },
    { from: from + old.length, sign: "+" },
  ];
}

/** `ask Oskar before editing it` neither asserts nor denies the editing. */
function conditions(clause: string): Zone[] {
  return positions(/\b(?:before|after|unless|until|in case)\b/g, clause, 0).map((from): Zone => ({ from, sign: "?" }));
}

/** Stretches of a folded clause with their sign, in reading order; each reaches to the next. */
export function zonesOf(clause: string): Zone[] {
  const passive = PASSIVE.exec(clause);
  if (passive)
    return [
      { from: 0, sign: "-" },
      { from: passive.index + passive[0].length, sign: "?" },
    ];
  const negators = negatorsIn(clause);
  const first = negators[0];
  if (!first)
    return [{ from: 0, sign: "+" as const }, ...movedZones(clause), ...conditions(clause)].sort(
      (a, b) => a.from - b.from,
    );
  const bare = BARE_END.test(clause.slice(first.end)) && !first.short;
  const subject: Sign = bare ? "-" : first.short ? "+" : "?";
  const zones = negators.flatMap((negator, i) =>
    reach(clause, negator, i > 0 && !/^nor\b/.test(clause.slice(negator.start))),
  );
  return [{ from: 0, sign: subject }, ...zones].sort((a, b) => a.from - b.from);
}

export function signAt(zones: readonly Zone[], position: number): Sign {
  return zones.findLast((zone) => zone.from <= position)?.sign ?? "+";
}

export const isTurning = (term: string) => TURNING.has(term);

/** The sign of a word in its clause. `clause` must be folded. */
export function signOf(term: string, position: number, clause: string, zones: readonly Zone[]): Sign {
  const sign = signAt(zones, position);
  return sign === "-" && PLACES.test(clause) && !isTurning(term) ? "?" : sign;
}
