import { afterEach, describe, expect, it } from "vitest";
import { ALL_FEATURES } from "../../src/distill/anthropic/features.ts";
import type { Reply, Turn } from "../../src/distill/anthropic/messages.ts";
import { isAnthropic, readSettings } from "../../src/distill/anthropic/settings.ts";
import { bodyOf } from "../../src/distill/anthropic/wire.ts";
import { call, fails, message, says, thinking } from "../support/messages-server.ts";
import { ASK, asking, askingAt, closeServers, STRUCTURED, settingsFor, TOOLED } from "./asking.ts";

afterEach(closeServers);

const answered = ({ parts }: Reply): Turn => ({ role: "assistant", parts });
const results = ({ parts }: Reply): Turn => ({
  role: "user",
  parts: parts.flatMap((part) =>
    part.type === "call" ? [{ type: "result" as const, id: part.id, text: "read", isError: false }] : [],
  ),
});

describe("a request on the wire", () => {
  it("always streams, and carries the words, the tools and the longest answer", async () => {
    const { ask, server } = await asking([says("Done.")]);
    await ask(TOOLED);
    expect(server.requests[0]?.body).toEqual({
      model: "claude-sonnet-5-5",
      max_tokens: 1_000,
      stream: true,
      system: [{ type: "text", text: "You read a session.", cache_control: { type: "ephemeral" } }],
      tools: [{ name: "read", description: "Reads.", input_schema: TOOLED.tools[0]?.schema }],
      cache_control: { type: "ephemeral" },
      messages: [{ role: "user", content: [{ type: "text", text: "S1:1 user: hello" }] }],
    });
  });

  it("keeps every byte before the newest turn over the turns of a conversation", async () => {
    const { ask, server } = await asking((request) =>
      request.n < 4
        ? message([thinking(`thought ${request.n}`), call("read", { path: `S${request.n}` })])
        : says("Done."),
    );
    let turns = TOOLED.turns;
    for (let i = 0; i < 4; i++) {
      const reply = await ask({ ...TOOLED, turns });
      turns = [...turns, answered(reply), results(reply)];
    }
    const open = server.requests.map(({ raw }) => raw.slice(0, -2));
    for (let i = 1; i < open.length; i++) expect(open[i]?.startsWith(open[i - 1] ?? "?")).toBe(true);
    expect(server.requests[1]?.body.messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "thought 1", signature: "sig" },
          { type: "tool_use", id: "toolu_1_1", name: "read", input: { path: "S1" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1_1", content: "read", is_error: false }] },
    ]);
  });

  it("never holds half a character, wherever the words come from", async () => {
    const half = "cut \ud83d";
    const turns: Turn[] = [
      { role: "user", parts: [{ type: "text", text: half }] },
      { role: "assistant", parts: [{ type: "call", id: "c1", name: "read", input: { [half]: ["\udc00 x"] } }] },
      { role: "user", parts: [{ type: "result", id: "c1", text: `whole 😀, ${half}`, isError: true }] },
    ];
    const tools = [{ name: "read", description: half, schema: { type: "object", title: half } }];
    const { ask, server } = await asking([says("Done.")]);
    await ask({ ...TOOLED, system: half, turns, tools });
    expect(server.requests[0]?.raw).toContain("whole 😀, cut \ufffd");
    expect(server.requests[0]?.raw).not.toMatch(/\\ud[89a-f]/i);
  });

  it.each<[string, Turn[], unknown]>([
    [
      "turns of the same speaker in a row",
      [
        { role: "user", parts: [{ type: "text", text: "a" }] },
        { role: "user", parts: [{ type: "text", text: "b" }] },
      ],
      [
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        },
      ],
    ],
    [
      "an answer without words between two questions",
      [
        { role: "user", parts: [{ type: "text", text: "a" }] },
        { role: "assistant", parts: [{ type: "text", text: " \n" }] },
        { role: "user", parts: [{ type: "text", text: "b" }] },
      ],
      [
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        },
      ],
    ],
    [
      "words before a result",
      [
        {
          role: "user",
          parts: [
            { type: "text", text: "and" },
            { type: "result", id: "c", text: "r", isError: false },
          ],
        },
      ],
      [
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c", content: "r", is_error: false },
            { type: "text", text: "and" },
          ],
        },
      ],
    ],
    [
      "a call whose input is no object",
      [{ role: "assistant", parts: [{ type: "call", id: "c", name: "n", input: '{"a": cut' }] }],
      [{ role: "assistant", content: [{ type: "tool_use", id: "c", name: "n", input: {} }] }],
    ],
  ])("takes %s in a form that every endpoint takes", (_, turns, messages) => {
    expect(bodyOf({ ...ASK, turns }, ALL_FEATURES).messages).toEqual(messages);
  });

  it.each([
    ["auto", "bearer sk-test-key and x-api-key sk-test-key"],
    ["bearer", "bearer sk-test-key"],
    ["x-api-key", "x-api-key sk-test-key"],
  ] as const)("sends the key as %s says: %s", async (auth, sent) => {
    const { ask, server } = await asking([says("Done.")], { settings: { auth } });
    await ask();
    const { authorization, "x-api-key": apiKey } = server.requests[0]?.headers ?? {};
    const parts = [authorization?.replace("Bearer", "bearer"), apiKey && `x-api-key ${apiKey}`];
    expect(parts.filter(Boolean).join(" and ")).toBe(sent);
  });

  it("sends no key where there is none", async () => {
    const { ask, server } = await asking([says("Done.")], { settings: { key: null } });
    await ask();
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
    expect(server.requests[0]?.headers).not.toHaveProperty("x-api-key");
  });

  it.each([
    ["/api/anthropic", "/api/anthropic"],
    ["/api/anthropic", "/api/anthropic/"],
    ["/api/anthropic", "/api/anthropic/v1"],
    ["", "/v1/"],
  ])("finds the endpoint below %j when it is given as %j", async (path, given) => {
    const { server } = await asking([says("Done.")], { path });
    await askingAt(`http://127.0.0.1:${server.port}${given}`).ask();
    expect(server.requests.length).toBe(1);
  });

  it("tells Anthropic's own endpoint from those that only look like it", () => {
    const own = ["https://api.anthropic.com", "https://anthropic.com/x"];
    const others = [
      "https://anthropic.com.example.org",
      "https://notanthropic.com",
      "http://localhost/api.anthropic.com",
    ];
    expect(own.map(isAnthropic)).toEqual([true, true]);
    expect(others.map(isAnthropic)).toEqual([false, false, false]);
  });
});

describe("an endpoint that knows only a part of the API", () => {
  it("is asked without a schema when it knows no structured output, once and for all", async () => {
    const { ask, server } = await asking(() => says('{"items": []}'), { refuse: ["output_config"] });
    await ask(STRUCTURED);
    await ask(STRUCTURED);
    const [first, second, third] = server.requests;
    expect(first?.body.output_config.format).toEqual({ type: "json_schema", schema: STRUCTURED.answer });
    expect(second?.body).not.toHaveProperty("output_config");
    expect(third?.raw).toBe(second?.raw);
    expect(server.requests.length).toBe(3);
  });

  it("is sent no marks for a cache when it knows none", async () => {
    const { ask, server } = await asking(() => says("Done."), { refuse: ["cache_control"] });
    await ask(TOOLED);
    await ask(TOOLED);
    expect(server.requests.map(({ raw }) => raw.includes("cache_control"))).toEqual([true, false, false]);
  });

  it("is sent neither when it refuses without a reason, and is given up when that does not help", async () => {
    const bad = fails(422, "invalid_request_error", "Unprocessable");
    const { ask, server } = await asking((request) => (request.n === 1 ? bad : says('{"items": []}')));
    await ask(STRUCTURED);
    expect(server.requests[1]?.raw).not.toMatch(/cache_control|output_config/);
    const { fails: ends, server: other } = await asking(() => bad);
    expect(await ends(STRUCTURED)).toMatchObject({ family: "misconfigured", code: "bad-request" });
    expect(other.requests.length).toBe(2);
  });

  it("is spoken to in the version that it knows", async () => {
    const { ask, server } = await asking((request) =>
      request.headers["anthropic-version"] === "2023-06-01"
        ? says("Done.")
        : fails(400, "invalid_request_error", "anthropic-version: unsupported"),
    );
    await ask();
    expect(server.requests.length).toBe(2);
  });

  it("sees one request at a time where the settings say so", async () => {
    const { ask, server } = await asking(() => says("Done.", { drip: 2 }), { settings: { parallel: 1 } });
    await Promise.all([ask(), ask(), ask(), ask()]);
    expect(server.peak).toBe(1);
  });

  it("sees as many as the settings allow once the first was answered", async () => {
    const { ask, server } = await asking(() => says("Done.", { drip: 5 }), { settings: { parallel: 3 } });
    const first = ask();
    const rest = [ask(), ask(), ask(), ask(), ask(), ask()];
    await first;
    expect(server.requests.length).toBe(1);
    await Promise.all(rest);
    expect(server.peak).toBe(3);
  });
});

describe("settings", () => {
  const good = settingsFor("https://api.anthropic.com");
  it("that fit are taken as they are", () => {
    expect(readSettings(JSON.parse(JSON.stringify(good)))).toEqual(good);
  });

  it.each([
    ["baseURL", "localhost:11434"],
    ["baseURL", "file:///etc/passwd"],
    ["key", "with\nnewline"],
    ["key", ""],
    ["auth", "basic"],
    ["parallel", 0],
    ["idleSeconds", "20"],
    ["extract", { name: "m" }],
    ["consolidate", { name: "m", price: { input: 1 } }],
    ["more", 1],
  ])("with a wrong %s are refused by its name alone", (field, value) => {
    expect(() => readSettings({ ...good, [field]: value })).toThrow(
      new TypeError(`the distiller was set up wrongly: ${field}`),
    );
  });
});
