/** Passwords told beside a user's name, without a word that names them: "the test login is gateadmin with Xy-1234", 登录用 admin / Xy-1234. */
import { looksLikePassword } from "./placeholder.ts";
import type { Span } from "./spans.ts";

const LOGIN =
  /(?:\blog-?ins?\b|\blog(?:ged)? in\b|\bsign(?:ed)?[ -]in\b|\bcredentials?\b|\b(?:test|demo|admin|service|shared) (?:account|user)\b|账号|帳號|账户|登录|登錄|登陆)[^\n。；;]{0,60}?(?:\b(?:is|are|as|with|use|using)\b|[:：是为用])[^\S\n]{0,2}["'`]?[\w.@-]{2,40}["'`]?[^\S\n]{0,2}(?:\b(?:with|and|plus|then|pass(?:word)?|pw)\b|[/,，、|+]|密码|和)[^\S\n]{0,2}["'`“「]?([\x21-\x7e]{8,128})/dgi;

/** A name alone has no digits beside signs or both cases: "OAuth2", "user-2" are none. */
const isMixed = (word: string) =>
  /\d/.test(word) && /[A-Za-z]/.test(word) && (/[^A-Za-z0-9]/.test(word) || (/[a-z]/.test(word) && /[A-Z]/.test(word)));

export function findLogins(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(LOGIN)) {
    const [start = 0] = match.indices?.[1] ?? [];
    const secret = (match[1] ?? "").replace(/["'`,;.)”」]{0,3}$/, "");
    if (secret.length < 8 || /^https?:|\[redacted:/.test(secret) || /^[\w-]+(?:\.[\w-]+)+$/.test(secret)) continue;
    if (isMixed(secret) && looksLikePassword(secret, false))
      spans.push({ start, end: start + secret.length, rule: "password" });
  }
  return spans;
}
