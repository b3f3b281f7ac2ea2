/** The parts of a sentence that can be checked exactly: numbers, dates, paths, addresses, identifiers, quoted words, names. */
import { type DateParts, dateKey, datesIn } from "./dates.ts";
import { isGlue } from "./glue.ts";
import { type FoundNumber, numbersIn } from "./numbers.ts";
import { foldForms, stem } from "./words.ts";

export type DetailKind = "url" | "code" | "quoted" | "date" | "path" | "identifier" | "compound" | "number" | "name";

export interface Detail {
  readonly kind: DetailKind;
  /** As it stands in the text (compatibility forms folded, case kept). */
  readonly text: string;
  /** What two details are compared by; for one kind only. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly date: DateParts | null;
  readonly number: FoundNumber | null;
}

const TRAILING = /[.,;:!?)\]}'"]+$/;

/** In order: what one form took is blanked out and not read again. */
const FORMS: readonly (readonly [DetailKind, RegExp])[] = [
  ["url", /\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"'`，。；、）」』”]+/gi],
  [
    "url",
    /(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|ai|cn|de|eu|uk|local|internal|example|invalid|test)(?::\d+)?(?:\/[^\s<>"'`，。；、）」』”]*)?(?![\w-])/gi,
  ],
  ["code", /`([^`]+)`/g],
  ["quoted", /"([^"]+)"|“([^”]+)”|「([^」]+)」|『([^』]+)』|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu],
];
const LATER: readonly (readonly [DetailKind, RegExp])[] = [
  ["identifier", /(?<![\w.-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
  ["path", /(?<![\w/\\])(?:~|\.{1,2})?(?:[/\\]?[\w.@*-]+)?(?:[/\\][\w.@*{}-]*)+/g],
  ["identifier", /(?<![\w#@-])(?:--?[a-z][\w-]*|[#@][\p{L}_][\p{L}\d_/-]*|<[\w-]+>)/giu],
  ["identifier", /(?<![\w.-])[a-z_][\w-]*(?:\.[\w-]*[a-z_\d][\w-]*)+(?![\w-])/gi],
  ["identifier", /(?<![\w-])(?:[a-z\d]+(?:_[a-z\d]+)+|[a-z]+[A-Z][A-Za-z\d]*|[A-Z][a-z\d]+[A-Z][A-Za-z\d]*)(?![\w-])/g],
  ["identifier", /(?<![\w-])(?:[A-Z]{2,}[A-Z\d]*(?:_[A-Z\d]+)*)s?(?![\w-])/g],
  ["identifier", /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[a-z\d]+(?:-[a-z\d]+)*(?![\w-])/gi],
  ["compound", /(?<![\w-])[a-z]{2,}(?:-[a-z]{2,})+(?![\w-])/gi],
];

/** Words in capitals that only shout. */
const SHOUTED = /^(?:NOT|NEVER|ALWAYS|ONLY|MUST|NO|AND|OR|ALL|DO|DONT|IF|OK|WHY|HOW|TODO|NOTE|IMPORTANT|e\.g|i\.e)$/;

function plain(kind: DetailKind, text: string, start: number): Detail {
  const inner = kind === "code" || kind === "quoted" ? text.slice(1, -1).trim() : text.replace(TRAILING, "");
  const key = kind === "path" ? inner.replace(/^\.?[/\\]+|[/\\]+$/g, "") : inner.replace(/\/+$/, "");
  return { kind, text: inner, key: key.toLowerCase(), start, end: start + text.length, date: null, number: null };
}

function take(text: string, found: Detail[], forms: typeof FORMS): string {
  let rest = text;
  for (const [kind, form] of forms) {
    for (const match of rest.matchAll(form)) {
      if (kind === "identifier" && SHOUTED.test(match[0])) continue;
      const detail = plain(kind, match[0], match.index);
      if (detail.key === "") continue;
      found.push(detail);
    }
    rest = blank(rest, found);
  }
  return rest;
}

function blank(text: string, found: readonly { readonly start: number; readonly end: number }[]): string {
  let rest = text;
  for (const { start, end } of found) rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
  return rest;
}

function takeDates(rest: string, found: Detail[]): string {
  const dates = datesIn(rest.toLowerCase());
  for (const { start, end, ...date } of dates) {
    const text = rest.slice(start, end);
    found.push({ kind: "date", text, key: dateKey(date), start, end, date, number: null });
  }
  return blank(rest, dates);
}

function takeNumbers(rest: string, found: Detail[]): string {
  const numbers = numbersIn(rest.toLowerCase());
  for (const number of numbers) {
    const { start, end } = number;
    found.push({ kind: "number", text: rest.slice(start, end), key: number.value, start, end, date: null, number });
  }
  return blank(rest, numbers);
}

/** Capitalised words that are no function words. A word that starts a sentence counts too: invented names often do. */
function takeNames(rest: string, found: Detail[]): void {
  for (const match of rest.matchAll(/(?<![\p{L}\p{N}_'-])\p{Lu}[\p{L}\p{M}]+(?:'s)?(?!'?[\p{L}\p{N}_])/gu)) {
    const word = match[0].toLowerCase();
    const key = stem(word);
    if (isGlue(word, key) || SHOUTED.test(match[0])) continue;
    found.push({
      kind: "name",
      text: match[0],
      key,
      start: match.index,
      end: match.index + match[0].length,
      date: null,
      number: null,
    });
  }
}

/** Details in reading order; positions are those of `foldForms(text)`. */
export function detailsOf(text: string): Detail[] {
  const found: Detail[] = [];
  let rest = take(foldForms(text), found, FORMS);
  rest = takeDates(rest, found);
  rest = takeIdentifiers(rest, found);
  takeNames(rest, found);
  return found.sort((a, b) => a.start - b.start);
}

/** Numbers stand between paths and words like `us-east-1`: `src/v2/x` is a path, but `44px` is a number. */
function takeIdentifiers(text: string, found: Detail[]): string {
  const dotted = take(text, found, LATER.slice(0, 4));
  const counted = takeNumbers(dotted, found);
  return take(counted, found, LATER.slice(4));
}
