/** What of a kind of records is too old, or too much. Pure: whoever keeps them removes them. */

export interface Kept {
  readonly path: string;
  /** When it was made, epoch ms. */
  readonly at: number;
  readonly bytes: number;
}

export interface Cap {
  /** Epoch ms: what is older goes. */
  readonly since: number;
  /** What the newest may take together; the oldest go first. */
  readonly bytes: number;
}

/** Paths that are over the cap, oldest first. The newest stays in any case: what was made just now is what somebody will look for. */
export function surplus(items: readonly Kept[], cap: Cap): string[] {
  const newestFirst = [...items].sort((a, b) => b.at - a.at || (a.path < b.path ? 1 : -1));
  let bytes = 0;
  const over = newestFirst.filter((item, i) => {
    bytes += item.bytes;
    return i > 0 && (item.at < cap.since || bytes > cap.bytes);
  });
  return over.map(({ path }) => path).reverse();
}
