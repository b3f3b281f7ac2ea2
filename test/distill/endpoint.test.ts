import { afterEach, describe, expect, it } from "vitest";
import {
  type Answer,
  badKey,
  broken,
  call,
  calls,
  contextExceeded,
  cutInsideInput,
  type EventKind,
  empty,
  fails,
  forbidden,
  hangs,
  internal,
  maxTokensInsideInput,
  message,
  noCredit,
  overloaded,
  pause,
  paymentRequired,
  rateLimited,
  raw,
  refusal,
  resets,
  says,
  text,
  thinking,
  tooLarge,
  tooLong,
  unknownModel,
} from "../support/messages-server.ts";
import { ASK, asking, askingAt, closeServers, NOW, TOOLED } from "./asking.ts";

afterEach(closeServers);

const READ = calls(call("read", { path: "sessions/S1.md" }));
const DONE = { parts: [{ type: "text", text: "Done." }], stop: "end" };
const KINDS: readonly EventKind[] = [
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
];

describe("an answer", () => {
  it("is put together from its stream, with its thoughts kept as they came", async () => {
    const { ask } = await asking([
      message([thinking("hm, 记忆", "s1g"), text("Let me see. 好"), call("read", { path: "S1" })]),
    ]);
    expect(await ask(TOOLED)).toEqual({
      parts: [
        { type: "opaque", value: { type: "thinking", thinking: "hm, 记忆", signature: "s1g" } },
        { type: "text", text: "Let me see. 好" },
        { type: "call", id: "toolu_1_2", name: "read", input: { path: "S1" } },
      ],
      stop: "tools",
    });
  });

  const stops: [string, Answer, object][] = [
    ["that is empty", empty(), { parts: [], stop: "end" }],
    ["that is a refusal", refusal(), { parts: [], stop: "refusal" }],
    ["that pauses", pause(text("Wait.")), { parts: [{ type: "text", text: "Wait." }], stop: "pause" }],
    [
      "that is cut at its longest",
      says("half", { stop: "max_tokens" }),
      { parts: [{ type: "text", text: "half" }], stop: "length" },
    ],
    ["whose stop reason nobody knows", says("Done.", { stop: "new_reason" }), DONE],
    ["that stops for tools and calls none", says("Done.", { stop: "tool_use" }), DONE],
  ];
  it.each(stops)("%s is told as such", async (_, answer, reply) => {
    const { ask, server } = await asking([answer]);
    expect(await ask()).toEqual(reply);
    expect(server.requests.length).toBe(1);
  });

  it("has no calls to run when max_tokens ended it, whole or cut", async () => {
    const two = message([text("I read."), call("read", { path: "a" }), call("read", { path: "b".repeat(50) })]);
    for (const answer of [maxTokensInsideInput(two), { ...two, stop: "max_tokens" }]) {
      const { ask } = await asking([answer]);
      expect(await ask(TOOLED)).toEqual({ parts: [{ type: "text", text: "I read." }], stop: "length" });
    }
  });

  it("has no calls to run when it did not end for them", async () => {
    const { ask } = await asking([{ ...READ, stop: "end_turn" }]);
    expect(await ask(TOOLED)).toEqual({ parts: [], stop: "end" });
  });

  it("whose input is no JSON gives the text of it, which fits no schema", async () => {
    const { ask } = await asking([{ ...READ, inputJson: '{"path": S1' }]);
    expect((await ask(TOOLED)).parts).toEqual([{ type: "call", id: "toolu_1_0", name: "read", input: '{"path": S1' }]);
  });

  it("whose input is a text that holds the JSON is a call with what it holds", async () => {
    const { ask } = await asking([{ ...READ, inputJson: JSON.stringify('{"path": "S1"}') }]);
    expect((await ask(TOOLED)).parts).toMatchObject([{ type: "call", input: { path: "S1" } }]);
  });

  it("without input is a call with none", async () => {
    const { ask } = await asking([{ ...READ, inputJson: "" }]);
    expect((await ask(TOOLED)).parts).toMatchObject([{ type: "call", input: {} }]);
  });

  it.each([
    ["without the names of its events", { bare: true }],
    ["in one piece, although a stream was asked for", { whole: true }],
    ["in drops, with pings between them", { drip: 1 }],
  ])("%s is understood too", async (_, how) => {
    const { ask } = await asking([{ ...READ, ...how }, says("Done.", how)]);
    expect((await ask(TOOLED)).parts).toMatchObject([{ type: "call", input: { path: "sessions/S1.md" } }]);
    expect(await ask()).toEqual(DONE);
  });
});

describe("a stream", () => {
  it("that ends politely after its stop reason is whole", async () => {
    const { ask, server } = await asking([broken(says("Done."), "message_delta", "end")]);
    expect(await ask()).toEqual(DONE);
    expect(server.requests.length).toBe(1);
  });

  it("whose line never ends is given up, and not gathered", async () => {
    const { fails, server } = await asking(() => raw(`data: ${"x".repeat(9_000_000)}`, "text/event-stream"));
    expect(await fails()).toMatchObject({
      family: "unavailable",
      code: "garbled",
      message: expect.stringContaining("too long"),
    });
    expect(server.requests.length).toBe(2);
  });

  it("with Windows line ends, comments and the end mark of another API is understood", async () => {
    const events = [
      { type: "message_start", message: { usage: { input_tokens: 5 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "Do" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "ne." } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
    ].map((event) => `data:${JSON.stringify(event)}\r\n\r\n`);
    const { ask, spent } = await asking([
      raw(`: hello\r\n\r\n${events.join("")}data: [DONE]\r\n\r\n`, "text/event-stream"),
    ]);
    expect(await ask()).toEqual(DONE);
    expect(spent).toMatchObject([{ inputTokens: 5, outputTokens: 2 }]);
  });

  it.each([
    ["a piece of a block that never began", { type: "content_block_delta", index: 3, delta: {} }],
    ["an event that is a list", []],
    ["a block without a body", { type: "content_block_start", index: 0 }],
  ])("with %s is given up", async (_, event) => {
    const { fails } = await asking(() => raw(`data: ${JSON.stringify(event)}\n\n`, "text/event-stream"));
    expect(await fails()).toMatchObject({ code: "garbled" });
  });
});

describe("a passing trouble", () => {
  const passing: [string, Answer][] = [
    ["overload", overloaded()],
    ["a server error", internal()],
    ["an error that is no JSON", raw("<html>Bad gateway</html>", "text/html", 502)],
    ["a connection that breaks before the answer", resets()],
    ["a page instead of an answer", raw("<html>Log in to the network</html>")],
    ["events that are no JSON", broken(READ, "content_block_delta", "garbage")],
    ["a rate limit of some seconds", rateLimited("3")],
    ["a stream cut inside a tool's input", cutInsideInput(READ)],
    ...KINDS.flatMap((kind): [string, Answer][] => [
      [`a stream cut after ${kind}`, broken(READ, kind)],
      [`overload after ${kind}`, broken(READ, kind, "overload")],
    ]),
    ...KINDS.slice(0, 4).map((kind): [string, Answer] => [`an end after ${kind}`, broken(READ, kind, "end")]),
  ];
  it.each(passing)("%s: asked again, and nothing of the broken answer is left", async (_, answer) => {
    const { ask, server, waits } = await asking([answer, says("Done.")]);
    expect(await ask(TOOLED)).toEqual(DONE);
    expect(server.requests.length).toBe(2);
    expect(server.requests[1]?.raw).toBe(server.requests[0]?.raw);
    expect(waits.length).toBe(1);
  });

  it("is met with growing waits, and then ends the run", async () => {
    const { fails, waits, server, progress } = await asking(() => overloaded());
    expect(await fails()).toMatchObject({ family: "unavailable", code: "overloaded", retryAt: null });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(await fails()).toMatchObject({ code: "overloaded" });
    expect(server.requests.length).toBe(5);
    expect(progress[0]).toContain("next try in 1 s");
  });

  it.each([
    ["3", 3_000],
    ["60", 60_000],
    ["0.2", 1_000],
    [new Date(NOW + 30_000).toUTCString(), 30_000],
  ])("that says how long to wait (%s) is obeyed up to a minute", async (retryAfter, wait) => {
    const { ask, waits } = await asking([rateLimited(retryAfter), says("Done.")]);
    expect(await ask()).toEqual(DONE);
    expect(waits).toEqual([wait]);
  });

  it.each([
    ["7200", NOW + 7_200_000],
    [new Date(NOW + 3_600_000).toUTCString(), NOW + 3_600_000],
  ])("that says to wait longer (%s) ends the run at once, with the time", async (retryAfter, retryAt) => {
    const { fails, ask, waits, server } = await asking([rateLimited(retryAfter), says("Done.")]);
    expect(await fails()).toMatchObject({ family: "unavailable", code: "rate-limited", retryAt });
    expect(waits).toEqual([]);
    await expect(ask()).rejects.toMatchObject({ code: "rate-limited", retryAt });
    expect(server.requests.length).toBe(1);
  });

  it("of an overloaded server that asks for hours ends the run with the time too", async () => {
    const { fails } = await asking([overloaded({ "retry-after": "3600" })]);
    expect(await fails()).toMatchObject({ code: "overloaded", retryAt: NOW + 3_600_000 });
  });

  it("of a closed port is the network's", async () => {
    const { server } = await asking([]);
    await server.close();
    const { fails, waits, spent } = askingAt(server.url);
    expect(await fails()).toMatchObject({
      family: "unavailable",
      code: "network",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    expect(waits.length).toBe(4);
    expect(spent.map(({ inputTokens }) => inputTokens)).toEqual([0, 0, 0, 0, 0]);
  });

  it("of a name that does not resolve is the network's", async () => {
    expect(await askingAt("http://no-such-host.invalid").fails()).toMatchObject({ code: "network" });
  });

  const SHORT = { settings: { idleSeconds: 0.1 } };
  it.each([
    ["before the headers", hangs()],
    ["within the stream", broken(READ, "content_block_start", "hang")],
  ])("of an endpoint that falls silent %s is noticed, tried once more, and leaves no connection", async (_, answer) => {
    const { fails, server } = await asking(() => answer, SHORT);
    expect(await fails(TOOLED)).toMatchObject({ family: "unavailable", code: "silent" });
    expect(server.requests.length).toBe(2);
    await expect.poll(() => server.open).toBe(0);
  });

  it("of an answer that drips without end is ended at the longest time of a request, and not tried again", async () => {
    const long = says("word ".repeat(20), { drip: 60 });
    const { fails, server } = await asking(() => long, { settings: { idleSeconds: 10, requestSeconds: 0.2 } });
    expect(await fails()).toMatchObject({ family: "unavailable", code: "too-slow" });
    expect(server.requests.length).toBe(1);
    await expect.poll(() => server.open).toBe(0);
  });
});

describe("a trouble that does not pass", () => {
  const lasting: [string, Answer, object][] = [
    ["a wrong key", badKey(), { family: "misconfigured", code: "bad-key" }],
    ["a key that may not", forbidden(), { family: "misconfigured", code: "bad-key" }],
    ["no credit, as 400", noCredit(), { family: "misconfigured", code: "no-credit" }],
    ["no credit, as 402", paymentRequired(), { family: "misconfigured", code: "no-credit" }],
    [
      "a spend limit, told by its code",
      fails(400, "invalid_request_error", "…", { code: "enforced_spend_limit_reached" }),
      { family: "misconfigured", code: "no-credit" },
    ],
    ["a model that is not there", unknownModel("claude-haiku-5-5"), { family: "misconfigured", code: "unknown-model" }],
    [
      "a wrong address",
      raw("<html>Not found</html>", "text/html", 404),
      { family: "misconfigured", code: "bad-request" },
    ],
    [
      "a request that is refused",
      fails(400, "invalid_request_error", "max_tokens: too large"),
      { family: "misconfigured", code: "bad-request" },
    ],
  ];
  it.each(lasting)("%s: one request, and none after it", async (_, answer, error) => {
    const { fails, server, waits } = await asking(() => answer, { refuse: [] });
    expect(await fails({ ...ASK, system: "" })).toMatchObject(error);
    expect(await fails({ ...ASK, system: "" })).toMatchObject(error);
    expect(server.requests.length).toBe(1);
    expect(waits).toEqual([]);
  });

  it("is found by one request, however many wait to be sent", async () => {
    const { fails, server } = await asking(() => badKey());
    const errors = await Promise.all([fails(), fails(), fails(), fails(), fails()]);
    expect(errors.map(({ code }) => code)).toEqual(Array(5).fill("bad-key"));
    expect(server.requests.length).toBe(1);
  });

  it.each([
    ["a prompt that is too long", tooLong()],
    ["a body that is too large", tooLarge()],
    ["an answer that outgrows the context", contextExceeded()],
  ])("%s is never sent again as it is, and others still are", async (_, answer) => {
    const { fails, ask, server, waits } = await asking([answer, says("Done.")]);
    expect(await fails()).toMatchObject({ family: "rejected", code: "too-long" });
    expect(waits).toEqual([]);
    expect(await ask()).toEqual(DONE);
    expect(server.requests.length).toBe(2);
  });

  it("does not show the key, which an endpoint may repeat", async () => {
    const { fails: ends } = await asking([fails(401, "authentication_error", "Incorrect key: sk-test-key\u001b[2J")]);
    const { message: words } = await ends();
    expect(words).toContain("Incorrect key: [redacted:key]");
    expect(words).not.toContain("\u001b");
  });

  it("says that a key is missing where none was sent", async () => {
    const { fails } = await asking([], { key: "wanted", settings: { key: null } });
    expect(await fails()).toMatchObject({ family: "misconfigured", code: "no-key" });
  });

  it("sends the key to no other host", async () => {
    const elsewhere = await asking(() => says("Done."));
    const { fails } = await asking([
      { kind: "raw", status: 307, body: "", headers: { location: `${elsewhere.server.url}/v1/messages` } },
    ]);
    expect(await fails()).toMatchObject({ code: "bad-request" });
    expect(elsewhere.server.all).toEqual([]);
  });
});
