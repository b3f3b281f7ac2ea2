/** Statements by the words that stand in them, so that each new one is compared with its kin and not with all (36,000 took 24 s). */

export interface Shelf<T> {
  /** In the order in which they were put. */
  readonly items: Map<number, T>;
  /** Ids by word; those of items that are gone stay until a search meets them. */
  readonly places: Map<string, number[]>;
  /** The words that lead to an id already. */
  readonly words: Map<number, Set<string>>;
  /** By id, zero between searches: a map of counts took two thirds of the time of a long digest. */
  counts: Uint16Array;
  size: number;
}

export function newShelf<T>(): Shelf<T> {
  return { items: new Map(), places: new Map(), words: new Map(), counts: new Uint16Array(1_024), size: 0 };
}

/** Puts an item, or another version of it at its own place. */
export function put<T>(shelf: Shelf<T>, item: T, words: Iterable<string>, id = shelf.size): void {
  shelf.items.set(id, item);
  shelf.size = Math.max(shelf.size, id + 1);
  if (shelf.size > shelf.counts.length) shelf.counts = new Uint16Array(shelf.size * 2);
  const known = shelf.words.get(id) ?? new Set<string>();
  shelf.words.set(id, known);
  for (const word of words) {
    if (known.has(word)) continue;
    known.add(word);
    const place = shelf.places.get(word);
    if (place) place.push(id);
    else shelf.places.set(word, [id]);
  }
}

/** The ids of a word without those of items that are gone. */
function idsOf<T>(shelf: Shelf<T>, word: string): readonly number[] {
  const place = shelf.places.get(word);
  if (place === undefined) return [];
  const live = place.filter((id) => shelf.items.has(id));
  if (live.length < place.length) shelf.places.set(word, live);
  return live;
}

/** Few are gone from most words: looking costs more than it saves below this. */
const LOOKED_AT = 64;

/**
 * Items that share a word, oldest first, with the number of words that they share.
 * @param isKin leaves out those that share too little
 */
export function kin<T>(
  shelf: Shelf<T>,
  words: Iterable<string>,
  isKin: (item: T, count: number) => boolean = () => true,
): [id: number, item: T, count: number][] {
  const { counts, items } = shelf;
  const met: number[] = [];
  for (const word of words) {
    const place = shelf.places.get(word) ?? [];
    for (const id of place.length > LOOKED_AT ? idsOf(shelf, word) : place) {
      if (counts[id] === 0) met.push(id);
      counts[id] = (counts[id] ?? 0) + 1;
    }
  }
  const found: [number, T, number][] = [];
  for (const id of met) {
    const item = items.get(id);
    const count = counts[id] ?? 0;
    counts[id] = 0;
    if (item !== undefined && isKin(item, count)) found.push([id, item, count]);
  }
  return found.sort(([a], [b]) => a - b);
}
