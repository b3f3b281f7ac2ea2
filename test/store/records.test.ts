import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import type { EvidenceRecord } from "../../src/memory/changeset.ts";
import { archiveTexts, readArchive, unarchiveTexts } from "../../src/store/archive.ts";
import {
  changeEvidence,
  editEvidence,
  evidencePath,
  insideGitWorkTree,
  readEvidence,
} from "../../src/store/evidence.ts";
import { readOwnLines, writeOwnLines } from "../../src/store/own-lines.ts";
import { AT, BEFORE, changesetOf, makeWorld, pathsOf, placeOf, RUN, removeWorlds } from "./world.ts";

afterEach(removeWorlds);

const [one, two] = changesetOf(BEFORE, BEFORE).evidence;
if (!one || !two) throw new Error("the fixture has two evidence records");

describe("the archive", () => {
  const run = { run: RUN, at: AT };
  const text = { topic: "old", text: "- The old host is alpha.", reason: "host is gone" };

  it("keeps a text with date, run and reason, once per run, outside what agents read", () => {
    const world = makeWorld();
    expect(archiveTexts(placeOf(world), run, [text, text])).toBe(1);
    expect(archiveTexts(placeOf(world), run, [text])).toBe(0);
    expect(archiveTexts(placeOf(world), { run: "later-run", at: "2027-01-01T00:00:00.000Z" }, [text])).toBe(1);
    expect(readArchive(placeOf(world))).toEqual([
      { ...run, ...text },
      { run: "later-run", at: "2027-01-01T00:00:00.000Z", ...text },
    ]);
    expect(readArchive(placeOf(world), "later-run")).toHaveLength(1);
    const files = pathsOf(join(world.memory, ".memd", "archive"));
    expect(files).toEqual([`2026/${RUN}.jsonl`, "2027/later-run.jsonl"]);
    expect(statSync(join(world.memory, ".memd", "archive", "2026")).mode & 0o777).toBe(0o700);
  });

  it("gives a text up again when its run is taken back, and keeps the others", () => {
    const world = makeWorld();
    const other = { ...text, topic: "limits" };
    archiveTexts(placeOf(world), run, [text, other]);
    unarchiveTexts(placeOf(world), run, [text]);
    expect(readArchive(placeOf(world))).toEqual([{ ...run, ...other }]);
    unarchiveTexts(placeOf(world), run, [other]);
    expect(readArchive(placeOf(world))).toEqual([]);
  });

  it("survives a damaged line", () => {
    const world = makeWorld();
    archiveTexts(placeOf(world), run, [text]);
    appendFileSync(join(world.memory, ".memd", "archive", "2026", `${RUN}.jsonl`), '{"half":\n[1]\n');
    expect(readArchive(placeOf(world))).toEqual([{ ...run, ...text }]);
  });
});

describe("the evidence", () => {
  const where = (path: string) => ({ path, token: "t" });

  it("holds each record exactly once, however often it is added", () => {
    const { evidence } = makeWorld();
    changeEvidence(nodeFiles, where(evidence), { add: [one], remove: [] });
    changeEvidence(nodeFiles, where(evidence), { add: [one, two], remove: [] });
    changeEvidence(nodeFiles, where(evidence), { add: [two], remove: [] });
    expect(readEvidence(nodeFiles, evidence)).toEqual({ records: [one, two], damaged: 0 });
    expect(statSync(evidence).mode & 0o777).toBe(0o600);
  });

  it("takes records out, also those whose line was written with other spacing", () => {
    const { evidence } = makeWorld();
    writeFileSync(evidence, `${JSON.stringify(one, null, 1).replaceAll("\n", " ")}\n${JSON.stringify(two)}\n`);
    changeEvidence(nodeFiles, where(evidence), { add: [], remove: [one] });
    expect(readEvidence(nodeFiles, evidence).records).toEqual([two]);
  });

  it("keeps and counts what it cannot read, and joins nothing to a torn last line", () => {
    const { evidence } = makeWorld();
    writeFileSync(evidence, `${JSON.stringify(one)}\n{"run": 7}\n${JSON.stringify(two).slice(0, 40)}`);
    expect(readEvidence(nodeFiles, evidence)).toEqual({ records: [one], damaged: 2 });
    changeEvidence(nodeFiles, where(evidence), { add: [two], remove: [] });
    expect(readEvidence(nodeFiles, evidence)).toEqual({ records: [one, two], damaged: 2 });
  });

  it("can be rewritten to forget", () => {
    const { evidence } = makeWorld();
    changeEvidence(nodeFiles, where(evidence), { add: [one, two], remove: [] });
    const record = (item: EvidenceRecord) => (item.topic === one.topic ? null : item);
    editEvidence(nodeFiles, where(evidence), { record, keepsDamaged: () => true });
    expect(readEvidence(nodeFiles, evidence).records).toEqual([two]);
    expect(readFileSync(evidence, "utf8")).not.toContain(one.statement);
  });

  it("is absent where there is none", () => {
    const { evidence } = makeWorld();
    expect(readEvidence(nodeFiles, evidence)).toEqual({ records: [], damaged: 0 });
  });

  it("knows a git work tree from the inside, a linked one too", () => {
    const { root, memory } = makeWorld();
    expect(insideGitWorkTree(nodeFiles, memory)).toBe(false);
    execFileSync("git", ["init", "-q", join(root, "state")]);
    expect(insideGitWorkTree(nodeFiles, memory)).toBe(false);
    mkdirSync(join(memory, "deep"));
    writeFileSync(join(memory, ".git"), "gitdir: /somewhere/else\n");
    expect(insideGitWorkTree(nodeFiles, join(memory, "deep"))).toBe(true);
  });

  it("lies beside the memory, but in the state folder where a commit could take it along", () => {
    const { root, memory } = makeWorld();
    const where = { directory: memory, state: join(root, "state") };
    expect(evidencePath(nodeFiles, where)).toBe(join(memory, ".memd", "evidence.jsonl"));
    mkdirSync(join(root, ".git"));
    expect(evidencePath(nodeFiles, where)).toBe(join(root, "state", "evidence.jsonl"));
  });
});

describe("the journal of own index lines", () => {
  it("is a set that reads back, and nothing when it is missing or damaged", () => {
    const world = makeWorld();
    expect(readOwnLines(nodeFiles, world.memory)).toEqual([]);
    writeOwnLines(placeOf(world), ["b", "a", "b"]);
    expect(readOwnLines(nodeFiles, world.memory)).toEqual(["a", "b"]);
    for (const text of ["{", "[]", '{"lines": 3}', '{"schema":1,"lines":[1,null]}']) {
      writeFileSync(join(world.memory, ".memd", "own-lines.json"), text);
      expect(readOwnLines(nodeFiles, world.memory)).toEqual([]);
    }
  });
});
