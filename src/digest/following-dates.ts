/** Dates counted from one that was named before: "Launch is June 5, and two days before that ...", 周五发布，前一天封版. */
import { type Day, nearestWeekday } from "./calendar.ts";
import { chineseNumber } from "./chinese-dates.ts";
import { englishNumber, englishWeekday, WEEKDAY } from "./english-dates.ts";
import { type Phrase, RANGE } from "./phrase.ts";

/** How far back the named date may stand, in UTF-16 units. */
const SIGHT = 120;

type Move = (anchor: Day) => Day | null;
type Groups = Readonly<Record<string, string | undefined>>;

interface Follower {
  readonly pattern: RegExp;
  readonly move: (groups: Groups) => Move | null;
}

const weekdayBeside =
  (weekday: number, back: boolean): Move =>
  (anchor) =>
    nearestWeekday(anchor, weekday, back ? -1 : 1) ?? anchor + (back ? -7 : 7);

function english(groups: Groups): Move | null {
  const back = /^before$/i.test(groups.side ?? "");
  if (groups.weekday !== undefined) {
    const weekday = englishWeekday(groups.weekday);
    return weekday === null ? null : weekdayBeside(weekday, back);
  }
  const days = groups.n === undefined ? 1 : englishNumber(groups.n);
  const distance = days * (/^week/i.test(groups.unit ?? "") ? 7 : 1);
  return (anchor) => anchor + (back ? -distance : distance);
}

function chinese(groups: Groups): Move | null {
  const back = groups.side === "前";
  if (groups.weekday !== undefined) {
    return weekdayBeside("一二三四五六日".indexOf(groups.weekday === "天" ? "日" : groups.weekday), back);
  }
  const days = groups.n === undefined ? 1 : chineseNumber(groups.n);
  if (days === null) return null;
  const distance = days * (/[周週星礼禮]/.test(groups.unit ?? "") ? 7 : 1);
  return (anchor) => anchor + (back ? -distance : distance);
}

const COUNT = "\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten";
/** "that" by itself, not "that release". */
const THAT =
  "(?:that|then|it)(?=\\s*(?:$|[,.;:!?)]|(?:we|the|and|they|you|I|is|are|nothing|no|nobody|everything|until|till|at|in|on|but|so|because|for|only|comes?|starts?|follows?)\\b))";
const DAYS = "(?<n>\\d{1,2}|[一二两兩三四五六七八九十]{1,2})\\s?(?<unit>天|日|(?:个|個)?(?:周|週|星期|礼拜|禮拜))";

const FOLLOWERS: readonly Follower[] = [
  {
    pattern: new RegExp(
      `(?<![A-Za-z0-9_-])(?:the )?(?:(?<weekday>${WEEKDAY})|(?:(?<n>${COUNT}) )?(?<unit>days?|weeks?)) (?<side>after|before) ${THAT}`,
      "gi",
    ),
    move: english,
  },
  {
    pattern: new RegExp(`(?<=[，。；、,;]\\s?|[，。；](?:从|自|在))(?<side>前|后|後)${DAYS}(?![前后後])`, "g"),
    move: chinese,
  },
  { pattern: /(?<=[，。；]\s?)(?:第二天|次日|隔天)/g, move: () => (anchor) => anchor + 1 },
  {
    pattern:
      /(?:那|这|這|(?<=[，。；]\s?))(?:之|以)?(?<side>前|后|後)的(?:第一个|第一個|那个|那個|下一个|下一個)?(?:周|週|星期|礼拜|禮拜)(?<weekday>[一二三四五六日天])/g,
    move: chinese,
  },
];

/** 上线前两天, where 上线 was dated before: 下周五上线，上线前两天封版. */
const OF_EVENT = new RegExp(
  `(?<event>[A-Za-z][\\w-]{1,20}\\s?|[\\u4e00-\\u9fff]{2,4}?)(?:之|以)?(?<side>前|后|後)(?:的(?:第一个|第一個)?(?:周|週|星期|礼拜|禮拜)(?<weekday>[一二三四五六日天])|${DAYS})`,
  "g",
);

/** The date named last before a place. */
function anchorBefore(anchors: readonly Phrase[], start: number): Phrase | null {
  const anchor = anchors.findLast((phrase) => phrase.end <= start && phrase.kind !== "recurring");
  return anchor !== undefined && start - anchor.end <= SIGHT ? anchor : null;
}

function counted(anchor: Phrase, start: number, end: number, move: Move): Phrase {
  const resolve = (today: Day | null) => {
    const day = anchor.resolve(today);
    return day === null ? null : move(day);
  };
  return { start, end, kind: "relative", adverb: true, resolve };
}

function ofEvents(text: string, anchors: readonly Phrase[]): Phrase[] {
  return Array.from(text.matchAll(OF_EVENT)).flatMap((match) => {
    const event = (match.groups?.event ?? "").trim();
    const [start, end] = [match.index + (match.groups?.event ?? "").length, match.index + match[0].length];
    const anchor = anchorBefore(anchors, match.index);
    const move = match.groups && chinese(match.groups);
    const isNamed = anchor !== null && text.slice(Math.max(0, anchor.start - 24), match.index).includes(event);
    if (isNamed && move) return [counted(anchor, match.index, end, move)];
    // A weekday of an event without a date is no weekday of this week, and nobody could date it.
    return match.groups?.weekday === undefined ? [] : [{ start, end, ...RANGE }];
  });
}

/** @param anchors phrases of the text in order */
export function followingPhrases(text: string, anchors: readonly Phrase[]): Phrase[] {
  const plain = FOLLOWERS.flatMap(({ pattern, move }) =>
    Array.from(text.matchAll(pattern)).flatMap((match) => {
      const anchor = anchorBefore(anchors, match.index);
      const by = move(match.groups ?? {});
      return anchor && by ? [counted(anchor, match.index, match.index + match[0].length, by)] : [];
    }),
  );
  return [...plain, ...ofEvents(text, anchors)];
}
