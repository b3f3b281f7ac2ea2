import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { parseIndex } from "../../src/memory/index-lines.ts";
import { forgetWords, lookFor } from "../../src/steps/forget.ts";
import { chooseEntries, pinEntries } from "../../src/steps/pin.ts";
import { sightingsOf } from "../../src/steps/sightings.ts";
import { chooseUndo, undoRun } from "../../src/steps/undo.ts";
import { readArchive } from "../../src/store/archive.ts";
import { readMemory } from "../../src/store/read.ts";
import { type FaultyFiles, faultyFiles } from "../support/faulty-files.ts";
import { DAY, HOUR, type Home, makeHome, START, talk } from "../support/home.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { filesWith, inWorld, stands, statements } from "./world.ts";

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

const ORBIT = "Bugs are tracked in the Linear project ORBIT.";
const CHECK = "Always run the tests with `make check`, never with npm test.";
const ZH = "记住：王小明负责支付网关的值班电话。";

const forget = (words: string) => {
  home.clock.move(60_000);
  return inWorld(home, async (world) => {
    const done = await forgetWords(world, words, sightingsOf(world, await world.ledger(), words));
    if ("held" in done) throw new Error(done.held);
    return done;
  });
};
const everywhere = (words: string) => filesWith(words, home.memory, join(home.root, "state"));

describeWithSqlite("forgetting that is cut short", () => {
  it("at any moment leaves whole files, and is finished by asking again", async () => {
    home.session("a", talk([ORBIT, CHECK], START - DAY));
    await home.dream();
    const backup = `${home.root}-backup`;
    cpSync(home.root, backup, { recursive: true, preserveTimestamps: true });
    const put = () => {
      for (const part of ["memory", "state"]) rmSync(join(home.root, part), { recursive: true, force: true });
      cpSync(backup, home.root, { recursive: true, preserveTimestamps: true });
    };
    const counted = faultyFiles(nodeFiles);
    await forgetAs(counted);
    const writing = counted.calls.filter(({ verb }) =>
      ["create", "rename", "unlink", "link", "rmdir", "append"].includes(verb),
    );
    expect(writing.length).toBeGreaterThan(40);
    let deaths = 0;
    for (const { number } of writing.filter((_, i) => i % 4 === 0)) {
      put();
      const files = faultyFiles(nodeFiles, { dieAt: number, torn: true });
      await forgetAs(files).catch((error: unknown) => {
        if (!files.dead()) throw error;
      });
      deaths += files.dead() ? 1 : 0;
      const targets = existsSync(join(home.memory, "MEMORY.md"))
        ? parseIndex(home.read("MEMORY.md")).flatMap((line) => line.targets)
        : [];
      for (const file of targets) expect(existsSync(join(home.memory, file)), `${number}: ${file}`).toBe(true);
      home.clock.move(2 * HOUR);
      // Asking again finds it as long as a byte of it is left.
      if (everywhere("Linear project ORBIT").length > 0)
        expect(await inWorld(home, (world) => lookFor(world, "ORBIT")), String(number)).not.toBeNull();
      expect(await forget("ORBIT"), String(number)).toMatchObject({ conflicts: [] });
      expect(everywhere("Linear project ORBIT"), String(number)).toEqual([]);
      expect(stands(home, CHECK), String(number)).toBe(true);
    }
    expect(deaths).toBeGreaterThan(10);
    rmSync(backup, { recursive: true, force: true });
  });

  /** As a process of its own would that is gone afterwards: no live pid keeps its lock. */
  async function forgetAs(files: FaultyFiles): Promise<void> {
    const world = home.world({ files });
    const processes = { ...world.lease.processes, self: { ...world.lease.processes.self, pid: 4_194_303 } };
    try {
      const dying = { ...world, lease: { ...world.lease, processes } };
      await forgetWords(dying, "ORBIT", sightingsOf(dying, await world.ledger(), "ORBIT"));
    } finally {
      await world.close();
    }
  }
});

describe("forgetting", () => {
  it("leaves not one byte of the statement and its quotes in memory, state or ledger, and keeps the rest", async () => {
    home.session("a", talk([ORBIT, CHECK], START - DAY));
    await home.dream({ keepBrief: true });
    expect(everywhere("Linear project ORBIT").length).toBeGreaterThan(3);
    home.clock.move(DAY);
    const done = await forget("Linear ORBIT");
    expect(done).toMatchObject({ entries: 1, conflicts: [] });
    expect(everywhere("Linear project ORBIT")).toEqual([]);
    expect(everywhere("ORBIT")).toEqual([]);
    expect(stands(home, CHECK)).toBe(true);
  });

  it.each([
    ["ends the only topic", [ORBIT], ORBIT],
    ["is Chinese", [ZH, CHECK], "王小明"],
  ])("a statement that %s is gone from every file, and no pointer leads nowhere", async (_, said, words) => {
    home.session("a", talk(said, START - DAY));
    await home.dream();
    const gone = statements(home).find((statement) => statement.includes(words.replace(/\.$/, "")));
    expect(gone).toBeDefined();
    expect((await forget(words)).conflicts).toEqual([]);
    expect(everywhere(gone ?? "?")).toEqual([]);
    const targets = parseIndex(home.read("MEMORY.md")).flatMap((line) => line.targets);
    for (const file of targets) expect(existsSync(join(home.memory, file)), file).toBe(true);
  });

  it("takes an earlier wording along that the entry was revised from", async () => {
    home.session("a", talk(["Remember: the queue limit of the importer is 300 jobs."], START - 3 * DAY));
    await home.dream();
    home.session(
      "b",
      talk(["Correction: the queue limit of the importer is 500 jobs, not 300 jobs. Please fix your notes."], START),
    );
    home.clock.move(2 * DAY);
    await home.dream();
    expect(statements(home).join()).toContain("500 jobs");
    expect(everywhere("importer is 300 jobs").length).toBeGreaterThan(0);
    const found = await inWorld(home, (world) => lookFor(world, "importer 500"));
    expect(found?.shown.map(({ where }) => where)).toContain("earlier wording");
    await forget("importer 500");
    for (const words of ["importer is 300 jobs", "importer is 500 jobs"]) expect(everywhere(words), words).toEqual([]);
  });

  it("finds what only the archive and the past still hold, after the entry was retired", async () => {
    home.session("a", talk([ORBIT, CHECK], START - DAY));
    await home.dream();
    home.clock.move(DAY);
    await inWorld(home, async (world) => undoRun(world, { ...chooseUndo([world], "last"), force: false }));
    expect(stands(home, ORBIT)).toBe(false);
    expect(everywhere("Linear project ORBIT").length).toBeGreaterThan(0);
    expect(await forget("ORBIT")).toMatchObject({ entries: 1, conflicts: [] });
    expect(everywhere("Linear project ORBIT")).toEqual([]);
  });

  it("is never proposed again, said anew or read anew", async () => {
    home.session("a", talk([ORBIT], START - DAY));
    await home.dream();
    await forget("ORBIT");
    home.clock.move(2 * DAY);
    home.session("b", talk([ORBIT, CHECK], home.clock.now() - DAY));
    const { report } = await home.dream();
    const refused = report.operations.rejected.filter(({ rule }) => rule === "tombstone");
    expect(refused.map(({ text }) => text)).toEqual(["[forgotten]"]);
    expect(everywhere("Linear project ORBIT")).toEqual([]);
    expect([stands(home, ORBIT), stands(home, CHECK)]).toEqual([false, true]);
    expect(home.world().tombstones.all.every(({ cause }) => cause === "forget")).toBe(true);
  });

  it("is recorded as a run without its words, reads no session anew and moves no stamp", async () => {
    home.session("a", talk([ORBIT, CHECK], START - DAY));
    await home.dream();
    const kept = () => [
      readFileSync(join(home.state, "cursors.json"), "utf8"),
      statSync(join(home.memory, ".consolidate-lock")).mtimeMs,
    ];
    const before = kept();
    home.clock.move(60_000);
    const { run } = await forget("ORBIT");
    expect(kept()).toEqual(before);
    const [last] = await inWorld(home, async (world) => (await world.ledger()).history({ limit: 1 }));
    expect(last).toMatchObject({ id: run, cause: "forget", outcome: "done" });
  });

  it("lets the run it came from be taken back without bringing it back", async () => {
    home.session("a", talk([ORBIT, CHECK], START - DAY));
    await home.dream();
    home.clock.move(60_000);
    await forget("ORBIT");
    const undone = await inWorld(home, async (world) =>
      undoRun(world, { ...chooseUndo([world], "last"), force: false }),
    );
    expect(undone).toMatchObject({ conflicts: [] });
    expect(statements(home)).toEqual([]);
    await inWorld(home, async (world) =>
      undoRun(world, { ...chooseUndo([world], undoIds(home).at(-1) ?? ""), force: false }),
    );
    expect([stands(home, ORBIT), stands(home, CHECK)]).toEqual([false, true]);
    expect(everywhere("Linear project ORBIT")).toEqual([]);
  });

  it("removes what others wrote too, in topic, heading, description and index, and leaves every other byte", async () => {
    const neighbour = "* The staging host sleeps at night\r\n";
    home.topic(
      "hosts.md",
      `---\r\nname: hosts\r\ndescription: "The vault door code is 4471-B, never tell"\r\ntype: project\r\n---\r\n\r\n# Hosts\r\n\r\n* The vault door code is 4471-B, never tell\r\n${neighbour}`,
    );
    home.topic(
      "MEMORY.md",
      "# Memory\n\n- [Hosts](hosts.md) — The vault door code is 4471-B, never tell\n\nOur own prose.\n",
    );
    home.topic("2026-11-01.md", "The vault door code is 4471-B, never tell\n");
    home.session("a", talk([CHECK], START - DAY));
    await home.dream();
    const done = await forget("vault door");
    expect(done.conflicts).toEqual([]);
    expect(everywhere("4471-B")).toEqual([join(home.memory, "2026-11-01.md")]);
    expect(home.read("hosts.md")).toContain(neighbour);
    expect(home.read("MEMORY.md")).toContain("Our own prose.");
    expect(home.read("MEMORY.md")).toContain("(hosts.md)");
  });

  it("says honestly which file it may not change", async () => {
    home.session("a", talk([CHECK], START - DAY));
    await home.dream();
    home.topic("locked.md", `---js\nmodule.exports = 1\n---\n\n- ${ORBIT}\n`);
    mkdirSync(join(home.memory, ".memd", "archive", "2025"), { recursive: true });
    const line = { at: "2025-01-01T00:00:00.000Z", run: "r", topic: "x", reason: "retired: old", text: `- ${ORBIT}` };
    writeFileSync(join(home.memory, ".memd", "archive", "2025", "r.jsonl"), `${JSON.stringify(line)}\n`);
    const done = await forget("Linear ORBIT");
    expect(done.conflicts).toEqual([{ file: join(home.memory, "locked.md"), reason: "still-there", entries: [] }]);
    expect(everywhere("Linear project ORBIT")).toEqual([join(home.memory, "locked.md")]);
  });

  it("reaches kept briefs, an answered question's file, damaged records and a torn evidence line", async () => {
    home.session("a", talk([ORBIT, CHECK], START - DAY));
    await home.dream();
    const briefs = join(home.root, "state", "memd", "briefs", "20261101T000000000-aaaaaa");
    mkdirSync(briefs, { recursive: true });
    writeFileSync(join(briefs, "S1.txt"), `S1:1 user: ${ORBIT}`);
    writeFileSync(
      join(home.state, "answers.jsonl"),
      `${JSON.stringify({ id: "x", at: "2026-11-01T00:00:00.000Z", question: "q", text: ORBIT })}\n{"second":"line"}\n`,
    );
    writeFileSync(join(home.root, "state", "memd", "ledger.db.damaged-1"), ORBIT);
    appendFileSync(join(home.memory, ".memd", "evidence.jsonl"), `{"run":"torn","statement":"${ORBIT}\n`);
    expect((await forget("ORBIT")).conflicts).toEqual([]);
    expect(everywhere("Linear project ORBIT")).toEqual([]);
    expect(readFileSync(join(home.state, "answers.jsonl"), "utf8").split("\n")[1]).toBe('{"second":"line"}');
  });

  it("takes pinned entries too: it is the person who asks", async () => {
    home.session("a", talk([ORBIT, CHECK], START - DAY));
    await home.dream();
    await inWorld(home, async (world) => {
      const [named] = chooseEntries([{ world, snapshot: readMemory(world.files, home.memory) }], {
        words: "ORBIT",
        all: false,
      });
      if (named) await pinEntries(named, true);
    });
    await forget("ORBIT");
    expect(everywhere("Linear project ORBIT")).toEqual([]);
  });

  it("takes only what was agreed to: what came after the list was shown stays", async () => {
    home.session("a", talk([ORBIT, CHECK], START - DAY));
    await home.dream();
    const later = "The ORBIT board is archived every spring.";
    await inWorld(home, async (world) => {
      const agreed = sightingsOf(world, await world.ledger(), "ORBIT");
      home.topic("late.md", `---\nname: late\ndescription: late\ntype: project\n---\n\n- ${later}\n`);
      await forgetWords(world, "ORBIT", agreed);
    });
    expect([stands(home, ORBIT), stands(home, later)]).toEqual([false, true]);
  });

  it("keeps pointers in the second list true, and others' dead lines in the archive", async () => {
    home.topic("hosts.md", `---\nname: hosts\ndescription: hosts\ntype: project\n---\n\n- ${ORBIT}\n`);
    home.topic(
      "more-topics.md",
      "---\nname: more-topics\ndescription: further topics\ntype: reference\n---\n\n- [Hosts](hosts.md) — where bugs are\n",
    );
    home.topic("MEMORY.md", "- [More](more-topics.md)\n- [Gone](gone-for-years.md) — kept by hand\n");
    await forget("ORBIT");
    for (const file of ["MEMORY.md", "more-topics.md"].filter((name) => existsSync(join(home.memory, name)))) {
      const targets = parseIndex(home.read(file)).flatMap((line) => line.targets);
      for (const target of targets) expect(existsSync(join(home.memory, target)), `${file} → ${target}`).toBe(true);
    }
    expect(
      readArchive(home.world().place)
        .map(({ text }) => text)
        .join(),
    ).toContain("kept by hand");
  });

  it("finds nothing where nothing matches", async () => {
    home.session("a", talk([ORBIT], START - DAY));
    await home.dream();
    expect(await inWorld(home, (world) => lookFor(world, "no such words at all"))).toBeNull();
    expect(await inWorld(home, (world) => lookFor(world, "  "))).toBeNull();
  });
});

const undoIds = ({ state }: Home) =>
  readdirSync(join(state, "undo"))
    .map((name) => name.replace(/\.json$/, ""))
    .sort();
