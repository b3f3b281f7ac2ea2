/** What money does to a run, with the clock moved by hand: gates, breaker, records. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemdError } from "../../src/base/errors.ts";
import type { DreamRequest } from "../../src/dream.ts";
import { type Distiller, type Estimate, NO_USAGE, type Usage } from "../../src/ports.ts";
import { openDesk, type PaidDesk } from "../../src/steps/desk.ts";
import { capsOf } from "../../src/steps/limits.ts";
import type { DreamWorld } from "../../src/steps/world.ts";
import { DAY, HOUR, type Home, makeHome, START, talk } from "../support/home.ts";

let home: Home;
beforeEach(() => {
  home = makeHome();
  home.session("one", talk(["please remember that we deploy on Fridays only"], START - HOUR));
});
afterEach(() => home.remove());

const CONFIG = {
  dream: { distiller: "anthropic" },
  gates: { minHours: 0, minSessions: 1, scanMinutes: 0 },
  budget: { maxRunUsd: 0.5, maxDayUsd: 1, maxRunTokens: 1_000_000 },
};
const USAGE: Usage = { requests: 1, inputTokens: 1_000, cachedTokens: 0, outputTokens: 100, costUsd: 0.25 };
const ESTIMATE: Estimate = {
  distiller: "anthropic",
  sessions: 1,
  cached: 0,
  requests: { low: 1, high: 2 },
  tokens: { low: 1, high: 2 },
  usd: { low: 0, high: 1 },
  unpriced: [],
  prices: "",
};

/** A distiller at a desk like the real one's, in this process. */
interface Played extends Distiller {
  asked: number;
}

function played(world: () => DreamWorld, act: (desk: PaidDesk) => Promise<void> | void): Played {
  const distiller: Played = {
    name: "anthropic",
    asked: 0,
    estimate: async () => ESTIMATE,
    distill: async ({ run }) => {
      distiller.asked += 1;
      const { money, clock, config } = world();
      const cache = { cacheGet: () => null, cachePut: () => undefined };
      const desk = openDesk({ book: money.book, caps: capsOf(config), cache, clock, store: "app", minutes: 20 }, run);
      try {
        await act(desk);
        return { proposal: { operations: [] }, refused: [], usage: USAGE, fence: "none" };
      } catch (error) {
        throw desk.explain(error);
      } finally {
        desk.close();
      }
    },
  };
  return distiller;
}

/** Dreams with that distiller; every dream is a process of its own. */
function dreaming(act: (desk: PaidDesk) => Promise<void> | void, config: unknown = CONFIG) {
  let world: DreamWorld | null = null;
  const distiller = played(() => {
    if (world === null) throw new Error("no world yet");
    return world;
  }, act);
  return {
    distiller,
    dream: (request: Partial<DreamRequest> = {}) => {
      world = home.world({ distiller, config });
      return home.dream({ now: false, cause: "cron", ...request }, { distiller, config });
    },
  };
}

const spend = (desk: PaidDesk, usage = USAGE) => {
  const { inputTokens, outputTokens, costUsd } = usage;
  desk.reserve({ inputTokens, outputTokens, costUsd });
  desk.spent(usage);
};
const badKey = () =>
  new MemdError({ code: "bad-key", family: "misconfigured", message: "401", hint: "Check the key." });

describe("a run that spends", () => {
  it("says in its record what it spent, also when it fails", async () => {
    const { dream } = dreaming((desk) => {
      spend(desk);
      spend(desk);
      throw new MemdError({ code: "network", family: "unavailable", message: "gone", hint: "" });
    });
    const { report, exit } = await dream();
    expect([exit, report.code, report.usage]).toEqual([
      5,
      "network",
      { ...USAGE, requests: 2, inputTokens: 2_000, outputTokens: 200, costUsd: 0.5 },
    ]);
  });

  it("counts a request that was cut off in full, and says so", async () => {
    const { dream } = dreaming((desk) => {
      desk.reserve({ inputTokens: 10, outputTokens: 90, costUsd: 0.125 });
    });
    const { report } = await dream();
    expect(report.usage).toMatchObject({ requests: 1, costUsd: 0.125 });
    expect(home.world().state.current().conditions).toMatchObject([{ code: "request-cut-off" }]);
  });

  it("warns when it used most of what one run may", async () => {
    const { dream } = dreaming((desk) => spend(desk, { ...USAGE, costUsd: 0.45 }));
    await dream();
    expect(home.world().state.current().conditions).toMatchObject([
      { code: "budget-warning", message: expect.stringContaining("0.45 of 0.5 USD in this run") },
    ]);
  });

  it("is told the cap by name where the distiller only says that there was one", async () => {
    const { dream } = dreaming((desk) => {
      const grant = desk.reserve({ inputTokens: 1, outputTokens: 1, costUsd: 0.75 });
      throw new MemdError({
        code: "over-budget",
        family: "over-budget",
        message: String(JSON.stringify(grant)),
        hint: "",
      });
    });
    const { report, exit } = await dream();
    expect([exit, report.code]).toEqual([7, "run-budget-spent"]);
    expect(report.reason).toContain("0 of 0.5 USD in this run");
  });
});

describe("a key that was refused", () => {
  it("is asked for once in ten checks over as many hours, and again after a day", async () => {
    const { distiller, dream } = dreaming(() => {
      throw badKey();
    });
    for (let check = 0; check < 10; check++) {
      await dream();
      home.clock.move(2 * HOUR);
    }
    expect(distiller.asked).toBe(1);
    expect((await dream()).report.reason).toBe("budget: bad-key");
    home.clock.move(5 * HOUR);
    await dream();
    expect(distiller.asked).toBe(2);
  });

  it("is tried once more by a person, and by the schedule when the configuration changes", async () => {
    const { distiller, dream } = dreaming(() => {
      throw badKey();
    });
    await dream();
    expect((await dream({ now: true })).exit).toBe(78);
    expect(distiller.asked).toBe(2);
    home.clock.move(3 * HOUR);
    const changed = dreaming(
      () => {
        throw badKey();
      },
      { ...CONFIG, model: { extract: "another" } },
    );
    await changed.dream();
    expect(changed.distiller.asked).toBe(1);
  });

  it("stands against nothing that costs nothing", async () => {
    const { dream } = dreaming(() => {
      throw badKey();
    });
    await dream();
    home.clock.move(HOUR);
    const free = await home.dream(
      { now: false, cause: "cron" },
      { config: { ...CONFIG, dream: { distiller: "extractive" } } },
    );
    expect(free.report.outcome).toBe("done");
  });
});

describe("whether to spend", () => {
  it("is not asked of a schedule, and asked before the first request of a person", async () => {
    const { distiller, dream } = dreaming((desk) => spend(desk));
    const seen: Estimate[] = [];
    const declined = await dream({
      now: true,
      consent: async (estimate) => {
        seen.push(estimate);
        return false;
      },
    });
    expect([declined.exit, declined.report.outcome, declined.report.code, distiller.asked]).toEqual([
      3,
      "skipped",
      "not-confirmed",
      0,
    ]);
    expect(seen[0]).toEqual({ ...ESTIMATE, left: { usd: 0.5, tokens: 1_000_000, requests: 200 } });
    expect(declined.report.estimate).toEqual(seen[0]);
    expect([declined.report.stampAfter, declined.report.usage]).toEqual([0, NO_USAGE]);
    expect(home.world().state.current().lastRun).toBeNull();
    await dream();
    expect(distiller.asked).toBe(1);
  });

  it("is a question that an interruption ends", async () => {
    const { dream, distiller } = dreaming((desk) => spend(desk));
    const abort = new AbortController();
    const asked = home.dream(
      {
        consent: (_, signal) =>
          new Promise((__, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
            abort.abort(new MemdError({ code: "interrupted", family: "interrupted", message: "stopped", hint: "" }));
          }),
      },
      { distiller, config: CONFIG, signal: abort.signal },
    );
    expect((await asked).exit).toBe(130);
    expect((await dream()).exit).toBe(0);
  });
});

describe("caps of a day", () => {
  it("hold over all runs of the day, and free at the person's midnight", async () => {
    const config = {
      ...CONFIG,
      dream: { distiller: "anthropic", timeZone: "Asia/Shanghai" },
      budget: { maxDayUsd: 0.5 },
    };
    const { distiller, dream } = dreaming((desk) => spend(desk), config);
    for (let run = 0; run < 4; run++) {
      home.session(
        `s${run}`,
        talk([`please remember that number ${run} is the port of service ${run}`], home.clock.now()),
      );
      await dream();
      home.clock.move(HOUR);
    }
    expect(distiller.asked).toBe(2);
    const closed = await dream();
    expect(closed.report).toMatchObject({
      reason: "budget: day-budget-spent",
      hint: expect.stringContaining("2026-11-30T16:00:00"),
    });
    home.clock.move(4 * HOUR);
    await dream();
    expect(distiller.asked).toBe(3);
  });

  it("on wall time leave a run what is left of it", () => {
    const config = { ...CONFIG, budget: { maxDayMinutes: 25 } };
    const world = home.world({ config });
    const cache = { cacheGet: () => null, cachePut: () => undefined };
    const open = (run: string) =>
      openDesk(
        { book: world.money.book, caps: capsOf(world.config), cache, clock: home.clock, store: "app", minutes: 20 },
        run,
      );
    const first = open("a");
    expect(first.wallMs).toBe(20 * 60_000);
    expect(open("b").wallMs).toBe(5 * 60_000);
    expect(() => open("c")).toThrow(/25 of 25 minutes today/);
    home.clock.move(2 * 60_000);
    first.close();
    expect(open("d").wallMs).toBe(18 * 60_000);
    expect(first.late().code).toBe("day-budget-spent");
    home.clock.move(DAY);
    expect(open("e").wallMs).toBe(20 * 60_000);
  });
});

describe("reports of several requests at once", () => {
  it("settle the smallest reservation that covers them, so that never too little stays reserved", () => {
    const world = home.world({ config: { ...CONFIG, budget: { maxRunUsd: 10, maxDayUsd: 10 } } });
    const cache = { cacheGet: () => null, cachePut: () => undefined };
    const { book } = world.money;
    const desk = openDesk(
      { book, caps: capsOf(world.config), cache, clock: home.clock, store: "app", minutes: 20 },
      "r",
    );
    const usd = () => Number(book.spent().day.usd.toFixed(4));
    for (const costUsd of [0.4, 0.1, 0.2]) desk.reserve({ inputTokens: 100, outputTokens: 100, costUsd });
    expect(usd()).toBe(0.7);
    desk.spent({ ...USAGE, inputTokens: 90, outputTokens: 90, costUsd: 0.15 });
    expect(usd()).toBe(0.65);
    desk.spent({ ...USAGE, inputTokens: 1, outputTokens: 1, costUsd: 0 });
    expect(usd()).toBe(0.55);
    desk.spent({ ...USAGE, costUsd: 0.9 });
    expect(usd()).toBe(1.05);
    desk.spent({ ...USAGE, costUsd: 0.5 });
    expect(usd()).toBe(1.55);
    expect(book.ofRun("r")).toMatchObject({ open: 0, usage: { requests: 4 } });
  });
});
