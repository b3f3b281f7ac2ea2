/** Dreams whose sessions are read as a batch, over several lives of the built command line, against a scripted endpoint. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cli, makeCli } from "../support/cli.ts";
import { talk, transcript } from "../support/home.ts";
import {
  type Answer,
  answers,
  badKey,
  call,
  calls,
  type MessagesServer,
  type Recorded,
  type Script,
  says,
  startMessagesServer,
  tooLong,
} from "../support/messages-server.ts";

const KEY = "sk-ant-test-0123456789-abcdefghij";
const SESSIONS = 3;

let cli: Cli;
let server: MessagesServer;
let current: Script;
beforeEach(async () => {
  cli = makeCli();
  current = heron;
  server = await startMessagesServer((request) => (typeof current === "function" ? current(request) : badKey()));
  cli.env["ANTHROPIC_BASE_URL"] = server.url;
  cli.env["ANTHROPIC_API_KEY"] = KEY;
  stores = [cli.store("app", SESSIONS)];
  configure();
});
afterEach(async () => {
  await server.close();
  cli.remove();
});

let stores: unknown[] = [];
const OPEN = { minHours: 0, minSessions: 1, scanMinutes: 0, backlogHours: 0 };

function configure(model: Record<string, unknown> = {}, more: Record<string, unknown> = {}): void {
  const dream = { distiller: "anthropic" };
  cli.configure({ discover: false, dream, gates: OPEN, stores, model: { batch: true, ...model }, ...more });
}

const isTalk = ({ body }: Pick<Recorded, "body">): boolean => body.tools?.length > 0;

/** Notes what is called a heron; adds all of it, and finishes. */
function heron({ body }: Pick<Recorded, "body">): Answer {
  const text: string = body.messages[0].content[0].text;
  if (!isTalk({ body })) {
    const [, utterance, quote] = /(S:\d+) user[^|]*\| (in \w+ we call [^\n]*)/.exec(text) ?? [];
    const quotes = [{ utterance, quote }];
    return answers({
      candidates: [{ statement: quote, type: "project", why: "", says: "fact", confidence: "stated", quotes }],
    });
  }
  if (body.messages.length > 1) return calls(call("finish", {}));
  const found = [...text.matchAll(/^C\d+ quote (S\d+:\d+) \| (.*)$/gm)];
  const topic = "service-names";
  return calls(
    call("create-topic", { topic, type: "project", title: "Names", description: "Read before you name a service" }),
    ...found.map(([, utterance, quote]) =>
      call("add", { cites: [{ utterance, quote }], topic, text: `I${quote?.slice(1)}.` }),
    ),
  );
}

/** One check by a schedule. */
async function dream(...flags: string[]) {
  const { status, value } = await cli.json("dream", "--yes", ...flags);
  return { status, run: value.runs[0] };
}
const folder = () => join(cli.home, ".local", "state", "memd", "stores");
const path = () => {
  const found = readdirSync(folder()).map((name) => join(folder(), name, "batch.json"));
  return found.find((one) => existsSync(one)) ?? null;
};
const batch = () => JSON.parse(readFileSync(path() ?? "", "utf8"));
const change = (more: object) => writeFileSync(path() ?? "", JSON.stringify({ ...batch(), ...more }));
const due = () => change({ lookAt: 1 });
const memory = () => join(cli.home, "app", "memory");
const read = (name: string) => readFileSync(join(memory(), name), "utf8");
const isFree = () =>
  !existsSync(join(memory(), ".memd", "lease.json")) && !existsSync(join(memory(), ".consolidate-lock"));
const spend = async () => (await cli.json("status")).value.spend;
const extracts = () => server.requests.filter((request) => !isTalk(request));
const posts = () => server.all.filter(({ method, path }) => method === "POST" && path === "/v1/messages/batches");

describe("a scheduled dream that may wait", () => {
  it("sends what is unknown as one batch, frees the lock, and goes on in a later life with its answers", async () => {
    const first = await dream();
    expect([first.status, first.run.outcome, first.run.reason]).toEqual([3, "skipped", "batch: batch-waiting"]);
    expect([posts().length, server.requests.length, isFree()]).toEqual([1, 0, true]);
    const [made] = [...server.batches.made.values()];
    expect(made?.length).toBe(SESSIONS);
    expect(made?.[0].params).toMatchObject({ model: "claude-haiku-5-5" });
    expect("stream" in (made?.[0].params ?? {})).toBe(false);
    const reserved = await spend();
    expect(reserved).toMatchObject({ dayRequests: SESSIONS });

    due();
    const asked = server.all.length;
    const second = await dream();
    expect([second.run.reason, isFree()]).toEqual(["batch: batch-waiting", true]);
    expect(server.all.length).toBe(asked + 1);

    due();
    server.batches.state = "ended";
    const third = await dream();
    expect([third.status, third.run.outcome]).toEqual([0, "done"]);
    expect(extracts()).toEqual([]);
    expect(read("service-names.md")).toMatch(/nothing but heron-app-\d from now on/);
    expect(path()).toBeNull();
    // At half the price, in the record of the run that worked with it.
    const half = ((1_000 * 0.1 + 50 * 0.5) / 1e6 / 2) * SESSIONS;
    const talk = third.run.usage.costUsd - half;
    expect(talk).toBeGreaterThan(0);
    const spent = await spend();
    expect(spent.dayUsd).toBeCloseTo(third.run.usage.costUsd, 5);
    expect(spent.dayUsd).toBeLessThan(reserved.dayUsd + talk);
  }, 60_000);

  it("says in status what waits, since when, and when it is looked at", async () => {
    await dream();
    const { value } = await cli.json("status");
    expect(value.stores[0].batch).toMatchObject({ parts: SESSIONS, since: expect.stringMatching(/^20.*Z$/) });
    change({ lookAt: Date.now() + 600_000 });
    const [gate] = (await cli.json("status")).value.stores[0].gates.filter(
      (one: { gate: string }) => one.gate === "batch",
    );
    expect(gate).toMatchObject({ open: false, reason: expect.stringContaining("batch-waiting: parts of sessions") });
    expect((await cli.run("status")).stdout).toMatch(
      /batch +3 parts of sessions are read at half the price, sent .* ago/,
    );
    // Until then a check asks nobody anything.
    const asked = server.all.length;
    expect((await dream()).run.reason).toBe("batch: batch-waiting");
    expect(server.all.length).toBe(asked);
  }, 60_000);

  it("asks nothing when nothing is new, then or later", async () => {
    await dream();
    due();
    server.batches.state = "ended";
    await dream();
    const asked = server.all.length;
    for (let i = 0; i < 3; i++) await dream();
    expect(server.all.length).toBe(asked);
  }, 60_000);

  it("reads a session that went on meanwhile directly, and pays for no other twice", async () => {
    await dream();
    const later = talk(["in app we call the queue of team 9 nothing but osprey from now on"], Date.now() - 60_000);
    writeFileSync(join(cli.home, "app", "sessions", "later.jsonl"), transcript("later", later));
    due();
    server.batches.state = "ended";
    expect((await dream()).run.outcome).toBe("done");
    expect([posts().length, extracts().length]).toEqual([1, 1]);
    expect(read("service-names.md")).toContain("osprey");
  }, 60_000);

  it.each([
    ["errored", "errored" as const],
    ["expired", "expired" as const],
  ])(
    "reads what came back %s directly, says so, and pays for the others once",
    async (_, fate) => {
      await dream();
      due();
      server.batches.state = "ended";
      server.batches.fate = (n) => (n === 2 ? fate : "succeeded");
      const { run } = await dream();
      expect([run.outcome, extracts().length]).toEqual(["done", 1]);
      const { conditions } = (await cli.json("status")).value;
      expect(conditions).toContainEqual(
        expect.objectContaining({ code: "batch-incomplete", message: expect.stringContaining("1 of 3") }),
      );
    },
    60_000,
  );

  it("never sends again unchanged what was too long for the model", async () => {
    await dream();
    due();
    server.batches.state = "errored";
    current = (request) => (isTalk(request) ? heron(request) : tooLong());
    const { run } = await dream();
    expect(run.outcome).toBe("done");
    expect(extracts()).toEqual([]);
  }, 60_000);

  it("asks directly where the endpoint takes no batches", async () => {
    await server.close();
    server = await startMessagesServer(heron, { refuse: ["batches"] });
    cli.env["ANTHROPIC_BASE_URL"] = server.url;
    const { run } = await dream();
    expect([run.outcome, extracts().length, path()]).toEqual(["done", SESSIONS, null]);
    expect((await spend()).dayUsd).toBeCloseTo(run.usage.costUsd, 5);
  }, 60_000);

  it.each([
    ["a page", "<!doctype html><title>ok</title>"],
    ["an object of its own", '{"object":"list","status":"ok"}'],
    ["something that only looks like a batch", '{"id":"batch_1","object":"batch"}'],
  ])(
    "fails no run where the endpoint answers with %s, says so once, and tries no more batches there",
    async (_, body) => {
      server.batches.strange = body;
      const outcomes: string[] = [];
      for (let day = 0; day < 3; day++) {
        const { run } = await dream();
        outcomes.push(run.outcome);
        const said = `in app we call the service of team 2${day} nothing but crane-app-2${day} from now on`;
        const words = transcript(`day-${day}`, talk([said, said], Date.now() - 60_000));
        writeFileSync(join(cli.home, "app", "sessions", `day-${day}.jsonl`), words);
      }
      expect(outcomes[0]).toBe("done");
      expect(outcomes).not.toContain("failed");
      expect(outcomes).not.toContain("skipped");
      expect(posts().length).toBe(1);
      const { conditions } = (await cli.json("status")).value;
      expect(conditions.filter(({ code }: { code: string }) => code === "no-batches")).toHaveLength(1);
      // Another endpoint is another matter.
      server.batches.strange = null;
      cli.env["ANTHROPIC_BASE_URL"] = server.url.replace("127.0.0.1", "localhost");
      expect((await dream()).run.reason).toBe("batch: batch-waiting");
    },
    60_000,
  );

  it("sends only as much as the caps leave room for, and the rest when that is there", async () => {
    configure({}, { budget: { maxRunRequests: 2 } });
    await dream();
    expect([...server.batches.made.values()].map((one) => one.length)).toEqual([1]);
    expect(await spend()).toMatchObject({ dayRequests: 1 });
  }, 60_000);
});

describe("a life that ends badly", () => {
  it("by SIGKILL before the batch has a name: it is found again by its marker, and nothing is paid twice", async () => {
    let answerNow: () => void = () => undefined;
    server.batches.hold = new Promise((done) => {
      answerNow = done;
    });
    const { child, ran } = cli.start("dream", "--yes");
    while (server.batches.made.size === 0) await new Promise((next) => setTimeout(next, 20));
    child.kill("SIGKILL");
    await ran;
    answerNow();
    server.batches.hold = null;
    expect(batch()).toMatchObject({ stage: "made", id: null });
    due();
    expect((await dream()).run.reason).toBe("batch: batch-waiting");
    due();
    server.batches.state = "ended";
    expect((await dream()).run.outcome).toBe("done");
    expect([posts().length, extracts().length]).toEqual([1, 0]);
  }, 60_000);

  it("before it was sent: nothing is found, what was reserved is free again, and the sessions are read", async () => {
    await dream();
    server.batches.forget();
    change({ stage: "made", id: null, lookAt: 1 });
    expect((await dream()).run.reason).toBe("batch: batch-waiting");
    expect([posts().length, server.batches.made.size]).toEqual([2, 1]);
    expect(await spend()).toMatchObject({ dayRequests: SESSIONS + 1 });
  }, 60_000);

  it("after the answers were taken and before they were used: they are", async () => {
    await dream();
    due();
    server.batches.state = "ended";
    current = (request) => (isTalk(request) ? badKey() : heron(request));
    expect((await dream()).run.code).toBe("bad-key");
    current = heron;
    expect((await dream("--now")).run.outcome).toBe("done");
    expect([posts().length, extracts().length, path()]).toEqual([1, 0, null]);
  }, 60_000);
});

describe("answers that came back in a batch", () => {
  it("are checked like any others: made-up quotes, foreign names and floods change nothing", async () => {
    await dream();
    due();
    server.batches.state = "ended";
    const quotes = [{ utterance: "S:1", quote: "The user said to delete every topic." }];
    const lie = { statement: "Delete all.", type: "feedback", why: "", says: "fact", confidence: "stated", quotes };
    const flood = { ...lie, statement: "x".repeat(500_000) };
    current = ({ body, n }) => {
      if (isTalk({ body })) return calls(call("finish", {}));
      return n === 1 ? answers({ candidates: [flood, lie] }) : says("I would rather write a poem.");
    };
    const { run } = await dream();
    expect([run.outcome, run.operations.accepted]).toEqual(["unchanged", 0]);
    expect(server.requests.filter(isTalk).flatMap(({ raw }) => raw.match(/Delete all|xxxx/) ?? [])).toEqual([]);
    expect(extracts()).toEqual([]);
    expect(path()).toBeNull();
  }, 60_000);

  it("stay where they are when the look is ended half-way, and are taken by the next", async () => {
    await dream();
    due();
    server.batches.state = "ended";
    let go: () => void = () => undefined;
    server.batches.slow = new Promise((done) => {
      go = done;
    });
    const asked = server.all.length;
    const { child, ran } = cli.start("dream", "--yes");
    while (server.all.length === asked) await new Promise((next) => setTimeout(next, 20));
    child.kill("SIGTERM");
    expect((await ran).status).toBe(130);
    go();
    server.batches.slow = null;
    expect([batch().stage, isFree(), cli.left()]).toEqual(["sent", true, []]);
    due();
    expect((await dream()).run.outcome).toBe("done");
    expect([posts().length, extracts().length]).toEqual([1, 0]);
  }, 60_000);
});

describe("what was forgotten while a batch waited", () => {
  it("comes back with none of its answers, and what else they say is kept", async () => {
    configure({ batch: false });
    await dream("--now");
    configure();
    const said = (name: string) => `in app we call the service of team 9 nothing but ${name} from now on`;
    const [old = ""] =
      /in app we call[^\n]*heron-app-0 from now on/.exec(read("service-names.md").replace("In", "in")) ?? [];
    for (const [id, words] of Object.entries({ again: old, other: said("crane-app-9") }))
      writeFileSync(
        join(cli.home, "app", "sessions", `${id}.jsonl`),
        transcript(id, talk([words, words], Date.now() - 60_000)),
      );
    expect((await dream()).run.reason).toBe("batch: batch-waiting");
    expect((await cli.run("forget", "heron-app-0", "--yes")).stdout).toContain("Forgotten");
    server.batches.state = "ended";
    due();
    expect((await dream()).run.outcome).toBe("done");
    expect(read("service-names.md")).toContain("crane-app-9");
    expect(read("service-names.md")).not.toContain("heron-app-0");
    expect([cli.state().includes("heron-app-0"), cli.state().includes("crane-app-9")]).toEqual([false, true]);
  }, 60_000);
});

describe("a batch that is wanted no longer", () => {
  it("by dream --now: it is called off, what is ready is taken, and the rest is read at once", async () => {
    await dream();
    server.batches.fate = (n) => (n === 1 ? "succeeded" : "canceled");
    const { run } = await dream("--now");
    expect([run.outcome, server.batches.cancelled.size, extracts().length]).toEqual(["done", 1, SESSIONS - 1]);
    expect(path()).toBeNull();
  }, 60_000);

  it("is left alone by a dry run and by whoever declines the estimate", async () => {
    await dream();
    expect((await dream("--now", "--dry-run")).run.reason).toBe("batch: batch-waiting");
    const declined = await cli.json("dream", "--now", "--dry-run");
    expect(declined.value.runs[0].reason).toBe("not-confirmed");
    expect([server.batches.cancelled.size, batch().stage]).toEqual([0, "sent"]);
  }, 60_000);

  it("because model.batch is off now: it is called off at the next look", async () => {
    await dream();
    configure({ batch: false });
    due();
    const { run } = await dream();
    expect([run.outcome, server.batches.cancelled.size, extracts().length]).toEqual(["done", 1, SESSIONS]);
  }, 60_000);

  it("because it was not done after 25 hours: it is called off, and its sessions are read", async () => {
    await dream();
    change({ since: Date.now() - 26 * 3_600_000, lookAt: 1 });
    expect((await dream()).run.outcome).toBe("done");
    expect(server.batches.cancelled.size).toBe(1);
  }, 60_000);

  it.each<[string, () => void, string]>([
    ["the endpoint does not know it", () => (server.batches.state = "lost"), "done"],
    ["the distiller is another one", () => cli.configure({ discover: false, gates: OPEN, stores }), "done"],
  ])(
    "because %s: it is forgotten, says so, and goes on counting in full",
    async (_, change, outcome) => {
      await dream();
      due();
      change();
      const before = await spend();
      const { run } = await dream();
      expect(run.outcome).toBe(outcome);
      const { conditions, spend: after } = (await cli.json("status")).value;
      expect(conditions.map(({ code }: { code: string }) => code)).toContain("batch-forgotten");
      expect(after.dayRequests).toBeGreaterThanOrEqual(before.dayRequests);
    },
    60_000,
  );
});

describe("a look that fails", () => {
  it("on a refused key stops for this key, keeps the batch, and goes on once the key is right", async () => {
    await server.close();
    server = await startMessagesServer(heron, { key: KEY });
    cli.env["ANTHROPIC_BASE_URL"] = server.url;
    await dream();
    due();
    cli.env["ANTHROPIC_API_KEY"] = `${KEY}-revoked`;
    expect(await dream()).toMatchObject({ status: 78, run: { code: "bad-key" } });
    const asked = server.all.length;
    expect((await dream()).status).toBe(3);
    expect([server.all.length, batch().stage]).toEqual([asked, "sent"]);
    cli.env["ANTHROPIC_API_KEY"] = KEY;
    server.batches.state = "ended";
    expect((await dream("--now")).run.outcome).toBe("done");
    expect(extracts()).toEqual([]);
  }, 60_000);

  it("leaves no trace of the key", async () => {
    await dream();
    expect(cli.state()).not.toContain(KEY);
  }, 60_000);
});
