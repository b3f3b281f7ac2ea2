/** Cron expressions of five fields, checked here so that a mistake is told with its line; `triggers/schedule.ts` gives them to node-cron. */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Words for the numbers from `min` on. */
  readonly words: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: "minute", min: 0, max: 59, words: [] },
  { name: "hour", min: 0, max: 23, words: [] },
  { name: "day of the month", min: 1, max: 31, words: [] },
  { name: "month", min: 1, max: 12, words: MONTHS },
  { name: "day of the week", min: 0, max: 7, words: DAYS },
];

/** What is wrong with a window, or null. */
export function cronProblem(text: string): string | null {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== FIELDS.length)
    return 'must be a cron expression of five fields (minute, hour, day, month, weekday); "* 1-5 * * *" is from one to six at night';
  for (const [i, field] of FIELDS.entries()) {
    const wrong = (parts[i] ?? "").split(",").some((item) => !fits(item, field));
    if (wrong) return `has a ${field.name} that is none: from ${field.min} to ${field.max}, as in 1-5, 1,3 or */2`;
  }
  return null;
}

/** `*`, `5`, `1-5`, `mon-fri`, and each with a step. */
function fits(item: string, field: Field): boolean {
  const [range = "", step, ...more] = item.split("/");
  if (more.length > 0 || (step !== undefined && !/^[1-9]\d?$/.test(step))) return false;
  if (range === "*") return true;
  const [from = "", to, ...rest] = range.split("-");
  const [first, last] = [numberOf(from, field), to === undefined ? null : numberOf(to, field)];
  if (rest.length > 0 || first === null || (to !== undefined && last === null)) return false;
  return last === null || first <= last;
}

function numberOf(text: string, { min, max, words }: Field): number | null {
  const word = words.indexOf(text.toLowerCase());
  if (word >= 0) return word + min;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}
