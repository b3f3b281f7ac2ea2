import { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import type { MemdError } from "../../src/base/errors.ts";
import { type Desk, openChannel } from "../../src/distill/channel.ts";
import { CHANNEL_LIMITS } from "../../src/distill/protocol.ts";

const HELLO = { type: "hello", fence: "node" };
const ASK = { type: "reserve", id: 7, inputTokens: 1_000, outputTokens: 200, costUsd: 0.01 };

/** A channel whose other end is the test's hand. */
function hand(desk: Partial<Desk> = {}) {
  const answers: unknown[] = [];
  const breaches: MemdError[] = [];
  let time = 0;
  const nothing: Desk = {
    reserve: () => ({ granted: true, reason: null }),
    cacheGet: () => null,
    cachePut: () => undefined,
    spent: () => undefined,
    progress: () => undefined,
    judge: () => ({ accepted: true, rule: null, detail: "accepted" }),
    settings: () => ({}),
  };
  const socket = new Duplex({
    read: () => undefined,
    write: (chunk, _, done) => {
      answers.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const channel = openChannel(socket, {
    desk: { ...nothing, ...desk },
    clock: { now: () => time, monotonic: () => time },
    heard: () => undefined,
    breach: (error) => breaches.push(error),
  });
  const say = (...messages: object[]) => {
    for (const message of messages) socket.emit("data", Buffer.from(`${JSON.stringify(message)}\n`));
  };
  return { channel, answers, breaches, say, socket, wait: (ms: number) => (time += ms) };
}

describe("the parent's end of the channel", () => {
  it("asks the desk before a request is made, and passes its answer on with the question's number", async () => {
    const asked: unknown[] = [];
    const grant = { granted: false, reason: "the day's cap of 1.00 USD is reached" };
    const { say, answers } = hand({
      reserve: async (need) => {
        asked.push(need);
        return grant;
      },
    });
    say(HELLO, ASK);
    await expect.poll(() => answers).toEqual([{ type: "granted", id: 7, ...grant }]);
    expect(asked).toEqual([{ inputTokens: 1_000, outputTokens: 200, costUsd: 0.01 }]);
  });

  it("ends the run with the desk's error when the desk fails later", async () => {
    const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
    const { say, breaches } = hand({ reserve: () => Promise.reject(full) });
    say(HELLO, ASK);
    await expect.poll(() => breaches.map(({ code }) => code)).toEqual(["disk-full"]);
  });

  it("answers from the cache, and takes a value that no message can hold for none", () => {
    const values: Record<string, string> = { small: "v", large: "v".repeat(CHANNEL_LIMITS.messageBytes) };
    const { say, answers } = hand({ cacheGet: (key) => values[key] ?? null });
    say(HELLO, ...["small", "large", "none"].map((key, id) => ({ type: "cacheGet", id, key })));
    expect(answers).toEqual([0, 1, 2].map((id) => ({ type: "cached", id, value: id === 0 ? "v" : null })));
  });

  it("has a batch written down before it answers, and only where one is wanted", () => {
    const plan = { type: "plan", id: 3, keys: ["a", "b"], inputTokens: 10, outputTokens: 20, costUsd: 0.5 };
    const kept: unknown[] = [];
    const batch = {
      plan: ({ keys, costUsd }: { keys: readonly string[]; costUsd: number }) => {
        kept.push([keys, costUsd]);
        return { granted: true, reason: null, marker: "m" };
      },
      sent: (id: string | null, _strange: boolean) => void kept.push(id),
    };
    const wanted = hand({ batch });
    wanted.say(HELLO, plan, { type: "sent", id: 4, batch: "msgbatch_1", strange: false });
    expect(kept).toEqual([[["a", "b"], 0.5], "msgbatch_1"]);
    expect(wanted.answers).toEqual([
      { type: "planned", id: 3, granted: true, reason: null, marker: "m" },
      { type: "noted", id: 4 },
    ]);
    const unwanted = hand();
    unwanted.say(HELLO, plan);
    expect(unwanted.breaches.map(({ code }) => code)).toEqual(["child-protocol"]);
    const flood = hand({ batch });
    flood.say(HELLO, { ...plan, keys: Array(401).fill("k") });
    expect(flood.breaches.map(({ code }) => code)).toEqual(["child-protocol"]);
  });

  it("puts nothing into the terminal that could command it", () => {
    const shown: string[] = [];
    const { say } = hand({ progress: (text) => shown.push(text) });
    say(HELLO, { type: "progress", text: "\u001b[2Jreading\nS1 \u202E1/3\uD800" });
    expect(shown).toEqual(["[2Jreading S1 1/3\uFFFD"]);
  });

  it("hears a child out that speaks steadily, but not for ever", () => {
    const { say, wait, breaches } = hand();
    say(HELLO);
    for (let sent = 1; sent < CHANNEL_LIMITS.messages; sent++) {
      say({ type: "progress", text: "x" });
      wait(2);
    }
    expect(breaches).toEqual([]);
    say({ type: "progress", text: "x" });
    expect(breaches.map(({ message }) => message)).toEqual(["the distiller broke the protocol: too many messages"]);
  });

  it("hears nothing more after a breach", () => {
    const { say, breaches, channel } = hand();
    say(HELLO, HELLO, { type: "proposal", proposal: { operations: [] } });
    expect(breaches.length).toBe(1);
    expect(channel.last).toBeNull();
  });
});
