/** What a check found. The room doctor looks at an installation and says what is wrong with it; only its repairs write, and only what is memd's own. */
import { classify } from "../base/errors.ts";
import type { Notice } from "../memory/changeset.ts";

export interface Finding {
  /** Stable kebab-case word. */
  readonly code: string;
  readonly ok: boolean;
  readonly message: string;
  /** What to do; on a finding that is fine: what would be better. */
  readonly hint: string | null;
  readonly repaired: boolean;
  /** Name of the store; null for the installation as a whole. */
  readonly store: string | null;
}

/** A check that found nothing to say. */
export function fine(code: string, message: string): Finding {
  return { code, ok: true, message, hint: null, repaired: false, store: null };
}

/** Nothing is broken, but a person may want to know. */
export function remark(code: string, message: string, hint: string): Finding {
  return { code, ok: true, message, hint, repaired: false, store: null };
}

/** Something that a person, or `--repair`, should put right. @param hint the exact fix */
export function wrong(code: string, message: string, hint: string): Finding {
  return { code, ok: false, message, hint, repaired: false, store: null };
}

export const wrongNotice = ({ code, message, hint }: Notice): Finding => wrong(code, message, hint);

/** A check that cannot be done is a finding too: a doctor that dies tells nothing about the rest. */
export function guarded(doing: string, look: () => readonly Finding[]): readonly Finding[] {
  try {
    return look();
  } catch (error) {
    return [unable(doing, error)];
  }
}

/** The finding for a check that threw. */
export function unable(doing: string, error: unknown): Finding {
  const { code, message, hint } = classify(error, doing);
  return wrong(code, message, hint);
}

/** What is wrong, or one line that says that it is not. */
export function orFine(found: readonly Finding[], instead: Finding): readonly Finding[] {
  return found.some(({ ok }) => !ok) ? found : [instead, ...found];
}

/** A path as a shell takes it. */
export function quoted(path: string): string {
  return /^[\w/.@%+,:-]+$/.test(path) ? path : `'${path.replace(/'/g, "'\\''")}'`;
}
