/**
 * Ninety days by moved clock: nights with the lid closed, weeks away, a clock that is set back and forth, a distiller that fails for days, folders
 * that go and come back, transcripts that expire. A plain model says when a dream is due; the daemon must not miss one, and not have one too many.
 */
import { describe, expect, it } from "vitest";
import { coolDown } from "../../src/gate/cool-down.ts";
import { DAY, HOUR } from "../support/home.ts";
import { chanceOf } from "./chance.ts";
import { type Attempt, type Machine, makeMachine } from "./quarter.ts";
import { EVERY, PATIENCE } from "./settings.ts";

const MINUTE = 60_000;
const DAYS = 90;
/** Two scans, with their jitter and a beat. */
const ATTENTION = 70 * MINUTE;

interface Seen {
  /** Awake time for which each store has been due without a dream, ms. */
  readonly due: Map<string, number>;
  /** Attempts that were looked at already. */
  looked: number;
  /** The clock was set: waits of before say nothing. */
  leapt: number;
}

function expectAttention(machine: Machine, seen: Seen, passed: number, where: string): void {
  for (const store of machine.stores) {
    const waited = machine.isDue(store) ? (seen.due.get(store.name) ?? 0) + passed : 0;
    seen.due.set(store.name, waited);
    expect(waited, `${where}: ${store.name} is due and nobody dreams`).toBeLessThan(ATTENTION);
  }
}

/** What follows a success keeps the hour of the backlog, what follows failures their cool-down. */
function expectPace(attempts: readonly Attempt[], where: string): void {
  let failures = 0;
  let before: Attempt | null = null;
  for (const attempt of attempts) {
    const gap = before === null ? Number.POSITIVE_INFINITY : attempt.at - before.at;
    const least = before === null ? 0 : before.ok ? HOUR : coolDown(failures);
    expect(gap, `${where}: ${attempt.store} after ${failures} failures`).toBeGreaterThanOrEqual(least);
    failures = attempt.ok ? 0 : failures + 1;
    before = attempt;
  }
}

async function live(machine: Machine, seed: number, settings: { readonly leaps: boolean }): Promise<Seen> {
  const { time, stores } = machine;
  const chance = chanceOf(seed);
  const seen: Seen = { due: new Map(), looked: 0, leapt: 0 };
  let offset = 0;
  for (let day = 0; day < DAYS; day++) {
    machine.failing = chance.is(0.12) ? !machine.failing : machine.failing;
    if (chance.is(0.1)) machine.toggleFolder(chance.pick(stores));
    for (let hour = 0; hour < 9; hour++) {
      for (const store of stores) if (chance.is(0.25)) machine.speak(store, 1 + chance.below(3));
      if (settings.leaps && chance.is(0.02)) {
        // Set wrong by up to two days, and right again later.
        const to = offset === 0 ? (chance.is(0.5) ? 1 : -1) * chance.below(2 * DAY) : 0;
        time.set(time.clock.now() + to - offset);
        offset = to;
        seen.leapt++;
        seen.due.clear();
      }
      for (let part = 0; part < 4; part++) {
        await time.awake(15 * MINUTE);
        expectAttention(machine, seen, 15 * MINUTE, `seed ${seed}, day ${day}, hour ${hour}`);
      }
      expect(machine.daemon.sizes()["line"], `seed ${seed}, day ${day}`).toBe(0);
      expect(time.armed).toBeLessThanOrEqual(2);
    }
    machine.expire();
    // Nights; now and then a week or two away.
    time.asleep(15 * HOUR + (chance.is(0.04) ? chance.below(14) * DAY : 0));
  }
  return seen;
}

const SEEDS = Array.from({ length: EVERY ? 20 : 1 }, (_, i) => i + 1);
const PLANS = SEEDS.flatMap((seed) => [
  ...(EVERY ? [{ seed: seed + 100, leaps: false, parallel: 1 }] : []),
  { seed, leaps: true, parallel: 2 },
]);

describe("ninety days of the daemon", { timeout: PATIENCE }, () => {
  it.each(PLANS)(
    "(seed $seed, set clock $leaps, $parallel at a time) are without a dream missed or one too many",
    async ({ seed, leaps, parallel }) => {
      const machine = await makeMachine({ gates: { scanMinutes: 30 }, daemon: { watch: false, parallel } });
      try {
        const seen = await live(machine, seed, { leaps });
        const { attempts, stores, daemon } = machine;
        const perStore = stores.map(({ name }) => attempts.filter(({ store }) => store === name));
        // A clock that was set stretches and shortens every wait.
        if (!leaps) for (const own of perStore) expectPace(own, `seed ${seed}`);
        expect(machine.most()).toBeLessThanOrEqual(parallel);
        const dreams = attempts.filter(({ ok }) => ok).length;
        expect(dreams).toBeGreaterThan(30);
        expect(dreams).toBeLessThan(3 * (DAYS + 30) + 3 * seen.leapt);
        expect(Math.max(...Object.values(daemon.sizes()))).toBeLessThanOrEqual(stores.length);
        console.log(
          `seed ${seed}: ${dreams} dreams, ${attempts.length - dreams} failures, the clock set ${seen.leapt} times`,
        );
      } finally {
        await machine.end();
      }
    },
  );
});
