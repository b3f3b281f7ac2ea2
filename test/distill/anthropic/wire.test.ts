/** Both stages over real HTTP: what stands in the bodies of the requests, and what does not. */
import { appendFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, type Home, makeHome, START, talk, transcript } from "../../support/home.ts";
import {
  answers,
  type Body,
  call,
  calls,
  cutInsideInput,
  maxTokensInsideInput,
  type Recorded,
  type Script,
  says,
} from "../../support/messages-server.ts";
import { asking, closeServers } from "../asking.ts";
import { distillerOf, type Notes, notes, SETTINGS } from "./world.ts";

const WIKI = "The wiki moved to notes/ and is edited there.";
const KEY = ["sk", "ant", "api03", "Zq7".repeat(24)].join("-");

let home: Home;
let kept: Notes;

beforeEach(() => {
  home = makeHome();
  kept = notes();
});
afterEach(async () => {
  home.remove();
  await closeServers();
});

async function dream(script: Script, at = home, refuse: readonly string[] = []) {
  const { server, ask } = await asking(script, { refuse });
  const { report } = await at.dream({}, { distiller: distillerOf({ ask }, kept, SETTINGS) });
  return { requests: server.requests, report };
}

const isExtract = ({ body }: Recorded) => body.tools === undefined;
const wordsOf = (body: Body): string => JSON.stringify(body.messages);

/** Notes the sentence on the wiki wherever it is read, looks around for three turns, adds it, and finishes. */
const good: Script = (request) => {
  const { body } = request;
  if (isExtract(request)) {
    const label = /(S:\d+) user[^|]{0,30}\| [^\n]*?The wiki moved/.exec(body.messages[0].content[0].text)?.[1];
    const one = { statement: WIKI, why: "", type: "reference", says: "fact", confidence: "stated" };
    return answers({ candidates: label ? [{ ...one, quotes: [{ utterance: label, quote: WIKI }] }] : [] });
  }
  const turn = body.messages.length;
  const label = /C1 quote (S\d+:\d+)/.exec(body.messages[0].content[0].text)?.[1];
  if (turn === 1) return calls(call("list", {}), call("grep", { text: "wiki" }));
  if (turn === 3) return calls(call("read", { path: "sessions/S1.md" }));
  if (turn > 5) return calls(call("finish", {}));
  return calls(
    call("create-topic", { topic: "wiki", type: "reference", title: "Wiki", description: "Read before work" }),
    call("add", { topic: "wiki", text: WIKI, cites: [{ utterance: label, quote: WIKI }] }),
  );
};

describe("over the wire", () => {
  it("a memory is kept, and the same prefix is sent in every turn and for every store", async () => {
    home.session("one", talk([WIKI], START - DAY));
    const other = makeHome();
    other.topic(
      "garden.md",
      "---\nname: garden\ndescription: Read about beds\ntype: project\n---\n\n- Beds have a fence.\n",
    );
    other.session("two", talk(["Hello there.", WIKI, "And now something else."], START - 2 * DAY));
    const first = await dream(good);
    const second = await dream(good, other);
    expect(home.read("wiki.md")).toContain(WIKI);
    expect(other.read("wiki.md")).toContain(WIKI);
    other.remove();
    const talks = [first, second].map(({ requests }) => requests.filter((request) => !isExtract(request)));
    const prefix = ({ body }: Recorded) => JSON.stringify([body.model, body.system, body.tools]);
    expect(new Set(talks.flat().map(prefix)).size).toBe(1);
    for (const turns of talks) {
      expect(turns.length).toBe(4);
      const messages = turns.map(({ body }) => JSON.stringify(body.messages).slice(0, -1));
      for (const [i, text] of messages.slice(1).entries()) expect(text.startsWith(messages[i] as string)).toBe(true);
    }
    const reads = [first, second].flatMap(({ requests }) => requests.filter(isExtract));
    expect(new Set(reads.map(({ body }) => JSON.stringify(body.system))).size).toBe(1);
  });

  it.each([[["output_config"]], [["cache_control"]], [["output_config", "cache_control", "count_tokens"]]])(
    "an endpoint that knows nothing of %j does as well",
    async (refuse) => {
      home.session("one", talk([WIKI], START - DAY));
      const { report } = await dream(good, home, refuse);
      expect(report.outcome).toBe("done");
      expect(home.read("wiki.md")).toContain(WIKI);
    },
  );

  it.each([0, 1, 2, 3])("no half character is sent, and no key, wherever a long text is cut (%i)", async (pad) => {
    const long = `${"x".repeat(pad)}${"\u{1F9ED}".repeat(20_000)} ${WIKI}`;
    home.session(
      "one",
      talk([`half: \ud83d) end`, `low \udd25 high \ud83d`, long, `My key is ${KEY}.`, WIKI], START - DAY),
    );
    const path = home.session("two", []);
    // As a broken client writes it: escapes of halves in the JSON itself.
    appendFileSync(
      path,
      transcript("two", talk(["swapped MARK here"], START - DAY)).replaceAll("MARK", "\\udfff\\ud800"),
    );
    const { requests, report } = await dream(good);
    expect(report.outcome).toBe("done");
    const sent = requests.map(({ raw }) => raw).join("\n");
    expect(sent).not.toMatch(/\\u[dD][89a-fA-F]/);
    expect(sent).not.toContain("\uFFFD\uFFFD\uFFFD");
    expect(sent).not.toContain(KEY.slice(14, 40));
    expect(sent).toContain("swapped");
    expect(Buffer.from(home.read("wiki.md")).toString()).toContain(WIKI);
  });

  it("a model's own half characters do not come back to the endpoint", async () => {
    home.session("one", talk([WIKI], START - DAY));
    const { requests, report } = await dream((request) => {
      if (isExtract(request) || request.body.messages.length > 1)
        return typeof good === "function" ? good(request) : says("");
      return calls(
        call("grep", { text: "\ud83d" }),
        call("\udd25", { "\ud83d": "\ud83d" }),
        call("find", { words: "x\ud83d" }),
      );
    });
    expect(report.outcome).toBe("done");
    expect(requests.length).toBeGreaterThan(3);
  });

  it.each([
    ["cut inside its input", cutInsideInput, 6],
    ["ended at its longest inside its input", maxTokensInsideInput, 5],
  ])("a call that was %s is never run", async (_how, broken, requests) => {
    home.session("one", talk([WIKI], START - DAY));
    home.topic("old.md", "---\nname: old\ndescription: Read about beds\ntype: project\n---\n\n- Beds have a fence.\n");
    let times = 0;
    const result = await dream((request) => {
      if (isExtract(request) || times++ > 0) return typeof good === "function" ? good(request) : says("");
      return broken(calls(call("retire", { cites: [], topic: "old", entry: "old#1", reason: "because it is so" })));
    });
    expect(result.report.outcome).toBe("done");
    expect(home.read("old.md")).toContain("Beds have a fence.");
    expect(wordsOf(result.requests.at(-1)?.body)).not.toContain("refused");
    expect(result.requests.length).toBe(requests);
  });

  it("an unchanged rerun sends nothing", async () => {
    home.session("one", talk([WIKI], START - DAY));
    await dream(good);
    const { requests } = await dream(good);
    expect(requests).toEqual([]);
  });
});
