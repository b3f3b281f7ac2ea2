/**
 * Takes one change back out of a text that has changed since: base is what the run left, `target` what it found, `current` what
 * stands there now. Works on units (entries, lines), so that an entry is never cut in two.
 */

/** Where both sides changed the same place. `current` is the later text that going to `target` would lose. */
export interface Clash {
  readonly target: readonly string[];
  readonly current: readonly string[];
}

export interface Merge {
  readonly units: readonly string[];
  readonly clashes: readonly Clash[];
}

/** `base[start..end)` became `units`. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly units: readonly string[];
}

/** Two thousand units each way; above it the differing middle is one hunk, which clashes rather than guesses. */
const MAX_CELLS = 4_000_000;

/** Lengths of the longest common subsequences of all tails, row by row. */
function lcsTable(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    const [row, below] = [rows[i], rows[i + 1]];
    if (!row || !below) continue;
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return rows;
}

/** Pairs of equal units, in order. */
function matches(a: readonly string[], b: readonly string[]): [number, number][] {
  if (a.length * b.length > MAX_CELLS) return [];
  const table = lcsTable(a, b);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if ((table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0)) i++;
    else j++;
  }
  return pairs;
}

function hunksBetween(base: readonly string[], other: readonly string[]): Hunk[] {
  let head = 0;
  while (head < base.length && head < other.length && base[head] === other[head]) head++;
  let tail = 0;
  const most = Math.min(base.length, other.length) - head;
  while (tail < most && base[base.length - 1 - tail] === other[other.length - 1 - tail]) tail++;
  const [a, b] = [base.slice(head, base.length - tail), other.slice(head, other.length - tail)];
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...matches(a, b), [a.length, b.length] as const]) {
    if (nextI > i || nextJ > j) hunks.push({ start: head + i, end: head + nextI, units: b.slice(j, nextJ) });
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return hunks;
}

/** Hunks that only touch are two changes: an entry added below ours is not a change of ours. */
function overlap(a: Hunk, b: Hunk): boolean {
  if (a.start === a.end && b.start === b.end) return a.start === b.start;
  if (a.start === a.end || b.start === b.end) {
    const [point, span] = a.start === a.end ? [a, b] : [b, a];
    return span.start < point.start && point.start < span.end;
  }
  return a.start < b.end && b.start < a.end;
}

interface Group {
  start: number;
  end: number;
  readonly target: Hunk[];
  readonly current: Hunk[];
}

function groupsOf(target: readonly Hunk[], current: readonly Hunk[]): Group[] {
  const groups: Group[] = [];
  const sided = [
    ...current.map((hunk) => ({ hunk, side: "current" as const })),
    ...target.map((hunk) => ({ hunk, side: "target" as const })),
  ].sort((a, b) => a.hunk.start - b.hunk.start || a.hunk.end - b.hunk.end);
  for (const { hunk, side } of sided) {
    const last = groups.at(-1);
    if (last && overlap({ ...last, units: [] }, hunk)) {
      last.end = Math.max(last.end, hunk.end);
      last[side].push(hunk);
    } else {
      groups.push({ start: hunk.start, end: hunk.end, target: [], current: [], [side]: [hunk] });
    }
  }
  return groups;
}

/** One side's text of a group's stretch of the base. */
function sideOf(base: readonly string[], group: Group, hunks: readonly Hunk[]): string[] {
  const units: string[] = [];
  let at = group.start;
  for (const hunk of hunks) {
    units.push(...base.slice(at, hunk.start), ...hunk.units);
    at = hunk.end;
  }
  return [...units, ...base.slice(at, group.end)];
}

const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((unit, i) => unit === b[i]);

/** What both sides agree on in a group, or null when going to the target would lose later text. */
function agreed(base: readonly string[], group: Group): string[] | null {
  const [target, current] = [sideOf(base, group, group.target), sideOf(base, group, group.current)];
  if (group.current.length === 0 || same(target, current)) return target;
  if (group.target.length === 0) return current;
  // Both sides only put something in between: there is room for both.
  if (group.start === group.end) return [...current, ...target];
  const onlyRemovals = [...group.target, ...group.current].every((hunk) => hunk.units.length === 0);
  if (!onlyRemovals) return null;
  const gone = (at: number) => [...group.target, ...group.current].some((hunk) => hunk.start <= at && at < hunk.end);
  return base.slice(group.start, group.end).filter((_, i) => !gone(group.start + i));
}

/**
 * Splits later text of a clash: what came of the units that the run left, and what only happens to stand beside them. Where nothing came
 * of them, they were removed, and nothing stands in the way of going to the target.
 */
function clashOf(base: readonly string[], group: Group, related: Related): { clash: Clash; beside: string[] } {
  const [target, current] = [sideOf(base, group, group.target), sideOf(base, group, group.current)];
  const origin = [...base.slice(group.start, group.end), ...target];
  const heirs = current.filter((unit) => origin.some((old) => related(old, unit)));
  return { clash: { target, current: heirs }, beside: current.filter((unit) => !heirs.includes(unit)) };
}

/** True when one unit may be another wording of the other. */
export type Related = (a: string, b: string) => boolean;

/** Merges; a clash takes the side that `prefer` names. */
export function threeWay(
  texts: { base: readonly string[]; target: readonly string[]; current: readonly string[] },
  prefer: "target" | "current",
  related: Related = () => true,
): Merge {
  const { base } = texts;
  const units: string[] = [];
  const clashes: Clash[] = [];
  let at = 0;
  for (const group of groupsOf(hunksBetween(base, texts.target), hunksBetween(base, texts.current))) {
    units.push(...base.slice(at, group.start));
    at = group.end;
    const both = agreed(base, group);
    if (both) {
      units.push(...both);
      continue;
    }
    const { clash, beside } = clashOf(base, group, related);
    if (clash.current.length > 0) clashes.push(clash);
    const kept = clash.current.length > 0 && prefer === "current" ? sideOf(base, group, group.current) : null;
    units.push(...(kept ?? [...clash.target, ...beside]));
  }
  return { units: [...units, ...base.slice(at)], clashes };
}
