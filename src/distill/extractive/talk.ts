/** The language to talk in: there is one at a time, so that a later wish replaces the earlier one whatever else they say. */
import { contentWords } from "../../memory/language/words.ts";
import type { Fact } from "./fact.ts";
import { type Gist, gistOf } from "./likeness.ts";
import { weightOf } from "./weigh.ts";
import { clausesOf, endSentence } from "./wording.ts";

/** The mark by which wishes of this kind find each other. */
export const TALK = "(talk)";

/** Every wish is compared with every statement near it. */
const KNOWN = new WeakMap<Gist, boolean>();

export function isTalk(gist: Gist): boolean {
  const known = KNOWN.get(gist) ?? weightOf(gist.text, "talk") >= 3;
  KNOWN.set(gist, known);
  return known;
}

/** Without the wish which language to talk in; null: it was nothing else. */
export function withoutTalk(fact: Fact): Fact | null {
  const parts = fact.parts.flatMap((part) => {
    if (!isTalk(gistOf(part.text))) return [part];
    const text = endSentence(
      clausesOf(part.text)
        .filter((clause) => !isTalk(gistOf(clause)))
        .join(""),
    );
    return contentWords(text).length > 1 ? [{ ...part, text }] : [];
  });
  return parts.length > 0 ? { ...fact, parts, also: [] } : null;
}
