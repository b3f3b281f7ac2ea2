import { appendFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadKnownEntries } from "../../src/ledger/known-entries.ts";
import { loadQuestions } from "../../src/ledger/questions.ts";
import type { Operation } from "../../src/memory/operation.ts";
import { type Distiller, NO_USAGE } from "../../src/ports.ts";
import { chooseUndo, undoRun } from "../../src/steps/undo.ts";
import { DAY, HOUR, type Home, makeHome, START, talk } from "../support/home.ts";
import { inWorld, statements } from "./world.ts";

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

const topic = (...entries: string[]) =>
  `---\nname: limits\ndescription: size limits\ntype: project\n---\n\n${entries.map((entry) => `- ${entry}\n`).join("")}`;
const UPLOAD = "Upload limit is 40 MB.";
const OLD = "Worker limit is 12.";

/** Writes the topic as somebody does at this moment. */
function write(...entries: string[]): void {
  const path = home.topic("limits.md", topic(...entries));
  const now = new Date(home.clock.now());
  utimesSync(path, now, now);
}

/** The record of an agent's tool call in a session of its own. */
function call(name: string, input: Record<string, unknown>, changes: Record<string, unknown> = {}): void {
  const path = home.session(
    `call-${home.clock.now()}`,
    talk(["please note that down for me"], home.clock.now() - HOUR),
  );
  const record = {
    parentUuid: null,
    isSidechain: false,
    uuid: `w-${name}`,
    type: "assistant",
    timestamp: new Date(home.clock.now()).toISOString(),
    cwd: "/home/ana/code/app",
    version: "2.1.332",
    message: { id: "m1", role: "assistant", content: [{ type: "tool_use", id: "t1", name, input }] },
    ...changes,
  };
  appendFileSync(path, `${JSON.stringify(record)}\n`);
}

const byOf = (statement: string) =>
  loadKnownEntries(home.world().files, home.state)?.get(`limits\n${statement.toLowerCase().replace(/\.$/, "")}`)?.by;
const questions = () => loadQuestions(home.world().files, home.state);

/** The first run sees `OLD`; the second what was done in the day between. */
async function between(act: () => void): Promise<void> {
  write(OLD);
  await home.dream();
  home.clock.move(DAY);
  act();
  home.session("other", talk(["let us look at the importer together"], home.clock.now() - HOUR));
  await home.dream();
}

describe("an entry that is not memd's", () => {
  it("is a person's when it appeared between two runs and no agent wrote it", async () => {
    await between(() => write(OLD, UPLOAD));
    expect([byOf(OLD), byOf(UPLOAD)]).toEqual(["agent", "person"]);
  });

  const path = () => join(home.memory, "limits.md");
  it.each([
    ["Write", () => ({ file_path: path(), content: topic(OLD, UPLOAD) }), {}],
    ["Edit", () => ({ file_path: path(), old_string: "limit is 12", new_string: `limit is 12.\n- ${UPLOAD}` }), {}],
    ["Edit of one word", () => ({ file_path: path(), old_string: "30", new_string: "40 MB" }), {}],
    [
      "MultiEdit",
      () => ({
        file_path: path(),
        edits: [
          { old_string: "x", new_string: "y" },
          { old_string: OLD, new_string: `${OLD}\n- ${UPLOAD}` },
        ],
      }),
      {},
    ],
    ["Write of a sub-agent", () => ({ file_path: path(), content: topic(OLD, UPLOAD) }), { isSidechain: true }],
  ])("is an agent's when a transcript holds its %s", async (name, input, changes) => {
    await between(() => {
      write(OLD, UPLOAD);
      call(name.split(" ")[0] ?? "", input(), changes);
    });
    expect(byOf(UPLOAD)).toBe("agent");
  });

  it.each([
    ["another file", () => ({ file_path: join(home.memory, "other.md"), content: UPLOAD })],
    ["a file elsewhere of the same name", () => ({ file_path: join(home.root, "limits.md"), content: UPLOAD })],
    ["other words", () => ({ file_path: path(), content: "something else altogether" })],
  ])("stays a person's when an agent wrote %s", async (_, input) => {
    await between(() => {
      write(OLD, UPLOAD);
      call("Write", input());
    });
    expect(byOf(UPLOAD)).toBe("person");
  });

  it("of a person becomes a question when words that do not contradict it would change it", async () => {
    await between(() => write(OLD, UPLOAD));
    home.clock.move(3 * DAY);
    const words = "The upload limit is 40 MB for archives.";
    home.session("later", talk([words], home.clock.now() - HOUR));
    const revises: Distiller = {
      name: "extractive",
      distill: async ({ brief }) => {
        const said = brief.digest.sessions.flatMap(({ utterances }) => utterances).find(({ text }) => text === words);
        const entry = brief.memory.topics[0]?.entries.find(({ statement }) => statement === UPLOAD);
        const operation: Operation = {
          op: "revise",
          topic: "limits",
          entry: entry?.id ?? "",
          text: words,
          cites: [{ utterance: said?.label ?? "", quote: words }],
        };
        return { proposal: { operations: [operation] }, refused: [], usage: NO_USAGE, fence: "none" };
      },
    };
    const { report } = await home.dream({}, { distiller: revises });
    expect([statements(home).includes(UPLOAD), report.questions]).toEqual([true, 1]);
    expect(questions()).toMatchObject([{ instead: words, citations: [{ speaker: "user", quote: words }] }]);
  });

  it("of a person gives way to an explicit correction, and comes back with the undo as a person's still", async () => {
    await between(() => write(OLD, UPLOAD));
    home.clock.move(3 * DAY);
    home.session(
      "later",
      talk(["Correction: the upload limit is 25 MB, not 40 MB. Please fix your notes."], home.clock.now() - HOUR),
    );
    const { report } = await home.dream();
    expect([statements(home).join().includes("25 MB"), questions()]).toEqual([true, []]);
    home.clock.move(HOUR);
    await inWorld(home, async (world) => undoRun(world, { ...chooseUndo([world], report.id), force: false }));
    home.clock.move(HOUR);
    await home.dream();
    expect([statements(home).includes(UPLOAD), byOf(UPLOAD)]).toEqual([true, "person"]);
  });

  it("that stood before the first run is of unknown age, so that a user's newer words correct it", async () => {
    write(OLD, UPLOAD);
    home.session(
      "first",
      talk(["Correction: the upload limit is 25 MB, not 40 MB. Please fix your notes."], START - HOUR),
    );
    await home.dream();
    expect(statements(home).join()).toContain("25 MB");
    expect(loadKnownEntries(home.world().files, home.state)?.get("limits\nupload limit is 40 mb")).toEqual({
      since: null,
      by: "agent",
    });
  });

  it("that somebody writes while a run is at work is judged by the next one", async () => {
    write(OLD);
    await home.dream();
    home.clock.move(DAY);
    home.session("s", talk(["Bugs are tracked in the Linear project ORBIT."], home.clock.now() - HOUR));
    const world = home.world();
    const distiller = {
      ...world.distiller,
      distill: async (...args: Parameters<typeof world.distiller.distill>) => {
        write(OLD, UPLOAD);
        return world.distiller.distill(...args);
      },
    };
    await home.dream({}, { distiller });
    expect(byOf(UPLOAD)).toBeUndefined();
    home.clock.move(DAY);
    call("Write", { file_path: path(), content: topic(OLD, UPLOAD) });
    await home.dream();
    expect(byOf(UPLOAD)).toBe("agent");
  });
});
