/** What is wrong now: raised while it is so, cleared when it is not, and told only when that changes. */

export interface Trouble {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export interface Standing extends Trouble {
  /** What it is about; null for the whole. */
  readonly about: string | null;
  /** Epoch ms at which it was first seen. */
  readonly since: number;
}

export interface Troubles {
  /** Null clears. A trouble of the same code keeps its time and is not told again. */
  set(about: string | null, kind: string, trouble: Trouble | null): void;
  /** Forgets those about what `keep` does not hold. */
  keepOnly(keep: (about: string) => boolean): void;
  readonly all: readonly Standing[];
}

/** @param tell called when one is raised (true) or cleared (false) */
export function makeTroubles(now: () => number, tell: (standing: Standing, raised: boolean) => void): Troubles {
  const standing = new Map<string, Standing>();
  const clear = (key: string) => {
    const gone = standing.get(key);
    standing.delete(key);
    if (gone) tell(gone, false);
  };
  return {
    set: (about, kind, trouble) => {
      const key = `${about ?? ""}\n${kind}`;
      const before = standing.get(key);
      if (trouble === null) return clear(key);
      // Taken by name: an error may come as a trouble, and its message is no property that a spread copies.
      const { code, message, hint } = trouble;
      if (before?.code === code) {
        standing.set(key, { ...before, message, hint });
        return;
      }
      clear(key);
      const raised = { code, message, hint, about, since: now() };
      standing.set(key, raised);
      tell(raised, true);
    },
    keepOnly: (keep) => {
      for (const [key, { about }] of standing) if (about !== null && !keep(about)) clear(key);
    },
    get all() {
      return [...standing.values()];
    },
  };
}
