/** How many of a store's sessions count: a filter that drops most of them may be a filter gone wrong, and must not look healthy. */
import type { Notice } from "./plan.ts";

/** Reasons that the user chose or that time brings. */
const EXPECTED: ReadonlySet<string> = new Set(["ignored", "other-project", "gone"]);

/** One or two sessions that somebody opened and left are no filter gone wrong. */
const MIN_LOST = 3;

export interface CountedShare {
  keep(): void;
  drop(reason: string): void;
  /** One notice when more than half were dropped. @param counts every reason, for the message */
  notices(counts: Readonly<Record<string, number>>): Notice[];
}

export function countedShare(): CountedShare {
  let kept = 0;
  let lost = 0;
  return {
    keep: () => {
      kept++;
    },
    drop: (reason) => {
      if (!EXPECTED.has(reason)) lost++;
    },
    notices: (counts) => (lost >= MIN_LOST && lost > kept ? [mostDropped(lost, lost + kept, counts)] : []),
  };
}

function mostDropped(lost: number, considered: number, counts: Readonly<Record<string, number>>): Notice {
  const reasons = Object.entries(counts).map(([reason, count]) => `${reason} ${count}`);
  return {
    code: "most-sessions-dropped",
    message: `${lost} of ${considered} sessions do not count: ${reasons.join(", ")}`,
    hint: "If these are your own words, see sources.headless and the ignore lists in the configuration.",
  };
}
