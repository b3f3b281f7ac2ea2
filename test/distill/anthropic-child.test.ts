import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildChild } from "../../scripts/build.mjs";
import { systemClock } from "../../src/base/clock.ts";
import { nodeFiles } from "../../src/base/files.ts";
import { probeEndpoint } from "../../src/distill/anthropic/probe-endpoint.ts";
import type { AnthropicSettings } from "../../src/distill/anthropic/settings.ts";
import type { ForkSetup, ParentDesk } from "../../src/distill/fork.ts";
import type { Reservation } from "../../src/distill/protocol.ts";
import type { Brief, Usage } from "../../src/ports.ts";
import {
  answers,
  type Body,
  badKey,
  call,
  calls,
  hangs,
  type MessagesServer,
  rateLimited,
  type Script,
  type ServerOptions,
  says,
  startMessagesServer,
  unknownModel,
} from "../support/messages-server.ts";
import { settingsFor } from "./asking.ts";
import { emptyBrief, isGone, makeWorld, RUNTIME, type World } from "./world.ts";

let dist: string;
let child: string;
beforeAll(async () => {
  dist = realpathSync(mkdtempSync(join(tmpdir(), "memd-dist-")));
  child = await buildChild(dist, "anthropic-child");
});
afterAll(() => rmSync(dist, { recursive: true, force: true }));

let world: World;
const servers: MessagesServer[] = [];
beforeEach(() => {
  world = makeWorld();
});
afterEach(async () => {
  world.remove();
  for (const server of servers.splice(0)) await server.close();
});

async function serve(script: Script, options?: ServerOptions): Promise<MessagesServer> {
  const server = await startMessagesServer(script, options);
  servers.push(server);
  return server;
}

function deskFor(url: string, more: Partial<AnthropicSettings> = {}, granted = true) {
  const reserved: Reservation[] = [];
  const spent: Usage[] = [];
  const desk: ParentDesk = {
    reserve: (need) => {
      reserved.push(need);
      return granted ? { granted, reason: null } : { granted, reason: "the month's cap of 500 requests is reached" };
    },
    cacheGet: () => null,
    cachePut: () => undefined,
    spent: (usage) => void spent.push(usage),
    settings: () => settingsFor(url, more),
  };
  return { desk, reserved, spent };
}

const WORDS = "Please remember: the staging database listens on port 5433.";

function talk(): Brief {
  const session = { label: "S1", session: "a", client: "claude-code", file: "/a.jsonl", cwd: "/a", headless: false };
  const said = {
    label: "S1:1",
    speaker: "user",
    trust: "user",
    text: WORDS,
    dates: [],
    line: 1,
    record: null,
  } as const;
  const utterances = [{ ...said, at: Date.UTC(2026, 2, 9, 10) }];
  return {
    ...emptyBrief("app"),
    digest: { sessions: [{ ...session, utterances }], tokens: 100, redacted: {}, taken: [] },
  };
}

const run = (desk: ParentDesk, more: object = {}) =>
  world.run(child, null, { name: "anthropic", readable: [], desk: () => desk, job: { brief: talk() }, ...more });

describe("the child that asks a model", () => {
  it("reaches the endpoint from inside the fence, and reports what it reserved and spent", async () => {
    const server = await serve(() => answers({}));
    const { desk, reserved, spent } = deskFor(server.url, {}, true);
    const told = await run(desk);
    expect(told.error?.code).not.toBe("network");
    expect(server.requests[0]?.body.model).toBe("claude-haiku-5-5");
    expect(server.requests[0]?.raw).toContain("port 5433");
    expect(spent.length).toBe(reserved.length);
    expect(reserved.length).toBe(server.requests.length);
    expect(isGone(told.pid)).toBe(true);
  });

  it("knows the key from the channel alone", async () => {
    const server = await serve(() => hangs());
    const { desk } = deskFor(server.url);
    const abort = new AbortController();
    let pid = 0;
    const running = run(desk, { started: (own: number) => (pid = own), job: { brief: talk(), signal: abort.signal } });
    await server.arrived(1);
    if (process.platform === "linux") {
      const [line, environment] = ["cmdline", "environ"].map((name) => nodeFiles.readText(`/proc/${pid}/${name}`));
      expect(`${line} ${environment}`).not.toContain("sk-test-key");
    }
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-test-key");
    abort.abort();
    expect((await running).error).toMatchObject({ family: "interrupted" });
    expect(isGone(pid)).toBe(true);
    await expect.poll(() => server.open).toBe(0);
  });

  it.each<[string, Script, object]>([
    ["a wrong key", () => badKey(), { family: "misconfigured", code: "bad-key" }],
    [
      "a model that is not there",
      () => unknownModel("claude-haiku-5-5"),
      { family: "misconfigured", code: "unknown-model" },
    ],
    [
      "a limit of two hours",
      () => rateLimited("7200"),
      { family: "unavailable", code: "rate-limited", retryAt: expect.any(Number) },
    ],
  ])("ends with %s, after one request", async (_, script, error) => {
    const server = await serve(script);
    const told = await run(deskFor(server.url).desk);
    expect(told.error).toMatchObject(error);
    expect(server.requests.length).toBe(1);
  });

  it("sends nothing when the first reservation is refused", async () => {
    const server = await serve(() => says("Done."));
    const told = await run(deskFor(server.url, {}, false).desk);
    expect(told.error).toMatchObject({ family: "over-budget", message: "the month's cap of 500 requests is reached" });
    expect(server.all).toEqual([]);
  });

  it("says so when it is set up wrongly, and not with what", async () => {
    const told = await run(deskFor("http://127.0.0.1:1", { key: "two words" }).desk);
    expect(told.error).toMatchObject({ family: "rejected", code: "distiller-bug" });
    expect(told.error?.message).toContain("set up wrongly: key");
    expect(told.error?.message).not.toContain("two words");
  });
});

/** A model that does what it is told. */
function obedient({ body }: { body: Body }) {
  if (body.tools) return calls(call("note", { word: "ok" }));
  return body.output_config ? answers({ sum: 5 }) : says("ok");
}

const probe = (
  server: MessagesServer,
  more: Partial<AnthropicSettings> = {},
  desk = deskFor(server.url, more).desk,
) => {
  const setup: ForkSetup = {
    childPath: child,
    env: {},
    files: nodeFiles,
    clock: systemClock,
    runtime: RUNTIME,
    desk: () => desk,
  };
  return probeEndpoint(setup, { run: "probe", folder: world.folder, signal: new AbortController().signal });
};
const able = async (probing: ReturnType<typeof probe>) =>
  Object.fromEntries((await probing).abilities.map((one) => [one.ability, one.able]));

const ALL = {
  reachable: true,
  key: true,
  models: true,
  streaming: true,
  tools: true,
  "structured-output": true,
  caching: true,
  "count-tokens": true,
  batches: true,
};

describe("probing an endpoint", () => {
  it("finds all that a whole endpoint can do, with six small requests", async () => {
    const server = await serve(obedient);
    const { desk, reserved, spent } = deskFor(server.url);
    expect(await able(probe(server, {}, desk))).toEqual(ALL);
    expect(server.all.length).toBe(6);
    expect(reserved.length).toBe(6);
    expect(spent.length).toBe(6);
    expect(Math.max(...reserved.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens))).toBeLessThan(500);
  });

  it("finds what a small one cannot", async () => {
    const server = await serve(obedient, {
      refuse: ["tools", "output_config", "cache_control", "count_tokens", "batches"],
    });
    expect(await able(probe(server))).toEqual({
      ...ALL,
      tools: false,
      "structured-output": false,
      caching: false,
      "count-tokens": false,
      batches: false,
    });
  });

  it("is not deceived by one that takes a schema or tools and ignores them", async () => {
    const server = await serve(() => says("Five."));
    expect(await able(probe(server))).toMatchObject({ tools: false, "structured-output": false });
  });

  it("tells that it does not stream", async () => {
    const server = await serve((request) => ({ ...obedient(request), whole: true }));
    expect(await able(probe(server))).toMatchObject({ reachable: true, streaming: false, tools: true });
  });

  it.each<[string, Script, object]>([
    ["a wrong key", () => badKey(), { reachable: true, key: false, models: null, tools: null }],
    ["a missing model", () => unknownModel("claude-haiku-5-5"), { key: true, models: false, streaming: null }],
    [
      "a missing second model",
      (request) => (request.body.tools ? unknownModel("claude-sonnet-5-5") : obedient(request)),
      { key: true, models: false, streaming: true, tools: false, caching: true },
    ],
  ])("stops at %s", async (_, script, found) => {
    expect(await able(probe(await serve(script)))).toMatchObject(found);
  });

  it("tells that nobody is there", async () => {
    const server = await serve([]);
    await server.close();
    servers.length = 0;
    const { abilities } = await probe(server);
    expect(abilities[0]).toMatchObject({
      ability: "reachable",
      able: false,
      detail: expect.stringContaining("ECONNREFUSED"),
    });
    expect(abilities.slice(1).every((one) => one.able === null)).toBe(true);
  });

  it("sends nothing over a cap", async () => {
    const server = await serve(obedient);
    await expect(probe(server, {}, deskFor(server.url, {}, false).desk)).rejects.toMatchObject({
      family: "over-budget",
    });
    expect(server.all).toEqual([]);
  });
});
