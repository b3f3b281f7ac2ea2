/** Keys that can be told by their own shape, whoever wrote them and wherever they stand. */
import { isDummyKey } from "./placeholder.ts";
import type { Span } from "./spans.ts";

/**
 * Prefix, the characters of the body, and the least length of the body. A body that a cut made shorter still counts when the
 * ellipsis of the cut follows. Lengths lie well below the issued ones, so that a key without its last characters is found too.
 */
const PREFIXED: readonly (readonly [rule: string, prefix: string, body: string, least: number])[] = [
  ["anthropic", "sk-ant-", "[A-Za-z0-9_-]", 16],
  ["openai", "sk-(?:(?:proj|svcacct|admin|or-v1)-)?", "[A-Za-z0-9_-]", 20],
  ["github", "gh[pousr]_", "[A-Za-z0-9]", 16],
  ["github", "github_pat_", "[A-Za-z0-9_]", 16],
  ["gitlab", "gl(?:pat|dt|rt|cbt|ptt|ft|agent|oas|soat|imt)-", "[A-Za-z0-9_.-]", 16],
  ["slack", "xox[a-z](?:\\.xox[a-z])?-", "[A-Za-z0-9-]", 10],
  ["slack", "xapp-", "[A-Za-z0-9-]", 16],
  ["google", "AIza", "[A-Za-z0-9_-]", 30],
  ["google", "ya29\\.", "[A-Za-z0-9_-]", 20],
  ["google", "GOCSPX-", "[A-Za-z0-9_-]", 20],
  ["stripe", "(?:sk|rk)_(?:live|test)_", "[A-Za-z0-9]", 10],
  ["stripe", "whsec_", "[A-Za-z0-9+/=]", 16],
  ["npm", "npm_", "[A-Za-z0-9]", 30],
  ["pypi", "pypi-", "[A-Za-z0-9_-]", 40],
  ["rubygems", "rubygems_", "[a-f0-9]", 32],
  ["sendgrid", "SG\\.[A-Za-z0-9_-]{12,64}\\.", "[A-Za-z0-9_-]", 12],
  ["twilio", "SK", "[a-f0-9]", 32],
  ["huggingface", "(?:hf|api_org)_", "[A-Za-z0-9]", 28],
  ["linear", "lin_(?:api|oauth)_", "[A-Za-z0-9]", 20],
  ["notion", "(?:ntn|secret)_", "[A-Za-z0-9]", 40],
  ["shopify", "shp(?:at|ca|pa|ss)_", "[A-Za-z0-9]", 24],
  ["digitalocean", "do[opr]_v1_", "[a-f0-9]", 32],
  ["doppler", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.", "[A-Za-z0-9._-]", 20],
  ["mailgun", "key-", "[a-f0-9]", 32],
  ["square", "sq0(?:atp|csp|idp)-", "[A-Za-z0-9_-]", 20],
  ["databricks", "dapi", "[a-f0-9]", 32],
  ["grafana", "gl(?:sa|c)_", "[A-Za-z0-9_=+/]", 30],
  ["sentry", "sntry[us]_", "[A-Za-z0-9_=+/-]", 30],
  ["vault", "hv[sbr]\\.", "[A-Za-z0-9_-]", 20],
  ["terraform", "[A-Za-z0-9]{14}\\.atlasv1\\.", "[A-Za-z0-9_-]", 30],
  ["private-key", "AGE-SECRET-KEY-1", "[A-Z0-9]", 30],
  ["onepassword", "ops_eyJ", "[A-Za-z0-9_=+/-]", 30],
  ["atlassian", "ATATT3", "[A-Za-z0-9_=-]", 30],
  ["supabase", "sb(?:p|_secret)_", "[A-Za-z0-9_]", 20],
  ["groq", "gsk_", "[A-Za-z0-9]", 30],
  ["perplexity", "pplx-", "[A-Za-z0-9]", 30],
  ["replicate", "r8_", "[A-Za-z0-9]", 30],
  ["xai", "xai-", "[A-Za-z0-9]", 40],
  ["fireworks", "fw_", "[A-Za-z0-9]", 22],
  ["figma", "fig[dour]_", "[A-Za-z0-9_-]", 30],
  ["postman", "PMAK-", "[a-f0-9-]", 40],
  ["newrelic", "NRAK-", "[A-Z0-9]", 24],
  ["docker", "dckr_(?:pat|oat)_", "[A-Za-z0-9_-]", 20],
  ["planetscale", "pscale_(?:tkn|pw|oauth)_", "[A-Za-z0-9_.=-]", 20],
  ["pulumi", "pul-", "[a-f0-9]", 32],
  ["heroku", "HRKU-", "[A-Za-z0-9_-]", 30],
  ["alibaba", "LTAI", "[A-Za-z0-9]", 12],
  ["tencent", "AKID", "[A-Za-z0-9]", 28],
  ["baidu", "bce-v3/ALTAK-", "[A-Za-z0-9/]", 20],
  ["airtable", "pat[A-Za-z0-9]{14}\\.", "[a-f0-9]", 40],
];

/** Keys without a prefix of their own, or with a form that needs more than one. */
const SHAPED: readonly (readonly [rule: string, pattern: string])[] = [
  ["aws", "(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["aws", "(?:AKIA|ASIA)[A-Z0-9]{4,15}(?=…)"],
  ["jwt", "eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*)*"],
  ["telegram", "\\d{8,10}:AA[A-Za-z0-9_-]{30,}"],
  ["discord", "[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}"],
  ["mailchimp", "[a-f0-9]{32}-us\\d{1,2}(?![A-Za-z0-9])"],
  ["azure", "[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}"],
  ["zhipu", "[a-f0-9]{32}\\.[A-Za-z0-9]{16}(?![A-Za-z0-9])"],
];

/** A key starts a word; `\n` written out before it (JSON in tool output) starts one too. */
const START = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrtbf]))";

function build(): { pattern: RegExp; rules: string[] } {
  const forms: (readonly [string, string])[] = PREFIXED.map(([rule, prefix, body, least]) => [
    rule,
    `${prefix}(?:${body}{${least},}|${body}{4,}(?=…))`,
  ]);
  const all = [...forms, ...SHAPED];
  const alternatives = all.map(([, source]) => `(${source})`).join("|");
  return { pattern: new RegExp(`${START}(?:${alternatives})`, "g"), rules: all.map(([rule]) => rule) };
}

const KEYS = build();

/** Vendors print this identifier in their documentation. A sentence may name it; an assignment may be somebody's real file. */
const DOCUMENTED = /^AKIA[A-Z0-9]{9}EXAMPLE$/;
const ASSIGNED = /[=:：]\s{0,3}["'`]?$/;

function isHarmless(rule: string, key: string, text: string, index: number): boolean {
  if (rule === "aws" && DOCUMENTED.test(key)) return !ASSIGNED.test(text.slice(Math.max(0, index - 6), index));
  if (rule === "openai" && !/\d|[A-Z]/.test(key)) return true;
  return isDummyKey(key.replace(/^[A-Za-z0-9]{2,10}[-_](?:[a-z]{3,8}\d{0,2}[-_])?/, ""));
}

/** Every key of a known shape in the text. One pass; each alternative starts with literal characters and repeats one class only. */
export function findProviderKeys(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(KEYS.pattern)) {
    const which = match.findIndex((group, i) => i > 0 && group !== undefined) - 1;
    const rule = KEYS.rules[which] ?? "key";
    if (isHarmless(rule, match[0], text, match.index)) continue;
    spans.push({ start: match.index, end: match.index + match[0].length, rule });
  }
  return spans;
}
