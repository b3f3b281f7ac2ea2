/**
 * How many requests are under way at once. It begins with one: a wrong key, a model that does not exist or a feature that the endpoint
 * does not have is found by the first request, and not by as many as may run at the same time.
 */
export interface Lanes {
  /** Resolves when the caller may send. */
  enter(): Promise<void>;
  leave(): void;
  /** From now on all lanes are open. */
  widen(): void;
}

export function openLanes(most: number): Lanes {
  const waiting: (() => void)[] = [];
  let width = 1;
  let busy = 0;
  const fill = () => {
    while (busy < width) {
      const next = waiting.shift();
      if (!next) return;
      busy += 1;
      next();
    }
  };
  return {
    enter: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        fill();
      }),
    leave: () => {
      busy -= 1;
      fill();
    },
    widen: () => {
      width = most;
      fill();
    },
  };
}
