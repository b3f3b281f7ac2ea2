/** Before or after, never between: the process dies at every verb of an apply, of an undo, and of the recovery that follows. */
import { afterEach, describe, expect, it } from "vitest";
import { type Files, nodeFiles } from "../../src/base/files.ts";
import type { UndoRecord } from "../../src/store/manifest.ts";
import { readMemory } from "../../src/store/read.ts";
import { applyUndo } from "../../src/store/undo.ts";
import { type Call, type Faults, faultyFiles, untilDeath } from "../support/faulty-files.ts";
import {
  AFTER,
  AT,
  applyRun,
  BEFORE,
  faultsOf,
  MACHINE,
  makeWorld,
  recoverWorld,
  removeWorld,
  removeWorlds,
  TRACE_AFTER,
  TRACE_BEFORE,
  textsOf,
  traceOf,
  type World,
} from "./world.ts";

afterEach(removeWorlds);

const READING = new Set<Call["verb"]>(["stat", "lstat", "list", "read", "open", "readAt", "close", "realpath"]);

/** Verbs before which the disk differs: a sync changes nothing that a later start could see, so dying after it is dying before it. */
function moments(calls: readonly Call[]): Call[] {
  const writing = calls.filter(({ verb }) => !READING.has(verb));
  return writing.filter((_, i) => writing[i - 1]?.verb !== "syncDir");
}

interface Scene {
  readonly name: string;
  /** Makes the world that the run starts from. */
  readonly prepare: () => World;
  readonly run: (world: World, files: Files) => unknown;
  /** The two states that recovery may leave, and what belongs to them beside the files. */
  readonly from: { readonly texts: Readonly<Record<string, string>>; readonly trace: unknown };
  readonly to: { readonly texts: Readonly<Record<string, string>>; readonly trace: unknown };
}

function undoRun(world: World, files: Files, record: UndoRecord) {
  const snapshot = readMemory(nodeFiles, world.memory);
  const run = { id: "20260311T120000000-bbbbbb", at: AT };
  const where = { directory: world.memory, machine: MACHINE, evidence: world.evidence };
  return applyUndo({ files, ...where, record, run, snapshot });
}

let applied: UndoRecord | null = null;

const SCENES: readonly Scene[] = [
  {
    name: "an apply",
    prepare: () => makeWorld(),
    run: (world, files) => applyRun(world, files),
    from: { texts: BEFORE, trace: TRACE_BEFORE },
    to: { texts: AFTER, trace: TRACE_AFTER },
  },
  {
    name: "an undo",
    prepare: () => {
      const world = makeWorld();
      applied = applyRun(world).undo;
      return world;
    },
    run: (world, files) => (applied ? undoRun(world, files, applied) : null),
    from: { texts: AFTER, trace: TRACE_AFTER },
    // The archive keeps what was once retired.
    to: { texts: BEFORE, trace: { ...TRACE_BEFORE, archived: TRACE_AFTER.archived } },
  },
];

/** Every verb of a healthy run. */
function callsOf(scene: Scene): readonly Call[] {
  const world = scene.prepare();
  const files = faultyFiles(nodeFiles);
  scene.run(world, files);
  return files.calls;
}

/** A world whose process died in the scene's run; null when it lived on. */
function killed(scene: Scene, faults: Faults): World | null {
  const world = scene.prepare();
  const files = faultyFiles(nodeFiles, faults);
  return untilDeath(files, () => scene.run(world, files)) === "death" ? world : null;
}

function expectWhole(world: World, where: string): void {
  expect(faultsOf(world, [BEFORE, AFTER]), where).toEqual([]);
}

function expectOneSide(world: World, scene: Scene, where: string): "from" | "to" {
  const state = { texts: textsOf(world), trace: traceOf(world) };
  const side = JSON.stringify(state.texts) === JSON.stringify(scene.to.texts) ? "to" : "from";
  expect(state, where).toEqual(scene[side]);
  return side;
}

/** Dies at verb `number`; checks the moment of death; recovers; checks that a second recovery finds nothing to do. */
function dieOnce(scene: Scene, faults: Faults): "from" | "to" | "lived" {
  const where = `${scene.name}: ${JSON.stringify(faults)}`;
  const world = killed(scene, faults);
  if (!world) return "lived";
  expectWhole(world, where);
  recoverWorld(world);
  const side = expectOneSide(world, scene, where);
  expect(recoverWorld(world), where).toMatchObject({ outcome: "clean", temps: 0, notices: [] });
  expectOneSide(world, scene, where);
  removeWorld(world);
  return side;
}

/** Dies in the run, then at every writing verb of the recovery, each time recovering for good afterwards. */
function dieTwice(scene: Scene, faults: Faults): number {
  let deaths = 0;
  const probe = killed(scene, faults);
  if (!probe) return 0;
  const dry = faultyFiles(nodeFiles);
  recoverWorld(probe, dry);
  removeWorld(probe);
  for (const { number, verb } of moments(dry.calls)) {
    const where = `${scene.name}: ${JSON.stringify(faults)}, then recovery: ${number} ${verb}`;
    const world = killed(scene, faults);
    if (!world) continue;
    const files = faultyFiles(nodeFiles, { dieAt: number, torn: verb === "create" });
    expect(
      untilDeath(files, () => recoverWorld(world, files)),
      where,
    ).toBe("death");
    expectWhole(world, where);
    recoverWorld(world);
    expectOneSide(world, scene, where);
    removeWorld(world);
    deaths++;
  }
  return deaths;
}

describe.each(SCENES)("a process that dies in $name", (scene) => {
  it("leaves memory whole, and before or after once recovered, whichever verb was its last", () => {
    const calls = callsOf(scene);
    const sides = { from: 0, to: 0, lived: 0 };
    for (const { number, verb } of calls) {
      sides[dieOnce(scene, { dieAt: number })]++;
      if (verb === "create" || verb === "append") sides[dieOnce(scene, { dieAt: number, torn: true })]++;
    }
    console.log(`${scene.name}: ${calls.length} verbs, recovered to`, sides);
    expect(sides.lived).toBe(0);
    expect(Math.min(sides.from, sides.to)).toBeGreaterThan(0);
  });

  it("may die again in every verb of its recovery", () => {
    const calls = moments(callsOf(scene));
    const deaths = calls.map(({ number, verb }) => dieTwice(scene, { dieAt: number, torn: verb === "create" }));
    const total = deaths.reduce((sum, count) => sum + count, 0);
    console.log(`${scene.name}: ${calls.length} moments, ${total} second deaths`);
    expect(total).toBeGreaterThan(100);
  });
});
