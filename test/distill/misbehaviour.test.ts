import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ForkLimits, NO_REQUESTS } from "../../src/distill/fork.ts";
import { isGone, makeWorld, type World } from "./world.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

/** Short enough for a test, long enough for a child to start on a busy machine. */
const SHORT = { idleMs: 1_500, wallMs: 3_000, graceMs: 200 };
const DEAF_DESK = {
  ...NO_REQUESTS,
  reserve: () => new Promise<never>(() => undefined),
  cacheGet: () => "v".repeat(60_000),
};

describe("a child that breaks the protocol is ended and named", () => {
  it.each([
    ["no hello", "hello comes first"],
    ["hello twice", "hello comes first"],
    ["another fence", "an unknown shape"],
    ["unknown type", "an unknown shape"],
    ["inherited type", "an unknown shape"],
    ["prototype as type", "an unknown shape"],
    ["prototype key", "an unknown shape"],
    ["prototype instead of a key", "an unknown shape"],
    ["wrong field", "an unknown shape"],
    ["missing field", "an unknown shape"],
    ["extra field", "an unknown shape"],
    ["negative spend", "an unknown shape"],
    ["spend that is no number", "an unknown shape"],
    ["not JSON", "an unknown shape"],
    ["a list", "an unknown shape"],
    ["an empty line", "an unknown shape"],
    ["deep nesting", "an unknown shape"],
    ["a long progress", "an unknown shape"],
    ["a long value", "too long"],
    ["a message of 100 MB", "too long"],
    ["a message without end", "too long"],
    ["a flood of messages", "too many messages at once"],
    ["a flood of questions", "too many questions"],
    ["answers unread", "does not read its answers"],
    ["a flood of output", "floods its output"],
    ["a flood of errors", "floods its output"],
    ["proposal twice", "after the last one"],
    ["word after the proposal", "after the last one"],
    ["word after failing", "after the last one"],
    ["a failure of no family", "an unknown shape"],
    ["a failure in its own words", "an unknown shape"],
  ])("%s: %s", async (way, why) => {
    const message = expect.stringContaining(why);
    await expectFailure(way, { family: "rejected", code: "child-protocol", message });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});

describe("a child that dies is told from one that is done", () => {
  const deaths: [string, Partial<ForkLimits>][] = [
    ["exit 1", {}],
    ["exit 0 without a proposal", {}],
    ["half a message", {}],
    ["a thrown error", {}],
    ["a kill of itself", {}],
    ["a kill of its group", {}],
    ["an abort", {}],
    ["too large a heap", { heapMb: 32 }],
    ["too long on the processor", { cpuSeconds: 1 }],
  ];
  // macOS does not hold a process to this limit.
  if (process.platform === "linux") deaths.push(["too many buffers", { dataMb: 1_100 }]);

  it.each(deaths)("%s", async (way, limits) => {
    await expectFailure(way, { family: "unavailable", code: "child-died" }, limits);
  });

  it("and one out of memory is told from the others", async () => {
    const told = await world.run("misbehave", "too large a heap", { limits: { heapMb: 32 } });
    expect(told.error?.message).toContain("out of memory");
  });

  it("and its last words are kept, without what could command a terminal", async () => {
    const told = await world.run("misbehave", "a thrown error");
    expect(String(told.error?.cause)).toContain("thrown [2J on purpose");
  });
});

describe("a child that does not come to an end is ended", () => {
  it.each(["silence", "silence from the start", "an endless loop", "chatter without end", "deafness to signals"])(
    "%s",
    async (way) => {
      await expectFailure(way, { family: "unavailable", code: "child-timeout" }, SHORT);
    },
  );
});

async function expectFailure(way: string, error: object, limits: Partial<ForkLimits> = {}): Promise<void> {
  const before = Object.keys(world.snapshot());
  const told = await world.run("misbehave", way, { limits, desk: () => DEAF_DESK });
  expect(told.error).toMatchObject(error);
  expect(isGone(told.pid)).toBe(true);
  expect(Object.keys(world.snapshot())).toEqual([...before, "brief", "brief/brief.json"].sort());
}

describe("a child that did its work", () => {
  it.each(["no leave after the proposal", "death after the proposal"])(
    "is believed in spite of %s, and gone",
    async (way) => {
      const told = await world.run("misbehave", way, { limits: SHORT });
      expect(told.distilled).toMatchObject({ proposal: { operations: [] }, fence: "node" });
      expect(isGone(told.pid)).toBe(true);
    },
  );

  it("has its spending added up, and told to the desk", async () => {
    const spent: unknown[] = [];
    const desk = { ...NO_REQUESTS, spent: (usage: unknown) => void spent.push(usage) };
    const told = await world.run("misbehave", "spending", { desk: () => desk });
    const once = { requests: 1, inputTokens: 10, cachedTokens: 5, outputTokens: 2, costUsd: 0.25 };
    expect(spent).toEqual([once, once]);
    expect(told.distilled?.usage).toEqual({
      requests: 2,
      inputTokens: 20,
      cachedTokens: 10,
      outputTokens: 4,
      costUsd: 0.5,
    });
  });

  it("keeps the operations that can be read, and has the others named", async () => {
    const told = await world.run("misbehave", "an unreadable operation");
    expect(told.distilled?.proposal.operations).toEqual([{ op: "describe-topic", topic: "a", description: "When b." }]);
    expect(told.distilled?.refused.map(({ rule }) => rule)).toEqual(["unknown-operation"]);
  });

  it("is refused as a whole when its proposal is none", async () => {
    const told = await world.run("misbehave", "a proposal without operations");
    expect(told.error).toMatchObject({ family: "rejected", code: "unreadable-proposal" });
  });

  it("may say itself why it could not, and that is the error", async () => {
    const told = await world.run("misbehave", "a failure");
    expect(told.error).toMatchObject({ family: "unavailable", code: "rate-limited", message: "m[2J n", hint: "h" });
  });
});

describe("a desk that fails", () => {
  it("ends the run with its own error", async () => {
    const desk = {
      ...NO_REQUESTS,
      spent: () => {
        throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      },
    };
    const told = await world.run("misbehave", "spending", { desk: () => desk });
    expect(told.error).toMatchObject({ family: "unavailable", code: "disk-full" });
    expect(isGone(told.pid)).toBe(true);
  });
});

describe("an abort", () => {
  it("before the start starts nothing", async () => {
    const told = await world.run("misbehave", "silence", { job: { signal: AbortSignal.abort() } });
    expect(told.error).toMatchObject({ family: "interrupted", code: "interrupted" });
    expect(told.pid).toBe(0);
    expect(Object.keys(world.snapshot())).not.toContain("brief");
  });

  it.each(["chatter without end", "deafness to signals", "an endless loop"])("ends %s", async (way) => {
    const abort = new AbortController();
    const started = (pid: number) => {
      expect(isGone(pid)).toBe(false);
      abort.abort();
    };
    const told = await world.run("misbehave", way, { job: { signal: abort.signal }, started });
    expect(told.error).toMatchObject({ family: "interrupted", code: "interrupted" });
    expect(isGone(told.pid)).toBe(true);
  });
});
