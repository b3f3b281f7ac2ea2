/** A fact that somebody stated: its words, their place, and what kind of thing it is. */
import type { MemoryType } from "../../memory/model.ts";
import type { Cite } from "../../memory/operation.ts";

export type Kind = "person" | "instruction" | "pointer" | "decision" | "date" | "owner" | "fact" | "procedure";

export interface Part {
  readonly text: string;
  readonly cite: Cite;
}

export interface Fact {
  readonly kind: Kind;
  readonly type: MemoryType;
  /** One statement in the order it was said; later parts explain the first. */
  readonly parts: readonly Part[];
  readonly why: readonly Part[];
  /** Where others said the same: one quote of a session each. Goes when the statement changes: they said the old one. */
  readonly also?: readonly Cite[];
  /** Epoch ms; facts without a time keep the place of their session. */
  readonly at: number;
  /** What a procedure is for, where its entries do not all say so. */
  readonly subject?: string;
  /** The words say that something is different from before. */
  readonly changes: boolean;
  /** The speaker says it once more. */
  readonly restates: boolean;
  /** Values that the words say stand no longer. */
  readonly outdated: readonly string[];
}

/** What a user takes back, as said. */
export interface Withdrawal {
  readonly target: string;
  readonly at: number;
  readonly cite: Cite;
}

export type Heard = { readonly fact: Fact } | { readonly withdrawal: Withdrawal };

const CJK_END = /[\u3400-\u9fff。！？]$/;

const joined = (parts: readonly Part[]) =>
  parts.reduce((all, { text }) => {
    if (all === "" || text === "") return all + text;
    const stop = /[.!?。！？]$/.test(all) ? "" : ".";
    return `${all}${stop}${CJK_END.test(all) && /^[\u3400-\u9fff]/.test(text) ? "" : " "}${text}`;
  }, "");

export const textOf = (fact: Fact): string => joined(fact.parts);
export const whyOf = (fact: Fact): string | undefined => (fact.why.length > 0 ? joined(fact.why) : undefined);

/** As many as an operation may have. */
const MAX_CITES = 16;

/** Each quote once, in the order of the words; then where it was said as well. */
export function citesOf(fact: Fact): Cite[] {
  const all = [...[...fact.parts, ...fact.why].map((part) => part.cite), ...(fact.also ?? [])];
  return all
    .filter((cite, i) => all.findIndex((c) => c.utterance === cite.utterance && c.quote === cite.quote) === i)
    .slice(0, MAX_CITES);
}

/** The session of an utterance's label, `S3:`. */
export const sessionOf = (label: string): string => label.slice(0, label.indexOf(":") + 1);

/** One quote of each session that says what the fact says, without those that its own words come from. */
export function alsoSaid(fact: Fact, other: Fact): readonly Cite[] {
  const known = new Set([...fact.parts, ...fact.why].map(({ cite }) => sessionOf(cite.utterance)));
  const said = [...(fact.also ?? []), ...other.parts.slice(0, 1).map(({ cite }) => cite), ...(other.also ?? [])];
  return said
    .filter(({ utterance }) => {
      const session = sessionOf(utterance);
      const isNew = !known.has(session);
      known.add(session);
      return isNew;
    })
    .slice(0, MAX_CITES);
}
