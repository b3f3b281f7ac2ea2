/** Passwords inside addresses and request headers: only the secret part goes, so that host and name stay readable. */
import { isPlaceholder } from "./placeholder.ts";
import type { Span } from "./spans.ts";

const USER_AND_COLON = /(?<![A-Za-z0-9])([a-z][a-z0-9+.-]{1,30}):\/\/[^\s:@/?#"'<>`|]{0,128}:/gi;
const REST = /[^\s"'<>`]{1,600}/y;
const WEB = /^(?:https?|wss?|git|file)$/i;

/** `scheme://user:password@host`. A password may hold `@`; outside web addresses it may hold `/` too. */
function findUrlPasswords(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(USER_AND_COLON)) {
    const start = match.index + match[0].length;
    REST.lastIndex = start;
    const rest = REST.exec(text)?.[0] ?? "";
    const authority = /^[^/?#]*/.exec(rest)?.[0] ?? "";
    let at = authority.lastIndexOf("@");
    if (at < 0 && !WEB.test(match[1] ?? "")) at = rest.search(/@[\w[][\w.-]*(?:[:/?,]|$)/);
    if (at > 0 && !isUrlPlaceholder(rest.slice(0, at))) spans.push({ start, end: start + at, rule: "password" });
  }
  return spans;
}

function isUrlPlaceholder(value: string): boolean {
  return isPlaceholder(value) || /^\[redacted:[a-z-]+\]$/.test(value);
}

interface Shape {
  readonly rule: string;
  /** Group 1 is the secret. */
  readonly pattern: RegExp;
  /** What the secret must look like, beyond the pattern. */
  readonly mixed: boolean;
}

const SHAPES: readonly Shape[] = [
  { rule: "token", pattern: /[a-z][a-z0-9+.-]{1,30}:\/\/([A-Za-z0-9_%.~-]{20,200})@[\w.-]/dgi, mixed: true },
  {
    rule: "token",
    pattern:
      /[?&;](?:access_token|auth_token|refresh_token|id_token|token|api[_-]?key|apikey|key|secret|client_secret|sig|signature|sign|X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature)=([^\s&;#"'<>`]{8,2000})/dgi,
    mixed: true,
  },
  { rule: "bearer", pattern: /\bBearer[ +]{1,3}([A-Za-z0-9._~+/=-]{12,})/dgi, mixed: true },
  {
    rule: "authorization",
    pattern:
      /\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:basic|token|apikey|digest|negotiate)\s{1,3}([A-Za-z0-9._~+/=-]{8,})/dgi,
    mixed: false,
  },
  { rule: "cookie", pattern: /\b(?:set-)?cookie["']?:\s{0,3}["']?[\w.-]{1,64}=([^\s;"']{16,})/dgi, mixed: true },
  {
    rule: "azure",
    pattern: /\b(?:AccountKey|SharedAccessKey|SharedAccessSignature)=([A-Za-z0-9+/%=&_-]{20,})/dgi,
    mixed: true,
  },
  {
    rule: "slack",
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_-]{12,})/dgi,
    mixed: false,
  },
  { rule: "webhook", pattern: /discord(?:app)?\.com\/api\/webhooks\/(\d{6,}\/[A-Za-z0-9_-]{10,})/dgi, mixed: false },
  {
    rule: "webhook",
    pattern: /(?:feishu|larksuite)\.c(?:n|om)\/open-apis\/bot\/v2\/hook\/([A-Za-z0-9-]{10,})/dgi,
    mixed: false,
  },
  { rule: "webhook", pattern: /webhook\.office\.com\/webhookb2\/([A-Za-z0-9@/-]{20,})/dgi, mixed: false },
  {
    rule: "password",
    pattern: /\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]{0,2}["']?[^\s:"']{1,64}:([^\s"']{1,128})/dgi,
    mixed: false,
  },
  { rule: "password", pattern: /\bsshpass\s{1,3}-p\s{0,2}["']?([^\s"']{1,128})/dgi, mixed: false },
  {
    rule: "password",
    pattern: /\b(?:mysql|mysqldump|mariadb)\b[^\n|;&]{0,120}?\s-p([^\s"'-][^\s"']{2,128})/dgi,
    mixed: false,
  },
  { rule: "password", pattern: /\bredis-cli\b[^\n|;&]{0,120}?\s-a\s{1,2}["']?([^\s"']{3,128})/dgi, mixed: false },
];

function findShapes(text: string): Span[] {
  const spans: Span[] = [];
  for (const shape of SHAPES) {
    for (const match of text.matchAll(shape.pattern)) {
      const [start, end] = match.indices?.[1] ?? [0, 0];
      const value = text.slice(start, end);
      if (isUrlPlaceholder(value) || (shape.mixed && !(/\d/.test(value) && /[A-Za-z]/.test(value)))) continue;
      spans.push({ start, end, rule: shape.rule });
    }
  }
  return spans;
}

/**
 * AWS secret access keys have no prefix: forty characters of Base64 count within 200 characters of `aws`, `secret` or a key id.
 * A git SHA has forty characters too, but no capital letters.
 */
function findAwsSecrets(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g)) {
    const value = match[0];
    if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d/.test(value)) continue;
    const around = text.slice(Math.max(0, match.index - 200), match.index + value.length + 200);
    if (/aws|secret|(?:AKIA|ASIA)[A-Z0-9]{12}|\[redacted:aws\]/i.test(around.replace(value, " "))) {
      spans.push({ start: match.index, end: match.index + value.length, rule: "aws" });
    }
  }
  return spans;
}

/** Passwords in addresses, tokens in query strings and headers, webhooks, AWS secret keys. */
export function findConnections(text: string): Span[] {
  return [...findUrlPasswords(text), ...findShapes(text), ...findAwsSecrets(text)];
}
