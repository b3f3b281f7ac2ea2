/** The nearest right name for a misspelt one. */

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, x] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, y] of [...b].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (x === y ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The candidate with the fewest edits, or null when none is near (more than a third of the name, at least two). */
export function nearest(name: string, candidates: readonly string[]): string | null {
  const word = name.slice(0, 64).toLowerCase();
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(word, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= Math.max(2, Math.floor(word.length / 3)) ? best.candidate : null;
}
