/** Whose turn it is: first come, first served, and nobody stands in the line twice. */
export interface Turns<K, V> {
  /** What is in the line already keeps its place and its value. @returns false then */
  add(key: K, value: V): boolean;
  /** Takes the one that has waited longest among those that `may` go. */
  take(may?: (key: K, value: V) => boolean): readonly [K, V] | null;
  /** Forgets those that `keep` does not hold. */
  keepOnly(keep: (key: K) => boolean): void;
  readonly size: number;
}

export function makeTurns<K, V>(): Turns<K, V> {
  // A Map keeps the order in which its keys came.
  const line = new Map<K, V>();
  return {
    add: (key, value) => {
      if (line.has(key)) return false;
      line.set(key, value);
      return true;
    },
    take: (may = () => true) => {
      for (const [key, value] of line) {
        if (!may(key, value)) continue;
        line.delete(key);
        return [key, value];
      }
      return null;
    },
    keepOnly: (keep) => {
      for (const key of line.keys()) if (!keep(key)) line.delete(key);
    },
    get size() {
      return line.size;
    },
  };
}
