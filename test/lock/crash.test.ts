import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import { acquireLease, type LeaseOutcome, recoverLease } from "../../src/lock/lease.ts";
import { STAMP_FILE } from "../../src/lock/stamp.ts";
import { LIVE, processes, SELF, scratch, world } from "./world.ts";

const PRIOR = Date.UTC(2026, 5, 1);
const SUCCESS = Date.UTC(2026, 10, 30);
const CHANGING = new Set(["create", "append", "rename", "link", "unlink", "mkdir", "rmdir", "utimes"]);

/** The file verbs of a process that is killed before its n-th change of the disk; nothing works after that. */
function dyingAt(n: number): { files: Files; died: () => boolean } {
  let changes = 0;
  const files = new Proxy(nodeFiles, {
    get(target, name, receiver) {
      const verb: unknown = Reflect.get(target, name, receiver);
      if (typeof verb !== "function") return verb;
      return (...args: unknown[]) => {
        if (CHANGING.has(String(name))) changes += 1;
        if (changes >= n) throw new Error("killed");
        return verb.apply(target, args);
      };
    },
  });
  return { files, died: () => changes >= n };
}

async function runAndDie(dir: string, n: number, outcome: LeaseOutcome): Promise<boolean> {
  const { files, died } = dyingAt(n);
  try {
    const result = await acquireLease(world({ files }), dir, "run");
    if (result.state === "acquired") await result.lease.release(outcome);
  } catch (error) {
    if (!died()) throw error;
  }
  return died();
}

function stampIn(dir: string): { body: string; mtime: number } | null {
  const path = join(dir, STAMP_FILE);
  return existsSync(path) ? { body: readFileSync(path, "utf8"), mtime: statSync(path).mtime.getTime() } : null;
}

const BEFORE = { body: "77", mtime: PRIOR };
const OUTCOMES: [LeaseOutcome, ReturnType<typeof stampIn>][] = [
  [
    { kind: "success", stamp: SUCCESS },
    { body: `\n${SUCCESS}`, mtime: SUCCESS },
  ],
  [{ kind: "unchanged" }, BEFORE],
  [{ kind: "failed" }, { body: `\n${PRIOR}`, mtime: PRIOR }],
];

describe("killed before any change of the disk", () => {
  const later = () => world({ processes: processes({ self: { pid: LIVE, start: "100", boot: "boot-2" } }) });

  it.each(OUTCOMES)("the stamp is as before the run or as after it (%j)", async (outcome, after) => {
    let n = 0;
    let dead = true;
    while (dead) {
      n += 1;
      const dir = scratch();
      writeFileSync(join(dir, STAMP_FILE), BEFORE.body);
      utimesSync(join(dir, STAMP_FILE), new Date(PRIOR), new Date(PRIOR));
      dead = await runAndDie(dir, n, outcome);
      await recoverLease(later(), dir);
      expect([BEFORE, after], `killed before change ${n}`).toContainEqual(stampIn(dir));
      const next = await acquireLease(later(), dir, "run");
      expect(next).toMatchObject({ state: "acquired" });
      if (next.state === "acquired") await next.lease.release({ kind: "unchanged" });
      expect([BEFORE, after]).toContainEqual(stampIn(dir));
      expect(readdirSync(join(dir, ".memd"))).not.toContain("lease.json");
    }
    expect(n).toBeGreaterThan(10);
  });

  it.each(OUTCOMES)("a store that was never consolidated stays so (%j)", async (outcome) => {
    let n = 0;
    let dead = true;
    while (dead) {
      n += 1;
      const dir = scratch();
      dead = await runAndDie(dir, n, outcome);
      await recoverLease(later(), dir);
      const stamp = stampIn(dir);
      expect(stamp?.body ?? "", `killed before change ${n}`).not.toContain(String(SELF));
      expect([null, SUCCESS]).toContain(stamp?.mtime ?? null);
    }
  });
});
