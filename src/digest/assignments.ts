/** Secrets told by their name: `DB_PASSWORD=...`, `"apiKey": "..."`, "the password is ...", `密码是 ...`, `--token ...`. */
import { looksLikePassword, looksLikeToken } from "./placeholder.ts";
import type { Span } from "./spans.ts";

const PASSWORD_WORD = "pass(?:word|wd|phrase|code)|pwd|pass|pin[ _-]?code|密码|密碼|口令|登录密码";
const TOKEN_WORD =
  "secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|auth[ _-]?key|(?:signing|encryption|master|account|license|deploy|storage|webhook|session|service)[ _-]?key|credentials?|bearer|令牌|密钥|密鑰|秘钥|私钥|凭证|凭据";
const NAME = new RegExp(`(${PASSWORD_WORD})|(${TOKEN_WORD})`, "gi");

const NAME_REST = /[A-Za-z0-9_-]{0,40}/y;
/** Names that end so hold something about a secret, not the secret. */
const NOT_A_VALUE =
  /^(?:s$|ed$|ing$|i[sz]|ary|aries|less|like)|(?:ur[il]|file|path|name|type|kind|count|limit|length|size|ids?|budget|ttl|expir\w*|endpoint|header|field|policy|manager|provider|store|vault|ref|arn|version|usage|rotat\w*|reset|prompt|hint|input|label|class|per_\w+|max|min)$/i;

/** After the name: an operator of code, configuration or a list. */
const OPERATOR = /["'`\]]{0,2}\*{0,2}[^\S\n]{0,3}(?::=|=>|={1,3}|[:：＝])\*{0,2}[^\S\n]{0,3}/y;
/** After the name: words of a sentence. Bounded and lazy, so that a long line costs no more than its first 80 characters. */
const SENTENCE =
  /(?:[^\S\n]{1,3}(?:(?:for|of|to|on|in|at|from)[^\S\n][^\n.;:=。；]{1,60}?)?(?:(?<=[^\S\n])|[^\S\n])(?:(?:is|was|are)(?:[^\S\n](?:now|currently|still|set to|changed to))?|(?:changed|set|reset|rotated|updated)[^\S\n]to|becomes|equals)[^\S\n]{1,2}|[^\S\n]{1,3}(?:for|of|to|on|in|at)[^\S\n][^\n.;:=。；]{1,60}?[:=][^\S\n]{0,3})/iy;
const CHINESE_SENTENCE =
  /(?:[（(][^）)\n]{0,30}[）)])?[^\S\n]{0,2}(?:现在|现为|目前|暂时|暂定|已经?|就|先|都|统一|默认|应该)?[^\S\n]{0,2}(?:是|为|改成了?|改为|换成了?|换为|设成了?|设为|设置为|设置成|用的?是?|叫|[:：=])[^\S\n]{0,2}/y;
/** Nothing but a blank: `--password Xy12`, `密码 Xy12`. */
const GAP = /[^\S\n]{1,3}(?=["'`]?[A-Za-z0-9])/y;
const QUOTED = /(["'`])([^\n]{1,512}?)\1/y;
const CJK_QUOTED = /[「“『‘]([\x21-\x7e]{1,200})[」”』’]/y;
const WORD_REST = /[&|<>\\][\x21-\x7e]{1,200}/y;
const BARE = /[\x21-\x7e]{1,2048}/y;

function stick(pattern: RegExp, text: string, index: number): string | null {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0] ?? null;
}

interface Value {
  readonly start: number;
  readonly end: number;
}

/** The value at `index`: what quotes enclose, or a run without blanks, less the punctuation that belongs to the sentence or code. */
function valueAt(text: string, index: number, isCode: boolean): Value | null {
  const quoted = stick(QUOTED, text, index) ?? stick(CJK_QUOTED, text, index);
  if (quoted) return { start: index + 1, end: index + quoted.length - 1 };
  let bare = stick(BARE, text, index);
  if (bare === null) return null;
  const start = index + (/^["'`]/.test(bare) ? 1 : 0);
  bare = text.slice(start, index + bare.length);
  if (isCode) bare = bare.replace(/["'`<>,;)}\]\\|&].*$/s, "");
  bare = bare.replace(/["'`]?[,;.)]{0,3}$/, "");
  return bare === "" ? null : { start, end: start + bare.length };
}

/** What looks like a secret up to a `&` or `|` goes on behind it where people wrote `password: tr0ub&3x`. */
function wholeWord(text: string, value: Value, { colon }: ValuePlace): Value {
  const rest = colon ? (stick(WORD_REST, text, value.end) ?? "") : "";
  return { start: value.start, end: value.end + rest.replace(/["'`,;.)}\]>]+$/, "").length };
}

interface Named {
  /** Where the name's last character ends. */
  readonly end: number;
  readonly password: boolean;
  readonly chinese: boolean;
  /** The whole identifier, as `DB_PASSWORD`. */
  readonly identifier: string;
  readonly start: number;
}

/** The identifier around a matched word, or null when it is another word (`bypass`, `secretary`, `max_tokens`, `token_url`). */
function named(text: string, match: RegExpExecArray | RegExpMatchArray): Named | null {
  const index = match.index ?? 0;
  const word = match[0];
  const chinese = /[^\x00-\x7f]/.test(word);
  const rest = chinese ? "" : (stick(NAME_REST, text, index + word.length) ?? "");
  const before = /[A-Za-z0-9_.-]{0,40}$/.exec(text.slice(Math.max(0, index - 40), index))?.[0] ?? "";
  if (!chinese) {
    // `bypass` and `compass` are other words; `dbPass` is not.
    const hump = /[a-z]$/.test(before) && /^[A-Z]/.test(word);
    if (/^(?:pass|pwd)$/i.test(word) && /[A-Za-z]$/.test(before) && !hump) return null;
    // The user part of an address: what follows the colon is found there, without the host.
    if (text.slice(Math.max(0, index - before.length - 3), index - before.length) === "://") return null;
    if (/^[a-z]/.test(rest) || NOT_A_VALUE.test(rest)) return null;
  }
  return {
    start: index - before.length,
    end: index + word.length + rest.length,
    password: match[1] !== undefined,
    chinese,
    identifier: before + word + rest,
  };
}

const ENV_NAME = /^[A-Z][A-Z0-9_]*$/;

interface ValuePlace {
  readonly index: number;
  /** The place alone says that it is a value: an environment file. */
  readonly loose: boolean;
  /** The value goes on to the end of its line. */
  readonly wholeLine: boolean;
  /** An operator stands before it; in a sentence the value is one word. */
  readonly assigned: boolean;
  /** The operator is a colon and a blank, as people and YAML write it. */
  readonly colon: boolean;
}

/** Where the value of a named secret starts. "Pass" is a verb too, so it needs an operator. */
function placeOf(text: string, name: Named): ValuePlace | null {
  const operator = stick(OPERATOR, text, name.end);
  if (operator !== null) {
    const env = ENV_NAME.test(name.identifier) && operator === "=";
    const wholeLine = env && lineStartsBefore(text, name.start);
    const colon = /^[:：][^\S\n]+$/.test(operator);
    return { index: name.end + operator.length, loose: env, wholeLine, assigned: true, colon };
  }
  if (/pass$/i.test(name.identifier)) return null;
  const words =
    stick(name.chinese ? CHINESE_SENTENCE : SENTENCE, text, name.end) ?? stick(CHINESE_SENTENCE, text, name.end);
  const gap = words ?? stick(GAP, text, name.end);
  return gap === null
    ? null
    : { index: name.end + gap.length, loose: false, wholeLine: false, assigned: false, colon: false };
}

function lineStartsBefore(text: string, index: number): boolean {
  const before = text.slice(text.lastIndexOf("\n", index - 1) + 1, index);
  return /^\s*(?:export\s+|[+-]\s?|\d{1,5}[→:\t]\s*)?$/.test(before.slice(0, 60));
}

/** Values assigned to secret-ish names, in code, configuration, command lines and sentences (English and Chinese). */
export function findAssignments(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(NAME)) {
    const name = named(text, match);
    const place = name && placeOf(text, name);
    // People end a password at a blank: in `the password is tr0ub&3x` the ampersand is no operator, as it is in `?pass=tr0ub&user=ann`.
    const value = place && valueAt(text, place.index, place.assigned && !place.wholeLine);
    if (!name || !place || !value) continue;
    const secret = text.slice(value.start, value.end);
    if (secret.includes("[redacted:") || (!place.assigned && /\s/.test(secret))) continue;
    const looks = name.password ? looksLikePassword(secret, place.loose) : looksLikeToken(secret, place.loose);
    if (looks) spans.push({ ...wholeWord(text, value, place), rule: name.password ? "password" : "secret" });
  }
  return spans;
}
