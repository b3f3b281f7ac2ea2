/** Tasks one after the other. What one throws goes to `failed` or to who asked, and the next one still has its turn. */
export interface InOrder {
  add<T>(task: () => Promise<T> | T): Promise<T>;
  /** When all that were added up to now are through. */
  empty(): Promise<void>;
  readonly size: number;
}

/** @param failed told of what a task throws; the promise of `add` rejects as well */
export function inOrder(failed: (error: unknown) => void): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  let size = 0;
  return {
    add: (task) => {
      size++;
      const done = last.then(task).finally(() => size--);
      last = done.catch(failed);
      return done;
    },
    empty: async () => void (await last),
    get size() {
      return size;
    },
  };
}
