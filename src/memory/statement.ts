/** When two statements say the same: a key for equality, a measure for likeness, and what makes like ones contradict. */
import { shortHash } from "../base/ids.ts";
import { oneLine, stripInvisible } from "../base/text.ts";

const TAIL = /^\[(?:(?:created|updated)\s*:[^[\]]*|pinned|unconfirmed)\]$/i;
/** The CJK letters, as the inside of a character class. */
export const CJK = "\\u3040-\\u30FF\\u3400-\\u9FFF\\uAC00-\\uD7AF\\uF900-\\uFAFF";

/** Cuts `[created: ...]`, `[pinned]`, `[unconfirmed]` off the end. */
export function withoutTails(text: string): string {
  let rest = text.trim();
  // Searched from the end: a pattern with leading blanks takes quadratic time on a hostile line.
  for (let at = rest.lastIndexOf("["); at >= 0 && TAIL.test(rest.slice(at)); at = rest.lastIndexOf("[")) {
    rest = rest.slice(0, at).trimEnd();
  }
  return rest;
}

const CLOSING = new Set(" .,;:!?。，、；：！？…");

function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && CLOSING.has(text[end - 1] ?? "")) end--;
  return text.slice(0, end);
}

/** Lower case, except one-letter flags: `-v` and `-V` are two things. */
const fold = (text: string) =>
  text.replace(/(?<![\w-])-[A-Z](?!\w)|\p{Lu}+/gu, (part) => (part.startsWith("-") ? part : part.toLowerCase()));

const BESIDE_CJK = new RegExp(`(?<=[${CJK}]) | (?=[${CJK}])`, "g");

/**
 * Equal keys mean the same statement: compatibility forms, case, white space, bullets, emphasis, quote marks, trailing
 * punctuation and memd's own marks do not count. Stored in evidence.jsonl: a change here orphans evidence.
 */
export function statementKey(statement: string): string {
  const plain = stripInvisible(withoutTails(statement).normalize("NFKC"))
    .replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/, "")
    .replace(/[*`"'“”‘’「」『』]|__/g, "");
  return withoutClosing(fold(oneLine(plain)).replace(BESIDE_CJK, ""));
}

/** `limits#3fa9c1d2`: stable while the statement keeps its key. */
export function entryId(slug: string, statement: string): string {
  return `${slug}#${shortHash(statementKey(statement)).slice(0, 8)}`;
}

const NEGATION =
  /(?<![\w'])(?:not|no|never|none|without|cannot|don't|doesn't|didn't|won't|isn't|aren't|can't|shouldn't|mustn't|avoid|stop|neither|nor|no longer)(?![\w'])|不|没|沒|别|別|勿|禁止|避免|无需|無需/giu;

const IDENTIFIER =
  /https?:\/\/\S+|`[^`]+`|(?<![\w.@~-])[\w.@~-]*[/\\][\w./\\@~-]+|(?<![\w-])[A-Za-z_][\w-]*\.[A-Za-z][\w.-]*|(?<!\w)--?[A-Za-z][\w-]*|(?<!\w)[A-Za-z]+_\w+|(?<!\w)[a-z]+[A-Z]\w*|(?<!\w)[A-Z]{2,}[A-Z0-9_-]*(?!\w)/g;

const NUMBER = /\d+(?:[.,:/-]\d+)*/g;

/** One line in one form, so that no pattern meets long runs of blanks. */
export const normal = (text: string) => oneLine(stripInvisible(text.normalize("NFKC"))).replace(/[‘’]/g, "'");
const strip = (word: string) => word.replace(/^[`'"(]+|[`'").,;:!?]+$/g, "").toLowerCase();

/** What a statement must not change silently: its numbers, whether it denies, and the names of things. */
export interface Details {
  readonly numbers: ReadonlySet<string>;
  readonly denies: boolean;
  readonly identifiers: ReadonlySet<string>;
}

export function detailsOf(statement: string): Details {
  const text = normal(withoutTails(statement));
  return {
    numbers: new Set(text.match(NUMBER) ?? []),
    denies: (text.match(NEGATION)?.length ?? 0) % 2 === 1,
    identifiers: new Set((text.match(IDENTIFIER) ?? []).map(strip).filter((word) => word !== "")),
  };
}
