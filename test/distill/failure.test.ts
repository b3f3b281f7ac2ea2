import { describe, expect, it } from "vitest";
import { KEYS } from "../../src/config/keys.ts";
import { verdictOn } from "../../src/distill/anthropic/failure.ts";
import { backoff, retryAfter } from "../../src/distill/anthropic/retry.ts";
import type { Trouble } from "../../src/distill/anthropic/trouble.ts";
import { NOW } from "./asking.ts";

const ASKED = { settings: { key: "k", baseURL: "http://127.0.0.1:11434/x" }, model: "qwen3:8b", now: NOW };

const status = (code: number, message = "no", more: object = {}): Trouble => ({
  kind: "status",
  status: code,
  type: null,
  code: null,
  message,
  headers: new Headers(),
  ...more,
});

describe("what a failure means", () => {
  it.each<[Trouble, string, number]>([
    [status(408), "overloaded", 5],
    [status(409), "overloaded", 5],
    [status(500), "overloaded", 5],
    [status(502), "overloaded", 5],
    [status(599), "overloaded", 5],
    [status(501), "bad-request", 1],
    [status(405), "bad-request", 1],
    [status(301), "bad-request", 1],
    [status(404, "model 'qwen3:8b' not found, try pulling it first"), "unknown-model", 1],
    [status(400, "qwen3:8b does not exist"), "unknown-model", 1],
    [status(404, "the page is not there"), "bad-request", 1],
    [status(400, "qwen3:8b: input exceeds the context length of 8192 tokens"), "too-long", 1],
    [status(400, "This model's maximum context length is 8192 tokens"), "too-long", 1],
    [status(429, "limit", { code: "ramp_limit_exceeded" }), "rate-limited", 5],
    [status(403, "spend", { code: "contract_spend_limit_reached" }), "no-credit", 1],
    [status(400, "x", { type: "billing_error" }), "no-credit", 1],
    [{ kind: "event", type: "rate_limit_error", message: "slow" }, "rate-limited", 5],
    [{ kind: "event", type: "api_error", message: "x" }, "overloaded", 5],
    [{ kind: "event", type: null, message: "x" }, "overloaded", 5],
    [{ kind: "connection", code: "CERT_HAS_EXPIRED", message: "x" }, "network", 5],
    [{ kind: "late", seconds: 600 }, "too-slow", 1],
  ])("%o is %s", (trouble, code, tries) => {
    const verdict = verdictOn(trouble, ASKED);
    expect([verdict.error.code, verdict.tries]).toEqual([code, tries]);
    expect(verdict.error.message).toMatch(/^qwen3:8b at 127\.0\.0\.1:11434 /);
  });

  it.each([
    ["sk-ant-0123456789", "invalid key [redacted:key]"],
    // The key of a local server is a word like any other.
    ["k", "invalid key k"],
  ])("tells an endpoint's words without the key %s that they repeat", (key, words) => {
    const asked = { ...ASKED, settings: { ...ASKED.settings, key } };
    expect(verdictOn(status(401, `invalid key ${key}`), asked).error.message).toBe(
      `qwen3:8b at 127.0.0.1:11434 answered 401: ${words}`,
    );
  });

  it("names only keys of the configuration that there are", () => {
    const troubles = [status(400), status(413), status(404, ASKED.model), status(401, "x"), status(402)];
    const others: Trouble[] = [
      { kind: "silent", seconds: 1 },
      { kind: "late", seconds: 1 },
      { kind: "garbled", message: "" },
      { kind: "connection", code: null, message: "" },
    ];
    const hints = [...troubles, ...others].map((trouble) => verdictOn(trouble, ASKED).error.hint).join(" ");
    const named = hints.match(/\b(?:model|dream)\.[a-zA-Z]+/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    const known = KEYS.map(({ path }) => path);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe("the wait before another attempt", () => {
  it("grows, ends at half a minute, and is half chance", () => {
    const waits = [1, 2, 3, 4, 5, 6, 20].map((attempt) => [backoff(attempt, 0), backoff(attempt, 1)]);
    expect(waits).toEqual([
      [500, 1_000],
      [1_000, 2_000],
      [2_000, 4_000],
      [4_000, 8_000],
      [8_000, 16_000],
      [15_000, 30_000],
      [15_000, 30_000],
    ]);
  });

  it.each([
    [{ "retry-after": "5" }, 5_000],
    [{ "retry-after": " 0.5 " }, 500],
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
    [{ "retry-after": new Date(NOW + 9_000).toUTCString() }, 9_000],
    [{ "retry-after": new Date(NOW - 9_000).toUTCString() }, 0],
    [{ "retry-after": "soon" }, null],
    [{}, null],
  ])("reads %o", (headers, ms) => {
    expect(retryAfter(new Headers(headers as Record<string, string>), NOW)).toEqual(ms);
  });
});
