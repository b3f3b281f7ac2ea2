/** However a request or a conversation ends: memory is changed by what was finished, or by the built-in rules, and never by half of something. */
import { existsSync, readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemdError } from "../../../src/base/errors.ts";
import type { Ask, Reply } from "../../../src/distill/anthropic/messages.ts";
import { DAY, type Home, makeHome, START, talk } from "../../support/home.ts";
import {
  answers,
  call,
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

const TRACKER = "Remember: bugs are tracked in the Linear project ORBIT.";
const FACT = { text: TRACKER, type: "reference" };

let home: Home;
let kept: Notes;

beforeEach(() => {
  home = makeHome();
  kept = notes();
  home.session("one", talk([TRACKER, "What does this do?"], START - DAY));
});
afterEach(() => home.remove());

async function dream(play: Play, settings = {}) {
  const endpoint = endpointOf(play);
  const { report } = await home.dream({}, { distiller: distillerOf(endpoint, kept, settings) });
  return { endpoint, report, files: topicsIn(home) };
}

const topicsIn = ({ memory }: Home) =>
  existsSync(memory) ? readdirSync(memory).filter((name) => name.endsWith(".md") && name !== "MEMORY.md") : [];

/** What the built-in rules make of the same session. */
async function byRules(): Promise<string[]> {
  const other = makeHome();
  other.session("one", talk([TRACKER, "What does this do?"], START - DAY));
  await other.dream();
  const files = topicsIn(other);
  other.remove();
  return files;
}

const add = (ask: Ask, text: string) => ["add", { cites: [quote(ask, TRACKER)], topic: "mine", text }] as const;

const mine = (ask: Ask) =>
  [
    ["create-topic", { topic: "mine", type: "reference", title: "Mine", description: "Read before work" }],
    ["add", { cites: [quote(ask, TRACKER)], topic: "mine", text: TRACKER.replace("Remember: b", "B") }],
  ] as const;

/** A conversation in which two operations are accepted before it goes on as told. */
const conversation =
  (on: (ask: Ask, turn: number) => Reply | Error): Play =>
  (ask) => {
    if (isExtract(ask)) return notesOn(ask, [FACT]);
    const turn = ask.turns.filter(({ role }) => role === "assistant").length;
    return turn === 0 ? calls(...mine(ask)) : on(ask, turn);
  };

const cut = (): Reply => ({ parts: [call("add", { topic: "mine" })], stop: "length" });

describe("a conversation that is not finished", () => {
  it("is forgiven once another one was finished", async () => {
    const never = conversation(() => says("", "refusal"));
    expect((await dream(never)).report.code).toBe("unfinished");
    expect((await dream(conversation(() => FINISH))).files).toContain("mine.md");
    home.session("two", talk([TRACKER, "And what does that do?"], START - DAY));
    expect((await dream(never)).report.code).toBe("unfinished");
  });

  it.each<[string, () => Reply]>([
    ["with words alone", () => says("Done.")],
    ["as tool use without a call", () => ({ parts: [], stop: "tools" })],
  ])("and ends %s changes nothing, and why-not tells what was left out", async (_how, on) => {
    const { endpoint, report, files } = await dream(conversation(on));
    expect({ outcome: report.outcome, files }).toEqual({ outcome: "unchanged", files: [] });
    expect(endpoint.asks.filter((ask) => !isExtract(ask)).length).toBe(3);
    expect(report.operations.rejected.map(({ rule }) => rule)).toContain("not-proposed");
  });

  it.each<[string, (ask: Ask, turn: number) => Reply, number]>([
    ["is refused", () => says("", "refusal"), 2],
    ["is cut at its longest each time", cut, 4],
    ["pauses for ever", () => says("...", "pause"), 6],
    ["repeats one call", () => calls(["list", {}]), 5],
    ["reads on and on", (_ask, turn) => calls(["read", { path: "sessions/S1.md", from: turn }]), 40],
    ["calls what is not there", (_ask, turn) => calls([`rm-${turn}`, { path: "/" }]), 40],
    ["never fits the schema", (_ask, turn) => calls(["add", { topic: "mine", text: turn }]), 40],
  ])(
    "because it %s fails the run, and the second time the built-in rules speak instead",
    async (_how, on, requests) => {
      const first = await dream(conversation(on));
      expect({ code: first.report.code, files: first.files }).toEqual({ code: "unfinished", files: [] });
      expect(first.report.stampAfter).toBe(first.report.stampBefore);
      expect(first.endpoint.asks.filter((ask) => !isExtract(ask)).length).toBe(requests);
      const { endpoint, report, files } = await dream(conversation(on));
      expect(report.outcome).toBe("done");
      expect(files).toEqual(await byRules());
      expect(files).not.toContain("mine.md");
      // No session is asked about twice.
      expect(endpoint.asks.length).toBe(requests);
      expect(kept.progress.at(-1)).toMatch(
        /^consolidate: the model did not finish again \([a-z-]+\); the built-in rules propose/,
      );
    },
  );

  it("because it proposes without end is stopped after some hundred operations", async () => {
    const { endpoint, report, files } = await dream(
      conversation((_ask, turn) =>
        calls(
          ...Array.from(
            { length: 200 },
            (_, i) =>
              [
                "create-topic",
                { topic: `t${"abcdefghij"[turn % 10]}${turn}x${i}`, type: "project", title: "T", description: "Read" },
              ] as const,
          ),
        ),
      ),
    );
    expect({ code: report.code, files }).toEqual({ code: "unfinished", files: [] });
    expect(endpoint.asks.length).toBeLessThan(20);
  });

  it.each([
    ["network", "unavailable"],
    ["over-budget", "over-budget"],
    ["bad-key", "misconfigured"],
  ] as const)("because of %s fails the run, and nothing changes", async (code, family) => {
    const { report, files } = await dream(conversation(() => new MemdError({ code, family, message: "", hint: "" })));
    expect({ outcome: report.outcome, code: report.code, files }).toEqual({
      outcome: "failed",
      code,
      files: [],
    });
    expect(report.stampAfter).toBe(report.stampBefore);
  });
});

describe("a conversation that stumbles", () => {
  const finished = async (on: (ask: Ask, turn: number) => Reply) => {
    const result = await dream(conversation(on));
    expect(result.files).toContain("mine.md");
    return result;
  };

  it("by talking once is told to go on", async () => {
    const { endpoint } = await finished((_ask, turn) => (turn === 1 ? says("I think that is all.") : FINISH));
    expect(lastWords(endpoint.asks[3] as Ask)).toMatch(/Words change nothing/);
  });

  it("over a call that was cut never has it run, and is told so", async () => {
    const { endpoint } = await finished((ask, turn) =>
      turn === 1
        ? {
            ...calls(["retire", { cites: [], topic: "mine", entry: "x", reason: "cut" }], ...mine(ask)),
            stop: "length",
          }
        : FINISH,
    );
    expect(lastWords(endpoint.asks[3] as Ask)).toMatch(/^Not run\.\nNot run\.\nNot run\.\nYour answer was cut/);
  });

  it("over calls in a message that did not end as tool use never has them run", async () => {
    const { endpoint } = await finished((_ask, turn) => (turn === 1 ? { ...FINISH, stop: "end" } : FINISH));
    expect(lastWords(endpoint.asks[3] as Ask)).toMatch(/^Not run\.\nWords change nothing/);
  });

  it("by pausing is taken up where it paused", async () => {
    const { endpoint } = await finished((_ask, turn) => (turn === 1 ? says("thinking", "pause") : FINISH));
    expect(endpoint.asks[3]?.turns.at(-1)).toEqual({ role: "assistant", parts: [{ type: "text", text: "thinking" }] });
  });

  it("keeps what the endpoint wants back, but no thought that was cut", async () => {
    const thought = { type: "opaque", value: { type: "thinking" } } as const;
    const { endpoint } = await finished((_ask, turn) => {
      if (turn === 1) return { ...calls(["list", {}]), parts: [thought, call("list", {})] };
      return turn === 2 ? { parts: [{ type: "text", text: "so" }, thought], stop: "length" } : FINISH;
    });
    expect(endpoint.asks[3]?.turns.at(-2)?.parts[0]).toEqual(thought);
    expect(endpoint.asks[4]?.turns.at(-2)?.parts).toEqual([{ type: "text", text: "so" }]);
  });

  it("over its context begins anew with less, and what was accepted stays accepted", async () => {
    for (const how of [
      says("", "context"),
      new MemdError({ code: "too-long", family: "rejected", message: "", hint: "" }),
    ]) {
      let stumbled = 0;
      const { endpoint, files } = await dream((ask) => {
        if (isExtract(ask)) return notesOn(ask, [FACT]);
        if (ask.turns.length === 1 && stumbled === 0) return calls(...mine(ask).slice(0, 1));
        if (stumbled++ === 0) return how;
        return ask.turns.length === 1 ? calls(...mine(ask).slice(1)) : FINISH;
      });
      expect(files).toContain("mine.md");
      expect(textOf(endpoint.asks.at(-1) as Ask)).toContain("topics made: mine");
      home.remove();
      home = makeHome();
      home.session("one", talk([TRACKER, "What does this do?"], START - DAY));
    }
  });

  it("over its context a third time is left", async () => {
    const { endpoint, report, files } = await dream(conversation(() => says("", "context")));
    expect({ code: report.code, files }).toEqual({ code: "unfinished", files: [] });
    expect(endpoint.asks.filter((ask) => !isExtract(ask)).length).toBe(6);
  });

  it("by finishing in the breath in which it was refused is held back once, and only once", async () => {
    const wrong = (ask: Ask, turn: number) => add(ask, `Bugs are tracked in the Linear project MARS${turn}.`);
    const { endpoint } = await finished((ask, turn) => calls(wrong(ask, turn), ["finish", {}]));
    expect(endpoint.asks.length).toBe(4);
    expect(lastWords(endpoint.asks[3] as Ask)).toMatch(/\nNot yet: something was refused/);
  });

  it("over an operation that no message could carry is told that it is too long", async () => {
    const cites = (ask: Ask) =>
      Array.from({ length: 8 }, () => ({ ...quote(ask, TRACKER), quote: "\u0001".repeat(1_000) }));
    const { endpoint } = await finished((ask, turn) =>
      turn === 1 ? calls(["add", { cites: cites(ask), topic: "mine", text: "\u0001".repeat(2_000) }]) : FINISH,
    );
    expect(lastWords(endpoint.asks[3] as Ask)).toBe("Not judged: it is too long.");
  });

  it("over the same refusal is told to leave it", async () => {
    const wrong = (ask: Ask, turn: number) => add(ask, `Bugs are tracked in the Linear project MARS${turn}.`);
    const { endpoint } = await dream((ask) => {
      if (isExtract(ask)) return notesOn(ask, [FACT]);
      const turn = ask.turns.length;
      if (turn === 1) return calls(...mine(ask).slice(0, 1));
      return turn < 17 ? calls(wrong(ask, turn)) : FINISH;
    });
    expect(lastWords(endpoint.asks[8] as Ask)).toMatch(/^refused: unsupported-detail/);
    expect(lastWords(endpoint.asks[9] as Ask)).toMatch(/^Not judged: this was refused often enough/);
  });
});

describe("a session", () => {
  const finish: Play = (ask) => (ask.turns.length > 1 ? FINISH : calls(...mine(ask)));

  it.each<[string, Reply]>([
    ["is refused", says("", "refusal")],
    ["is answered with words", says("Done.")],
    ["is answered with nothing", { parts: [], stop: "end" }],
    ["is answered with another form", answers([{ statement: "x" }])],
    ["pauses for ever", says("{", "pause")],
  ])("that %s is heard by the built-in rules, and never asked again", async (_how, reply) => {
    const first = await dream((ask, n) =>
      isExtract(ask)
        ? reply
        : n < 9
          ? new MemdError({ code: "network", family: "unavailable", message: "", hint: "" })
          : FINISH,
    );
    expect(first.report.code).toBe("network");
    const { endpoint, files } = await dream(finish);
    expect(endpoint.asks.filter(isExtract)).toEqual([]);
    expect(files).toContain("mine.md");
  });

  it("that is too long is read in parts, and never sent again unchanged", async () => {
    home.session(
      "long",
      talk(
        Array.from({ length: 30 }, (_, i) => `${i}: ${"word ".repeat(1_200)}`),
        START - DAY,
      ),
    );
    const sizes: number[] = [];
    const { endpoint, report } = await dream((ask) => {
      if (!isExtract(ask)) return FINISH;
      sizes.push(textOf(ask).length);
      return textOf(ask).length > 30_000
        ? new MemdError({ code: "too-long", family: "rejected", message: "", hint: "" })
        : answers({ candidates: [] });
    });
    expect(report.outcome).toBe("unchanged");
    const texts = endpoint.asks.map(textOf);
    expect(new Set(texts).size).toBe(texts.length);
    expect(sizes.filter((size) => size > 30_000).length).toBe(2);
    // Nothing of it was left out, and no utterance was cut.
    const all = texts.filter((text) => text.length <= 30_000).join("\n");
    for (let i = 0; i < 30; i++) expect(all).toContain(`| ${i}: ${"word ".repeat(1_200).trim()}`);
  });

  it("that never fits is split twice at the most, for all sessions together", async () => {
    for (let s = 0; s < 50; s++)
      home.session(
        `long-${s}`,
        talk(
          Array.from({ length: 6 }, (_, i) => `${s}.${i} ${"word ".repeat(300)}`),
          START - DAY + s,
        ),
      );
    const { endpoint } = await dream(
      () => new MemdError({ code: "too-long", family: "rejected", message: "", hint: "" }),
    );
    const texts = endpoint.asks.map(textOf);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeLessThan(130);
  });

  it("gets another chance when the endpoint fails once, and the run ends at the second time", async () => {
    const fault = new MemdError({ code: "overloaded", family: "unavailable", message: "", hint: "" });
    const once = await dream((ask, n) => (n === 1 ? fault : isExtract(ask) ? notesOn(ask, [FACT]) : finish(ask, n)));
    expect(once.files).toContain("mine.md");
    home.session("two", talk(["Something new."], START - 1_000));
    const twice = await dream(() => fault);
    expect(twice.report.code).toBe("overloaded");
    expect(twice.endpoint.asks.length).toBe(2);
  });

  it("is not tried again when the endpoint names a time", async () => {
    const later = new MemdError({
      code: "rate-limited",
      family: "unavailable",
      message: "",
      hint: "",
      retryAt: START + DAY,
    });
    const { endpoint, report } = await dream(() => later);
    expect(endpoint.asks.length).toBe(1);
    expect(report.code).toBe("rate-limited");
  });
});
