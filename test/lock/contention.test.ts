import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemProcesses } from "../../src/base/process.ts";
import { acquireLease } from "../../src/lock/lease.ts";
import { STAMP_FILE } from "../../src/lock/stamp.ts";
import { scratch, world } from "./world.ts";

interface Contender {
  readonly child: ChildProcess;
  ask(command: unknown): Promise<Record<string, unknown>>;
  next(): Promise<Record<string, unknown>>;
}

const folder = mkdtempSync(join(tmpdir(), "memd-contender-"));
const script = join(folder, "contender.cjs");
const children: ChildProcess[] = [];

beforeAll(async () => {
  const entryPoints = [join(import.meta.dirname, "contender.ts")];
  await build({ entryPoints, outfile: script, bundle: true, platform: "node", format: "cjs", logLevel: "error" });
});

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

async function contender(): Promise<Contender> {
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? '{"ended":true}');
  const ask = (command: unknown) => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    return next();
  };
  await next();
  return { child, ask, next };
}

const OLD = new Date(Date.now() - 3_600_000);

/** What fifty acquirers find in a directory. */
const FOUND: [string, (dir: string) => void][] = [
  ["a free store", () => undefined],
  [
    "a lock that went stale long ago",
    (dir) => {
      mkdirSync(join(dir, ".memd/lease.lock"), { recursive: true });
      utimesSync(join(dir, ".memd/lease.lock"), OLD, OLD);
    },
  ],
  [
    "a lock whose holder was killed a moment ago",
    (dir) => {
      const token = "ab".repeat(16);
      const dead = { pid: 2 ** 22 + 1, processStart: "1", bootId: null, machineId: "here" };
      mkdirSync(join(dir, ".memd/lease.lock"), { recursive: true });
      writeFileSync(join(dir, ".memd/lease.lock", token), "");
      writeFileSync(
        join(dir, ".memd/lease.json"),
        JSON.stringify({ token, ...dead, priorStamp: 500, since: Date.now(), run: "dead" }),
      );
    },
  ],
];

describe("fifty dreams at once", () => {
  it("never have two holders, and one of them dreams", async () => {
    const contenders = await Promise.all(Array.from({ length: 5 }, contender));
    for (const [found, prepare] of [...FOUND, ...FOUND, ...FOUND]) {
      const dir = scratch();
      prepare(dir);
      const answers = await Promise.all(contenders.map(({ ask }) => ask({ acquire: dir, times: 10 })));
      const holders = answers.reduce((sum, { acquired }) => sum + Number(acquired), 0);
      expect(holders, found).toBe(1);
      await Promise.all(contenders.map(({ ask }) => ask({ release: true })));
      expect(readFileSync(join(dir, STAMP_FILE), "utf8")).toBe("\n1000");
      expect(existsSync(join(dir, ".memd/lease.lock"))).toBe(false);
    }
  }, 60_000);
});

describe("a real process", () => {
  const here = () => world({ processes: systemProcesses(process), machineId: "here" });

  it("that was killed leaves a lock that the next dream takes at once, with the stamp as it was", async () => {
    const dir = scratch();
    writeFileSync(join(dir, STAMP_FILE), "");
    utimesSync(join(dir, STAMP_FILE), 1_700_000_000, 1_700_000_000);
    const killed = await contender();
    expect(await killed.ask({ acquire: dir, times: 1 })).toEqual({ acquired: 1 });
    expect(await acquireLease(here(), dir, "run")).toMatchObject({ state: "held", by: { pid: killed.child.pid } });
    killed.child.kill("SIGKILL");
    await once(killed.child, "exit");
    const next = await acquireLease(here(), dir, "run");
    expect(next).toMatchObject({ state: "acquired", lease: { priorStamp: 1_700_000_000_000 } });
    if (next.state === "acquired") await next.lease.release({ kind: "unchanged" });
  });

  it("that was stopped too long finds out, writes nothing and lives on", async () => {
    const dir = scratch();
    const stopped = await contender();
    await stopped.ask({ acquire: dir, times: 1 });
    stopped.child.kill("SIGSTOP");
    const later = { now: () => Date.now() + 120_000, monotonic: () => 0 };
    const rival = await acquireLease({ ...here(), clock: later }, dir, "run");
    const stamp = readFileSync(join(dir, STAMP_FILE), "utf8");
    stopped.child.kill("SIGCONT");
    expect(await stopped.next()).toEqual({ lost: "lease-lost" });
    expect(await stopped.ask({ release: true })).toEqual({ released: 1 });
    expect(stopped.child.exitCode).toBeNull();
    expect(readFileSync(join(dir, STAMP_FILE), "utf8")).toBe(stamp);
    expect(rival.state).toBe("acquired");
    if (rival.state === "acquired") {
      rival.lease.assertHeld();
      await rival.lease.release({ kind: "failed" });
    }
  });
});
