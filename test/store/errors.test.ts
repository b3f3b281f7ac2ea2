/** A full disk, a broken disk, a missing permission, at every verb: an error with a name, and memory as before (or as after). */

import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { MemdError } from "../../src/base/errors.ts";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import { readMemory } from "../../src/store/read.ts";
import { recover } from "../../src/store/recover.ts";
import { checkWritable } from "../../src/store/writable.ts";
import { type Faults, faultyFiles, untilDeath } from "../support/faulty-files.ts";
import {
  AFTER,
  applyRun,
  BEFORE,
  faultsOf,
  makeWorld,
  placeOf,
  recoverWorld,
  removeWorld,
  removeWorlds,
  TRACE_AFTER,
  TRACE_BEFORE,
  tempsOf,
  textsOf,
  traceOf,
  type World,
} from "./world.ts";

afterEach(removeWorlds);

const CODES = [
  ["ENOSPC", "disk-full", "unavailable"],
  ["EIO", "io-error", "unavailable"],
  ["EACCES", "no-permission", "misconfigured"],
  ["EROFS", "read-only", "misconfigured"],
] as const;

function tryApply(world: World, faults: Faults): { files: Files; outcome: "applied" | MemdError } {
  const files = faultyFiles(nodeFiles, faults);
  const ended = untilDeath(files, () => applyRun(world, files));
  if (ended === "death") throw new Error("nothing dies here");
  if ("done" in ended) {
    expect(ended.done.outcome).toBe("applied");
    return { files, outcome: "applied" };
  }
  expect(ended.threw).toBeInstanceOf(MemdError);
  return { files, outcome: ended.threw as MemdError };
}

const verbs = () => {
  const files = faultyFiles(nodeFiles);
  applyRun(makeWorld(), files);
  return files.calls.map(({ number }) => number);
};

describe.each(CODES)("%s at any verb of an apply", (code, name, family) => {
  it("once: is named, leaves no temp file, and memory is as before or as after", () => {
    const ended = { applied: 0, thrown: 0 };
    for (const failAt of verbs()) {
      const world = makeWorld();
      const where = `${code} at ${failAt}`;
      const { outcome } = tryApply(world, { failAt, code, torn: true });
      if (outcome === "applied") {
        ended.applied++;
        expect(textsOf(world), where).toEqual(AFTER);
        recoverWorld(world);
        expect(traceOf(world), where).toEqual(TRACE_AFTER);
      } else {
        ended.thrown++;
        expect(outcome, where).toMatchObject({ code: name, family });
        expect({ texts: textsOf(world), trace: traceOf(world) }, where).toEqual({ texts: BEFORE, trace: TRACE_BEFORE });
      }
      removeWorld(world);
    }
    console.log(code, "once:", ended);
    expect(ended.thrown).toBeGreaterThan(100);
  });

  it("from then on: memory stays whole, and the next start, with a healthy disk, makes it before or after", () => {
    for (const failAt of verbs()) {
      const world = makeWorld();
      const where = `${code} from ${failAt} on`;
      const { outcome } = tryApply(world, { failAt, code, torn: true, persistent: true });
      if (outcome !== "applied") expect(outcome, where).toMatchObject({ code: name, family });
      expect(faultsOf(world, [BEFORE, AFTER]), where).toEqual([]);
      recoverWorld(world);
      const texts = textsOf(world);
      const after = existsSync(join(world.memory, "fresh.md"));
      expect(texts, where).toEqual(after ? AFTER : BEFORE);
      expect(traceOf(world), where).toEqual(after ? TRACE_AFTER : TRACE_BEFORE);
      removeWorld(world);
    }
  });
});

describe("an error during recovery", () => {
  it("is named, and the recovery after it succeeds", () => {
    const dead = () => {
      const world = makeWorld();
      const dieAt = 84;
      const files = faultyFiles(nodeFiles, { dieAt });
      expect(untilDeath(files, () => applyRun(world, files))).toBe("death");
      return world;
    };
    const healthy = faultyFiles(nodeFiles);
    recoverWorld(dead(), healthy);
    for (const { number } of healthy.calls) {
      const world = dead();
      const files = faultyFiles(nodeFiles, { failAt: number, code: "ENOSPC", torn: true });
      const ended = untilDeath(files, () => recoverWorld(world, files));
      if (ended !== "death" && "threw" in ended) expect(ended.threw).toMatchObject({ code: "disk-full" });
      expect(faultsOf(world, [BEFORE, AFTER]), `verb ${number}`).toEqual([]);
      recoverWorld(world);
      const after = existsSync(join(world.memory, "fresh.md"));
      expect(textsOf(world), `verb ${number}`).toEqual(after ? AFTER : BEFORE);
      expect(traceOf(world), `verb ${number}`).toEqual(after ? TRACE_AFTER : TRACE_BEFORE);
    }
  });
});

describe("asking beforehand whether the memory can be written", () => {
  it("passes where it can, and leaves nothing behind", () => {
    const world = makeWorld();
    checkWritable(placeOf(world), readMemory(nodeFiles, world.memory));
    expect(tempsOf(world)).toEqual([]);
    expect(textsOf(world)).toEqual(BEFORE);
  });

  it.each(CODES)("names %s", (code, name) => {
    const world = makeWorld();
    const files = faultyFiles(nodeFiles, { refuse: { create: code } });
    const ask = () => checkWritable({ ...placeOf(world), files }, readMemory(nodeFiles, world.memory));
    expect(ask).toThrow(expect.objectContaining({ code: name }));
    expect(textsOf(world)).toEqual(BEFORE);
  });

  it("names the one file that is write-protected, also for a user whom the system lets write", () => {
    const world = makeWorld();
    chmodSync(join(world.memory, "limits.md"), 0o444);
    const ask = () => checkWritable(placeOf(world), readMemory(nodeFiles, world.memory));
    expect(ask).toThrow(
      expect.objectContaining({ code: "file-not-writable", message: expect.stringMatching(/limits\.md/) }),
    );
  });

  it.skipIf(process.getuid?.() === 0)("fails on a directory without write permission, as the system tells it", () => {
    const world = makeWorld();
    chmodSync(world.memory, 0o500);
    const ask = () => checkWritable(placeOf(world), readMemory(nodeFiles, world.memory));
    expect(ask).toThrow(expect.objectContaining({ code: "no-permission", family: "misconfigured" }));
    chmodSync(world.memory, 0o700);
  });
});

it("recovery of a directory that is not there has nothing to do", () => {
  const world = makeWorld();
  const directory = join(world.root, "nowhere");
  const job = { files: nodeFiles, directory, machine: "machine-a", evidence: world.evidence, now: 0 };
  expect(recover(job)).toEqual({ outcome: "clean", run: null, kind: null, undo: null, temps: 0, notices: [] });
});
