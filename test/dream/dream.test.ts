import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, type Home, makeHome, photograph, START, talk } from "../support/home.ts";

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

const FACTS = [
  "Always run the tests with `make check`, never with npm test.",
  "Bugs are tracked in the Linear project ORBIT.",
];

describe("a dream", () => {
  it("turns what was said into topics and an index, each sentence with its citation", async () => {
    home.session("a", talk(FACTS, START - DAY));
    const { report, exit } = await home.dream();
    expect({ outcome: report.outcome, exit }).toEqual({ outcome: "done", exit: 0 });
    const memory = readdirSync(home.memory).filter((name) => name.endsWith(".md") && name !== "MEMORY.md");
    const text = memory.map((name) => home.read(name)).join("\n");
    expect(text).toContain("`make check`");
    expect(text).toContain("ORBIT");
    for (const name of memory) expect(home.read("MEMORY.md")).toContain(`(${name})`);
    const added = report.changes.filter(({ operation }) => operation === "add");
    expect(added.length).toBeGreaterThanOrEqual(2);
    for (const { citations } of added)
      expect(FACTS.some((fact) => fact.includes(citations[0]?.quote ?? "?"))).toBe(true);
  });

  it("run again over the same sessions changes not one byte or mtime of the memory", async () => {
    home.session("a", talk(FACTS, START - DAY));
    await home.dream();
    const before = photograph(home.memory);
    home.clock.move(60_000);
    const { report, exit } = await home.dream();
    expect({ outcome: report.outcome, reason: report.reason, exit }).toEqual({
      outcome: "unchanged",
      reason: "nothing-new",
      exit: 0,
    });
    expect(photograph(home.memory)).toEqual(before);
    expect(report.stampAfter).toBe(report.stampBefore);
  });

  it("learns only what is new when a session goes on", async () => {
    home.session("a", talk(FACTS.slice(0, 1), START - DAY));
    await home.dream();
    home.session("a", talk(FACTS, START - DAY));
    home.clock.move(DAY);
    const { report } = await home.dream();
    expect(report.outcome).toBe("done");
    expect(report.changes.filter(({ operation }) => operation === "add").map(({ after }) => after)).toEqual([
      expect.stringContaining("ORBIT"),
    ]);
  });

  it("replaces a value that a person corrects, and keeps its neighbour", async () => {
    home.topic(
      "limits.md",
      "---\nname: limits\ndescription: size limits\ntype: project\n---\n\n- Queue limit is 300 jobs (2026-01-10).\n- Worker limit is 12 (2026-01-10).\n",
    );
    home.session(
      "a",
      talk(["Correction: the queue limit is 500 jobs, not 300 jobs. Please fix your notes."], START - DAY),
    );
    await home.dream();
    expect(home.read("limits.md")).toContain("500 jobs");
    expect(home.read("limits.md")).not.toContain("300 jobs");
    expect(home.read("limits.md")).toContain("- Worker limit is 12 (2026-01-10).");
  });

  it("leaves what does not fit unread, and takes it in the next runs until nothing is left", async () => {
    const filler = Array.from(
      { length: 60 },
      (_, i) => `please look at file number ${i} and tell me what you think of its structure`,
    );
    for (const [i, name] of ["a", "b", "c"].entries())
      home.session(
        name,
        talk([...filler, `Remember: the ${name} service listens behind host gate${i}.`], START - (9 - i) * DAY),
      );
    const config = { dream: { evidenceTokens: 2_000 } };
    const first = await home.dream({}, { config });
    expect(first.report.sessions.left).toBeGreaterThan(0);
    let runs = 1;
    for (; runs < 12; runs++) {
      home.clock.move(60_000);
      if ((await home.dream({}, { config })).report.reason === "nothing-new") break;
    }
    expect(runs).toBeLessThan(12);
    const text = readdirSync(home.memory)
      .filter((name) => name.endsWith(".md"))
      .map((name) => home.read(name))
      .join("\n");
    for (const host of ["gate0", "gate1", "gate2"]) expect(text.split(host).length - 1, host).toBe(1);
  });

  it("as a dry run shows the changes as a diff and touches neither memory nor stamp nor sources nor places", async () => {
    home.session("a", talk(FACTS, START - DAY));
    const before = photograph(home.root);
    const { report, diff } = await home.dream({ dryRun: true });
    expect(report.outcome).toBe("dry-run");
    expect(diff).toContain("+++ b/MEMORY.md");
    expect(photograph(home.root)).toEqual(before);
    expect((await home.dream()).report.outcome).toBe("done");
  });

  it("never changes a transcript, its time included", async () => {
    const path = home.session("a", talk(FACTS, START - DAY));
    const before = photograph(home.sessions);
    await home.dream();
    expect(photograph(home.sessions)).toEqual(before);
    expect(statSync(path).mtime.getTime()).toBe(START - DAY + 60_000 + 5_000);
  });

  it("starts over when the memory directory was removed: the sessions are unread again", async () => {
    home.session("a", talk(FACTS, START - DAY));
    await home.dream();
    const { rmSync } = await import("node:fs");
    rmSync(home.memory, { recursive: true });
    home.clock.move(60_000);
    expect((await home.dream()).report.outcome).toBe("done");
    expect(readdirSync(home.memory)).toContain("MEMORY.md");
  });

  it("keeps an untouched topic's bytes and mtime when another topic changes", async () => {
    const path = home.topic(
      "style.md",
      "---\nname: style\ndescription: style\ntype: feedback\n---\n\n- Tabs in the Makefile.\n",
    );
    const before = statSync(path, { bigint: true }).mtimeNs;
    home.session("a", talk(["Bugs are tracked in the Linear project ORBIT."], START - DAY));
    await home.dream();
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(before);
  });

  it("refuses a directory that looks like no memory, and touches nothing there", async () => {
    home.topic("README.md", "# A program\n\nIt does things.\n");
    home.topic("notes.txt", "x");
    home.session("a", talk(FACTS, START - DAY));
    const { report, exit } = await home.dream();
    expect({ code: report.code, exit }).toEqual({ code: "foreign-layout", exit: 78 });
    expect(readdirSync(home.memory).filter((name) => !name.startsWith("."))).toEqual(["README.md", "notes.txt"]);
  });

  it("counts damaged lines, uses all others, and says so", async () => {
    const path = home.session("a", talk(FACTS, START - DAY));
    const { appendFileSync } = await import("node:fs");
    appendFileSync(path, '{"type":"user","uuid":"x","message":{"role":"us\n');
    const { report } = await home.dream();
    expect(report.records.bad).toBe(1);
    expect(report.outcome).toBe("done");
    expect(
      home
        .world()
        .state.current()
        .conditions.map(({ code }) => code),
    ).toContain("damaged-records");
  });

  it("files lie where the reader expects them", async () => {
    home.session("a", talk(FACTS, START - DAY));
    await home.dream();
    expect(readdirSync(join(home.memory, ".memd"))).toEqual(expect.arrayContaining([".gitignore", "evidence.jsonl"]));
    expect(readdirSync(home.state)).toEqual(expect.arrayContaining(["cursors.json", "state.json", "last-run.json"]));
  });
});
