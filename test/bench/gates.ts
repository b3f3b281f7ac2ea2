/** A closed time gate of a store that was seen before, against the one stat that it cannot do without. */
import * as fs from "node:fs";
import { join } from "node:path";
import type { Run } from "../../src/dream.ts";
import { gateStep } from "../../src/steps/gate.ts";
import { makeHome } from "../support/home.ts";
import { atMost, type BenchRow, least } from "./row.ts";

/** Calls per round: a clock's grain and a turn of the event loop do not count then. */
const CALLS = 20_000;

export async function benchGates(): Promise<BenchRow[]> {
  const home = makeHome();
  try {
    fs.mkdirSync(home.memory);
    const stamp = join(home.memory, ".consolidate-lock");
    fs.writeFileSync(stamp, `\n${home.clock.now()}`);
    const world = home.world();
    const gate = gateStep(world);
    const request = { now: false, dryRun: false, keepBrief: false, cause: "scan", progress: () => undefined } as const;
    const { signal } = new AbortController();
    const run = (): Run => ({ id: "r", store: world.store, request, startedAt: 0, signal, facts: {}, notices: [] });
    const skip = await gate(run());
    if (skip?.outcome !== "not-due") throw new Error(`the time gate is not closed: ${JSON.stringify(skip)}`);
    const { ours, stat } = await least(7, {
      ours: async () => {
        for (let i = 0; i < CALLS; i++) await gate(run());
      },
      stat: () => {
        for (let i = 0; i < CALLS; i++) fs.statSync(stamp);
      },
    });
    return [
      { name: "closed time gate of a store seen before", value: (ours.wall / CALLS) * 1_000, unit: "us" },
      atMost(3, { name: "  in bare fs.statSync calls", value: ours.wall / stat.wall, unit: "x" }),
    ];
  } finally {
    home.remove();
  }
}
