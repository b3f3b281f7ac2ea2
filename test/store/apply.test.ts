import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { lastRun } from "../../src/store/journal.ts";
import { readMemory } from "../../src/store/read.ts";
import { faultyFiles } from "../support/faulty-files.ts";
import {
  AFTER,
  applyRun,
  BEFORE,
  changesetOf,
  makeWorld,
  mtimeOf,
  OLD_TIME,
  placeOf,
  RUN,
  recoverWorld,
  removeWorlds,
  TRACE_AFTER,
  textsOf,
  traceOf,
} from "./world.ts";

afterEach(removeWorlds);

describe("applying a run", () => {
  it("writes what was compiled, archives what was retired, and leaves nothing else behind", () => {
    const world = makeWorld();
    const result = applyRun(world);
    expect(result).toMatchObject({ outcome: "applied", left: [], replans: 0, notices: [] });
    expect([...result.written].sort()).toEqual(["MEMORY.md", "fresh.md", "limits.md", "old.md"]);
    expect(textsOf(world)).toEqual(AFTER);
    expect(traceOf(world)).toEqual(TRACE_AFTER);
  });

  it("keeps modes, and the time of every file that it does not change", () => {
    const world = makeWorld();
    chmodSync(join(world.memory, "limits.md"), 0o664);
    applyRun(world);
    const mode = (name: string) => statSync(join(world.memory, name)).mode & 0o777;
    expect(mode("limits.md")).toBe(0o664);
    expect(mode("fresh.md")).toBe(0o640);
    expect(mtimeOf(world, "quiet.md")).toBe(OLD_TIME);
    expect(mtimeOf(world, "limits.md")).toBeGreaterThan(OLD_TIME);
  });

  it("makes a first memory readable by its owner alone", () => {
    const world = makeWorld({});
    applyRun(world, nodeFiles, { changeset: changesetOf({}, AFTER) });
    expect(textsOf(world)).toEqual(AFTER);
    expect(statSync(join(world.memory, "fresh.md")).mode & 0o777).toBe(0o600);
    expect(statSync(join(world.memory, ".memd")).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(world.memory, ".memd", ".gitignore"), "utf8")).toBe("*\n");
  });

  it("writes nothing, not even a folder, when nothing would change", () => {
    const world = makeWorld();
    expect(applyRun(world, nodeFiles, { changeset: changesetOf(BEFORE, BEFORE) }).outcome).toBe("unchanged");
    expect(existsSync(join(world.memory, ".memd"))).toBe(false);
  });

  it("tells the ledger once, when everything stands, and what it tells can take the run back", () => {
    const world = makeWorld();
    const told: unknown[] = [];
    const result = applyRun(world, nodeFiles, {
      record: (done) => {
        expect(textsOf(world)).toEqual(AFTER);
        told.push(done);
      },
    });
    expect(told).toEqual([result.undo]);
    expect(lastRun(placeOf(world))).toEqual(result.undo);
    expect(result.undo).toMatchObject({ run: RUN });
    expect(JSON.parse(JSON.stringify(result.undo))).toEqual(result.undo);
  });

  it("stands when the ledger fails: that is a condition", () => {
    const world = makeWorld();
    const result = applyRun(world, nodeFiles, {
      record: () => {
        throw new Error("database is locked");
      },
    });
    expect(result.notices.map((notice) => notice.code)).toEqual(["run-not-recorded"]);
    expect(textsOf(world)).toEqual(AFTER);
    // The journal stays, so that the next start can record the run.
    expect(traceOf(world)).toEqual({ ...TRACE_AFTER, journal: true });
    expect(recoverWorld(world)).toMatchObject({ outcome: "finished", undo: result.undo });
    expect(traceOf(world)).toEqual(TRACE_AFTER);
  });

  it("works on a file system without hard links", () => {
    const world = makeWorld();
    const result = applyRun(world, faultyFiles(nodeFiles, { refuse: { link: "EPERM" } }));
    expect(result.outcome).toBe("applied");
    expect(textsOf(world)).toEqual(AFTER);
    expect(traceOf(world)).toEqual(TRACE_AFTER);
  });

  it("takes a failed run back with modes and times, without hard links as with them", () => {
    for (const refuse of [{}, { link: "EPERM" }]) {
      const calm = faultyFiles(nodeFiles, { refuse });
      applyRun(makeWorld(), calm);
      const archive = calm.calls.find(({ verb, path }) => verb === "mkdir" && path.endsWith("/archive"));
      const world = makeWorld();
      const files = faultyFiles(nodeFiles, { refuse, failAt: archive?.number ?? 0, code: "ENOSPC" });
      expect(() => applyRun(world, files)).toThrow(expect.objectContaining({ code: "disk-full" }));
      expect(textsOf(world)).toEqual(BEFORE);
      for (const name of Object.keys(BEFORE)) {
        expect(mtimeOf(world, name), name).toBe(OLD_TIME);
        expect(statSync(join(world.memory, name)).mode & 0o777, name).toBe(0o640);
      }
    }
  });

  it("stops writing the moment the lease is lost, and leaves the rest to recovery", () => {
    const world = makeWorld();
    let looks = 0;
    expect(() => applyRun(world, nodeFiles, { mayWrite: () => ++looks < 3 })).toThrow(/lease was lost/);
    expect(traceOf(world).journal).toBe(true);
  });

  it("leaves a text alone that would not encode to the bytes it was read from", () => {
    const world = makeWorld();
    const changeset = changesetOf({ ...BEFORE, "limits.md": "not what stands there" }, AFTER);
    const result = applyRun(world, nodeFiles, { changeset, recompile: () => changeset });
    expect(result).toMatchObject({ outcome: "left", left: ["limits.md"], written: [] });
    expect(textsOf(world)).toEqual(BEFORE);
  });

  it.each(["../outside.md", "a/b.md", ".hidden.md", "x.txt", "back\\slash.md"])("refuses %s as a name", (name) => {
    const world = makeWorld();
    const changeset = changesetOf(BEFORE, { ...BEFORE, [name]: "text" });
    expect(() => applyRun(world, nodeFiles, { changeset })).toThrow(expect.objectContaining({ code: "unsafe-name" }));
    expect(readMemory(nodeFiles, world.memory).tree.topics).toHaveLength(3);
  });
});
