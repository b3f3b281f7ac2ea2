import { afterEach, describe, expect, it } from "vitest";
import { type Answer, broken, call, calls, hangs, resets, says } from "../support/messages-server.ts";
import { ASK, asking, closeServers, NOW, TOOLED } from "./asking.ts";

afterEach(closeServers);

const COUNTED = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 300,
  cache_read_input_tokens: 500,
};
const READ: Answer = { ...calls(call("read", { path: "x".repeat(400) })), usage: COUNTED };

describe("what a request costs", () => {
  it("is reserved before every attempt and reported after it, at its price", async () => {
    const { ask, reserved, spent } = await asking([{ kind: "error", status: 500, type: "api_error" }, READ]);
    await ask(TOOLED);
    expect(reserved.length).toBe(2);
    expect(reserved[0]?.outputTokens).toBe(1_000);
    expect(reserved[0]?.inputTokens).toBeGreaterThan(50);
    expect(reserved[0]?.costUsd).toBeCloseTo(((reserved[0]?.inputTokens ?? 0) * 1.25 + 1_000 * 5) / 1e6, 12);
    const nothing = { requests: 1, inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd: 0 };
    const costUsd = (100 * 1 + 300 * 1.25 + 500 * 0.1 + 20 * 5) / 1e6;
    expect(spent[0]).toEqual(nothing);
    // The endpoint counted 20, but 400 characters came: what arrived was made.
    expect(spent[1]).toMatchObject({ requests: 1, inputTokens: 400, cachedTokens: 500 });
    expect(spent[1]?.costUsd).toBeGreaterThanOrEqual(costUsd);
  });

  it.each([
    ["was cut within", broken(READ, "content_block_delta"), { inputTokens: 400, cachedTokens: 500 }],
    [
      "was broken off by overload",
      broken(READ, "content_block_delta", "overload"),
      { inputTokens: 400, cachedTokens: 500 },
    ],
  ])("counts when the answer %s, as far as it was told", async (_, answer, counted) => {
    const { ask, spent } = await asking([answer, says("Done.")]);
    await ask(TOOLED);
    expect(spent[0]).toMatchObject(counted);
    expect(spent[0]?.outputTokens).toBeGreaterThan(40);
  });

  it.each([
    ["never began", hangs()],
    ["was broken before it began", resets()],
  ])("counts as the estimated prompt when the answer %s", async (_, answer) => {
    const { ask, spent, reserved } = await asking([answer, says("Done.")], { settings: { idleSeconds: 0.1 } });
    await ask();
    expect(spent[0]?.inputTokens).toBe(reserved[0]?.inputTokens);
  });

  it("counts as the estimate where the endpoint does not count", async () => {
    const usage = { input_tokens: 0, output_tokens: 0 };
    const { ask, spent, reserved } = await asking([says("some words of an answer", { usage })]);
    await ask();
    expect(spent[0]?.inputTokens).toBe(reserved[0]?.inputTokens);
    expect(spent[0]?.outputTokens).toBeGreaterThan(3);
  });

  it.each([
    // What tokenizers of vendors make of such texts, at the most: tokens per character.
    ["English prose", "The heron waits at the edge of the lake until the water is still. ".repeat(200), 1 / 3.5],
    ["code", 'if (queue[i]?.size !== 0x7f) { return { ok: false, why: "full" }; }\n'.repeat(200), 1 / 2.5],
    ["Chinese", "数据库的连接数上限是五百，因为代理会丢弃更多的连接。".repeat(200), 1.3],
    ["Russian", "Очередь ограничена пятьюстами заданиями. ".repeat(200), 0.6],
    ["emoji", "🐦🌊🪵".repeat(400), 1.3],
  ])("of %s is never reserved below what it may come to", async (_, text, tokensPerChar) => {
    const { ask, reserved } = await asking([says("Done.")]);
    await ask({ ...ASK, turns: [{ role: "user", parts: [{ type: "text", text }] }] });
    expect(reserved[0]?.inputTokens).toBeGreaterThan(text.length * tokensPerChar);
    expect(reserved[0]?.inputTokens).toBeLessThan(Buffer.byteLength(text));
  });

  it("is tokens alone for a model without a price", async () => {
    const extract = { name: ASK.model, price: null };
    const { ask, spent, reserved } = await asking([says("Done.")], { settings: { extract } });
    await ask();
    expect([reserved[0]?.costUsd, spent[0]?.costUsd, spent[0]?.inputTokens]).toEqual([0, 0, 1_000]);
  });

  it("over a cap is not sent, and the cap is named; nothing is sent after it", async () => {
    const cap = "the day's cap of 1.00 USD is reached";
    const { ask, fails, server, spent } = await asking(() => says("Done."), { refusal: (n) => (n > 1 ? cap : null) });
    await ask();
    expect(await fails()).toMatchObject({ family: "over-budget", code: "over-budget", message: cap });
    expect(await fails()).toMatchObject({ family: "over-budget" });
    expect(server.requests.length).toBe(1);
    expect(spent.length).toBe(1);
  });

  it("stops a retry too", async () => {
    const { fails, server } = await asking(() => ({ kind: "error", status: 529, type: "overloaded_error" }), {
      refusal: (n) => (n > 2 ? "the run's cap of 2 requests is reached" : null),
    });
    expect(await fails()).toMatchObject({ family: "over-budget" });
    expect(server.requests.length).toBe(2);
  });
});

describe("the share of the rate limits that is kept", () => {
  const RESET = new Date(NOW + 300_000).toISOString();
  const rate = (kind: string, remaining: string, reset = RESET) => ({
    [`anthropic-ratelimit-${kind}-limit`]: "1000",
    [`anthropic-ratelimit-${kind}-remaining`]: remaining,
    [`anthropic-ratelimit-${kind}-reset`]: reset,
  });

  it.each(["requests", "tokens", "input-tokens", "output-tokens"])(
    "stops the next request when less is left of the %s, until they are full again",
    async (kind) => {
      const { ask, fails, server } = await asking(() => says("Done.", { headers: rate(kind, "99") }));
      await ask();
      expect(await fails()).toMatchObject({ family: "unavailable", code: "rate-share", retryAt: NOW + 300_000 });
      expect(server.requests.length).toBe(1);
    },
  );

  it("is waited for within the run when it is full again in a minute at most", async () => {
    const soon = new Date(NOW + 60_000).toISOString();
    const { ask, server, waits, progress } = await asking((r) =>
      says("Done.", { headers: r.n === 1 ? rate("tokens", "99", soon) : rate("tokens", "900") }),
    );
    await ask();
    expect(await ask()).toMatchObject({ stop: "end" });
    expect([server.requests.length, waits]).toEqual([2, [60_000]]);
    expect(progress[0]).toMatch(/only 9 % of the endpoint's limit on tokens is left.*waiting 60 s/);
  });

  it("waits for the last of several", async () => {
    const headers = { ...rate("requests", "1"), ...rate("tokens", "1", new Date(NOW + 900_000).toISOString()) };
    const { ask, fails } = await asking(() => says("Done.", { headers }));
    await ask();
    expect(await fails()).toMatchObject({ retryAt: NOW + 900_000 });
  });

  it.each([
    ["more is left", rate("tokens", "100"), {}],
    ["nothing is kept", rate("tokens", "0"), { keepRatePercent: 0 }],
    ["the limit is full again by now", rate("tokens", "0", new Date(NOW - 1).toISOString()), {}],
    ["the headers make no sense", rate("tokens", "many"), {}],
  ])("does not stop when %s", async (_, headers, settings) => {
    const { ask } = await asking(() => says("Done.", { headers }), { settings });
    await ask();
    expect(await ask()).toMatchObject({ stop: "end" });
  });

  it("without a time to wait for stops for this run", async () => {
    const { ask, fails } = await asking(() => says("Done.", { headers: rate("tokens", "5", "soon") }));
    await ask();
    expect(await fails()).toMatchObject({ code: "rate-share", retryAt: null });
  });
});
