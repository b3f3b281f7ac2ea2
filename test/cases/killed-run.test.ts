import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { viewStores } from "../../src/commands/status-view.ts";
import { gateLimits } from "../../src/steps/limits.ts";
import { DAY, HOUR, type Home, MACHINE, makeHome, START } from "../support/home.ts";

const homes: Home[] = [];
afterEach(() => {
  for (const made of homes.splice(0)) made.remove();
});

/** No process has it: above the largest pid of Linux. */
const DEAD = 4_194_305;

/** The files of a run that was killed with SIGKILL while it held the lock. */
function killed(at: Home, { prior, since }: { prior: number; since: number }): void {
  mkdirSync(join(at.memory, ".memd"), { recursive: true });
  const record = {
    token: "0".repeat(32),
    pid: DEAD,
    processStart: "1",
    bootId: null,
    machineId: MACHINE,
    priorStamp: prior,
    since,
    run: "20261130T080000000-abcdef",
  };
  writeFileSync(join(at.memory, ".memd", "lease.json"), JSON.stringify(record));
  const stamp = join(at.memory, ".consolidate-lock");
  writeFileSync(stamp, `${DEAD}\n${since}`);
  utimesSync(stamp, new Date(since), new Date(since));
}

describe("status after a run that was killed", () => {
  it.each([
    ["two days before", START - 2 * DAY, new Date(START - 2 * DAY).toISOString(), true],
    ["never", 0, null, true],
    ["an hour before", START - HOUR, new Date(START - HOUR).toISOString(), false],
  ])("tells when the store was last consolidated: %s", (_name, prior, last, open) => {
    const at = makeHome();
    homes.push(at);
    killed(at, { prior, since: START - 1_000 });
    const { files, clock, lease } = at.world();
    const [view] = viewStores(
      { files, clock, lease, state: join(at.root, "state", "memd") },
      [at.store],
      gateLimits(at.world().config),
    );
    expect(view?.lock.state).toBe("stale");
    expect(view?.lastConsolidatedAt).toBe(last);
    expect(view?.gates.find(({ gate }) => gate === "time")?.open).toBe(open);
  });
});
