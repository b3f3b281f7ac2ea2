/**
 * Takes secrets out of text, before it leaves the process and again before it is written. Says which rule found how many,
 * never a value. Only this file knows secretlint; our own finders cover what its recommended rules leave out.
 */
import { findAssignments } from "./assignments.ts";
import { findConnections } from "./connections.ts";
import { findCutWords } from "./cut-words.ts";
import { findLogins } from "./logins.ts";
import { findPrivateKeys } from "./private-keys.ts";
import { findProviderKeys } from "./provider-keys.ts";
import { mergeSpans, replaceSpans, type Span } from "./spans.ts";

/** Counts by rule word; never a value. */
export type Found = Record<string, number>;

export interface Redactor {
  /** Text with every secret replaced by `[redacted:RULE]`. Doing it twice changes nothing. */
  redact(text: string): Promise<{ text: string; found: Found }>;
  /** The same for many texts in few scans: item i of the result belongs to item i of the input. */
  redactAll(texts: readonly string[]): Promise<{ texts: string[]; counts: Found[] }>;
  /** True when `redact` would replace something. */
  hasSecret(text: string): Promise<boolean>;
}

/** Our own finders only, without secretlint: synchronous, for a quick look. Merged and sorted. */
function ownSpans(text: string): Span[] {
  if (text.length < 6) return [];
  const finders = [findPrivateKeys, findProviderKeys, findConnections, findAssignments, findLogins, findCutWords];
  return mergeSpans(finders.flatMap((find) => find(text)));
}

/** The rule words of the secrets that our own finders see, in order of appearance; empty when there are none. Never a value. */
export function secretsIn(text: string): string[] {
  return ownSpans(text).map((span) => span.rule);
}

/** Every secret that our own finders see replaced by `[redacted:RULE]`; for lines of a log, which cannot wait for secretlint. */
export function withoutSecrets(text: string): string {
  const spans = ownSpans(text);
  return spans.length === 0 ? text : replaceSpans(text, spans, {});
}

/**
 * Rules of the preset that are not used: `filter-comments` lets a `secretlint-disable` inside a transcript switch the rest
 * off; the two about addresses take the whole address and cannot tell a placeholder (ours keep the host); `aws` measures its
 * range from the name but by the length of the value, and so cuts the wrong words out (11.7.1; ours covers it).
 */
const UNUSED = ["filter-comments", "basicauth", "database-connection-string", "aws"];

/** Texts are joined for one scan up to this many characters: a scan costs about 0.3 ms however short the text. */
const JOINED_CHARS = 200_000;

/** Between joined texts: no secret's pattern crosses a NUL between line ends. */
const BETWEEN = "\n\u0000\n";

type Scan = (text: string) => Promise<Span[]>;

async function loadSecretlint(): Promise<Scan> {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
    import("@secretlint/profiler"),
  ]);
  // It keeps a mark of every rule of every scan for ever and looks through them all at each new one: after 400 dreams of one process a
  // scan of 1 ms cost 200 (11.7.1, measured), and there is no switch.
  secretLintProfiler.mark = () => undefined;
  const wordOf = (id: string) => id.replace(/^.*secretlint-rule-/, "");
  const used = rules.filter((rule) => !UNUSED.includes(wordOf(rule.meta.id)));
  const config = { rules: used.map((rule) => ({ id: rule.meta.id, rule })) };
  const source = { filePath: "digest.txt", ext: ".txt", contentType: "text" } as const;
  return async (text) => {
    const result = await lintSource({
      source: { ...source, content: text },
      options: { config, noPhysicFilePath: true },
    });
    return result.messages
      .filter((m) => m.type === "message")
      .map((m) => ({ start: m.range[0], end: m.range[1], rule: RENAMED[wordOf(m.ruleId)] ?? wordOf(m.ruleId) }));
  };
}

const RENAMED: Readonly<Record<string, string>> = {
  privatekey: "private-key",
  gcp: "google",
  "1password": "onepassword",
};

/** Groups of neighbours whose joined length stays near JOINED_CHARS. */
function groups(texts: readonly string[]): { from: number; to: number }[] {
  const result: { from: number; to: number }[] = [];
  let size = Number.POSITIVE_INFINITY;
  texts.forEach((text, i) => {
    const last = result.at(-1);
    if (!last || size + text.length > JOINED_CHARS) {
      result.push({ from: i, to: i + 1 });
      size = text.length;
    } else {
      last.to = i + 1;
      size += text.length + BETWEEN.length;
    }
  });
  return result;
}

/** Spans of secretlint per text, found in one scan over all of them. */
async function scanJoined(scan: Scan, texts: readonly string[]): Promise<Span[][]> {
  const spans = await scan(texts.join(BETWEEN));
  let offset = 0;
  return texts.map((text) => {
    const end = offset + text.length;
    const mine = spans
      .filter((s) => s.start < end && s.end > offset)
      .map((s) => ({ ...s, start: Math.max(s.start, offset) - offset, end: Math.min(s.end, end) - offset }));
    offset = end + BETWEEN.length;
    return mine;
  });
}

/** A span of secretlint that only covers a marker which is already there is no news. */
function isNews(text: string, span: Span): boolean {
  return !text.slice(span.start, span.end).includes("[redacted:");
}

/** Loads secretlint (about 40 ms, at first use only). */
export async function createRedactor(): Promise<Redactor> {
  const scan = await loadSecretlint();

  async function redactAll(texts: readonly string[]): Promise<{ texts: string[]; counts: Found[] }> {
    const counts: Found[] = [];
    const result: string[] = [];
    for (const { from, to } of groups(texts)) {
      const group = texts.slice(from, to);
      const theirs = await scanJoined(scan, group);
      group.forEach((text, i) => {
        const news = (theirs[i] ?? []).filter((span) => isNews(text, span));
        const found: Found = {};
        result.push(replaceSpans(text, mergeSpans([...ownSpans(text), ...news]), found));
        counts.push(found);
      });
    }
    return { texts: result, counts };
  }

  return {
    redactAll,
    redact: async (text) => {
      const { texts, counts } = await redactAll([text]);
      return { text: texts[0] ?? "", found: counts[0] ?? {} };
    },
    hasSecret: async (text) => secretsIn(text).length > 0 || (await redactAll([text])).texts[0] !== text,
  };
}
