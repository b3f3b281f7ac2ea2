/** Whether one exact detail of a statement stands in its evidence. */
import { type Clause, clausesOf, signedDetail } from "../language/clauses.ts";
import { dateStands } from "../language/dates.ts";
import { type Detail, detailsOf } from "../language/details.ts";
import { fold } from "../language/words.ts";
import type { Evidence, Source } from "./evidence.ts";

const WORD = /[a-z0-9_]/;

/** True when `part` stands in `text` and cuts no word: `evil.example` does not stand in `notevil.example`. */
export function holds(text: string, part: string): boolean {
  for (let i = text.indexOf(part); i >= 0; i = text.indexOf(part, i + 1)) {
    const before = WORD.test(text.charAt(i - 1)) && WORD.test(part.charAt(0));
    const after = WORD.test(text.charAt(i + part.length)) && WORD.test(part.charAt(part.length - 1));
    if (!before && !after) return true;
  }
  return false;
}

const holdsAny = (source: Source, part: string) => source.texts.some((text) => holds(text, part));

/** As `holds`, for digits: `1` does not stand in `1,000`, nor `5` in `-5`. */
function holdsNumber(source: Source, value: string): boolean {
  const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const form = new RegExp(`(?<![\\w])(?<!\\d[.,])(?<!(?:^|[\\s(])[-−])${escaped}(?![\\w])(?![.,]\\d)`);
  return source.texts.some((text) => form.test(text));
}

/** A pattern of a date (`vYYYY.MM.DD`) stands where a date of that pattern does. */
function placeholderStands(key: string, source: Source): boolean {
  if (!/yyyy|mm|dd/.test(key)) return false;
  const escaped = key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const form = escaped.replace("yyyy", "\\d{4}").replace("mm", "\\d{2}").replace("dd", "\\d{2}");
  return source.texts.some((text) => new RegExp(`(?<![a-z0-9])${form}(?![a-z0-9])`).test(text));
}

/** `and/or` is two words, not a path. */
function wordPairStands(detail: Detail, source: Source): boolean {
  const parts = detail.key.split("/");
  return parts.length === 2 && !/[.\d]/.test(detail.key) && parts.every((part) => holdsAny(source, part));
}

const LIMIT =
  /\b(?:limit|cap|max|min|maximum|minimum|threshold|budget|at least|at most|up to)\b|上限|下限|最多|最少|至少|不超过|限制/;

/** The bounds under which a value is named, a denied one turned round; null: without a bound. */
function boundsOf(clauses: readonly Clause[], value: string): ReadonlySet<string | null> {
  const numbers = clauses.flatMap(({ details }) => details.filter(({ number }) => number?.value === value));
  return new Set(numbers.map((detail) => signedDetail(detail).term.split(":")[2] ?? null));
}

/** A number stands with the same unit and bound; a unit that only one side names, and the bound of a limit, are a matter of wording. */
function numberStands(detail: Detail, source: Source, claim: string): boolean {
  const number = detail.number;
  if (!number) return false;
  const said = source.details.flatMap((other) => (other.number?.value === number.value ? [other.number] : []));
  if (said.length === 0) return number.unit === null && holdsNumber(source, number.value);
  if (!said.some(({ unit }) => unit === number.unit || unit === null || number.unit === null)) return false;
  const bounds = boundsOf(source.clauses, number.value);
  const claimed = boundsOf(clausesOf(claim), number.value);
  if (Array.from(claimed).every((bound) => bounds.has(bound))) return true;
  return LIMIT.test(number.bound === null ? fold(claim) : bounds.has(null) ? source.texts.join("\n") : "");
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** A weekday that was not said may stand beside its date. */
function weekdayStands(detail: Detail, claim: string): boolean {
  const weekday = WEEKDAYS.indexOf(detail.text.toLowerCase());
  return (
    weekday >= 0 &&
    detailsOf(claim).some(({ date }) => {
      if (!date || date.year === null || date.day === null) return false;
      return new Date(Date.UTC(date.year, date.month - 1, date.day)).getUTCDay() === weekday;
    })
  );
}

function standsIn(detail: Detail, source: Source, claim: string, years: ReadonlySet<number>): boolean {
  switch (detail.kind) {
    case "date":
      return source.dates.some((said) => detail.date !== null && dateStands(detail.date, said, years));
    case "number":
      return numberStands(detail, source, claim);
    case "name":
      return source.words.has(detail.key) || holdsAny(source, fold(detail.text)) || weekdayStands(detail, claim);
    case "path":
      return holdsAny(source, detail.key) || wordPairStands(detail, source);
    case "compound":
      return [detail.key, detail.key.replaceAll("-", " "), detail.key.replaceAll("-", "")].some((form) =>
        holdsAny(source, form),
      );
    case "identifier":
      return holdsAny(source, detail.key) || placeholderStands(detail.key, source);
    default:
      return source.texts.some((text) => holds(text.replace(/\s+/g, " "), detail.key.replace(/\s+/g, " ")));
  }
}

/** `1.`, `2)`, `(3)`, `第一步`: numbering of steps says nothing. */
function numbersSteps(detail: Detail, claim: string): boolean {
  const around = claim.slice(Math.max(0, detail.start - 3), detail.end + 2);
  return (
    detail.number !== null &&
    Number(detail.number.value) <= 20 &&
    /(?:^|[\s;；,，:：(])\(?\d{1,2}[.)、]|第/.test(around)
  );
}

/** The details of a claim that stand neither in the quotes nor in the entries it starts from. */
export function missingDetails(claim: string, evidence: Evidence): Detail[] {
  return detailsOf(claim).filter(
    (detail) =>
      !/^(?:one|single|a)$/i.test(detail.text) &&
      !numbersSteps(detail, claim) &&
      !standsIn(detail, evidence.quotes, claim, evidence.years) &&
      !standsIn(detail, evidence.entries, claim, evidence.years),
  );
}
