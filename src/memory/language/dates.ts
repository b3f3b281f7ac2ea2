/** Absolute dates in a text, English and Chinese. Relative phrases are resolved by the digest, never here. */

/** A part that the text does not say is null. */
export interface DateParts {
  readonly year: number | null;
  readonly month: number;
  readonly day: number | null;
}

export interface FoundDate extends DateParts {
  readonly start: number;
  readonly end: number;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(?:,?\\s+(\\d{4}))?";

type Pick = (
  groups: readonly (string | undefined)[],
) => readonly [year: string | undefined, month: string | undefined, day: string | undefined];

/** Longest form first: what one form took is not read again. */
const FORMS: readonly (readonly [RegExp, Pick])[] = [
  [/(?<![\w.])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\w-]|\.\d)/g, ([y, m, d]) => [y, m, d]],
  [/(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]/g, ([y, m, d]) => [y, m, d]],
  [/(?<!\d)(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]/g, ([m, d]) => [undefined, m, d]],
  [new RegExp(`\\b${DAY}(?:\\s+day)?\\s+(?:of\\s+)?${MONTH}(?![a-z])${YEAR}`, "g"), ([d, m, y]) => [y, m, d]],
  [new RegExp(`\\b${MONTH}(?![a-z])\\s+(?:the\\s+)?${DAY}(?!\\d|:)${YEAR}`, "g"), ([m, d, y]) => [y, m, d]],
  [new RegExp(`\\b${MONTH}(?![a-z])\\s+(?:of\\s+)?(\\d{4})\\b`, "g"), ([m, y]) => [y, m, undefined]],
  [/(\d{4})\s*年\s*(\d{1,2})\s*月/g, ([y, m]) => [y, m, undefined]],
  [/(?<![\w.-])(\d{4})-(\d{2})(?![\w-])/g, ([y, m]) => [y, m, undefined]],
];

function monthOf(text: string | undefined): number {
  if (text === undefined) return 0;
  return /^\d/.test(text) ? Number(text) : MONTHS.indexOf(text.slice(0, 3)) + 1;
}

function valid(parts: DateParts): boolean {
  const { month, day } = parts;
  return month >= 1 && month <= 12 && (day === null || (day >= 1 && day <= 31));
}

/** Dates in reading order. `text` must be folded. */
export function datesIn(text: string): FoundDate[] {
  const found: FoundDate[] = [];
  if (!/\d/.test(text)) return found;
  for (const [form, pick] of FORMS) {
    for (const match of text.matchAll(form)) {
      const [year, month, day] = pick(match.slice(1));
      const date: FoundDate = {
        year: year === undefined ? null : Number(year),
        month: monthOf(month),
        day: day === undefined ? null : Number(day),
        start: match.index,
        end: match.index + match[0].length,
      };
      if (valid(date) && !found.some((other) => date.start < other.end && other.start < date.end)) found.push(date);
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** `2026-12-03`, `12-03` without a year, `2026-12` without a day. */
export function dateKey(date: DateParts): string {
  const two = (n: number) => String(n).padStart(2, "0");
  const year = date.year === null ? "" : `${date.year}-`;
  return `${year}${two(date.month)}${date.day === null ? "" : `-${two(date.day)}`}`;
}

/** True when `said` bears out `claimed`: nothing claimed that was not said, except a year from `years` where none was said. */
export function dateStands(claimed: DateParts, said: DateParts, years: ReadonlySet<number>): boolean {
  if (claimed.month !== said.month || (claimed.day !== null && claimed.day !== said.day)) return false;
  if (claimed.year === null || claimed.year === said.year) return true;
  return said.year === null && years.has(claimed.year);
}
