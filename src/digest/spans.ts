/** Stretches of a text that hold a secret, and how they are taken out. */

export interface Span {
  /** UTF-16 units, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Short kebab word: `aws`, `github`, `private-key`, `password`. */
  readonly rule: string;
}

/** Where the run of characters in `kind` (a pattern for one character) that ends before `index` starts; at most `most` of them. */
export function runStart(text: string, index: number, kind: RegExp, most: number): number {
  // By hand: a pattern with `+$` tries every start, which is quadratic on a long run that ends elsewhere.
  let start = index;
  while (start > 0 && index - start < most && kind.test(text[start - 1] ?? "")) start--;
  return start;
}

/** Sorts spans and joins those that overlap; a joined span keeps the rule that started first (at a tie, the longer one). */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last && span.start < last.end) merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else if (span.end > span.start) merged.push(span);
  }
  return merged;
}

/** Replaces merged spans by `[redacted:RULE]` and counts them into `found`. */
export function replaceSpans(text: string, merged: readonly Span[], found: Record<string, number>): string {
  if (merged.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const span of merged) {
    parts.push(text.slice(from, span.start), `[redacted:${span.rule}]`);
    found[span.rule] = (found[span.rule] ?? 0) + 1;
    from = span.end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
