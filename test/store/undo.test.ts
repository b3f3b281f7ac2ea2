import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { shortHash } from "../../src/base/ids.ts";
import { readArchive } from "../../src/store/archive.ts";
import { readEvidence } from "../../src/store/evidence.ts";
import { lastRun } from "../../src/store/journal.ts";
import type { UndoRecord } from "../../src/store/manifest.ts";
import { readMemory } from "../../src/store/read.ts";
import { applyUndo, planUndo } from "../../src/store/undo.ts";
import {
  AFTER,
  AT,
  applyRun,
  BEFORE,
  changesetOf,
  front,
  MACHINE,
  makeWorld,
  mtimeOf,
  OLD_TIME,
  placeOf,
  pointer,
  RUN,
  removeWorlds,
  TRACE_AFTER,
  textsOf,
  traceOf,
  type World,
} from "./world.ts";

afterEach(removeWorlds);

const write = (world: World, name: string, text: string) => writeFileSync(join(world.memory, name), text);
const read = (world: World, name: string) => readFileSync(join(world.memory, name), "utf8");

function undo(world: World, record: UndoRecord | null, force = false) {
  if (!record) throw new Error("there is no run to undo");
  return applyUndo({
    files: nodeFiles,
    directory: world.memory,
    record,
    run: { id: "20260311T080000000-cccccc", at: "2026-03-11T08:00:00.000Z" },
    machine: MACHINE,
    snapshot: readMemory(nodeFiles, world.memory),
    evidence: world.evidence,
    force,
  });
}

/** A world after a run that turned one set of texts into another. */
function ranFrom(before: Readonly<Record<string, string>>, then: Readonly<Record<string, string>>) {
  const world = makeWorld(before);
  const { undo: record } = applyRun(world, nodeFiles, { changeset: changesetOf(before, then) });
  if (!record) throw new Error("the run changed nothing");
  return { world, record };
}

const topic = (...entries: string[]) => `${front("notes")}${entries.map((entry) => `- ${entry}\n`).join("")}`;
const index = (...names: string[]) => `# Memory\n\n${names.map((name) => pointer(name)).join("")}`;

describe("undoing a run after which nothing happened", () => {
  it("brings back the exact texts with their times, and takes its evidence out", () => {
    const world = makeWorld();
    const { undo: record } = applyRun(world);
    expect(undo(world, record)).toMatchObject({ outcome: "applied", left: [], notices: [] });
    expect(textsOf(world)).toEqual(BEFORE);
    for (const name of Object.keys(BEFORE)) expect(mtimeOf(world, name), name).toBe(OLD_TIME);
    expect(traceOf(world)).toMatchObject({ evidence: [], ownLines: [], journal: false, temps: [] });
  });

  it("works for the last run from the files alone", () => {
    const world = makeWorld();
    applyRun(world);
    expect(undo(world, lastRun(placeOf(world)))).toMatchObject({ outcome: "applied" });
    expect(textsOf(world)).toEqual(BEFORE);
  });

  it("can be undone itself, and the evidence comes back too", () => {
    const world = makeWorld();
    undo(world, applyRun(world).undo);
    expect(undo(world, lastRun(placeOf(world)))).toMatchObject({ outcome: "applied" });
    expect(textsOf(world)).toEqual(AFTER);
    expect(traceOf(world)).toEqual(TRACE_AFTER);
  });

  it("changes nothing when it is asked for twice", () => {
    const world = makeWorld();
    const { undo: record } = applyRun(world);
    undo(world, record);
    expect(undo(world, record)).toMatchObject({ outcome: "unchanged", written: [] });
    expect(textsOf(world)).toEqual(BEFORE);
  });

  it("restores every topic of a run that wiped most of the memory", () => {
    const names = Array.from({ length: 30 }, (_, i) => `topic-${String(i).padStart(2, "0")}`);
    const before: Record<string, string> = {
      "MEMORY.md": index(...names),
      ...Object.fromEntries(names.map((name) => [`${name}.md`, `${front(name)}- Fact of ${name}.\n`])),
    };
    const { world, record } = ranFrom(before, {
      "MEMORY.md": "# Memory\n",
      "topic-00.md": before["topic-00.md"] ?? "",
    });
    expect(Object.keys(textsOf(world))).toHaveLength(2);
    expect(readArchive(placeOf(world), RUN)).toHaveLength(29);
    expect(undo(world, record)).toMatchObject({ outcome: "applied" });
    expect(textsOf(world)).toEqual(before);
  });
});

describe("undoing a run after which others wrote", () => {
  const rows: readonly {
    readonly name: string;
    readonly before: string | null;
    readonly run: string;
    readonly later: string;
    readonly result: string | null;
  }[] = [
    {
      name: "takes its added entry out and keeps the entry that came later",
      before: topic("One."),
      run: topic("One.", "Two."),
      later: topic("One.", "Two.", "Three."),
      result: topic("One.", "Three."),
    },
    {
      name: "takes its added entry out from among edited ones",
      before: topic("One.", "Three."),
      run: topic("One.", "Two.", "Three."),
      later: topic("One, edited.", "Two.", "Three, edited."),
      result: topic("One, edited.", "Three, edited."),
    },
    {
      name: "puts the old entry back where its new wording still stands",
      before: topic("The port is 80.", "Other."),
      run: topic("The port is 8080.", "Other."),
      later: topic("New first.", "The port is 8080.", "Other."),
      result: topic("New first.", "The port is 80.", "Other."),
    },
    {
      name: "puts a retired entry back in its place",
      before: topic("One.", "Two.", "Three."),
      run: topic("One.", "Three."),
      later: topic("One.", "Three.", "Four."),
      result: topic("One.", "Two.", "Three.", "Four."),
    },
    {
      name: "splits a merged entry again",
      before: topic("Use tabs.", "Use tabs always.", "Other."),
      run: topic("Use tabs, always.", "Other."),
      later: topic("Use tabs, always.", "Other.", "Later."),
      result: topic("Use tabs.", "Use tabs always.", "Other.", "Later."),
    },
    {
      name: "has nothing to do for an entry that was deleted since",
      before: topic("One."),
      run: topic("One.", "Two."),
      later: topic("One."),
      result: topic("One."),
    },
    {
      name: "does not mind the later time of change in the front matter",
      before: topic("One.").replace("  type: project", "  type: project\n  modified: 2026-01-01T00:00:00.000Z"),
      run: topic("One.", "Two.").replace("  type: project", "  type: project\n  modified: 2026-03-10T00:00:00.000Z"),
      later: topic("One.", "Two.", "Three.").replace(
        "  type: project",
        "  type: project\n  modified: 2026-03-11T00:00:00.000Z",
      ),
      result: topic("One.", "Three.").replace(
        "  type: project",
        "  type: project\n  modified: 2026-03-11T00:00:00.000Z",
      ),
    },
    {
      name: "removes a topic that it created when nothing else is in it",
      before: null,
      run: topic("One."),
      later: `${topic("One.")}\n`,
      result: null,
    },
    {
      name: "keeps a topic that it created for what others put into it",
      before: null,
      run: topic("One."),
      later: topic("One.", "Someone else's."),
      result: topic("Someone else's."),
    },
    {
      name: "never cuts an entry from its children",
      before: topic("One."),
      run: topic("One.", "Two.\n  Why: reasons."),
      later: topic("One.", "Two.\n  Why: reasons.", "Three.\n  Why: others."),
      result: topic("One.", "Three.\n  Why: others."),
    },
  ];

  it.each(rows)("$name", ({ before, run, later, result }) => {
    const start = {
      "MEMORY.md": index("quiet"),
      "quiet.md": topic("Q."),
      ...(before === null ? {} : { "notes.md": before }),
    };
    const then = { ...start, "notes.md": run, "MEMORY.md": index("notes", "quiet") };
    const { world, record } = ranFrom(start, then);
    write(world, "notes.md", later);
    expect(undo(world, record)).toMatchObject({ outcome: "applied" });
    expect(textsOf(world)["notes.md"] ?? null).toBe(result);
    const named = read(world, "MEMORY.md").includes("(notes.md)");
    // A topic that stays is named, also when the run's own pointer was to go.
    expect(named).toBe(before === null && result !== null);
  });

  it("keeps others' words in the index, and drops pointers to what goes", () => {
    const world = makeWorld();
    const { undo: record } = applyRun(world);
    write(world, "MEMORY.md", `${AFTER["MEMORY.md"]}\nSee the wiki too.\n${pointer("fresh", "my own words for it")}`);
    expect(undo(world, record)).toMatchObject({ outcome: "applied" });
    expect(read(world, "MEMORY.md")).toBe(`${BEFORE["MEMORY.md"]}\nSee the wiki too.\n`);
    expect(readArchive(placeOf(world)).map(({ text }) => text)).toContain(
      pointer("fresh", "my own words for it").trimEnd(),
    );
  });

  it("names a topic that comes back, however the index was rewritten", () => {
    const world = makeWorld();
    const { undo: record } = applyRun(world);
    write(world, "MEMORY.md", `# My own index\n\n${pointer("limits", "mine")}`);
    expect(undo(world, record)).toMatchObject({ outcome: "applied" });
    expect(read(world, "MEMORY.md")).toBe(`# My own index\n\n${pointer("limits", "mine")}${pointer("old")}`);
  });

  it("knows its own lines afterwards", () => {
    const own = (name: string) => shortHash(pointer(name).trimEnd());
    const world = makeWorld({ "MEMORY.md": index("one"), "one.md": topic("One.") });
    const first = { "MEMORY.md": index("one", "two"), "one.md": topic("One."), "two.md": topic("Two.") };
    const { undo: record } = applyRun(world, nodeFiles, {
      changeset: {
        ...changesetOf({ "MEMORY.md": index("one"), "one.md": topic("One.") }, first),
        ownLines: [own("two")],
      },
    });
    const second = { ...first, "MEMORY.md": index("one", "two", "three"), "three.md": topic("Three.") };
    applyRun(world, nodeFiles, {
      run: { id: "20260310T130000000-dddddd", at: AT },
      changeset: { ...changesetOf(first, second), ownLines: [own("two"), own("three")] },
    });
    expect(undo(world, record)).toMatchObject({ outcome: "applied" });
    expect(read(world, "MEMORY.md")).toBe(index("one", "three"));
    expect(traceOf(world).ownLines).toEqual([own("three")]);
  });
});

describe("undoing where later edits would be lost", () => {
  const start = { "MEMORY.md": index("notes"), "notes.md": topic("The port is 80.", "Other.") };
  const then = { ...start, "notes.md": topic("The port is 8080.", "Other.", "Added by the run.") };

  it("is refused, names the entries, and writes nothing", () => {
    const { world, record } = ranFrom(start, then);
    const later = topic("The port is 9090.", "Other.", "Added by the run, and edited.");
    write(world, "notes.md", later);
    expect(undo(world, record)).toEqual({
      outcome: "refused",
      conflicts: [
        { file: "notes.md", reason: "changed-later", entries: ["- The port is 9090."] },
        { file: "notes.md", reason: "changed-later", entries: ["- Added by the run, and edited."] },
      ],
    });
    expect(read(world, "notes.md")).toBe(later);
    expect(readEvidence(nodeFiles, world.evidence).records).not.toEqual([]);
  });

  it("goes on when forced, with the later texts in the archive", () => {
    const { world, record } = ranFrom(start, then);
    write(world, "notes.md", topic("The port is 9090.", "Other.", "Added by the run, and edited.", "Untouched."));
    expect(undo(world, record, true)).toMatchObject({ outcome: "applied" });
    expect(read(world, "notes.md")).toBe(topic("The port is 80.", "Other.", "Untouched."));
    const kept = readArchive(placeOf(world)).filter(({ reason }) => reason === "undo-later-text");
    expect(kept.map(({ text }) => text)).toEqual(["- The port is 9090.", "- Added by the run, and edited."]);
  });

  it("is refused for a removed topic whose name was given to something else, and for one that was deleted", () => {
    const world = makeWorld();
    const { undo: record } = applyRun(world);
    write(world, "old.md", topic("Something else."));
    rmSync(join(world.memory, "limits.md"));
    expect(undo(world, record)).toEqual({
      outcome: "refused",
      conflicts: [
        { file: "limits.md", reason: "file-gone", entries: [] },
        { file: "old.md", reason: "file-exists", entries: [] },
      ],
    });
    expect(undo(world, record, true)).toMatchObject({ outcome: "applied" });
    expect(textsOf(world)).toEqual(BEFORE);
    expect(readArchive(placeOf(world)).map(({ text }) => text)).toContain(topic("Something else."));
  });

  it("never overwrites what cannot be read as text, not even when forced", () => {
    const world = makeWorld();
    const { undo: record } = applyRun(world);
    const bytes = Buffer.from([0x2d, 0x20, 0xff, 0xfe, 0x0a]);
    writeFileSync(join(world.memory, "limits.md"), bytes);
    expect(undo(world, record, true)).toEqual({
      outcome: "refused",
      conflicts: [{ file: "limits.md", reason: "not-readable", entries: [] }],
    });
    expect(readFileSync(join(world.memory, "limits.md"))).toEqual(bytes);
  });
});

it("planning an undo touches nothing and says the same each time", () => {
  const world = makeWorld();
  const { undo: record } = applyRun(world);
  const snapshot = readMemory(nodeFiles, world.memory);
  if (!record) throw new Error("nothing was applied");
  const plan = planUndo(record, snapshot);
  expect(planUndo(record, snapshot)).toEqual(plan);
  expect(plan.conflicts).toEqual([]);
  expect(plan.plan.changes).toMatchObject([
    { before: "- Deploys run on Fridays.", after: null, reason: `undo ${RUN}` },
  ]);
  expect(textsOf(world)).toEqual(AFTER);
});
