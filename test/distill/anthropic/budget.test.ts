/** What a whole run comes to: as much evidence as one run reads, over real HTTP, under the caps that nobody has to set. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { estimateTokens } from "../../../src/base/text.ts";
import { openEndpoint } from "../../../src/distill/anthropic/endpoint.ts";
import { anthropic } from "../../../src/distill/anthropic/index.ts";
import { priceOf } from "../../../src/distill/anthropic/prices.ts";
import type { Amounts } from "../../../src/gate/budget.ts";
import type { Distiller } from "../../../src/ports.ts";
import { openDesk, type PaidDesk } from "../../../src/steps/desk.ts";
import { capsOf } from "../../../src/steps/limits.ts";
import { DAY, type Home, makeHome, START, talk } from "../../support/home.ts";
import {
  type Answer,
  answers,
  call,
  calls,
  type MessagesServer,
  type Recorded,
  startMessagesServer,
} from "../../support/messages-server.ts";
import { settingsFor } from "../asking.ts";

let home: Home;
let server: MessagesServer;
beforeEach(() => {
  home = makeHome();
});
afterEach(async () => {
  await server.close();
  home.remove();
});

const SESSIONS = 40;
const FACTS = 5;
const fact = (session: number, n: number) =>
  `The service heron${session}x${n} listens on port ${4_000 + session * 10 + n} because the older one is taken.`;

/** Forty sessions, some 60,000 tokens of evidence, with five things worth keeping in each. */
function say(): void {
  for (let s = 0; s < SESSIONS; s++) {
    const facts = Array.from({ length: FACTS }, (_, n) => fact(s, n));
    const chatter = Array.from({ length: 12 }, (_, n) =>
      `Now look at part ${n} of heron${s} and tell me what it does. `.repeat(8),
    );
    home.session(`s${s}`, talk([...facts, ...chatter], START - DAY + s * 60_000));
  }
}

const isTalk = ({ body }: Recorded) => body.tools?.length > 0;
const CANDIDATE = /^C(\d+) quote (S\d+:\d+) \| (The service heron(\d+)x.*)$/gm;
const PER_TURN = 8;

/** Notes every fact; then, eight in a turn, reads a session and adds them, and finishes when all are added. */
function diligent(request: Recorded): Answer {
  const { messages } = request.body;
  if (!isTalk(request)) {
    const found = [...messages[0].content[0].text.matchAll(/(S:\d+) user[^|]*\| (The service heron[^\n]*)/g)];
    const candidates = found.map(([, utterance, quote]) => ({
      statement: quote,
      type: "project",
      why: "",
      says: "fact",
      confidence: "stated",
      quotes: [{ utterance, quote }],
    }));
    return answers({ candidates });
  }
  const turn = (messages.length - 1) / 2;
  const all = [...messages[0].content[0].text.matchAll(CANDIDATE)];
  const mine = all.slice(turn * PER_TURN, (turn + 1) * PER_TURN);
  if (mine.length === 0) return calls(call("finish", {}));
  const topic = `ports-${turn}`;
  return calls(
    call("create-topic", {
      topic,
      type: "project",
      title: `Ports ${turn}`,
      description: "Read before you start a service",
    }),
    call("read", { path: `sessions/${mine[0]?.[2]?.split(":")[0]}.txt` }),
    ...mine.map(([, , utterance, quote]) => call("add", { cites: [{ utterance, quote }], topic, text: quote })),
  );
}

/** Counts as a dear tokenizer would (a quarter more than the mean), all but the last two turns read from the cache. */
function counted(request: Recorded): Answer {
  const answer = diligent(request);
  const tokens = Math.ceil(estimateTokens(request.raw) * 1.25);
  const { messages } = request.body;
  const fresh = isTalk(request) && messages.length > 1 ? estimateTokens(JSON.stringify(messages.slice(-2))) : tokens;
  const usage = {
    input_tokens: 0,
    cache_creation_input_tokens: fresh,
    cache_read_input_tokens: tokens - fresh,
    output_tokens: Math.ceil(estimateTokens(JSON.stringify(answer.content)) * 1.25),
  };
  return { ...answer, usage };
}

/** The distiller in this process, at the desk of a run with the default caps. */
function atDesk() {
  const { config } = home.world();
  const { model } = config;
  const caps = capsOf(config);
  const { book } = home.world().money;
  /** What counted against the run's caps, at each reservation. */
  const held: Amounts[] = [];
  const distiller: Distiller = {
    name: "anthropic",
    distill: async ({ brief, judge, run }) => {
      const cache = { cacheGet: () => null, cachePut: () => undefined };
      const world = { book, caps, cache, clock: home.clock, store: "app", minutes: 20 };
      const desk: PaidDesk = openDesk(world, run);
      const settings = settingsFor(server.url, {
        extract: { name: model.extract, price: priceOf(model.extract, model, "short") },
        consolidate: { name: model.consolidate, price: priceOf(model.consolidate, model, "long") },
        maxTokens: model.maxTokens,
      });
      const until = {
        ...desk,
        reserve: async (need: Parameters<PaidDesk["reserve"]>[0]) => {
          const grant = desk.reserve(need);
          held.push(book.spent(run).run);
          return grant;
        },
        cacheGet: async () => null,
        progress: () => undefined,
        judge: async (operation: unknown) => judge(operation),
      };
      const endpoint = openEndpoint(settings, until, {
        clock: home.clock,
        random: Math.random,
        wait: async () => undefined,
      });
      try {
        const proposal = await anthropic(brief, until, endpoint, settings);
        return { proposal, refused: [], usage: book.ofRun(run).usage, fence: "none" };
      } catch (error) {
        throw desk.explain(error);
      } finally {
        desk.close();
      }
    },
  };
  return { distiller, held, caps };
}

describe("a run with as much evidence as one run reads", () => {
  it("fits under the caps that nobody has to set", async () => {
    server = await startMessagesServer(counted);
    say();
    const { distiller, held, caps } = atDesk();
    const { report } = await home.dream({}, { distiller, config: { dream: { distiller: "anthropic" } } });
    const most = (key: "usd" | "tokens" | "requests") => Math.max(...held.map((one) => one[key]));
    expect([report.outcome, report.code]).toEqual(["done", null]);
    expect(report.evidenceTokens).toBeGreaterThan(55_000);
    expect(report.operations.accepted).toBeGreaterThan(50);
    // With room for a longer conversation: what a cap ends half-way was paid for in vain.
    expect(most("usd")).toBeLessThan(0.7 * (caps.run.usd ?? 0));
    expect(most("tokens")).toBeLessThan(0.7 * (caps.run.tokens ?? 0));
    expect(most("requests")).toBeLessThan(0.7 * (caps.run.requests ?? 0));
    // What the reasons of the caps' keys tell.
    expect(report.usage.costUsd).toBeLessThan(0.34);
    expect(most("usd")).toBeLessThan(0.53);
  }, 60_000);
});
