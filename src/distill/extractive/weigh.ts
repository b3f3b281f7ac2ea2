/** Weighs a sentence: which cues it shows and whether they suffice to keep it. */
import { datesIn } from "../../memory/language/dates.ts";
import { CHINESE } from "./chinese.ts";
import { ENGLISH } from "./english.ts";
import type { Cue, Language } from "./rule.ts";

export interface Weighing {
  readonly score: number;
  /** The strongest weight of each cue that was found. */
  readonly cues: Readonly<Partial<Record<Cue, number>>>;
}

/** What a sentence must weigh to be kept: one sufficient cue, or two that suggest. */
export const ENOUGH = 2;

const CJK = /[\u3400-\u9fff]/;

/** The tables to read a text by; mixed sentences are read by both. */
export function languagesOf(text: string): readonly Language[] {
  if (!CJK.test(text)) return [ENGLISH];
  return (text.match(/[A-Za-z]{2,}/g)?.length ?? 0) >= 2 ? [CHINESE, ENGLISH] : [CHINESE];
}

/** Words in quotation marks are somebody's, not the speaker's: a long quotation shows no cues. */
const QUOTATION = /"[^"\n]{20,200}"|“[^”\n]{12,200}”|「[^」\n]{12,200}」/g;

/** Takes lead-ins off ("Also, please ..."), repeatedly. */
export function withoutLead(text: string): string {
  const languages = languagesOf(text);
  let rest = text.trim();
  for (let i = 0; i < 6; i += 1) {
    const lead = languages.map((language) => language.lead.exec(rest)?.[0].length ?? 0);
    const length = Math.max(...lead);
    if (length === 0 || length >= rest.length) break;
    rest = rest.slice(length);
  }
  return rest;
}

/**
 * @param text the sentence as it was said
 * @param dated true when the digest resolved a date phrase in it
 */
export function weigh(text: string, dated: boolean): Weighing {
  const said = text.replace(QUOTATION, '""');
  const bare = withoutLead(said);
  const hasDate = dated || datesIn(text.toLowerCase()).length > 0;
  const cues: Partial<Record<Cue, number>> = {};
  for (const { rules } of languagesOf(text)) {
    for (const { cue, weight, test } of rules) {
      const known = cues[cue] ?? 0;
      if (Math.abs(weight) <= Math.abs(known) || (cue === "date" && !hasDate)) continue;
      if (test.test(test.source.startsWith("^") ? bare : said)) cues[cue] = weight;
    }
  }
  return { score: Object.values(cues).reduce((sum, weight) => sum + weight, 0), cues };
}

/** True when something in the sentence speaks for keeping it by itself. */
export function isLasting({ cues }: Weighing): boolean {
  return (cues.ask ?? 0) >= 3 || (cues.rule ?? 0) >= 3;
}

/** True when something speaks against it: such a sentence is neither kept nor joined to another. */
export function isPassing({ cues, score }: Weighing): boolean {
  const against = Math.min(
    cues.question ?? 0,
    cues.doubt ?? 0,
    cues.transient ?? 0,
    cues.task ?? 0,
    cues.report ?? 0,
    cues.complaint ?? 0,
  );
  return against <= -2 && score < ENOUGH;
}
