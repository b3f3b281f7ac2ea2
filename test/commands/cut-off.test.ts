/** What is left of a dream with a model that is stopped, or whose network goes: nothing. Told by the built command line. */
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cli, makeCli, type Ran } from "../support/cli.ts";
import {
  type Answer,
  answers,
  call,
  calls,
  hangs,
  type MessagesServer,
  overloaded,
  type Recorded,
  says,
  startMessagesServer,
} from "../support/messages-server.ts";

/** When the store was consolidated before; a run that fails leaves exactly this. */
const PRIOR = Date.UTC(2026, 10, 1, 3);

let cli: Cli;
let server: MessagesServer;
beforeEach(() => {
  cli = makeCli();
});
afterEach(async () => {
  await server.close();
  cli.remove();
});

async function scripted(script: (request: Recorded) => Answer, sessions = 6) {
  server = await startMessagesServer(script);
  cli.env["ANTHROPIC_BASE_URL"] = server.url;
  cli.env["ANTHROPIC_API_KEY"] = "sk-ant-test-0123456789";
  const store = cli.store("app", sessions);
  cli.configure({ discover: false, stores: [store] });
  mkdirSync(store.memory, { recursive: true });
  writeFileSync(stampPath(), `\n${PRIOR}`);
  utimesSync(stampPath(), new Date(PRIOR), new Date(PRIOR));
}

const stampPath = () => join(cli.home, "app", "memory", ".consolidate-lock");
const DREAM = ["dream", "--now", "--distiller", "anthropic", "--json"] as const;

/** For what another process brings about. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((next) => setTimeout(next, 20));
}

/** Stamp as before, lock free, no process, no connection. */
async function nothingLeft() {
  expect(statSync(stampPath()).mtime.getTime()).toBe(PRIOR);
  expect(readFileSync(stampPath(), "utf8")).toBe(`\n${PRIOR}`);
  expect(existsSync(join(cli.home, "app", "memory", ".memd", "lease.json"))).toBe(false);
  expect(existsSync(join(cli.home, "app", "memory", ".memd", "lease.lock"))).toBe(false);
  expect(cli.left()).toEqual([]);
  await until(() => server.open === 0);
}

const isTalk = ({ body }: Recorded): boolean => body.tools?.length > 0;

/** Something to consolidate in every session. */
function noting({ body }: Recorded): Answer {
  const text: string = body.messages[0].content[0].text;
  const [, label, quote] = /(S:\d+) user[^\n]*?\| ?(in app we call [^\n]*)/.exec(text) ?? [];
  const quotes = [{ utterance: label ?? "S:1", quote: quote ?? "in app we call" }];
  return answers({
    candidates: [{ statement: quote ?? "x", type: "project", why: "", says: "fact", confidence: "stated", quotes }],
  });
}

const done = (request: Recorded) => (isTalk(request) ? calls(call("finish", {})) : noting(request));

describe("SIGTERM", () => {
  it.each<[string, (request: Recorded) => Answer, number]>([
    ["while the first request waits for its answer", hangs, 1],
    ["while some sessions are read and some are not", (r) => (r.n < 3 ? done(r) : hangs()), 4],
    ["in the middle of an answer", (r) => (r.n < 2 ? done(r) : says("slowly ".repeat(50), { drip: 40 })), 2],
    ["in the conversation over the memory", (r) => (isTalk(r) ? hangs() : done(r)), 7],
    ["between two attempts at an overloaded endpoint", () => overloaded(), 2],
  ])(
    "%s: 130, the stamp as it was, the lock free, no child, no connection, within five seconds",
    async (_, script, n) => {
      await scripted(script);
      const { child, ran } = cli.start(...DREAM);
      await server.arrived(n);
      const from = performance.now();
      child.kill("SIGTERM");
      const { status, stdout } = await ran;
      expect(status).toBe(130);
      expect(performance.now() - from).toBeLessThan(5_000);
      expect(JSON.parse(stdout).runs[0]).toMatchObject({ outcome: "failed", code: "interrupted" });
      await nothingLeft();
      // What was under way, or about to be, counts in full: nobody knows what was billed.
      expect((await cli.json("status")).value.spend.dayRequests).toBeGreaterThanOrEqual(server.requests.length);
    },
    30_000,
  );

  it("before anything was sent: nothing is, then or later", async () => {
    await scripted(done);
    const { child, ran } = cli.start(...DREAM);
    const lease = join(cli.home, "app", "memory", ".memd", "lease.json");
    while (!existsSync(lease) && child.exitCode === null) await new Promise((next) => setImmediate(next));
    child.kill("SIGTERM");
    expect((await ran).status).toBe(130);
    await nothingLeft();
  });

  it("twice: as once", async () => {
    await scripted(hangs);
    const { child, ran } = cli.start(...DREAM);
    await server.arrived(1);
    child.kill("SIGTERM");
    child.kill("SIGINT");
    expect((await ran).status).toBe(130);
    await nothingLeft();
  });

  it("after which the next dream pays only for what is not known yet", async () => {
    await scripted((r) => (r.n === 3 ? hangs() : done(r)), 5);
    const { child, ran } = cli.start(...DREAM, "--yes");
    await server.arrived(5);
    await until(() => server.open <= 1);
    child.kill("SIGTERM");
    await ran;
    const before = server.requests.length;
    const again = await cli.run(...DREAM);
    expect(again.status).toBe(0);
    const second = server.requests.slice(before);
    expect(second.filter((request) => !isTalk(request)).length).toBe(1);
  }, 30_000);
});

describe("memd that is killed outright", () => {
  it("leaves no child behind, and what it had reserved counts", async () => {
    await scripted(hangs);
    const { child, ran } = cli.start(...DREAM);
    await server.arrived(1);
    child.kill("SIGKILL");
    await ran;
    await until(() => server.open === 0);
    await until(() => cli.left().length === 0);
    const { spend } = (await cli.json("status")).value;
    expect(spend).toMatchObject({ dayRequests: 1 });
    expect(spend.dayUsd).toBeGreaterThan(0);
    expect((await cli.run(...DREAM, "--store", "app", "--dry-run")).status).toBe(0);
  }, 30_000);
});

describe("a network that goes", () => {
  const outcome = ({ status, stdout }: Ran) => {
    const [run] = JSON.parse(stdout).runs;
    return [status, run.outcome, run.code];
  };

  it("in the middle of a run: 5, rolled back, to be tried again later", async () => {
    await scripted((r) => (r.n < 3 ? done(r) : hangs()));
    const { ran } = cli.start(...DREAM);
    await server.arrived(3);
    await server.close();
    expect(outcome(await ran)).toEqual([5, "failed", "network"]);
    await nothingLeft();
    const [, coolDown] = (await cli.json("status")).value.stores[0].gates;
    expect(coolDown).toMatchObject({ gate: "cool-down", open: false });
  }, 120_000);

  it("is an endpoint that stays overloaded: 5, after a few tries and not for ever", async () => {
    await scripted(() => overloaded(), 1);
    expect(outcome(await cli.run(...DREAM))).toEqual([5, "failed", "overloaded"]);
    expect(server.requests.length).toBeLessThanOrEqual(10);
    expect((await cli.json("status")).value.spend).toMatchObject({ dayUsd: 0 });
    await nothingLeft();
  }, 120_000);
});
