/** What a person had their client forget goes from memory too, in the open and undoably; what a client merely deleted stays. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { chooseUndo, undoRun } from "../../src/steps/undo.ts";
import { archiveFiles } from "../../src/store/archive.ts";
import { readEvidence } from "../../src/store/evidence.ts";
import { readMemory } from "../../src/store/read.ts";
import { openclaw } from "../sources/openclaw-world.ts";
import { HOUR, type Home, makeHome } from "../support/home.ts";
import { describeWithSqlite } from "../support/sqlite.ts";

const RULE = "Always use pnpm in this repository, never npm.";
const HOST = "Remember: the staging server is called heron.";
const HERON = "The staging server is called heron.";

let home: Home;
let client: ReturnType<typeof openclaw>;

beforeEach(() => {
  home = makeHome();
  const path = join(home.sessions, ".openclaw/agents/main/agent/openclaw-agent.sqlite");
  mkdirSync(dirname(path), { recursive: true });
  client = openclaw(path);
});
afterEach(() => {
  client.close();
  home.remove();
});

function tell(session: string, ...texts: string[]): void {
  client.window({ id: session, key: `agent:main:${session}` });
  client.talk(texts, session);
}

function forget(session: string): void {
  client.db.prepare("INSERT INTO memory_session_tombstones VALUES (?, 'main', 'user', 1)").run(session);
}

async function dream() {
  home.clock.move(HOUR);
  return (await home.dream()).report;
}

/** The statements in memory. */
const memory = () =>
  readMemory(nodeFiles, home.memory).tree.topics.flatMap(({ entries }) => entries.map(({ statement }) => statement));

const evidence = () => readEvidence(nodeFiles, home.world().place.evidence).records;

const codes = (report: Awaited<ReturnType<typeof dream>>) =>
  home
    .world()
    .state.current()
    .conditions.map(({ code }) => code)
    .concat(report.reason ?? []);

describeWithSqlite("a session that OpenClaw was told to forget", () => {
  it("takes along what was learned there alone, into the archive, with a word about it", async () => {
    tell("ses_1", RULE);
    tell("ses_2", HOST);
    await dream();
    forget("ses_1");
    const report = await dream();
    expect(report).toMatchObject({ outcome: "done", reason: null, operations: { rejected: [] } });
    expect(report.changes.map(({ operation, reason }) => `${operation}: ${reason}`)).toContain(
      "retire: source-deleted",
    );
    expect(codes(report)).toContain("source-deleted");
    expect(memory()).toEqual([HERON]);
    const archived = archiveFiles({ ...home.world().place, files: nodeFiles }).map((path) =>
      readFileSync(path, "utf8"),
    );
    expect(archived.join("\n")).toContain("pnpm");
  });

  it("takes along only its quotes where others said the same", async () => {
    tell("ses_1", HOST);
    tell("ses_2", HOST);
    await dream();
    expect(evidence().map(({ citations }) => citations.length)).toEqual([2]);
    forget("ses_1");
    expect(await dream()).toMatchObject({ outcome: "unchanged" });
    expect(memory()).toEqual([HERON]);
    expect(evidence().map(({ citations }) => citations.map(({ session }) => session))).toEqual([["ses_2"]]);
  });

  it("is dealt with once: what an undo brings back stays", async () => {
    tell("ses_1", RULE);
    await dream();
    forget("ses_1");
    await dream();
    expect(memory()).toEqual([]);
    const world = home.world();
    await undoRun(world, { record: chooseUndo([world], "last").record, force: false });
    await world.close();
    expect(memory()).toHaveLength(1);
    expect(await dream()).toMatchObject({ outcome: "unchanged" });
    expect(memory()).toHaveLength(1);
  });

  it("takes along no more than a run may retire, and the rest in the next runs", async () => {
    tell("ses_1", RULE, HOST, "We decided to keep amounts as integers of cents.");
    await dream();
    expect(memory()).toHaveLength(3);
    forget("ses_1");
    for (const left of [2, 1, 0]) {
      await dream();
      expect(memory()).toHaveLength(left);
    }
  });

  it("takes along nothing that is pinned, and says so", async () => {
    tell("ses_1", HOST);
    await dream();
    const [file] = readMemory(nodeFiles, home.memory).tree.topics.map((topic) => topic.file);
    const path = join(home.memory, file ?? "");
    writeFileSync(path, readFileSync(path, "utf8").replace(/heron\..*/, "$& [pinned]"));
    forget("ses_1");
    const report = await dream();
    expect(memory()).toEqual([HERON]);
    expect(codes(report)).toContain("source-deleted");
  });

  it("is known also when nothing else is left of it", async () => {
    tell("ses_1", HOST);
    await dream();
    forget("ses_1");
    client.remove("ses_1");
    await dream();
    expect(memory()).toEqual([]);
  });

  it("is not one that is merely gone", async () => {
    tell("ses_1", HOST);
    await dream();
    client.remove("ses_1");
    expect(await dream()).toMatchObject({ outcome: "unchanged" });
    expect(memory()).toEqual([HERON]);
  });
});
