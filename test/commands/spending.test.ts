/** What a dream with a model spends, told by the built command line against a scripted endpoint. */
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cli, makeCli } from "../support/cli.ts";
import {
  type Answer,
  answers,
  call,
  calls,
  fails,
  hangs,
  type MessagesServer,
  noCredit,
  type Recorded,
  rateLimited,
  type Script,
  startMessagesServer,
  unknownModel,
} from "../support/messages-server.ts";

const KEY = "sk-ant-test-0123456789-abcdefghij";

let cli: Cli;
let server: MessagesServer;
beforeEach(() => {
  cli = makeCli();
});
afterEach(async () => {
  await server.close();
  cli.remove();
});

/** Notes nothing, and so has nothing to consolidate. */
const nothingFound = ({ body }: Recorded): Answer =>
  body.tools?.length ? calls(call("finish", {})) : answers({ candidates: [] });

/** Notes what is called a heron, and adds it. */
function heron(request: Recorded): Answer {
  if (!request.body.tools?.length) {
    const [, label, quote] =
      /(S:\d+) user[^|]*\| (in \w+ we call [^\n]*)/.exec(request.body.messages[0].content[0].text) ?? [];
    const quotes = [{ utterance: label, quote }];
    return answers({
      candidates: [{ statement: quote, type: "project", why: "", says: "fact", confidence: "stated", quotes }],
    });
  }
  return calls(call("finish", {}));
}

async function scripted(script: Script, options: Parameters<typeof startMessagesServer>[1] = {}) {
  server = await startMessagesServer(script, options);
  cli.env["ANTHROPIC_BASE_URL"] = server.url;
  cli.env["ANTHROPIC_API_KEY"] = KEY;
}

/** Gates that are open whenever there is something to read. */
const OPEN = { minHours: 0, minSessions: 1, scanMinutes: 0, backlogHours: 0 };

function configure(stores: readonly unknown[], more: Record<string, unknown> = {}) {
  cli.configure({ discover: false, dream: { distiller: "anthropic" }, gates: OPEN, stores, ...more });
}

const stampOf = (name: string) => existsSync(join(cli.home, name, "memory", ".consolidate-lock"));
const leaseOf = (name: string) => existsSync(join(cli.home, name, "memory", ".memd", "lease.json"));

describe("without being asked to", () => {
  it("memd never spends: a key in the environment alone chooses no model", async () => {
    await scripted(nothingFound);
    cli.configure({ discover: false, stores: [cli.store("app", 1)] });
    const { status, value } = await cli.json("dream", "--now", "--yes");
    expect([status, value.runs[0].distiller]).toEqual([0, "extractive"]);
    expect(server.all).toEqual([]);
    expect((await cli.json("status")).value.spend).toMatchObject({ dayUsd: 0, dayTokens: 0, monthUsd: 0 });
    expect((await cli.run("doctor")).stdout).toContain("ANTHROPIC_API_KEY is set, and not used");
  });

  it("a dry run stops at the estimate, and says what it would cost by which prices", async () => {
    await scripted(nothingFound);
    configure([cli.store("app", 3)]);
    const { status, stdout, stderr, value } = await cli.json("dream", "--now", "--dry-run");
    expect([status, value.runs[0].outcome, value.runs[0].reason]).toEqual([0, "skipped", "not-confirmed"]);
    expect(value.runs[0].estimate).toMatchObject({ sessions: 3, cached: 0, unpriced: [], requests: { low: 3 } });
    expect(stderr).toMatch(
      /app: anthropic would read 3 sessions: 3 to \d+ requests, [\d,]+ to [\d,]+ tokens, [\d.]+ to [\d.]+ USD/,
    );
    expect(stderr).toMatch(/Prices of \d{4}-\d\d-\d\d from https:/);
    expect(stdout).not.toContain(KEY);
    expect(server.all).toEqual([]);
    expect([stampOf("app"), leaseOf("app")]).toEqual([false, false]);
  });

  it("a dry run that is told --yes spends, touches nothing, and what it spent is recorded", async () => {
    await scripted(nothingFound);
    configure([cli.store("app", 3)]);
    const { status, value } = await cli.json("dream", "--now", "--dry-run", "--yes");
    expect([status, value.runs[0].outcome, value.runs[0].usage.requests]).toEqual([0, "dry-run", 3]);
    expect(stampOf("app")).toBe(false);
    const { spend } = (await cli.json("status")).value;
    expect(spend).toMatchObject({ dayRequests: 3, dayTokens: 3_150, monthTokens: 3_150 });
    expect(spend.dayUsd).toBeCloseTo((3 * (1_000 * 0.1 + 50 * 0.5)) / 1e6, 9);
    // The words were read and paid for: the real run asks nothing, and says so before.
    const real = await cli.json("dream", "--now");
    expect(real.value.runs[0]).toMatchObject({
      usage: { requests: 0 },
      estimate: { sessions: 3, cached: 3, requests: { low: 0 } },
    });
  });

  it("the price of a model that memd does not know is not guessed", async () => {
    await scripted(nothingFound);
    const model = { extract: "qwen3:30b", consolidate: "qwen3:30b" };
    configure([cli.store("app", 1)], { model });
    const { stderr, value } = await cli.json("dream", "--now");
    expect(value.runs[0].estimate).toMatchObject({ usd: null, unpriced: ["qwen3:30b"] });
    expect(stderr).toContain("The price of qwen3:30b is not known: only tokens, requests and time are capped.");
    const status = (await cli.json("status")).value;
    expect(status.spend).toMatchObject({ dayUsd: 0, dayTokens: 1_050 });
    expect(status.conditions).toContainEqual(expect.objectContaining({ code: "price-unknown", store: null }));
    configure([cli.store("app", 1)], { model: { ...model, inputUsd: 0, outputUsd: 0 } });
    expect((await cli.json("status")).value.conditions).toEqual([]);
  });
});

describe("with nothing new", () => {
  it("a second dream asks nothing, reads the same and says unchanged", async () => {
    await scripted(heron);
    configure([cli.store("app", 2)]);
    const first = await cli.json("dream", "--now");
    expect(first.status).toBe(0);
    expect(first.value.runs[0].usage.requests).toBe(3);
    const second = await cli.json("dream", "--now");
    expect(second.value.runs[0]).toMatchObject({ outcome: "unchanged", usage: { requests: 0 } });
    expect(server.all.length).toBe(3);
    expect((await cli.run("history")).stdout).toMatch(/3 requests, 3,\d+ tokens, 0\.\d+ USD/);
  });
});

describe("a key that is missing or refused", () => {
  it("is missing: 78, every way to give one, and no request", async () => {
    await scripted(nothingFound);
    cli.env["ANTHROPIC_API_KEY"] = "";
    configure([cli.store("app", 1)]);
    const { status, value } = await cli.json("dream", "--now");
    expect([status, value.runs[0].code]).toEqual([78, "no-key"]);
    expect(value.runs[0].hint).toContain("model.apiKeyFile");
    expect(server.all).toEqual([]);
    expect([stampOf("app"), leaseOf("app")]).toEqual([false, false]);
  });

  it.each<[string, Answer, string]>([
    ["refused", fails(401, "authentication_error", `invalid x-api-key: ${KEY}`), "bad-key"],
    ["of an account without credit", noCredit(), "no-credit"],
    ["of an endpoint without the model", unknownModel("claude-haiku-5-5"), "unknown-model"],
  ])(
    "%s: ten gate openings make one request, until it changes; --now tries it with one more",
    async (_, answer, code) => {
      await scripted(() => answer);
      const stores = Array.from({ length: 10 }, (__, i) => cli.store(`s${i}`, 3));
      configure(stores);
      const { status, value } = await cli.json("dream");
      expect([status, value.runs[0].code, server.requests.length]).toEqual([78, code, 1]);
      expect(value.runs.slice(1).map(({ reason }: { reason: string }) => reason)).toEqual(
        Array(9).fill(`budget: ${code}`),
      );
      expect((await cli.json("dream")).status).toBe(3);
      expect(server.requests.length).toBe(1);
      const { conditions, stores: views } = (await cli.json("status")).value;
      expect(conditions).toContainEqual(
        expect.objectContaining({ code, store: null, hint: expect.stringContaining("dream --now") }),
      );
      expect(views[5].gates.find(({ gate }: { gate: string }) => gate === "budget")).toMatchObject({ open: false });
      const now = await cli.json("dream", "--now");
      expect([now.status, server.requests.length]).toEqual([78, 2]);
      expect(now.value.runs[9]).toMatchObject({ outcome: "skipped", code: "refused" });
      cli.env["ANTHROPIC_API_KEY"] = "sk-another-key-0123456789";
      await cli.json("dream");
      // All stores but two are in no cool-down, and the first of them that asks is refused again.
      expect(server.requests.length).toBe(3);
      expect(cli.left()).toEqual([]);
    },
    60_000,
  );

  it("works again: the breaker is gone", async () => {
    let good = false;
    await scripted((request) => (good ? nothingFound(request) : fails(401, "authentication_error", "no")));
    configure([cli.store("a", 1), cli.store("b", 1)]);
    expect((await cli.run("dream")).status).toBe(78);
    good = true;
    expect((await cli.run("dream", "--now", "--store", "a")).status).toBe(0);
    expect((await cli.run("dream", "--store", "b")).status).toBe(0);
    expect(
      (await cli.json("status")).value.conditions.filter(({ code }: { code: string }) => code === "bad-key"),
    ).toEqual([]);
  });

  it("stands in no output, no file of memd's, no argument and no environment of the child, even where the endpoint sends it back", async () => {
    const echo = fails(401, "authentication_error", `invalid x-api-key: ${KEY} (${KEY})`);
    await scripted(({ n }) => (n === 1 ? hangs() : echo));
    delete cli.env["ANTHROPIC_API_KEY"];
    const file = join(cli.home, "key");
    writeFileSync(file, `${KEY}\n`, { mode: 0o600 });
    configure([cli.store("app", 1)], { model: { apiKeyFile: file } });
    const { child, ran } = cli.start("dream", "--now");
    await server.arrived(1);
    expect(server.requests[0]?.headers["x-api-key"]).toBe(KEY);
    expect(cli.left().join("\n")).toContain("anthropic-child");
    expect(cli.left().join("\n")).not.toContain(KEY);
    child.kill("SIGTERM");
    const outputs = [await ran, await cli.run("dream", "--now"), await cli.run("status"), await cli.run("config")];
    outputs.push(await cli.run("history"), await cli.run("doctor"), await cli.run("show", "last", "--json"));
    for (const { stdout, stderr } of outputs) expect(`${stdout}${stderr}`).not.toContain(KEY);
    expect(outputs[1]?.stdout).toContain("invalid x-api-key: [");
    expect(cli.state()).not.toContain(KEY);
    chmodSync(file, 0o640);
    const open = await cli.json("dream", "--now");
    expect([open.status, open.value.runs[0].code]).toEqual([78, "key-file-open"]);
    expect((await cli.run("doctor")).stdout).toContain(`chmod 600 ${file}`);
  }, 30_000);
});

describe("a cap", () => {
  it("ends a run before the request that would cross it: 7, which cap, nothing lost and nothing paid for twice", async () => {
    await scripted(nothingFound);
    configure([cli.store("app", 6)], { budget: { maxRunRequests: 4 } });
    const first = await cli.json("dream", "--now");
    expect([first.status, first.value.runs[0].code]).toEqual([7, "run-budget-spent"]);
    expect(first.value.runs[0].reason).toContain("4 of 4 requests in this run");
    expect(first.value.runs[0].hint).toContain("budget.maxRunRequests");
    expect(first.value.runs[0].usage).toMatchObject({ requests: 4, inputTokens: 4_000 });
    expect(server.requests.length).toBe(4);
    expect([stampOf("app"), leaseOf("app")]).toEqual([false, false]);
    const second = await cli.json("dream", "--now");
    expect([second.status, second.value.runs[0].usage.requests, server.requests.length]).toEqual([0, 2, 6]);
  });

  it.each([
    ["money", { maxDayUsd: 0.0001 }, "0.0001 USD today", 0],
    ["tokens", { maxDayTokens: 100 }, "100 tokens today", 0],
    ["requests", { maxMonthRequests: 1 }, "1 of 1 requests this month", 1],
    ["wall time", { maxDayMinutes: 0 }, "0 of 0 minutes today", 0],
  ])("of a period on %s holds", async (_, budget, said, requests) => {
    await scripted(nothingFound);
    configure([cli.store("app", 3)], { budget });
    const { status, value } = await cli.json("dream", "--now");
    expect([status, server.requests.length]).toEqual([7, requests]);
    expect(`${value.runs[0].reason} ${value.runs[0].hint}`).toContain(said);
    expect(cli.left()).toEqual([]);
  });

  it("that is reached closes the gate: 3 for a schedule, 7 for a person, and status says until when", async () => {
    await scripted(nothingFound);
    configure([cli.store("app", 1), cli.store("site", 1)], { budget: { maxDayRequests: 1 } });
    expect((await cli.run("dream", "--now", "--store", "app")).status).toBe(0);
    const scheduled = await cli.json("dream", "--store", "site");
    expect([scheduled.status, scheduled.value.runs[0].reason]).toEqual([3, "budget: day-budget-spent"]);
    expect((await cli.json("dream", "--now", "--store", "site")).status).toBe(7);
    expect(server.requests.length).toBe(1);
    const { stores, conditions } = (await cli.json("status")).value;
    const midnight = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString();
    expect(stores[1].gates[2]).toMatchObject({ gate: "budget", open: false, opensAt: midnight });
    expect(conditions).toContainEqual(expect.objectContaining({ code: "budget-warning" }));
  });

  it("is never exceeded by two processes at once", async () => {
    await scripted(nothingFound);
    configure([cli.store("a", 6), cli.store("b", 6)], { budget: { maxDayRequests: 7 } });
    const both = await Promise.all(["a", "b"].map((name) => cli.json("dream", "--now", "--store", name)));
    expect(server.requests.length).toBeLessThanOrEqual(7);
    expect(both.map(({ status }) => status)).toContain(7);
    expect((await cli.json("status")).value.spend.dayRequests).toBe(server.requests.length);
    expect([leaseOf("a"), leaseOf("b")]).toEqual([false, false]);
  });
});

describe("an endpoint that asks to be left alone", () => {
  it("for two hours is left alone for two hours, and the lock is free meanwhile", async () => {
    await scripted(() => rateLimited("7200"));
    configure([cli.store("app", 3)]);
    const before = Date.now();
    const { status, value } = await cli.json("dream");
    expect([status, value.runs[0].code, server.requests.length]).toEqual([5, "rate-limited", 1]);
    expect(Date.now() - before).toBeLessThan(30_000);
    expect([stampOf("app"), leaseOf("app")]).toEqual([false, false]);
    const [, coolDown] = (await cli.json("status")).value.stores[0].gates;
    expect(coolDown).toMatchObject({ gate: "cool-down", open: false });
    expect(Math.abs(Date.parse(coolDown.opensAt) - before - 7_200_000)).toBeLessThan(60_000);
    expect((await cli.run("dream")).status).toBe(3);
    expect(server.requests.length).toBe(1);
  });
});
