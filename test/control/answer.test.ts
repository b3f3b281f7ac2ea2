import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadQuestions } from "../../src/ledger/questions.ts";
import { statementKey } from "../../src/memory/entry.ts";
import { answerQuestion, chooseQuestion } from "../../src/steps/answer.ts";
import { chooseUndo, undoRun } from "../../src/steps/undo.ts";
import { readEvidence } from "../../src/store/evidence.ts";
import { DAY, type Home, makeHome, START, talk } from "../support/home.ts";
import { inWorld, stands, statements } from "./world.ts";

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

const ALWAYS = "Always squash commits before merging.";
const NEVER = "Never squash commits before merging.";

const open = () => loadQuestions(home.world().files, home.state);
const answer = (words: string, id = open()[0]?.id ?? "?") => {
  home.clock.move(60_000);
  return inWorld(home, async (world) => {
    const done = await answerQuestion(chooseQuestion([world], id), words);
    if ("held" in done) throw new Error(done.held);
    return done;
  });
};

/** Two sessions, two days apart, that ask for opposite things. */
async function contradict(first = ALWAYS, second = NEVER): Promise<void> {
  home.session("a", talk([first], START - 5 * DAY));
  await home.dream();
  home.clock.move(2 * DAY);
  home.session("b", talk([second], home.clock.now() - DAY));
  await home.dream();
}

const evidenceFor = (statement: string) =>
  readEvidence(home.world().files, home.world().place.evidence).records.findLast(
    ({ key }) => key === statementKey(statement),
  )?.citations ?? [];

describe("two standing instructions that contradict each other", () => {
  it.each([
    [ALWAYS, NEVER],
    ["Never push to main directly.", "Always push to main directly."],
    ["提交前一定要跑测试。", "提交前不要跑测试。"],
    ["Always answer in English.", "Always answer in Chinese."],
  ])("%s / %s: become a question, and what stands stands until it is answered", async (first, second) => {
    await contradict(first, second);
    expect(statements(home)).toEqual([first]);
    expect(open()).toMatchObject([{ instead: second, citations: [{ speaker: "user", quote: second }] }]);
    expect(home.world().state.current().questions).toBe(1);
  });

  it("are none when the newer words say that they change something", async () => {
    await contradict(ALWAYS, "From now on, never squash commits before merging.");
    expect(open()).toEqual([]);
    expect(statements(home).join()).toContain("never squash");
  });
});

describe("an answer", () => {
  it("keep: changes nothing, and the same question is not asked again", async () => {
    await contradict();
    expect(await answer("keep")).toMatchObject({ run: null, entries: 0, refused: [] });
    expect([statements(home), open()]).toEqual([[ALWAYS], []]);
    home.clock.move(2 * DAY);
    home.session("c", talk([NEVER], home.clock.now() - DAY));
    await home.dream();
    expect([statements(home), open()]).toEqual([[ALWAYS], []]);
  });

  it("replace: puts the newer words in, citing them and the answer by file and line, and can be undone", async () => {
    await contradict();
    home.clock.move(60_000);
    const done = await answer("replace");
    expect(done).toMatchObject({ entries: 1, refused: [], conflicts: [] });
    expect([statements(home), open()]).toEqual([[NEVER], []]);
    const own = evidenceFor(NEVER).find(({ client }) => client === "memd");
    expect(own).toMatchObject({ session: "answers", speaker: "user", quote: "replace", line: 1 });
    expect(JSON.parse(readFileSync(own?.file ?? "", "utf8").split("\n")[(own?.line ?? 0) - 1] ?? "")).toMatchObject({
      text: "replace",
    });
    expect(evidenceFor(NEVER).some(({ client, quote }) => client === "claude-code" && quote === NEVER)).toBe(true);
    await inWorld(home, async (world) => undoRun(world, { ...chooseUndo([world], done.run ?? ""), force: false }));
    expect(statements(home)).toEqual([ALWAYS]);
  });

  it("drop: retires the entry into the archive, citing the answer", async () => {
    await contradict();
    await answer("drop");
    expect([statements(home), open()]).toEqual([[], []]);
    const [run] = await inWorld(home, async (world) => (await world.ledger()).history({ limit: 1 }));
    const [change] = await inWorld(home, async (world) => (await world.ledger()).changesOf(run?.id ?? ""));
    expect(change).toMatchObject({ operation: "retire", citations: [{ client: "memd", quote: `drop: ${ALWAYS}` }] });
  });

  it("words: revise the entry after the same rules, however they contradict it", async () => {
    await contradict();
    const words = "Squash commits before merging only on feature branches, never on release branches.";
    expect(await answer(words)).toMatchObject({ entries: 1, refused: [] });
    expect(statements(home)).toEqual([words]);
    expect(evidenceFor(words)).toMatchObject([{ client: "memd", speaker: "user", quote: words }]);
  });

  it("words about something else are added beside it", async () => {
    await contradict();
    await answer("Release notes are written by Priya.");
    expect(stands(home, ALWAYS)).toBe(true);
    expect(statements(home).join()).toContain("Priya");
  });

  it("that a rule refuses leaves the question open and says why; no secret is kept", async () => {
    await contradict();
    const key = `sk-ant-api03-${"Ab1".repeat(31)}`;
    const done = await answer(`Squash with the key ${key} please.`);
    expect(done.refused.map(({ rule }) => rule)).toEqual(["secret"]);
    expect([open().length, statements(home)]).toEqual([1, [ALWAYS]]);
    expect(readFileSync(join(home.state, "answers.jsonl"), "utf8")).not.toContain(key);
  });

  it("after the entry is gone still closes the question", async () => {
    await contradict();
    await inWorld(home, async (world) => undoRun(world, { ...chooseUndo([world], "last"), force: false }));
    expect(statements(home)).toEqual([]);
    expect(await answer("drop")).toMatchObject({ run: null, refused: [] });
    expect(open()).toEqual([]);
  });

  it("names a question by its id or the start of it", async () => {
    await contradict();
    await expect(answer("keep", "nope")).rejects.toMatchObject({ code: "unknown-question" });
    expect(await answer("keep", open()[0]?.id.slice(0, 4))).toMatchObject({ answer: "keep" });
  });
});
