/** Whole dreams while somebody else writes: in every window between two verbs, an agent or a person changes the memory. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { faultyFiles } from "../support/faulty-files.ts";
import { HOUR, photograph } from "../support/home.ts";
import { callsOf, sceneOf } from "./kills.ts";
import { front, listener, prepareStore } from "./scenes.ts";
import { PATIENCE, sample } from "./settings.ts";
import { deadPointers, linesOf, makeStage, pathsOf, resultOf, type Stage, textsOf } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = makeStage();
  await prepareStore(stage);
});
afterAll(() => stage.remove());
beforeEach(() => stage.reset());

const at = (name: string) => join(stage.memory, name);
const NOTE = "- An agent noted this in the middle of it.";

/** Somebody's write, and the words of theirs that must be there afterwards, somewhere that a person finds. */
const WRITERS: readonly {
  readonly name: string;
  readonly write: () => void;
  readonly words: string | null;
  readonly facts: readonly string[];
}[] = [
  {
    name: "an agent appends to a topic that changes",
    write: () => appendFileSync(at("limits.md"), `${NOTE}\n`),
    words: NOTE,
    facts: ["500 jobs", "ORBIT", "imperative"],
  },
  {
    name: "an editor replaces a topic that changes by a rename",
    write: () => {
      writeFileSync(
        at(".commits.swp"),
        `${front("commits", "Read before a commit", "feedback")}- Commit subjects stay below 60 characters.\n${NOTE}\n`,
      );
      renameSync(at(".commits.swp"), at("commits.md"));
    },
    words: NOTE,
    facts: ["500 jobs", "ORBIT"],
  },
  {
    name: "a person deletes a topic that changes",
    write: () => rmSync(at("deploys.md"), { force: true }),
    words: null,
    facts: ["500 jobs", "ORBIT", "imperative"],
  },
  {
    name: "a person deletes a topic that does not",
    write: () => rmSync(at("quiet.md"), { force: true }),
    words: null,
    facts: ["500 jobs", "ORBIT", "imperative"],
  },
  {
    name: "an agent makes a topic of the name that the dream is about to make",
    write: () =>
      writeFileSync(at("tracker.md"), `${front("tracker", "Read when something is tracked")}${NOTE}\n`, {
        flag: existsSync(at("tracker.md")) ? "a" : "w",
      }),
    words: NOTE,
    facts: ["500 jobs", "imperative"],
  },
  {
    name: "a person writes into the index",
    write: () => appendFileSync(at("MEMORY.md"), "\nA person's own words.\n"),
    words: "A person's own words.",
    facts: ["500 jobs", "ORBIT", "imperative"],
  },
  {
    name: "a sync tool leaves a copy of a conflict",
    write: () => writeFileSync(at("limits.sync-conflict-20261130-080000-ABCDEFG.md"), `${NOTE}\n`),
    words: NOTE,
    facts: ["500 jobs", "ORBIT", "imperative"],
  },
];

/** All that a person would find: the memory with everything beside it, and what went to the archive. */
function everything(): string {
  const archived = resultOf(stage).archive.map(({ text }) => String(text));
  return [...Object.values(textsOf(stage)), ...archived].join("\n");
}

const timesIn = (text: string, words: string) => text.split(words).length - 1;

describe("a dream in which somebody else writes", { timeout: PATIENCE }, () => {
  it.each(WRITERS)(
    "$name: in no window is a word lost, and the next dream has all in order",
    async ({ name, write, words, facts }) => {
      const scene = await sceneOf(stage, name, (on, acting) => on.act({ ...acting, distiller: listener }));
      // A rename over the same name in the two system calls between the last look and memd's own is the one window that stays (store/step.ts).
      const isOpen = (verb: string) => verb === "rename" && name.includes("by a rename");
      const windows = (await callsOf(stage, scene)).filter(
        ({ path, verb }) => path.startsWith(stage.memory) && !isOpen(verb),
      );
      const outcomes: Record<string, number> = {};
      for (const { number, verb } of sample(windows, 6)) {
        const where = `${name}, before ${number} ${verb}`;
        stage.reset();
        const files = faultyFiles(nodeFiles, {
          before: (call) => {
            if (call.number === number) write();
          },
        });
        const { report, exit } = await stage.act({ files, distiller: listener });
        const word = `${report.outcome} ${exit}`;
        outcomes[word] = (outcomes[word] ?? 0) + 1;
        expect(report.code, where).not.toBe("bug");
        if (words !== null) expect(everything(), where).toContain(words);
        stage.clock.move(2 * HOUR);
        const next = await stage.act({ distiller: listener });
        stage.clock.move(-2 * HOUR);
        expect(next.exit, where).toBe(0);
        expect(deadPointers(stage), where).toEqual([]);
        const memory = Object.values(textsOf(stage)).join("\n");
        for (const fact of facts) expect(timesIn(memory, fact), `${where}: ${fact}`).toBe(1);
        if (words !== null) expect(everything(), where).toContain(words);
        expect(resultOf(stage).left, where).toEqual([]);
      }
      console.log(name, outcomes);
    },
  );
});

describe("what another machine left", () => {
  const OTHER = "fedcba9876543210";
  const lease = (since: number) => ({
    token: "ab".repeat(16),
    pid: 4_242,
    processStart: "1",
    bootId: "x",
    machineId: OTHER,
    priorStamp: 0,
    since,
    run: "20261130T070000000-aaaaaa",
  });

  it("holds the lock for an hour, and not a byte is touched meanwhile", async () => {
    writeFileSync(join(stage.memory, ".memd", "lease.json"), JSON.stringify(lease(stage.clock.now() - 10 * 60_000)));
    const before = photograph(stage.memory);
    const { exit } = await stage.act({ distiller: listener });
    expect(exit).toBe(4);
    expect(photograph(stage.memory)).toEqual(before);
  });

  it("is given up after it, and the dream goes through", async () => {
    writeFileSync(join(stage.memory, ".memd", "lease.json"), JSON.stringify(lease(stage.clock.now() - 2 * HOUR)));
    expect((await stage.act({ distiller: listener })).report.outcome).toBe("done");
    expect(resultOf(stage).left).toEqual([]);
  });

  it("in the journal is reported and never replayed, nor swept", async () => {
    const journal = join(stage.memory, ".memd", "journal", OTHER);
    mkdirSync(journal, { recursive: true });
    writeFileSync(
      join(journal, "manifest.json"),
      JSON.stringify({ schema: 1, run: "x", machine: OTHER, files: [{ file: "limits.md", after: "gone" }] }),
    );
    const { report } = await stage.act({ distiller: listener });
    expect(report.outcome).toBe("done");
    expect(pathsOf(journal)).toEqual(["manifest.json"]);
    expect(stage.read("limits.md")).toContain("500 jobs");
    expect(
      stage
        .world()
        .state.current()
        .conditions.map(({ code }) => code),
    ).toContain("foreign-journal");
  });

  it("as places in a book of other inodes costs a second reading and stores nothing twice", async () => {
    await stage.act({ distiller: listener });
    const book = join(stage.state, "cursors.json");
    const [places] = linesOf(book);
    writeFileSync(book, JSON.stringify(places).replace(/"ino":\d+/g, '"ino":1'));
    stage.clock.move(HOUR);
    const before = textsOf(stage);
    expect((await stage.act({ distiller: listener })).exit).toBe(0);
    expect(textsOf(stage)).toEqual(before);
  });
});

describe("files that a dream must leave as they are", () => {
  it("two names that are one where case is folded: neither is written over the other", async () => {
    stage.topic("Tracker.md", `${front("Tracker", "Theirs")}- Somebody else's tracker.\n`);
    await stage.act({ distiller: listener });
    expect(stage.read("Tracker.md")).toContain("Somebody else's tracker.");
    expect(existsSync(at("tracker.md"))).toBe(false);
  });

  it("a write-protected topic stops the run before anything is read, and says which", async () => {
    chmodSync(at("limits.md"), 0o444);
    const before = textsOf(stage);
    const { report, exit } = await stage.act({ distiller: listener });
    expect({ exit, code: report.code }).toEqual({ exit: 78, code: "file-not-writable" });
    expect(report.reason).toContain("limits.md");
    expect(textsOf(stage)).toEqual(before);
    chmodSync(at("limits.md"), 0o644);
    expect((await stage.act({ distiller: listener })).report.outcome).toBe("done");
  });

  it("a copy of a conflict is reported, and neither read nor named", async () => {
    const copy = "limits (conflicted copy 2026-11-29).md";
    writeFileSync(at(copy), "- The queue limit is 7 jobs.\n");
    const old = new Date(stage.clock.now() - HOUR);
    utimesSync(at(copy), old, old);
    await stage.act({ distiller: listener });
    expect(stage.read("MEMORY.md")).not.toContain("conflicted");
    expect(stage.read(copy)).toBe("- The queue limit is 7 jobs.\n");
    expect(
      stage
        .world()
        .state.current()
        .conditions.map(({ code }) => code)
        .some((code) => code.includes("conflict")),
    ).toBe(true);
  });
});
