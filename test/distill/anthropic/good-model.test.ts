/**
 * Digest, tools and rules let the truth through: a model that copies what is worth keeping out of what it is sent, and knows nothing
 * else, keeps all of it and nothing more, whichever client the words come from.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Ask } from "../../../src/distill/anthropic/messages.ts";
import { CLIENTS } from "../../support/clients.ts";
import { DAY, type Home, makeHome, START } from "../../support/home.ts";
import { hasSqlite } from "../../support/sqlite.ts";
import { answers, call, distillerOf, endpointOf, FINISH, isExtract, notes, type Play, quote, textOf } from "./world.ts";

interface Truth {
  readonly type: string;
  readonly text: string;
  /** What is kept of it; all without it. */
  readonly keep?: string;
  readonly why?: string;
}

const TRUTHS: readonly Truth[] = [
  { type: "user", text: "I am a data engineer and new to TypeScript, so explain types by comparing them with Python." },
  { type: "user", text: "以后都用中文回答我。" },
  {
    type: "feedback",
    text: "No, stop mocking the clock. Pass the time in as a parameter, the mocks hid a daylight saving bug last autumn.",
    keep: "Pass the time in as a parameter, the mocks hid a daylight saving bug.",
  },
  { type: "feedback", text: "Never push to the release branch without asking Marta first." },
  { type: "feedback", text: "提交信息一律不超过 50 个字符，标题里不要写工单号。" },
  {
    type: "feedback",
    text: "Yes, exactly: one test file per command was right. Keep doing it that way.",
    keep: "One test file per command was right, keep doing it that way.",
  },
  {
    type: "feedback",
    text: "发布流程：第一步跑 make check；第二步改 CHANGES.md；第三步打 tag；第四步在 #ship 频道通知，Lena 批了才推。",
  },
  {
    type: "project",
    text: "We store amounts in cents. The bank Nordpay only takes integers, and every conversion was a source of errors.",
    keep: "We store amounts in cents.",
    why: "The bank Nordpay only takes integers, and every conversion was a source of errors.",
  },
  { type: "project", text: "The beta starts on 2027-02-15, the pilot customer signed for that day." },
  {
    type: "project",
    text: "src/old belongs to the Oslo team; ask Ingrid before you change anything there.",
    keep: "src/old belongs to the Oslo team; ask Ingrid before you change anything there.",
  },
  {
    type: "reference",
    text: "Incidents are tracked in the Jira project OPS, and the runbooks are at https://wiki.example.test/runbooks.",
  },
];
const NOISE = [
  "What does the Math.round call in src/price.ts do?",
  "ok thanks, run git status for me",
  "先用 3001 端口跑一下，3000 被占了。",
  "Show me the diff again.",
];
/** Truths among noise, as sessions are. */
const SAID = TRUTHS.flatMap(({ text }, i) => [text, NOISE[i % NOISE.length] as string]);

const kept = ({ text, keep = text }: Truth) => keep;
const quotesOf = (ask: Ask, { text }: Truth) => [quote(ask, text)];

const good: Play = (ask) => {
  const found = TRUTHS.filter(({ text }) => textOf(ask).includes(text));
  if (isExtract(ask)) {
    const rest = { says: "fact", confidence: "stated" };
    return answers({
      candidates: found.map((truth) => ({
        ...rest,
        statement: kept(truth),
        why: truth.why ?? "",
        type: truth.type,
        quotes: quotesOf(ask, truth),
      })),
    });
  }
  if (ask.turns.length > 1) return FINISH;
  const types = Array.from(new Set(found.map(({ type }) => type)));
  const topics = types.map((type) =>
    call("create-topic", { topic: `${type}-notes`, type, title: "Notes", description: "Read before work" }),
  );
  const adds = found.map((truth) => {
    const why = truth.why === undefined ? {} : { why: truth.why };
    return call("add", { topic: `${truth.type}-notes`, text: kept(truth), ...why, cites: quotesOf(ask, truth) });
  });
  return { parts: [...topics, ...adds], stop: "tools" };
};

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

function entriesOf(): string[] {
  const topics = readdirSync(home.memory).filter((name) => name.endsWith("-notes.md"));
  return topics.flatMap((name) =>
    readFileSync(join(home.memory, name), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("- ")),
  );
}

describe("a good model", () => {
  it.each(Object.keys(CLIENTS))("keeps what people said to %s, all of it and nothing else", async (client) => {
    if (["opencode", "openclaw"].includes(client) && !hasSqlite) return;
    const folder = CLIENTS[client]?.({ home: home.root, cwd: "/home/ana/code/app", texts: SAID, at: START - DAY });
    Object.assign(home, { store: { ...home.store, sessions: [folder] } });
    const endpoint = endpointOf(good);
    const { report } = await home.dream(
      {},
      { distiller: distillerOf(endpoint, notes()), config: { sources: { headless: "include" } } },
    );
    const sent = endpoint.asks.filter(isExtract).map(textOf).join("\n");
    expect(TRUTHS.filter(({ text }) => !sent.includes(text))).toEqual([]);
    expect(report.operations.rejected).toEqual([]);
    const entries = entriesOf();
    for (const truth of TRUTHS) expect(entries.some((entry) => entry.startsWith(`- ${kept(truth)}`))).toBe(true);
    expect(entries.length).toBe(TRUTHS.length);
  });
});
