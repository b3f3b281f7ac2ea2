import { describe, expect, it } from "vitest";
import { MemdError } from "../../src/base/errors.ts";
import type { Dreamt, Job } from "../../src/daemon/world.ts";
import { CLOSED, DAY, ended, HOUR, MINUTE, makeStage, settingsOf, storeNamed } from "./stage.ts";

const misconfigured = (code: string) =>
  new MemdError({ code, family: "misconfigured", message: `it is ${code}`, hint: "Mend it." });

/** Ends when the test says so, or when it is aborted. */
function slow() {
  const jobs: { job: Job; end: (dreamt: Dreamt) => void }[] = [];
  const dream = (job: Job) =>
    new Promise<Dreamt>((resolve) => {
      jobs.push({ job, end: resolve });
      job.signal.addEventListener("abort", () => resolve(ended(130)), { once: true });
    });
  return { jobs, dream };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
async function until(met: () => boolean) {
  for (let i = 0; i < 1_000 && !met(); i++) await turn();
  expect(met()).toBe(true);
}

describe("the resident loop", () => {
  it("dreams of a store that is due at start, with no event at all", async () => {
    const { daemon, dreams } = await makeStage();
    await daemon.idle();
    expect(dreams).toEqual(["app scan"]);
  });

  it("finds what became due by the timed scan alone", async () => {
    let open = false;
    const stage = await makeStage({ glance: () => (open ? { open: true } : CLOSED) });
    await stage.time.awake(30 * MINUTE);
    expect(stage.dreams).toEqual([]);
    open = true;
    await stage.time.awake(11 * MINUTE);
    expect(stage.dreams).toEqual(["app scan"]);
  });

  it("dreams once after a week of sleep, soon after the machine wakes", async () => {
    const stage = await makeStage({ config: { gates: { scanMinutes: 60 } } });
    await stage.time.awake(MINUTE);
    stage.time.asleep(7 * DAY);
    await stage.time.awake(MINUTE);
    expect(stage.dreams).toEqual(["app scan", "app scan"]);
    expect(stage.logged.map(({ message }) => message).join()).toContain("the clock moved by itself");
  });

  it("never dreams of a store twice within an hour, even if a fault leaves its gates open", async () => {
    const stage = await makeStage();
    await stage.time.awake(DAY);
    expect(stage.dreams.length).toBeGreaterThan(20);
    expect(stage.dreams.length).toBeLessThanOrEqual(25);
  });

  it("goes on after the clock was set back, and dreams no more for it", async () => {
    const stage = await makeStage();
    await stage.daemon.idle();
    stage.time.set(stage.time.clock.now() - 3 * DAY);
    await stage.time.awake(50 * MINUTE);
    expect(stage.dreams.length).toBeLessThanOrEqual(2);
  });

  it("serves the longest waiting first, one at a time", async () => {
    const { jobs, dream } = slow();
    const stage = await makeStage({ stores: ["a", "b", "c"], dream });
    await until(() => jobs.length === 1);
    stage.daemon.wake({ cause: "hint", stores: ["/m/c", "/m/b"] });
    for (let i = 0; i < 3; i++) {
      await until(() => jobs.length === i + 1);
      jobs[i]?.end(ended());
    }
    await stage.daemon.idle();
    expect({ dreams: stage.dreams, most: stage.most() }).toEqual({ dreams: ["a scan", "b scan", "c scan"], most: 1 });
  });

  it("has as many dreams at a time as the configuration allows", async () => {
    const { jobs, dream } = slow();
    const stage = await makeStage({ stores: ["a", "b", "c"], dream, config: { daemon: { parallel: 2 } } });
    await until(() => jobs.length === 2);
    expect(stage.daemon.desk.facts().dreaming.map(({ store }) => store)).toEqual(["a", "b"]);
    jobs[0]?.end(ended());
    await until(() => jobs.length === 3);
    for (const { end } of jobs) end(ended());
    await stage.daemon.idle();
    expect(stage.most()).toBe(2);
  });

  it("looks at a hinted store only, and at none it does not know", async () => {
    const stage = await makeStage({ stores: ["a", "b"], glance: () => CLOSED });
    await stage.daemon.idle();
    stage.glances.length = 0;
    stage.daemon.wake({ cause: "hint", stores: ["/m/b", "/m/gone"] });
    await stage.daemon.idle();
    expect(stage.glances).toEqual(["b"]);
  });

  it("asks the gates again when a store's turn comes", async () => {
    const { jobs, dream } = slow();
    let bIsOpen = true;
    const stage = await makeStage({
      stores: ["a", "b"],
      dream,
      glance: ({ name }) => (name === "a" || bIsOpen ? { open: true } : CLOSED),
    });
    await until(() => jobs.length === 1);
    bIsOpen = false;
    jobs[0]?.end(ended());
    await stage.daemon.idle();
    expect(stage.dreams).toEqual(["a scan"]);
  });
});

describe("a run that was killed", () => {
  it("is taken back at the next look, so that its stamp closes the gate for no day", async () => {
    let killed = false;
    const recovered: string[] = [];
    const stage = await makeStage({
      glance: () => (killed ? { ...CLOSED, isHeld: true } : { open: true }),
      world: {
        recover: async ({ name }) => {
          recovered.push(name);
          killed = false;
        },
      },
    });
    await stage.daemon.idle();
    killed = true;
    await stage.time.awake(2 * HOUR);
    expect({ recovered, dreams: stage.dreams.length }).toEqual({ recovered: ["app", "app"], dreams: 3 });
  });
});

describe("the user's windows", () => {
  it("hold every dream back until one opens, and say when that is", async () => {
    let open = false;
    const opensAt = () => (open ? null : Date.parse("2026-12-01T01:00:00.000Z"));
    const stage = await makeStage({ windows: { isOpen: () => open, admits: () => open, opensAt } });
    await stage.time.awake(5 * HOUR);
    expect(stage.dreams).toEqual([]);
    expect(stage.daemon.desk.facts().next).toEqual({ store: "app", at: "2026-12-01T01:00:00.000Z", gate: "window" });
    open = true;
    stage.daemon.wake({ cause: "cron" });
    await stage.daemon.idle();
    expect(stage.dreams).toEqual(["app cron"]);
  });

  it("that close meanwhile hold back what is still in the line", async () => {
    const { jobs, dream } = slow();
    let open = true;
    const stage = await makeStage({ stores: ["a", "b"], dream, windows: { isOpen: () => open, admits: () => open } });
    await until(() => jobs.length === 1);
    open = false;
    jobs[0]?.end(ended());
    await stage.daemon.idle();
    expect(stage.dreams).toEqual(["a scan"]);
  });
});

describe("trouble", () => {
  it("that not even the record could tell stands as a condition, keeps the gap, and goes with the next dream", async () => {
    let full = true;
    const stage = await makeStage({
      dream: () => {
        if (full) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
        return ended();
      },
    });
    await stage.time.awake(50 * MINUTE);
    expect(stage.dreams.length).toBe(1);
    expect(stage.daemon.desk.facts().conditions).toEqual([
      expect.objectContaining({ code: "disk-full", store: "app" }),
    ]);
    full = false;
    await stage.time.awake(30 * MINUTE);
    expect(stage.daemon.desk.facts().conditions).toEqual([]);
  });

  it("waits out a failure by the store's own cool-down, not by the longer gap between two dreams", async () => {
    let failures = 2;
    const stage = await makeStage({ dream: () => (failures-- > 0 ? ended(5) : ended()) });
    await stage.time.awake(35 * MINUTE);
    expect(stage.dreams.length).toBe(3);
  });

  it("tries a store that is set up wrongly again as soon as its folders have changed", async () => {
    let where = "0755";
    let wrong = true;
    const glance = { open: false, gate: "cool-down", reason: "failed-recently", opensAt: null } as const;
    const stage = await makeStage({
      glance: () => (stage?.dreams.length ? glance : { open: true }),
      dream: () => (wrong ? ended(78) : ended()),
      world: { circumstances: () => where },
    });
    await stage.time.awake(2 * HOUR);
    expect(stage.dreams).toEqual(["app scan"]);
    [where, wrong] = ["0700", false];
    await stage.time.awake(11 * MINUTE);
    expect(stage.dreams).toEqual(["app scan", "app scan afresh"]);
  });

  it("ends loudly at a fault of the program", async () => {
    const stage = await makeStage({ dream: () => ended(1, { reason: "it broke" }) });
    expect(await stage.daemon.done).toMatchObject({ how: "failed", error: { code: "bug" } });
    const other = await makeStage({
      dream: () => {
        throw new TypeError("x is not a function");
      },
    });
    expect(await other.daemon.done).toMatchObject({ how: "failed", error: { family: "bug" } });
  });

  it("raises one condition while the stores cannot be found, keeps those it knew, and clears it", async () => {
    let found: Error | null = null;
    const stage = await makeStage({
      glance: () => CLOSED,
      world: {
        stores: async () => {
          if (found) throw found;
          return [storeNamed("app")];
        },
      },
    });
    await stage.daemon.idle();
    found = misconfigured("no-permission");
    await stage.time.awake(45 * MINUTE);
    const { conditions } = stage.daemon.desk.facts();
    expect(conditions).toEqual([expect.objectContaining({ code: "no-permission", store: null, hint: "Mend it." })]);
    expect(stage.logged.filter(({ message }) => message === "it is no-permission").length).toBe(1);
    expect(stage.glances.slice(-1)).toEqual(["app"]);
    found = null;
    await stage.time.awake(11 * MINUTE);
    expect(stage.daemon.desk.facts().conditions).toEqual([]);
    expect(stage.events.map(({ event }) => event)).toEqual(["condition-raised", "condition-cleared"]);
  });

  it("forgets what it knew of stores that are gone", async () => {
    const stage = await makeStage({ stores: ["a", "b"], dream: ({ store }) => ended(store.name === "a" ? 78 : 0) });
    await stage.daemon.idle();
    stage.stores.splice(0);
    await stage.time.awake(11 * MINUTE);
    expect(stage.daemon.sizes()).toEqual({
      stores: 0,
      line: 0,
      dreaming: 0,
      dreamt: 0,
      misfits: 0,
      glances: 0,
      troubles: 0,
    });
  });

  it("does not tell the manager that it is well while a dream hangs beyond its cap", async () => {
    const { dream } = slow();
    const stage = await makeStage({ dream });
    stage.time.settle = turn;
    await stage.time.awake(20 * MINUTE);
    expect(stage.told).toContain("ping");
    stage.told.length = 0;
    await stage.time.awake(10 * MINUTE);
    stage.told.length = 0;
    await stage.time.awake(10 * MINUTE);
    expect(stage.told).toEqual([]);
  });
});

describe("the configuration, read anew", () => {
  it("replaces the one that was", async () => {
    let config: unknown = null;
    const stage = await makeStage({ glance: () => CLOSED, world: { load: async () => settingsOf(config) } });
    await stage.daemon.idle();
    config = { daemon: { parallel: 3 } };
    expect(await stage.daemon.desk.reload()).toEqual({ outcome: "reloaded", message: "" });
    expect(stage.told).toEqual(["reloading", "ready"]);
    expect(stage.time.armed).toBe(1);
  });

  it("is read once for all who ask before it is", async () => {
    let loads = 0;
    const load = async () => settingsOf(null, String(++loads));
    const stage = await makeStage({ glance: () => CLOSED, world: { load } });
    await stage.daemon.idle();
    const asked = Array.from({ length: 100 }, () => stage.daemon.desk.reload());
    expect(new Set((await Promise.all(asked)).map(({ outcome }) => outcome))).toEqual(new Set(["reloaded"]));
    expect(loads).toBe(2);
    await stage.daemon.desk.reload();
    expect(loads).toBe(3);
  });

  it("is kept as it was when the new one is not valid; the condition goes once it is", async () => {
    let broken = false;
    const load = async () => {
      if (broken) throw misconfigured("bad-config");
      return settingsOf(null);
    };
    const stage = await makeStage({ world: { load } });
    await stage.daemon.idle();
    broken = true;
    expect(await stage.daemon.desk.reload()).toMatchObject({ outcome: "kept" });
    expect(stage.daemon.desk.facts().conditions).toEqual([
      expect.objectContaining({ code: "bad-config", store: null }),
    ]);
    await stage.time.awake(HOUR + 11 * MINUTE);
    expect(stage.dreams.length).toBe(2);
    broken = false;
    expect(await stage.daemon.desk.reload()).toMatchObject({ outcome: "reloaded" });
    expect(stage.daemon.desk.facts().conditions).toEqual([]);
  });

  it("is noticed by the timed scan, once for each change", async () => {
    let mark = "1";
    let loads = 0;
    const load = async () => {
      loads++;
      if (mark === "2") throw misconfigured("bad-config");
      return settingsOf(null, mark);
    };
    const stage = await makeStage({ glance: () => CLOSED, world: { load, configMark: () => mark } });
    mark = "2";
    await stage.time.awake(HOUR);
    expect({ loads, kept: stage.events.filter(({ event }) => event === "daemon-reloaded").length }).toEqual({
      loads: 2,
      kept: 1,
    });
    mark = "3";
    await stage.time.awake(HOUR);
    expect({ loads, conditions: stage.daemon.desk.facts().conditions }).toEqual({ loads: 3, conditions: [] });
  });
});

describe("the end", () => {
  it("aborts the dream that goes on, begins none, and closes everything", async () => {
    const { jobs, dream } = slow();
    const stage = await makeStage({ stores: ["a", "b"], dream });
    await until(() => jobs.length === 1);
    stage.daemon.stop({ how: "stopped", reason: "stopped by SIGTERM" });
    expect(await stage.daemon.done).toEqual({ how: "stopped", reason: "stopped by SIGTERM" });
    expect(jobs[0]?.job.signal.reason).toMatchObject({ family: "interrupted", message: "stopped by SIGTERM" });
    expect({ dreams: stage.dreams, armed: stage.time.armed, told: stage.told }).toEqual({
      dreams: ["a scan"],
      armed: 0,
      told: ["stopping"],
    });
  });

  it("waits no longer than five seconds for a dream that does not heed it", async () => {
    const stage = await makeStage({ dream: () => new Promise<Dreamt>(() => undefined) });
    await until(() => stage.dreams.length === 1);
    stage.time.settle = turn;
    stage.daemon.stop({ how: "stopped", reason: "stopped by SIGTERM" });
    await turn();
    await stage.time.awake(5_000);
    expect((await stage.daemon.done).how).toBe("stopped");
  });

  it("comes after the dream when the program was updated, and a signal hurries it", async () => {
    const { jobs, dream } = slow();
    let upgraded = false;
    const stage = await makeStage({ stores: ["a", "b"], dream, world: { upgraded: () => upgraded } });
    await until(() => jobs.length === 1);
    stage.time.settle = turn;
    upgraded = true;
    await stage.time.awake(11 * MINUTE);
    expect(jobs[0]?.job.signal.aborted).toBe(false);
    jobs[0]?.end(ended());
    expect((await stage.daemon.done).how).toBe("upgraded");
    expect(stage.dreams).toEqual(["a scan"]);
  });
});

describe("dream --now through the socket", () => {
  it("passes the gates, takes its turn, and names what it does not know", async () => {
    const { jobs, dream } = slow();
    const stage = await makeStage({ stores: ["a", "b"], dream, glance: () => CLOSED });
    await stage.daemon.idle();
    expect(await stage.daemon.desk.dream({ stores: ["a", "zzz"], now: true })).toEqual({
      accepted: ["a"],
      held: [],
      refused: [{ store: "zzz", reason: "unknown-store" }],
    });
    await until(() => jobs.length === 1);
    expect(await stage.daemon.desk.dream({ stores: [], now: true })).toMatchObject({ accepted: ["b"], held: ["a"] });
    jobs[0]?.end(ended());
    await until(() => jobs.length === 2);
    jobs[1]?.end(ended());
    await stage.daemon.idle();
    expect(stage.dreams).toEqual(["a now", "b now"]);
  });
});
