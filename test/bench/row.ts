/** One line of the bench's table, and how its figures are taken: the machine is shared, so all of them are ratios or peaks within one run. */

export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: "x" | "ms" | "us" | "MB" | "MB/s" | "rows/s";
  /** The aim, for people: `at most 2`. A row without one is for information. */
  readonly limit?: string;
  readonly holds?: boolean;
}

export function atMost(limit: number, row: Omit<BenchRow, "limit" | "holds">): BenchRow {
  return { ...row, limit: `at most ${limit}`, holds: row.value <= limit };
}

export function atLeast(limit: number, row: Omit<BenchRow, "limit" | "holds">): BenchRow {
  return { ...row, limit: `at least ${limit}`, holds: row.value >= limit };
}

type Act = () => Promise<unknown> | unknown;

/** Wall time and processor time of this process, ms. */
export interface Taken {
  readonly wall: number;
  readonly cpu: number;
}

export async function taken(act: Act): Promise<Taken> {
  const before = process.cpuUsage();
  const start = performance.now();
  await act();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1_000 };
}

/** The least of several rounds in which the acts take turns: other work on the machine only ever adds. */
export async function least<K extends string>(
  rounds: number,
  acts: Readonly<Record<K, Act>>,
): Promise<Record<K, Taken>> {
  const names = Object.keys(acts) as K[];
  const best = new Map<K, Taken>();
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const now = await taken(acts[name]);
      const before = best.get(name) ?? now;
      best.set(name, { wall: Math.min(now.wall, before.wall), cpu: Math.min(now.cpu, before.cpu) });
    }
  }
  return Object.fromEntries(best) as Record<K, Taken>;
}
