/** Numbers with their unit and their comparison (at least, under), in digits and in words, English and Chinese. */

export type Bound = "min" | "max";

export interface FoundNumber {
  /** Canonical value: `1000` for `1,000`, `14:30`. */
  readonly value: string;
  /** Canonical unit (`mb`, `minute`), or null when none of the known ones follows. */
  readonly unit: string | null;
  readonly bound: Bound | null;
  readonly start: number;
  readonly end: number;
}

const UNITS: Readonly<Record<string, string>> = {
  bit: "bit|bits|位",
  byte: "byte|bytes|字节",
  kb: "kb|kib|kilobyte|kilobytes",
  mb: "mb|mib|megabyte|megabytes|兆",
  gb: "gb|gib|gigabyte|gigabytes",
  tb: "tb|tib|terabyte|terabytes",
  ms: "ms|msec|millisecond|milliseconds|毫秒",
  second: "s|sec|secs|second|seconds|秒|秒钟",
  minute: "m|min|mins|minute|minutes|分钟",
  hour: "h|hr|hrs|hour|hours|小时|个小时|钟头",
  day: "d|day|days|天",
  week: "week|weeks|周|星期|个星期",
  month: "month|months|个月",
  year: "y|yr|yrs|year|years|年",
  px: "px|pixel|pixels|像素",
  percent: "%|percent|per cent",
  char: "char|chars|character|characters|字符|个字符|字|个字",
  line: "line|lines|行",
  column: "column|columns|col|cols|列",
  step: "step|steps|步",
  times: "times|次|遍|回",
  person: "person|persons|people|个人|人|位",
  cent: "cent|cents",
  dollar: "dollar|dollars|usd|美元",
  euro: "euro|euros|eur|欧元",
  pound: "pound|pounds|gbp|英镑",
  yuan: "yuan|rmb|cny|元|块",
  rem: "rem",
  em: "em",
  pt: "pt",
  item: "个|条|项|台|份|张",
  times2: "倍",
};
const CANON = new Map(Object.entries(UNITS).flatMap(([unit, names]) => names.split("|").map((name) => [name, unit])));
const UNIT = Array.from(CANON.keys())
  .sort((a, b) => b.length - a.length)
  .map((name) => (/^[a-z]/.test(name) ? `${name}(?![a-z0-9_])` : name))
  .join("|");

const WORDS: Readonly<Record<string, number>> = Object.fromEntries(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    .split(" ")
    .map((word, i) => [word, i] as const)
    .concat([
      ["thirty", 30],
      ["forty", 40],
      ["fifty", 50],
      ["sixty", 60],
      ["seventy", 70],
      ["eighty", 80],
      ["ninety", 90],
      ["hundred", 100],
      ["thousand", 1000],
      ["twice", 2],
      ["single", 1],
    ]),
);
/** A sign stands before a number, behind white space: the dash of `8000-8010` and of `-5-` is none. */
const DIGIT_NUMBER = `(?:(?<=^|[\\s(])[-−](?=[$€£¥]?\\d))?[$€£¥]?\\d+(?:,\\d{3})*(?:\\.\\d+)?(?::\\d{2})*`;
const NUMBER = new RegExp(`(?<![\\p{L}\\d_.-]|\\d[-/])(${DIGIT_NUMBER})(?:\\s?-?(${UNIT}))?(?![a-z0-9_])`, "gu");
const CJK_NUMBER = new RegExp(`(?<=[\\u4e00-\\u9fff，。；：、])(${DIGIT_NUMBER})(?:\\s?(${UNIT}))?(?![a-z0-9_])`, "gu");
const WORD_NUMBER = new RegExp(
  `(?<![a-z0-9'-])(${Object.keys(WORDS).join("|")})(?:[\\s-](${UNIT}))?(?![a-z0-9'])`,
  "gu",
);
const HAN = "零一二两三四五六七八九十百千万";
const HAN_NUMBER = new RegExp(`(第)?([${HAN}]{1,12})\\s?(${UNIT})`, "gu");

function hanValue(text: string): number {
  let total = 0;
  let digit = 0;
  for (const char of text) {
    const at = "零一二三四五六七八九".indexOf(char === "两" ? "二" : char);
    const scale = { 十: 10, 百: 100, 千: 1000, 万: 10_000 }[char];
    if (at >= 0) digit = at;
    else if (scale === 10_000) [total, digit] = [(total + digit) * scale, 0];
    else if (scale !== undefined) [total, digit] = [total + (digit || 1) * scale, 0];
  }
  return total + digit;
}

const BEFORE: readonly (readonly [Bound, RegExp])[] = [
  [
    "max",
    /(?:(?:not|never|n't|cannot) (?:exceed|be over|go over|be above|be (?:longer|more|larger) than)|不(?:要|能|得|可|许|应)?(?:超过|超出|多于|高于|大于)|at most|up to|no more than|not more than|max(?:imum)?(?: of)?|under|below|less than|fewer than|shorter than|smaller than|within|<=?|≤|最多|至多|少于|小于|低于|不到)\s*$/,
  ],
  [
    "min",
    /(?:(?:not|never|n't|cannot) (?:be under|go under|be below|be (?:less|shorter|smaller|fewer) than)|不(?:要|能|得|可|许|应)?(?:少于|低于|小于)|at least|no less than|no fewer than|min(?:imum)?(?: of)?|more than|over|above|longer than|larger than|bigger than|exceed(?:s|ing)?|>=?|≥|至少|最少|超过|大于|高于)\s*$/,
  ],
];
const AFTER: readonly (readonly [Bound, RegExp])[] = [
  [
    "max",
    /^\s*(?:[a-z]+ (?=at most|max|or less|or fewer))?(?:or less|or fewer|or below|max(?:imum)?\b|at most|以下|以内|之内)/,
  ],
  ["min", /^\s*(?:[a-z]+ (?=at least|min|or more))?(?:or more|or longer|or above|min(?:imum)?\b|at least|以上|\+)/],
];

function boundAt(text: string, start: number, end: number): Bound | null {
  const before = text.slice(Math.max(0, start - 24), start);
  const after = text.slice(end, end + 28);
  const found = BEFORE.find(([, form]) => form.test(before)) ?? AFTER.find(([, form]) => form.test(after));
  return found?.[0] ?? null;
}

const CURRENCY: Readonly<Record<string, string>> = { $: "dollar", "€": "euro", "£": "pound", "¥": "yuan" };

function canonical(digits: string): string {
  const bare = digits.replace(/[$€£¥,]/g, "");
  return bare.includes(":") || bare === "" ? bare : String(Number(bare));
}

/** Numbers in reading order. `text` must be folded; dates and identifiers should be blanked out before. */
export function numbersIn(text: string): FoundNumber[] {
  const found = new Map<number, FoundNumber>();
  const add = (match: RegExpExecArray, value: string, unit: string | undefined) => {
    const start = match.index;
    const end = start + match[0].length;
    const overlaps = Array.from(found.values()).some((other) => start < other.end && other.start < end);
    if (overlaps) return;
    const named = CANON.get(unit ?? "") ?? CURRENCY[match[0].replace(/^[-−]/, "").charAt(0)] ?? null;
    found.set(start, { value, unit: named, bound: boundAt(text, start, end), start, end });
  };
  // Most texts hold no digit, and the patterns are costly to try at every place.
  const digits = /\d/.test(text);
  if (digits) for (const match of text.matchAll(NUMBER)) add(match, canonical(match[1] ?? ""), match[2]);
  if (digits) for (const match of text.matchAll(CJK_NUMBER)) add(match, canonical(match[1] ?? ""), match[2]);
  for (const match of text.matchAll(HAN_NUMBER)) add(match, String(hanValue(match[2] ?? "")), match[3]);
  for (const match of text.matchAll(WORD_NUMBER)) add(match, String(WORDS[match[1] ?? ""] ?? 0), match[2]);
  return Array.from(found.values()).sort((a, b) => a.start - b.start);
}
