/** A dream with a model: what it may do, what it is asked, and that no answer is paid for twice. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemdError } from "../../../src/base/errors.ts";
import type { Ask, Reply } from "../../../src/distill/anthropic/messages.ts";
import { DAY, type Home, makeHome, START, talk } from "../../support/home.ts";
import {
  answers,
  calls,
  distillerOf,
  endpointOf,
  FINISH,
  isExtract,
  lastWords,
  type Notes,
  notes,
  notesOn,
  type Play,
  quote,
  says,
  textOf,
} from "./world.ts";

const TRACKER = "Bugs are tracked in the Linear project ORBIT.";
const QUEUE = "The queue limit is 500 jobs because the broker drops more.";
const REVIEW = "Always ask me before you merge to main.";
const FACTS = [
  { text: TRACKER, type: "reference" },
  { text: QUEUE, type: "project" },
  { text: REVIEW, type: "feedback" },
];

const topic = (slug: string, type: string) =>
  ["create-topic", { topic: slug, type, title: "Notes", description: "Read before work" }] as const;
const add = (ask: Ask, slug: string, text: string) =>
  ["add", { cites: [quote(ask, text)], topic: slug, text }] as const;

/** Notes everything, makes a topic for each type, adds what it was given, and finishes. */
const good: Play = (ask) => {
  if (isExtract(ask)) return notesOn(ask, FACTS);
  if (ask.turns.length > 1) return FINISH;
  const found = FACTS.filter(({ text }) => textOf(ask).includes(text));
  return calls(...found.flatMap(({ text, type }) => [topic(`on-${type}`, type), add(ask, `on-${type}`, text)]));
};

let home: Home;
let kept: Notes;

beforeEach(() => {
  home = makeHome();
  kept = notes();
  home.session("one", talk([TRACKER, "What does this do?"], START - DAY));
  home.session("two", talk([QUEUE, REVIEW], START - DAY + 3_600_000));
});
afterEach(() => home.remove());

async function dream(play: Play, settings = {}) {
  const endpoint = endpointOf(play);
  const { report } = await home.dream({}, { distiller: distillerOf(endpoint, kept, settings) });
  return { endpoint, report };
}

describe("a dream with a model", () => {
  it("keeps what people said, in topics of its type, with two requests for two sessions and a conversation", async () => {
    const { endpoint, report } = await dream(good);
    expect(report.outcome).toBe("done");
    expect(home.read("on-reference.md")).toContain(TRACKER);
    expect(home.read("on-project.md")).toContain(QUEUE);
    expect(home.read("on-feedback.md")).toContain(REVIEW);
    expect(endpoint.asks.map(({ model }) => model)).toEqual(["small", "small", "large", "large"]);
  });

  it("asks nothing more when no session offers anything", async () => {
    const { endpoint, report } = await dream(() => answers({ candidates: [] }));
    expect(report.outcome).toBe("unchanged");
    expect(endpoint.asks.every(isExtract)).toBe(true);
    expect(kept.progress).toContain("consolidate: nothing to consolidate");
  });

  it("asks nothing at all when nobody said anything new", async () => {
    await dream(good);
    const { endpoint } = await dream(good);
    expect(endpoint.asks).toEqual([]);
  });

  it("reads no more sessions at once than it may", async () => {
    for (let i = 0; i < 12; i++) home.session(`more-${i}`, talk([`Note number ${i}, nothing else.`], START - DAY + i));
    const { endpoint } = await dream(() => answers({ candidates: [] }), { parallel: 3 });
    expect(endpoint.asks.length).toBe(14);
    expect(endpoint.peak).toBe(3);
  });

  it("lets the model correct itself: the rules answer each call at once", async () => {
    const answersSeen: string[] = [];
    const { report } = await dream((ask) => {
      if (isExtract(ask)) return notesOn(ask, FACTS.slice(0, 1));
      answersSeen.push(lastWords(ask));
      const text = ask.turns.length === 1 ? TRACKER.replace("ORBIT", "MARS") : TRACKER;
      const proposal = ["add", { cites: [quote(ask, TRACKER)], topic: "tracker", text }] as const;
      if (ask.turns.length === 1) return calls(topic("tracker", "reference"), proposal, ["finish", {}]);
      return ask.turns.length === 3 ? calls(proposal) : FINISH;
    });
    expect(answersSeen[1]).toMatch(/^accepted\nrefused: unsupported-detail\. "MARS" does not stand.*\nNot yet: /);
    expect(answersSeen[2]).toBe("accepted");
    // What it mended stays on record: somebody may ask why not.
    expect(report.operations.rejected.map(({ rule }) => rule)).toEqual(["unsupported-detail"]);
    expect(home.read("tracker.md")).toContain(TRACKER);
  });

  it("adds the owner's own sentence to what both readers are told", async () => {
    const { endpoint } = await dream(good, { tone: "Write in Chinese." });
    expect(endpoint.asks.every(({ system }) => system.endsWith("Write in Chinese."))).toBe(true);
  });
});

describe("what was extracted", () => {
  const failing: Play = (ask, n) =>
    isExtract(ask) ? good(ask, n) : new MemdError({ code: "network", family: "unavailable", message: "", hint: "" });

  it("is not paid for again after a dream that failed", async () => {
    const first = await dream(failing);
    expect(first.report.outcome).toBe("failed");
    const { endpoint, report } = await dream(good);
    expect(endpoint.asks.filter(isExtract)).toEqual([]);
    expect(report.outcome).toBe("done");
    expect(home.read("on-feedback.md")).toContain(REVIEW);
  });

  it("is not paid for again when an older session moves the numbers of the others", async () => {
    await dream(failing);
    home.session("zero", talk(["An older talk about nothing."], START - 3 * DAY));
    const { endpoint, report } = await dream(good);
    expect(endpoint.asks.filter(isExtract).map(textOf)).toEqual([expect.stringContaining("An older talk")]);
    expect(report.operations.rejected).toEqual([]);
    expect(home.read("on-project.md")).toContain(QUEUE);
  });

  it("is kept for each session as its answer arrives, also when another one fails", async () => {
    await dream((ask, n) =>
      textOf(ask).includes(QUEUE)
        ? new MemdError({ code: "bad-key", family: "misconfigured", message: "", hint: "" })
        : good(ask, n),
    );
    const { endpoint } = await dream(good);
    expect(endpoint.asks.filter(isExtract).map(textOf)).toEqual([expect.stringContaining(QUEUE)]);
  });

  it.each([
    ["another model", { extract: { name: "other", price: null } }],
    ["another tone", { tone: "Short." }],
  ])("is asked again for %s", async (_what, settings) => {
    await dream(failing);
    const { endpoint } = await dream(good, settings);
    expect(endpoint.asks.filter(isExtract).length).toBe(2);
  });

  it("is read from a fenced answer and from one with words around it", async () => {
    let fenced = false;
    const { report } = await dream((ask, n) => {
      const reply = good(ask, n) as Reply;
      if (!isExtract(ask)) return reply;
      fenced = !fenced;
      const json = reply.parts[0]?.type === "text" ? reply.parts[0].text : "";
      return says(fenced ? `\`\`\`json\n${json}\n\`\`\`` : `Here it is: ${json} I hope it helps.`);
    });
    expect(report.operations.accepted).toBe(6);
  });

  it("is left out where its quote stands nowhere, or only in the agent's words", async () => {
    const { endpoint } = await dream((ask) => {
      if (!isExtract(ask)) return FINISH;
      const one = { type: "project", why: "", says: "fact", confidence: "stated" };
      return answers({
        candidates: [
          { ...one, statement: "Invented.", quotes: [{ utterance: "S:1", quote: "I never said this." }] },
          { ...one, statement: "The agent's.", quotes: [quote(ask, "Understood.")] },
          { ...one, statement: "", quotes: [quote(ask, TRACKER)] },
          { ...one, type: "secret", statement: "Of no type.", quotes: [quote(ask, TRACKER)] },
          "no object",
        ],
      });
    });
    expect(endpoint.asks.every(isExtract)).toBe(true);
  });
});
