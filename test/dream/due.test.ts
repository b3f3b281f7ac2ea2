import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemdError } from "../../src/base/errors.ts";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import type { Run } from "../../src/dream.ts";
import type { Distiller } from "../../src/ports.ts";
import { gateStep } from "../../src/steps/gate.ts";
import { DAY, HOUR, type Home, inProcess, makeHome, START, talk } from "../support/home.ts";

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

const fiveSessions = (at: number, prefix = "s") => {
  for (let i = 0; i < 5; i++)
    home.session(
      `${prefix}${i}`,
      talk([`Remember: the ${prefix}${i} service is owned by team number ${i}.`], at + i * 1_000),
    );
};
const scheduled = { now: false, cause: "scan" } as const;

function counting(): { files: Files; calls: string[] } {
  const calls: string[] = [];
  const files = Object.fromEntries(
    Object.entries(nodeFiles).map(([verb, act]) => [
      verb,
      (...args: unknown[]) => {
        calls.push(verb);
        return (act as (...args: unknown[]) => unknown)(...args);
      },
    ]),
  ) as unknown as Files;
  return { files, calls };
}

const failing: Distiller = {
  name: "extractive",
  distill: async () => {
    throw new MemdError({ code: "child-died", family: "unavailable", message: "the child died", hint: "Try again." });
  },
};

describe("the gates of a scheduled dream", () => {
  it("stay closed for four sessions and open for five", async () => {
    fiveSessions(START - HOUR);
    const { unlinkSync } = await import("node:fs");
    unlinkSync(join(home.sessions, "s4.jsonl"));
    const few = await home.dream(scheduled);
    expect({ exit: few.exit, reason: few.report.reason, counted: few.report.sessions.counted }).toEqual({
      exit: 3,
      reason: "sessions: too-few-sessions",
      counted: 4,
    });
    fiveSessions(START - HOUR);
    home.clock.move(11 * 60_000);
    expect((await home.dream(scheduled)).report.outcome).toBe("done");
  });

  it("ask again after 24 hours, not before", async () => {
    fiveSessions(START - HOUR);
    await home.dream(scheduled);
    fiveSessions(START + HOUR, "t");
    home.clock.move(23 * HOUR);
    const early = await home.dream(scheduled);
    expect({ exit: early.exit, reason: early.report.reason }).toEqual({ exit: 3, reason: "time: too-soon" });
    expect(early.report.hint).toContain("2026-12-01T08:00:00.000Z");
    home.clock.move(HOUR);
    expect((await home.dream(scheduled)).report.outcome).toBe("done");
  });

  it("cost one stat and open no file when the time gate is closed and was seen before", async () => {
    fiveSessions(START - HOUR);
    await home.dream(scheduled);
    const { files, calls } = counting();
    const world = home.world({ files });
    const gate = gateStep(world);
    const run: Run = {
      id: "x",
      store: home.store,
      request: { now: false, dryRun: false, keepBrief: false, cause: "scan", progress: () => undefined },
      startedAt: home.clock.now(),
      signal: new AbortController().signal,
      facts: {},
      notices: [],
    };
    expect(await gate(run)).toMatchObject({ outcome: "not-due" });
    calls.length = 0;
    expect(await gate({ ...run, facts: {}, notices: [] })).toMatchObject({ outcome: "not-due" });
    expect(calls).toEqual(["lstat"]);
  });

  it("do not scan twice within ten minutes, also in another process", async () => {
    fiveSessions(START - HOUR);
    const { unlinkSync } = await import("node:fs");
    unlinkSync(join(home.sessions, "s4.jsonl"));
    await home.dream(scheduled);
    home.clock.move(9 * 60_000);
    const again = await home.dream(scheduled);
    expect(again.report.reason).toBe("throttle: scanned-recently");
  });

  it("open early for sessions that their agent is about to delete", async () => {
    home.session("old", talk(["Remember: the billing service is owned by Ines."], START - 22 * DAY));
    expect((await home.dream(scheduled)).report.outcome).toBe("done");
  });

  it("cool down after a failure, longer each time, and leave stamp and last success alone", async () => {
    fiveSessions(START - HOUR);
    const failed = await home.dream(scheduled, { distiller: failing });
    expect({ exit: failed.exit, code: failed.report.code, stampAfter: failed.report.stampAfter }).toEqual({
      exit: 5,
      code: "child-died",
      stampAfter: 0,
    });
    expect(nodeFiles.lstat(join(home.memory, ".consolidate-lock"))).toBeNull();
    const state = home.world().state.current();
    expect(state.lastSuccessAt).toBeNull();
    expect(state.conditions.map(({ code }) => code)).toContain("child-died");
    home.clock.move(9 * 60_000);
    expect((await home.dream(scheduled)).report.reason).toBe("cool-down: failed-recently");
    home.clock.move(2 * 60_000);
    expect((await home.dream(scheduled, { distiller: failing })).exit).toBe(5);
    home.clock.move(11 * 60_000);
    expect((await home.dream(scheduled)).report.reason).toBe("cool-down: failed-recently");
    home.clock.move(10 * 60_000);
    expect((await home.dream(scheduled)).report.outcome).toBe("done");
    expect(
      home
        .world()
        .state.current()
        .conditions.map(({ code }) => code),
    ).not.toContain("child-died");
  });

  it("are passed by dream --now, except the lock", async () => {
    fiveSessions(START - HOUR);
    await home.dream(scheduled, { distiller: failing });
    expect((await home.dream()).report.outcome).toBe("done");
  });
});

describe("the lock", () => {
  it("of a live Claude Code keeps memd out, and says so", async () => {
    fiveSessions(START - HOUR);
    home.topic(".consolidate-lock", `${process.ppid}\n${START - 60_000}`);
    utimesSync(join(home.memory, ".consolidate-lock"), new Date(START - 60_000), new Date(START - 60_000));
    const { exit, report } = await home.dream();
    expect({ exit, outcome: report.outcome, reason: report.reason, code: report.code }).toEqual({
      exit: 4,
      outcome: "skipped",
      reason: "held",
      code: "held",
    });
    expect(report.hint).toContain("Claude Code");
  });

  it("holds out a second dream while the first one distils, and one changeset comes of it", async () => {
    fiveSessions(START - HOUR);
    let others: Promise<(number | string)[]> | null = null;
    const slow: Distiller = {
      name: "extractive",
      distill: async (job) => {
        others = Promise.all(Array.from({ length: 9 }, async () => (await home.dream()).exit));
        await others;
        return inProcess.distill(job);
      },
    };
    const first = await home.dream({}, { distiller: slow });
    expect(first.report).toMatchObject({ outcome: "done", reason: null });
    expect(await others).toEqual(Array.from({ length: 9 }, () => 4));
    expect((await home.dream()).report.reason).toBe("nothing-new");
  });

  it("of a run that was killed does not close the time gate for a day", async () => {
    fiveSessions(START - HOUR);
    await home.dream(scheduled);
    const stamp = readFileSync(join(home.memory, ".consolidate-lock"), "utf8");
    const { mtime } = statSync(join(home.memory, ".consolidate-lock"));
    // A child takes the lease for real, with the wall clock a day later, and is killed while it holds it.
    const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { stdio: "ignore" });
    await once(child, "spawn");
    const record = {
      token: "f".repeat(32),
      pid: child.pid,
      processStart: null,
      bootId: null,
      machineId: "0123456789abcdef",
      priorStamp: mtime.getTime(),
      since: START + 25 * HOUR,
      run: "killed",
    };
    writeFileSync(join(home.memory, ".memd", "lease.json"), JSON.stringify(record));
    writeFileSync(join(home.memory, ".consolidate-lock"), `${child.pid}\n${START + 25 * HOUR}`);
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    fiveSessions(START + HOUR, "t");
    home.clock.move(26 * HOUR);
    const { report } = await home.dream(scheduled);
    expect({ outcome: report.outcome, before: report.stampBefore }).toEqual({
      outcome: "done",
      before: Number(stamp.split("\n")[1]),
    });
  });
});
