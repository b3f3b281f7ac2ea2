/** Chinese phrases of time, simplified and traditional. Weeks start on Monday: 下周一 is the Monday of next week. */
import { type Direction, dayOf, nearestWeekday, nearestYearDay, partsOf, weekOf } from "./calendar.ts";
import { type Form, type Phrase, type Place, RANGE, RECURRING, readForms, relative, sentenceAround } from "./phrase.ts";

const NUMERAL = "\\d{1,3}|[一二两兩三四五六七八九十廿]{1,3}";
const DIGITS = "〇一二三四五六七八九";

/** `十二` -> 12, `两` -> 2, `廿五` -> 25; null when it is no number. */
export function chineseNumber(word: string): number | null {
  if (/^\d+$/.test(word)) return Number(word);
  const plain = word.replace(/[两兩]/g, "二").replace(/廿/g, "二十");
  const parts = /^(?<tens>[一二三四五六七八九])?(?<ten>十)?(?<ones>[一二三四五六七八九])?$/.exec(plain)?.groups;
  if (!parts || plain === "") return null;
  if (!parts.ten) return parts.ones === undefined ? DIGITS.indexOf(parts.tens ?? "") : null;
  return (parts.tens ? DIGITS.indexOf(parts.tens) : 1) * 10 + (parts.ones ? DIGITS.indexOf(parts.ones) : 0);
}

const WEEK = "(?:个|個)?(?:周|週|星期|礼拜|禮拜)";
const WEEKDAYS = "一二三四五六日";
const weekdayOfSign = (sign: string) => WEEKDAYS.indexOf(sign === "天" ? "日" : sign);

const CLAUSE = /[，。；！？,;!?\n]/;
const AHEAD =
  /推迟到|推遲到|改到|改在|定在|延到|延期到|提前到|挪到|将|將|会在|要在|计划|計劃|预计|預計|截止|之前|以前|到期|为止|之后上|准备|準備/;
const BACK =
  /了|已经|已經|已于|(?<![能通可才未没度])过(?!期|渡|滤|会|审)|(?<![能通可才未沒度])過(?!期|審|會)|曾|当时|當時/;

/** Words of the clause decide; Chinese verbs have no tense. */
function chineseDirection(place: Place): Direction {
  const { before, after } = sentenceAround(place, CLAUSE);
  const clause = `${before} ${after}`;
  if (AHEAD.test(clause) || /^\s*前/.test(after)) return 1;
  return BACK.test(clause) ? -1 : 0;
}

const SCHEDULE =
  /每|逢|都|一律|通常|一般|定期|例会|例會|截单|打烊|对账|對帳|出账|结算|封账|跑批|交班|换班|值班|轮值|發薪|发工资|永远|永遠|从不|從不/;
const RULE = /不|别|別|禁止|只|勿|莫/;

function bareWeekday(sign: string, place: Place): ReturnType<Form["read"]> {
  const { before, after } = sentenceAround(place, CLAUSE);
  const deadline = /^\s*(?:前|之前|以前|截止)/.test(after);
  if (SCHEDULE.test(before) || SCHEDULE.test(after)) return RECURRING;
  if (!deadline && (RULE.test(before) || RULE.test(after))) return RECURRING;
  return relative((today) => nearestWeekday(today, weekdayOfSign(sign), chineseDirection(place)));
}

const SHIFT: Readonly<Record<string, number>> = { 上上: -2, 上: -1, 本: 0, 这: 0, 這: 0, 今: 0, 下: 1, 下下: 2 };
const DAY_WORDS: Readonly<Record<string, number>> = {
  大前: -3,
  前: -2,
  昨: -1,
  今: 0,
  明: 1,
  后: 2,
  後: 2,
  大后: 3,
  大後: 3,
};
const YEAR_WORDS: Readonly<Record<string, number>> = { 前年: -2, 去年: -1, 今年: 0, 明年: 1, 后年: 2, 後年: 2 };

function monthDay(shift: number, date: number | null): ReturnType<Form["read"]> {
  return relative((today) => {
    const { year, month } = partsOf(today);
    const months = year * 12 + month - 1 + shift;
    return date === null ? null : dayOf(Math.floor(months / 12), (months % 12) + 1, date);
  });
}

/** 18号: the nearest such day in the direction of the clause (unknown: ahead), within two months. */
function bareDate(date: number | null, place: Place): ReturnType<Form["read"]> {
  const back = chineseDirection(place) < 0;
  return relative((today) => {
    if (date === null) return null;
    const { date: now } = partsOf(today);
    const shift = back ? (date > now ? -1 : 0) : date < now ? 1 : 0;
    return monthDay(shift, date)?.resolve(today) ?? null;
  });
}

/** After an event, 两周后 counts from the event and not from the day of speaking. */
const EVENT =
  /(?:上线|上線|发布|發佈|合并|合併|部署|启动|啟動|创建|建立|结束|結束|完成|开始|開始|到期|注册|註冊|签约|迁移|发版|登录|失败|过期|提交|付款|下单|收到|安装|事件|会议|截止|截止日期|跑|运行|運行|连续|連續|等|开机|工作|持续|用|测|烤机|老化|跑了|运行了|用了|等了|那|此|其|出现|触发|删除|修改|更新)\s*$/;
const TERM = /自动|自動|每|过期|過期|保留|超过|超過|清理|定期|都会|都會|有效|失效/;
const OF_THINGS = /^\s*的\s*(?:日志|日誌|数据|數據|文件|记录|記錄|备份|緩存|缓存|消息|版本|快照)/;

function daysAway(groups: Parameters<Form["read"]>[0], place: Place): ReturnType<Form["read"]> {
  const { before, after } = sentenceAround(place, CLAUSE);
  const days = chineseNumber(groups.n ?? "");
  if (days === null || EVENT.test(before) || TERM.test(before) || TERM.test(after) || OF_THINGS.test(after))
    return null;
  const distance = days * (/^(?:天|日)$/.test(groups.unit ?? "") ? 1 : 7);
  return relative((today) => today + (groups.way === "前" ? -distance : distance));
}

const FORMS: readonly Form[] = [
  {
    pattern:
      /(?<day>大前|大后|大後|前|昨|今|明|(?<![天日周週月年])后|(?<![天日周週月年])後)(?:天|日(?![志誌报報常期]))/g,
    read: (g) => relative((t) => t + (DAY_WORDS[g.day ?? ""] ?? 0)),
  },
  { pattern: /(?<day>昨|今|明)(?:晚|早|晨|夜)/g, read: (g) => relative((t) => t + (DAY_WORDS[g.day ?? ""] ?? 0)) },
  {
    pattern: new RegExp(`(?<shift>上上|下下|上|下|本|这|這)${WEEK}(?<day>[一二三四五六日天])(?![次期程志誌])`, "g"),
    read: (g) => relative((t) => weekOf(t) + 7 * (SHIFT[g.shift ?? ""] ?? 0) + weekdayOfSign(g.day ?? "")),
  },
  {
    pattern:
      /(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]\s?(?:到|至|-|~|—|、|和|或|及)\s?(?:周|週|星期|礼拜|禮拜)?[一二三四五六日天]/g,
    read: () => RECURRING,
  },
  {
    pattern:
      /(?<![一二两兩三四五六七八九十\d每上下本这這个個])(?:周|週|星期|礼拜|禮拜)(?<day>[一二三四五六日天])(?![次志誌报報期程常共起十百度个個])/g,
    read: (g, place) => bareWeekday(g.day ?? "", place),
  },
  {
    pattern: new RegExp(
      `再[过過]\\s?(?<n>${NUMERAL})\\s?(?<unit>天|日|(?:个|個)?(?:周|週|星期|礼拜|禮拜))(?!\\s?(?:之|以)?[前后後])`,
      "g",
    ),
    read: (g, place) => daysAway(g, place),
  },
  {
    pattern: new RegExp(
      `(?:(?:再过|再過|过|過)\\s?)?(?<n>${NUMERAL})\\s?(?<unit>天|日|(?:个|個)?(?:周|週|星期|礼拜|禮拜))\\s?(?:以|之)?(?<way>前|后|後)(?![天端台])`,
      "g",
    ),
    read: (g, place) => daysAway(g, place),
  },
  {
    pattern: new RegExp(`(?<shift>上上|下下|上|下|本|这|這)(?:个|個)?月\\s?(?<n>${NUMERAL})\\s?[日号號]`, "g"),
    read: (g) => monthDay(SHIFT[g.shift ?? ""] ?? 0, chineseNumber(g.n ?? "")),
  },
  {
    pattern: new RegExp(
      `(?<year>前年|去年|今年|明年|后年|後年)\\s?(?<m>${NUMERAL})\\s?月\\s?(?<n>${NUMERAL})\\s?[日号號]`,
      "g",
    ),
    read: (g) =>
      relative((t) =>
        dayOf(
          partsOf(t).year + (YEAR_WORDS[g.year ?? ""] ?? 0),
          chineseNumber(g.m ?? "") ?? 0,
          chineseNumber(g.n ?? "") ?? 0,
        ),
      ),
  },
  {
    pattern:
      /(?<![\d月年第#.\-/])(?<n>\d{1,2})\s?[号號](?=\s?(?:之前|以前|前|上线|上線|发布|發佈|发版|封版|提测|开会|开始|開始|截止|交付|交稿|停机|停服|切换|割接|验收|评审|演示|送审|下线|到期|晚|早|上午|下午|之后|，|。|,|$))/gm,
    read: (g, place) => bareDate(chineseNumber(g.n ?? ""), place),
  },
  {
    pattern:
      /(?:上上|下下|上|下|本|这|這)(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?![期边邊围圍到全转轉长長密一二三四五六日天])(?:末)?|(?<![每一二两兩三四五六七八九十\d])(?:上上|下下|上|下|本|这|這)(?:个|個)?(?:月|季度|季|学期|學期|半年)(?!\s?\d)/g,
    read: () => RANGE,
  },
  {
    pattern:
      /前年|去年|今年|明年|(?<![\d天月])后年|前几天|前幾天|这几天|這幾天|过几天|過幾天|过两天|過兩天|(?<!每)(?<!每个)(?<!\d\s?)(?:月底|年底|月初|年初)/g,
    read: () => RANGE,
  },
  {
    pattern: /(?<!每个?)周末/g,
    read: (_, place) => {
      const { before, after } = sentenceAround(place, CLAUSE);
      return SCHEDULE.test(before + after) || RULE.test(before + after) ? RECURRING : RANGE;
    },
  },
  {
    pattern: /前[两兩]天/g,
    read: (_, place) => (EVENT.test(sentenceAround(place, CLAUSE).before) ? null : RANGE),
  },
  {
    pattern: /(?<n>半|[\d一二两兩三四五六七八九十]{1,3})\s?(?:个|個)月(?:之|以)?[后後]/g,
    read: (_, place) => {
      const { before, after } = sentenceAround(place, CLAUSE);
      return EVENT.test(before) || TERM.test(before) || TERM.test(after) || OF_THINGS.test(after) ? null : RANGE;
    },
  },
  {
    pattern: new RegExp(
      `(?:${NUMERAL}|几|幾|数|數)\\s?(?:(?:个|個)月|年|小时|小時|分钟|分鐘)(?:以|之)?前(?!端)|(?:几|幾|数|數)\\s?(?:天|周|週)(?:以|之)?[前后後]`,
      "g",
    ),
    read: () => RANGE,
  },
];

/** 12月18日 without a year, which `explicitPhrases` found: the year by the words of the clause. */
export function chineseYearDay(today: number, month: number, date: number, place: Place): number | null {
  return nearestYearDay(today, month, date, chineseDirection(place));
}

/** All Chinese phrases of time in a text, overlapping ones included. */
export function chinesePhrases(text: string): Phrase[] {
  return /[\u4e00-\u9fff]/.test(text) ? readForms(text, FORMS) : [];
}
