/** A first dream over a directory of three years: it changes what it has evidence for, and not one byte beside it. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { BUDGET } from "../../src/memory/model.ts";
import { START, talk } from "../support/home.ts";
import { writeOldDirectory } from "./old-directory.ts";
import { EVERY } from "./settings.ts";
import { DAY, makeStage, resultOf, type Stage, textsOf } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.remove());

const SAID = [
  "Remember: the parcel service listens on port 7171.",
  "Always write release notes in British English.",
  "Bugs of the scanner are tracked in the Linear project ORBIT.",
  "Please have a look at the export, it feels slow today.",
];

const POINTER = /^- \[[^\]]+\]\([^)]+\.md\)/;

/** Lines of the index that went and lines that came, whatever their place. */
function changedLines(before: string, after: string): { gone: string[]; come: string[] } {
  const count = (text: string) => {
    const counts = new Map<string, number>();
    for (const line of text.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1);
    return counts;
  };
  const [a, b] = [count(before), count(after)];
  const more = (x: Map<string, number>, y: Map<string, number>) =>
    [...x]
      .filter(([line, n]) => n > (y.get(line) ?? 0))
      .map(([line]) => line)
      .filter((line) => line !== "");
  return { gone: more(a, b), come: more(b, a) };
}

const inOrder = (part: readonly string[], whole: readonly string[]) => {
  let at = 0;
  for (const line of whole) if (line === part[at]) at++;
  return at === part.length;
};

const SEEDS = Array.from({ length: EVERY ? 200 : 8 }, (_, i) => i + 1);

/** Corrections of a value in up to eight topics, whatever their front matter and line ends are like. */
function corrections(texts: ReadonlyMap<string, string>) {
  const found = [...texts].flatMap(([name, text]) => {
    const match = /^- The (.+) limit is (\d+) per minute\.(?=\r?$)/m.exec(text);
    return match
      ? [
          {
            name,
            old: match[0],
            said: `Correction: the ${match[1]} limit is 7${match[2]} per minute, not ${match[2]} per minute.`,
            value: `7${match[2]} per minute`,
          },
        ]
      : [];
  });
  return found.slice(0, 8);
}

/** Index lines that a dream may take out: a pointer to nothing, and a second one to the same. Both go to the archive. */
const MAY_GO = /long-gone\.md|\[again\]/;

function expectIndex(before: string, after: string): void {
  const { gone, come } = changedLines(before, after);
  for (const line of come) expect(line).toMatch(POINTER);
  // Of an index over the limit, pointers may move, word for word, to where the index leads.
  const moved = (textsOf(stage)["more-topics.md"] ?? "").split("\n");
  const isOver = before.split("\n").length > BUDGET.indexLines;
  const dropped = gone.filter((line) => !(isOver && moved.includes(line)));
  for (const line of dropped) expect(line).toMatch(MAY_GO);
  const rest = before.split("\n").filter((line) => !gone.includes(line) && line !== "");
  expect(inOrder(rest, after.split("\n"))).toBe(true);
  const archived = resultOf(stage).archive.map(({ text }) => String(text));
  for (const line of dropped)
    expect(
      archived.some((text) => text.includes(line)),
      line,
    ).toBe(true);
}

/** What a topic lost and got: the corrected line, and the time of the change. */
function expectOnly(name: string, before: string, after: string, wanted: { old: string; value: string }): void {
  const { gone, come } = changedLines(before, after);
  const bare = (line: string) => line.replace(/\r$/, "");
  expect(
    gone.map(bare).filter((line) => !/^\s*modified:/.test(line)),
    name,
  ).toEqual([wanted.old]);
  const lines = come.map(bare).filter((line) => !/^\s*(?:modified:.*|metadata:)$/.test(line));
  expect(lines, name).toEqual([expect.stringContaining(wanted.value)]);
  expect(after.includes("\r\n"), name).toBe(before.includes("\r\n"));
  expect(after.startsWith("\uFEFF"), name).toBe(before.startsWith("\uFEFF"));
}

describe("a first dream over a directory of three years", () => {
  it.each(SEEDS)("(seed %i) changes what was spoken of and not one byte beside it", async (seed) => {
    stage = makeStage();
    const { texts } = writeOldDirectory(stage.memory, seed);
    const times = timesOf(texts.keys());
    const asked = corrections(texts);
    stage.session("a", talk([...SAID, ...asked.map(({ said }) => said)], START - DAY));
    const { report, exit } = await stage.act();
    expect(exit).toBe(0);
    const after = textsOf(stage);
    const touched = new Set(report.files.updated);
    for (const [name, text] of texts) {
      if (touched.has(name)) continue;
      expect(after[name], name).toBe(text);
      expect(timesOf([name]).get(name), name).toBe(times.get(name));
    }
    expectIndex(texts.get("MEMORY.md") ?? "", after["MEMORY.md"] ?? "");
    touched.delete("MEMORY.md");
    for (const name of touched) {
      const wanted = asked.find((one) => one.name === name);
      expectOnly(name, texts.get(name) ?? "", after[name] ?? "", wanted ?? { old: "nothing", value: "nothing" });
    }
    stage.clock.move(60_000);
    expect((await stage.act()).report).toMatchObject({ outcome: "unchanged" });
    expect(textsOf(stage)).toEqual(after);
  });

  it("leaves an index that is over its limits as it is, and says so", async () => {
    stage = makeStage();
    const { texts } = writeOldDirectory(stage.memory, 3);
    const long = `${texts.get("MEMORY.md")}${Array.from({ length: 120 }, (_, i) => `\nParagraph ${i} of somebody who writes much.\n`).join("")}`;
    stage.topic("MEMORY.md", long);
    stage.session("a", talk(SAID, START - DAY));
    await stage.act();
    const after = stage.read("MEMORY.md");
    const { gone, come } = changedLines(long, after);
    // memd's own pointers find no room in it: one line leads to them.
    expect(come.filter((line) => !line.includes("(more-topics.md)"))).toEqual([]);
    for (const line of gone) expect(line).toMatch(MAY_GO);
    const codes = stage
      .world()
      .state.current()
      .conditions.map(({ code }) => code);
    expect(codes.some((code) => code.startsWith("index"))).toBe(true);
  });
});

function timesOf(names: Iterable<string>): Map<string, bigint> {
  return new Map([...names].map((name) => [name, statSync(join(stage.memory, name), { bigint: true }).mtimeNs]));
}
