/** A process that takes leases on request: one JSON command per line in, one JSON answer per line out. */
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { systemClock } from "../../src/base/clock.ts";
import { nodeFiles } from "../../src/base/files.ts";
import { systemProcesses } from "../../src/base/process.ts";
import { acquireLease, type Lease } from "../../src/lock/lease.ts";
import type { LeaseWorld } from "../../src/lock/occupancy.ts";

const world: LeaseWorld = {
  files: nodeFiles,
  processes: systemProcesses(process),
  clock: systemClock,
  random: (bytes) => randomBytes(bytes),
  machineId: "here",
  timing: { stale: 2_000, update: 1_000 },
};
let leases: Lease[] = [];

const say = (answer: unknown) => process.stdout.write(`${JSON.stringify(answer)}\n`);

async function acquire(dir: string, times: number): Promise<void> {
  const results = await Promise.all(Array.from({ length: times }, () => acquireLease(world, dir, "run")));
  leases = results.flatMap((result) => (result.state === "acquired" ? [result.lease] : []));
  for (const lease of leases) lease.signal.addEventListener("abort", () => say({ lost: lease.signal.reason.code }));
  say({ acquired: leases.length });
}

async function release(): Promise<void> {
  for (const lease of leases) await lease.release({ kind: "success", stamp: 1_000 });
  say({ released: leases.length });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const command = JSON.parse(line);
  void (command.acquire ? acquire(command.acquire, command.times) : release());
});
say({ ready: true });
