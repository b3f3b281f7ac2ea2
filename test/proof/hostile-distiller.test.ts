/**
 * A distiller that was talked round: whatever it sends, through the parser that a child's answer goes through, memory changes only as
 * the rules allow. Beside each attack stands one honest operation: it must come through, and be all that comes through.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EXIT, MemdError } from "../../src/base/errors.ts";
import { entryId } from "../../src/memory/entry.ts";
import { parseProposal } from "../../src/memory/schema.ts";
import { type Distiller, NO_USAGE } from "../../src/ports.ts";
import { photograph, START, talk, transcript } from "../support/home.ts";
import {
  AGENT,
  ATTACKS,
  cite,
  FORGET,
  HONEST,
  honest,
  type Label,
  LIMIT,
  NEGATED,
  queue,
  TOOL,
  WORRY,
} from "./attacks.ts";
import { front, toolLine } from "./scenes.ts";
import { DAY, makeStage, type Stage, textsOf } from "./stage.ts";

/** What the distiller sends, as JSON would bring it. */
function sending(raw: (label: (words: string) => string) => unknown): Distiller {
  return {
    name: "extractive",
    distill: async ({ brief }) => {
      const said = brief.digest.sessions.flatMap(({ utterances }) => utterances);
      const labelOf = (words: string) => said.find(({ text }) => text.includes(words))?.label ?? "S9:99";
      const parsed = parseProposal(raw(labelOf));
      if ("proposal" in parsed) return { ...parsed, usage: NO_USAGE, fence: "none" };
      throw new MemdError({ code: "unreadable-proposal", family: "rejected", message: parsed.malformed, hint: "" });
    },
  };
}

let stage: Stage;
let expected: Record<string, string>;
let outside: Record<string, string>;

const everything = () => photograph(join(stage.root, "world"));

beforeAll(async () => {
  stage = makeStage();
  stage.topic(
    "limits.md",
    `${front("limits", "Read when a size limit matters")}- The queue limit is 300 jobs.\n- The worker limit is 12.\n`,
  );
  stage.topic(
    "rules.md",
    `${front("rules", "Read before a change", "feedback")}- Tests come with every change. [pinned]\n- Reviews take two people.\n`,
  );
  stage.topic("me.md", `${front("me", "Read to know the user", "user")}- Works from Lisbon.\n`);
  stage.topic(
    "tracker.md",
    `${front("tracker", "Read when a bug is filed", "reference")}- The old tracker was Jira.\n`,
  );
  for (let i = 0; i < 30; i++)
    stage.topic(
      `garden-${String.fromCharCode(97 + (i % 26))}${i}.md`,
      `${front(`garden-${i}`, "Read about the garden")}- Bed ${i} grows beans.\n- Bed ${i} is watered on Mondays.\n`,
    );
  stage.topic("2026-11-28.md", "- 09:12 Started on the export.\n");
  stage.topic(
    "MEMORY.md",
    "# Memory\n\n- [Limits](limits.md) — size limits\n- [Rules](rules.md) — before a change\n- [Me](me.md) — who\n- [Tracker](tracker.md) — bugs\n",
  );
  mkdirSync(join(stage.root, "world", "logs"), { recursive: true });
  writeFileSync(join(stage.root, "world", "logs", "2026-11-29.md"), "- 10:00 A log of the agent.\n");
  writeFileSync(join(stage.root, "world", "victim.md"), "not memory\n");
  const lines = talk([HONEST, LIMIT, NEGATED, WORRY, FORGET], START - DAY);
  writeFileSync(
    join(stage.sessions, "s.jsonl"),
    transcript("s", [...lines, { who: "assistant", text: AGENT, at: START - DAY + 600_000 }]) +
      toolLine("s", TOOL, START - DAY + 700_000),
  );
  stage.keep();
  await stage.act({ distiller: sending((label) => ({ operations: [honest(label)] })) });
  expected = textsOf(stage);
  outside = everything();
  stage.reset();
});
afterAll(() => stage.remove());
beforeEach(() => stage.reset());

describe("a distiller that was talked round", () => {
  it.each(ATTACKS)("sends %s, and only the honest operation comes through", async (_name, raw) => {
    const { report, exit } = await stage.act({
      distiller: sending((label) => ({ operations: [...raw(label), honest(label)] })),
    });
    expect({ exit, outcome: report.outcome }).toEqual({ exit: 0, outcome: "done" });
    expect(textsOf(stage)).toEqual(expected);
    expect(everything()).toEqual(outside);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(report.operations.accepted).toBe(1);
  });

  it("says which rule stopped each of them", async () => {
    const raw = ATTACKS.flatMap(([, attack]) => attack);
    const { report } = await stage.act({
      distiller: sending((label) => ({ operations: [...raw.flatMap((attack) => attack(label)), honest(label)] })),
    });
    for (const { rule, detail } of report.operations.rejected)
      expect([rule, detail]).toEqual([expect.stringMatching(/^[a-z-]+$/), expect.stringMatching(/./)]);
    expect(report.operations.rejected.length).toBe(report.operations.proposed - 1);
  });

  it.each([[null], [[]], ["operations"], [{}], [{ operations: "all" }], [{ operations: { length: 5 } }]])(
    "sends %j: nothing changes, and the run failed",
    async (raw) => {
      const before = photograph(stage.memory);
      const { report, exit } = await stage.act({ distiller: sending(() => raw) });
      expect({ exit, code: report.code }).toEqual({ exit: EXIT.rejected, code: "unreadable-proposal" });
      expect(memoryOf(photograph(stage.memory))).toEqual(memoryOf(before));
    },
  );

  it("cannot wipe thirty topics, whatever the user is said to have asked for", async () => {
    const before = photograph(stage.memory);
    const garden = Object.entries(textsOf(stage)).filter(([name]) => name.startsWith("garden-"));
    const wipe = (label: Label) =>
      garden.flatMap(([name, text]) => {
        const topic = name.replace(".md", "");
        const statements = text
          .split("\n")
          .filter((line) => line.startsWith("- "))
          .map((line) => line.slice(2));
        return statements.map((statement) => ({
          op: "retire",
          topic,
          entry: entryId(topic, statement),
          reason: "forgotten",
          cites: [cite(label, FORGET)],
        }));
      });
    const { report } = await stage.act({ distiller: sending((label) => ({ operations: wipe(label) })) });
    expect(report.operations.proposed).toBe(60);
    expect(report.operations.accepted).toBe(0);
    // The index gets its missing pointers all the same.
    expect(memoryOf({ ...photograph(stage.memory), "MEMORY.md": "" })).toEqual(
      memoryOf({ ...before, "MEMORY.md": "" }),
    );
    expect(stage.read("MEMORY.md")).toBe(expected["MEMORY.md"]);
  });

  it("that empties more than a quarter with true words is stopped as a whole", async () => {
    const garden = Object.entries(textsOf(stage)).filter(([name]) => name.startsWith("garden-"));
    const all = garden.flatMap(([name, text]) =>
      text
        .split("\n")
        .filter((line) => line.startsWith("- "))
        .map((line) => ({ topic: name.replace(".md", ""), statement: line.slice(2) })),
    );
    stage.session(
      "wipe",
      talk(
        all.map(({ statement }) => `Forget this one, it is no longer true: ${statement}`),
        START - DAY / 2,
      ),
    );
    const wipe = (label: Label) =>
      all.map(({ topic, statement }) => ({
        op: "retire",
        topic,
        entry: entryId(topic, statement),
        reason: "no longer true",
        cites: [cite(label, `Forget this one, it is no longer true: ${statement}`)],
      }));
    const before = photograph(stage.memory);
    const { report, exit } = await stage.act({ distiller: sending((label) => ({ operations: wipe(label) })) });
    rmSync(join(stage.sessions, "wipe.jsonl"));
    expect({ exit, code: report.code }).toEqual({ exit: EXIT.rejected, code: "retire-limit" });
    expect(memoryOf(photograph(stage.memory))).toEqual(memoryOf(before));
    expect(report.stampAfter).toBe(report.stampBefore);
  });

  it("that floods with two hundred topics and ten thousand operations makes a handful at most", async () => {
    const flood = (label: Label) =>
      Array.from({ length: 10_000 }, (_, i) => {
        const topic = `queue-${words(i)}`;
        return i % 2 === 0
          ? {
              op: "create-topic",
              topic,
              type: "project",
              title: "Queue",
              description: "Read when the queue limit matters",
            }
          : {
              op: "add",
              topic: `queue-${words(i - 1)}`,
              text: "The queue limit is 500 jobs.",
              cites: [cite(label, LIMIT)],
            };
      });
    const { report, exit } = await stage.act({ distiller: sending((label) => ({ operations: flood(label) })) });
    expect(exit).toBe(0);
    const said = Object.values(textsOf(stage)).join("\n").split("The queue limit is 500 jobs.").length - 1;
    expect(said).toBeLessThanOrEqual(1);
    expect(report.files.created.length).toBeLessThanOrEqual(1);
    expect(report.operations.rejected.map(({ rule }) => rule)).toContain("too-many-operations");
  });

  it("that says one thing three times, in three wordings and at three places, is heard once", async () => {
    const thrice = (label: Label) => [
      honest(label),
      honest(label),
      honest(label),
      { ...honest(label), topic: "limits" },
      { ...honest(label), text: "Bugs are tracked in Linear, in the project ORBIT." },
    ];
    const { report } = await stage.act({ distiller: sending((label) => ({ operations: thrice(label) })) });
    expect(textsOf(stage)).toEqual(expected);
    expect(report.operations.accepted).toBe(1);
    const again = await stage.act({ distiller: sending((label) => ({ operations: thrice(label) })) });
    expect(again.report.outcome).toBe("unchanged");
    expect(textsOf(stage)).toEqual(expected);
  });

  it("that asks two hundred questions does not bury the user under them", async () => {
    const asks = (label: Label) =>
      Array.from({ length: 199 }, (_, i) => ({
        op: "ask",
        text: `Is the queue limit 500 jobs or ${i} jobs?`,
        entries: [queue],
        cites: [cite(label, LIMIT)],
      }));
    const { report } = await stage.act({
      distiller: sending((label) => ({ operations: [...asks(label), honest(label)] })),
    });
    expect(textsOf(stage)).toEqual(expected);
    expect(report.questions).toBeLessThanOrEqual(10);
  });

  it("is heard again in the next run: what it was refused costs no word its place", async () => {
    await stage.act({ distiller: sending(() => ({ operations: [] })) });
    const { report } = await stage.act({ distiller: sending((label) => ({ operations: [honest(label)] })) });
    expect(report.reason).toBe("nothing-new");
  });
});

/** Topics and index alone, with their times: `.memd` and the stamp change with every run. */
const memoryOf = (photo: Record<string, string>) =>
  Object.fromEntries(Object.entries(photo).filter(([name]) => !name.startsWith(".")));

/** Letters for a number: names with digits are refused for another reason. */
const words = (i: number) => [...String(i)].map((digit) => "abcdefghij"[Number(digit)]).join("");
