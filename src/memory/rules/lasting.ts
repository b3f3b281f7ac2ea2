/** A memory is read months later: dates are absolute, and what is only so today is not kept. */
import { hasOnlyHabits } from "../../digest/english-habit.ts";
import { datesIn } from "../language/dates.ts";
import { fold, termsOf } from "../language/words.ts";
import type { ResolvedCite } from "./quote.ts";
import { claimsOf, type Rule, violation, wordsOf } from "./rule.ts";

const WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const PERIOD = `(?:week(?:end)?|month|year|quarter|sprint|${WEEKDAY}|night|morning|afternoon|evening|spring|summer|autumn|fall|winter)`;
const COUNT = "(?:\\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|couple of|several)";
const RELATIVE = [
  /\b(?:yesterday|today|tomorrow|tonight|the day (?:after|before) (?:tomorrow|yesterday))\b/,
  new RegExp(`\\b(?:last|next|this|coming|past|previous|following) ${PERIOD}\\b`),
  new RegExp(`\\b(?:in|within) (?:the next )?${COUNT} (?:more )?(?:days?|weeks?|months?|years?)(?: time)?\\b(?! of)`),
  new RegExp(`\\b${COUNT} (?:days?|weeks?|months?|years?) (?:ago|from now(?! on)|later)\\b`),
  /\b(?:recently|lately|the other day|earlier today|these days|soon|a while ago)\b/,
  /(?:昨|今|明|后|前)(?:天|日|晚|早|年)|大前天|大后天|(?:上|下|本|这|这一|下一|上一)个?(?:周|星期|礼拜|月|季度|迭代|周末)|去年|最近|近期|(?<!\d)(?<!(?:完成|结束|到期|签收|收货|付款|下单|关闭|注册|创建|归档|离职|发货|提交|过期|跑|运行|连续|用|工作|持续|等|开机|保留|观察|放|测)[了满]?\s?)(?!\d{4}\s?年)(?<![\d一二两三四五六七八九十几])(?:[\d一二两三四五六七八九十几]+)\s?(?:天|周|个星期|个月|年)(?:前|后|之前|之后|以前|以后)/,
];
/** `on Monday`, `Monday after launch`: a day without a date. `on Mondays`, `every Monday` are rules and stay. */
const BARE_WEEKDAY = new RegExp(
  `(?<!every |each |any |a |per |of |and |or )\\b(?:on |by |until |from |since |before |the )${WEEKDAY}\\b(?!s)|\\b${WEEKDAY} (?:after|before|following)\\b|(?<!每|逢)(?:周|星期|礼拜)[一二三四五六日天](?!至|到|和|、)`,
);
/** Rules may name durations: `reply within two days`, `delete logs after 30 days`. */
const DURATION =
  /\b(?:within|every|after|older than|for|keep|expires?|rotate|retain|retention|ttl|timeout)\b|保留|有效期|过期|之内|以内|每/;

/** Counts of days may be a rule; these never are. */
const POINTS = /ago|last|next|this|yesterday|today|tomorrow|recent|soon|[昨今明]|前|上|下|本|这/;

function relativePhrase(text: string): string | null {
  const found = RELATIVE.map((form) => form.exec(text)?.[0]).find((match) => match !== undefined);
  if (found !== undefined) return DURATION.test(text) && !POINTS.test(found) ? null : found;
  if (datesIn(text).length > 0) return /\bday (?:after|before)\b/.exec(text)?.[0] ?? null;
  if (hasOnlyHabits(text)) return null;
  // `No deploys on Friday` is a rule for every Friday.
  return /\b(?:no|never|always|only|every)\b|每|从不|不要|禁止|严禁|只|别|勿|截单|打烊|对账|结算|封账|跑批|交班|换班|轮值|发工资/.test(
    text,
  )
    ? null
    : (BARE_WEEKDAY.exec(text)?.[0] ?? null);
}

export const relativeDate: Rule = (operation) => {
  for (const text of wordsOf(operation)) {
    const phrase = operation.op === "retire" || operation.op === "move" ? null : relativePhrase(fold(text));
    if (phrase !== null)
      return violation("relative-date", `"${phrase.trim()}" will be wrong later: write the date, or leave it out`);
  }
  return null;
};

const STATE =
  "(?:server|port|branch|process|build|pipeline|tests?|deploy(?:ment)?|container|session|terminal|tab|pr|ticket|服务|端口|分支|进程|构建|测试|部署|容器|跑|卡|挂|坏)";
const PASSING = [
  /\b(?:right now|at the moment|for now|for the moment|for the time being|as of now|in progress|work in progress|wip|brb|be right back|just this once|this (?:one )?time only|only this (?:once|time)|for today|temporar(?:y|ily))\b/,
  /\b(?:lunch|coffee|dinner|bathroom|going home|back in (?:a|\d+))\b|吃个?饭|午饭|晚饭|吃饭|喝咖啡|下班了|马上回来|回头再/,
  new RegExp(
    `\\b(?:now|currently|still|already|just|is|are|am)\\b.{0,30}\\b(?:running|listening|crashed|stuck|hanging|broken|down|failing|checked out|rebasing|debugging)\\b.{0,40}${STATE}|${STATE}.{0,30}\\b(?:is|are)\\b.{0,10}\\b(?:now|currently|still)\\b`,
  ),
  /\b(?:dev|local|preview)?\s*server\b.{0,30}\b(?:runs?|running|listens?|listening|is|started|up)\b.{0,12}(?:port|:)\s?\d{4,5}|(?<!\b(?:listens on|mov(?:es|ed) to) )\bport \d{4,5}\b.{0,20}\b(?:now|running)\b/,
  /(?:现在|目前|正在|当前|暂时|临时|刚刚|刚才).{0,16}(?:跑|运行|端口|分支|卡|挂|坏|改|调试|服务)|(?:dev|开发) ?(?:server|服务).{0,12}(?:跑|端口)|暂时|临时(?!文件|目录|表)|就这一?次|这一次|仅此一次/,
  /\b(?:current(?:ly)? (?:on )?(?:branch|commit|head|state)|uncommitted|untracked files?|merge conflict in|detached head)\b|当前分支|未提交/,
  /\b(?:request interrupted|interrupted by user|overloaded|rate limit(?:ed)? (?:error|hit)|http 5\d\d|529|503 error|timed? ?out (?:again|while))\b/,
];
/** Said around the quote, left out of the statement: the wish was for once. */
const ONCE =
  /\b(?:just this once|this (?:one )?time only|only this (?:once|time)|just for (?:now|today)|for now|for the moment|one[- ]off|temporarily|for this (?:one|pr|commit|task|time)(?: only)?)\b|就这一?次|这一次|仅此一次|暂时|临时|先这样|这次/;
const STANDING =
  /\b(?:always|from now on|in (?:the )?future|every time|each time|never|going forward|not only this)\b|以后|永远|每次|今后|往后|日后|都这样|保持(?:这|下去|住)|一律|不只|不仅|(?:后面|之后|接下来|下次|其[他余它])[^，。；]{0,8}(?:都|也)|(?:照|按)(?:这|此)/;

/** True when the cites that are about the claims all ask for one time only; `hmm ok` beside them makes no rule of it. */
function isOnce(claims: readonly string[], cites: readonly ResolvedCite[]): boolean {
  const terms = claims.flatMap((claim) => Array.from(termsOf(claim)));
  const about = cites
    .map(({ sentence }) => sentence)
    .filter((sentence) => {
      const said = termsOf(sentence);
      return terms.some((term) => said.has(term));
    });
  return about.length > 0 && about.every((sentence) => ONCE.test(fold(sentence)) && !STANDING.test(fold(sentence)));
}

export const transient: Rule = (operation, { cites }) => {
  const claims = claimsOf(operation);
  if (claims.map(fold).some((claim) => PASSING.some((form) => form.test(claim)))) {
    return violation("transient", "this holds only for the moment; keep what lasts");
  }
  return isOnce(claims, cites) ? violation("transient", "it was asked for this once only") : null;
};
