/** Tells a secret value from what only stands in its place. */

const STANDS_FOR =
  /^(?:<.*|\$\{.*|\$\(.*|\$[A-Z_][A-Z0-9_]*|\$[a-z_]+|%[A-Za-z_]+%|\{.*|\[.*|[xX]{3,}|[*•.…_-]+|(?:your|my|insert|enter|replace|change)[-_]?.*|(?:.*[-_])?(?:here|placeholder)|todo|tbd|n\/a|null|none|nil|undefined|true|false|yes|no|string|str|number|bool(?:ean)?|any|unknown|required|optional|invalid|missing|expired|wrong|empty|hidden|masked|redacted|example|sample|dummy|test|demo|foo|bar|baz|pass|password|passwd|pwd|secret|token|key|api[-_]?key|disabled|enabled|development|production|staging)$/i;

/** Names of algorithms and formats hold digits but no secret ("the password is SHA256-hashed"). */
const ALGORITHM =
  /^(?:sha-?\d+|md5|bcrypt|scrypt|argon2\w*|pbkdf2|aes-?\d*|[hre]s(?:256|384|512)|base(?:32|58|62|64)(?:url)?|utf-?\d+|oauth2?|oidc|jwt|v\d+|uuid(?:v\d)?|http2?|x?509)(?:[-_ ]\w+)*$/i;

/** True when every character is one of at most two (`xxxxxxxx`, `****-****`): nobody's key looks like that. */
function monotone(value: string): boolean {
  return value.length > 2 && new Set(value.slice(0, 64)).size <= 2;
}

/** `<token>`, `$TOKEN`, `xxx`, `your-key-here`, `[redacted:aws]`, `required`: words that stand for a value. */
export function isPlaceholder(value: string): boolean {
  return value === "" || STANDS_FOR.test(value.slice(0, 200)) || monotone(value) || ALGORITHM.test(value.slice(0, 80));
}

/** The body of a key that nobody issued: `xxxxxxxx`, `your-key-here`. */
export function isDummyKey(body: string): boolean {
  return (
    monotone(body) || /^(?:your|my|insert|enter|replace|example|placeholder)[-_]|[-_](?:here|placeholder)$/i.test(body)
  );
}

const SOURCE_OF_VALUE =
  /^(?:process\.env|os\.(?:environ|getenv)|import\.meta|env[.[(]|getenv|secrets?\.|vars?\.|config\.)/i;
const CALL = /^[A-Za-z_$][\w$.]*[([]|^\(/;
const DOTTED_NAME = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]{0,30})+$/;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/](?:[\w.@~ -]+[\\/])*[\w.@~ -]*$/;
const VERSION_OR_DATE = /^v?\d+(?:[.\-/:]\d+)+(?:[-+][\w.]+)?$/i;
const AMOUNT = /^\d+(?:\.\d+)?(?:ms|s|m|h|d|k|kb|mb|gb|px|%|x)$/i;

/** Code that fetches a value, or a value of another kind (path, address, date, version, amount). */
function isReference(value: string): boolean {
  const head = value.slice(0, 200);
  if (SOURCE_OF_VALUE.test(head) || CALL.test(head) || DOTTED_NAME.test(head)) return true;
  if (/^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(head)) return true;
  return (PATH.test(head) && value.length < 40) || VERSION_OR_DATE.test(head) || AMOUNT.test(head);
}

/** So much of a value decides; the rest only costs time (hostile text repeats a name thousands of times). */
const ENOUGH = 128;

/** Letters without meaning: at least 16, the case changing more often than in a name (`kJhGfDsAqWeRtYuI`). */
function randomLetters(value: string): boolean {
  if (value.length < 16 || !/^[A-Za-z]+$/.test(value)) return false;
  const humps = value.match(/[a-z][A-Z]/g)?.length ?? 0;
  return humps >= 4 && humps / value.length > 0.18;
}

/**
 * True for a value that reads like a password: six characters or more, with a digit or a sign among letters, or five digits.
 * @param loose the place alone says that it is a value (`DB_PASSWORD=correcthorse` in an environment file)
 */
export function looksLikePassword(whole: string, loose: boolean): boolean {
  const value = whole.slice(0, ENOUGH);
  if (isPlaceholder(value) || isReference(value)) return false;
  if (/^\d+$/.test(value)) return value.length >= 5;
  if (value.length < (loose ? 4 : 6)) return false;
  return (
    loose ||
    (/\d/.test(value) && /[A-Za-z]/.test(value)) ||
    /[A-Za-z].*[!@#$%^&*+=?~]|[!@#$%^&*+=?~].*[A-Za-z]/.test(value)
  );
}

/** Stricter than for passwords: tokens are machine made, and names like `oauth2Token` are not. */
export function looksLikeToken(whole: string, loose: boolean): boolean {
  const value = whole.slice(0, ENOUGH);
  if (isPlaceholder(value) || isReference(value) || value.length < 8 || /^\d+$/.test(value)) return false;
  if (randomLetters(value) || loose) return true;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return (
    value.length >= 20 || (value.match(/\d/g)?.length ?? 0) >= 3 || !/^[A-Za-z][A-Za-z_]*\d{1,2}[A-Za-z_]*$/.test(value)
  );
}
