/** Finds the statements that may say the same or the opposite of one: holding each against each takes some 70 µs, and there may be thousands. */
import { tokens } from "./likeness.ts";

/** Two statements say the opposite only where they share this much of the shorter one's words, and the same only where so much of both. */
const LEAST_SHARED = 0.3;
const NEAR_SHARED = 0.55;

export interface Kin<T> {
  /** All that may say the same or the opposite. */
  readonly all: readonly T[];
  /** Those of them that may say the same. */
  readonly near: readonly T[];
}

/** @param items with their statements @returns the kin of a statement among them, itself included where it is one of them */
export function kinAmong<T extends { readonly statement: string }>(items: readonly T[]): (statement: string) => Kin<T> {
  const sizes = new Map<T, number>();
  const shelf = new Map<string, T[]>();
  for (const item of items) {
    const own = new Set(tokens(item.statement));
    sizes.set(item, own.size);
    for (const word of own) {
      const place = shelf.get(word);
      if (place) place.push(item);
      else shelf.set(word, [item]);
    }
  }
  return (statement) => {
    const own = new Set(tokens(statement));
    const shared = new Map<T, number>();
    for (const word of own) for (const item of shelf.get(word) ?? []) shared.set(item, (shared.get(item) ?? 0) + 1);
    const sizeOf = (item: T) => sizes.get(item) ?? 0;
    const all = [...shared].filter(([item, count]) => count >= LEAST_SHARED * Math.min(own.size, sizeOf(item)));
    const near = all.filter(([item, count]) => 2 * count >= NEAR_SHARED * (own.size + sizeOf(item)));
    return { all: all.map(([item]) => item), near: near.map(([item]) => item) };
  };
}
