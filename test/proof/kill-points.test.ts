/** Whole dreams that die: at every verb from gate to record a process is gone, and the next one ends where nobody had died. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Call } from "../support/faulty-files.ts";
import { callsOf, die, dieTwice, expectHealed, expectWhole, moments, type Scene, sceneOf, sideOf } from "./kills.ts";
import { listener, prepareStore } from "./scenes.ts";
import { EVERY, PATIENCE, sample } from "./settings.ts";
import { makeStage, resultOf, type Stage, undoneIn, unrecorded } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = makeStage();
  await prepareStore(stage);
});
afterAll(() => stage.remove());

/** All points, or only those before which the disk differs; a verb that writes a text also dies in the middle of it. */
async function dieAt(scene: Scene, points: readonly Call[]) {
  const sides = { before: 0, between: 0, after: 0 };
  let kills = 0;
  let waits = 0;
  for (const { number, verb } of points) {
    const torn = verb === "create" || verb === "append";
    for (const faults of torn ? [{ dieAt: number }, { dieAt: number, torn }] : [{ dieAt: number }]) {
      const where = `${scene.name}: ${JSON.stringify(faults)} ${verb}`;
      expect(await die(stage, scene, faults), where).toBe(true);
      kills++;
      sides[sideOf(stage, scene)]++;
      expectWhole(stage, scene, where);
      if (await expectHealed(stage, scene, where)) waits++;
    }
  }
  return { kills, waits, ...sides };
}

describe("a process that dies in a dream", { timeout: PATIENCE }, () => {
  const dreamScene = () => sceneOf(stage, "dream", (on, acting) => on.act({ ...acting, distiller: listener }));

  it("leaves a store in which the next dream ends where nobody had died, whichever verb was its last", async () => {
    const scene = await dreamScene();
    const calls = await callsOf(stage, scene);
    const found = await dieAt(scene, EVERY ? calls : moments(calls));
    console.log(`dream: ${calls.length} verbs`, found);
    expect(Math.min(found.before, found.between, found.after)).toBeGreaterThan(0);
  });

  it("may be followed by one that dies as well, at any verb of its recovery and its own dream", async () => {
    const scene = await dreamScene();
    const renames = (await callsOf(stage, scene)).filter(
      ({ verb, path }) => verb === "rename" && path.startsWith(stage.memory),
    );
    // Between two topics the journal is at its fullest.
    const middle = renames.filter(({ path }) => path.includes("memd-tmp") && !path.includes(".memd/")).slice(2, 3);
    let deaths = 0;
    for (const { number } of EVERY ? renames : middle) deaths += await dieTwice(stage, scene, { dieAt: number });
    console.log(`dream: ${EVERY ? renames.length : middle.length} first deaths, ${deaths} second deaths`);
    expect(deaths).toBeGreaterThan(30);
  });
});

describe("a process that dies while it takes a run back", { timeout: PATIENCE }, () => {
  let run = "";
  beforeAll(async () => {
    stage.reset();
    run = (await stage.act({ distiller: listener })).report.id;
    stage.clock.move(60_000);
    stage.keep();
  });

  it("leaves a store in which the same undo ends where nobody had died, whichever verb was its last", async () => {
    const scene = await sceneOf(stage, "undo", (on, acting) => on.takeBack(run, acting));
    const calls = await callsOf(stage, scene);
    const found = await dieAt(scene, moments(calls));
    console.log(`undo: ${calls.length} verbs`, found);
    expect(Math.min(found.before, found.between, found.after)).toBeGreaterThan(0);
    expect(scene.wanted.tombstones).toBe(3);
    expect(undoneIn(stage)).toContain(run);
  });

  it("has taken it back whole or not at all once the next dream has looked: texts, tombstones, evidence and history agree", async () => {
    const scene = await sceneOf(stage, "undo, then a dream", (on, acting) => on.takeBack(run, acting));
    const kept = resultOf(stage);
    let back = 0;
    const points = sample(moments(await callsOf(stage, scene)), 2);
    for (const { number, verb } of points) {
      const where = `undo: ${number} ${verb}, then a dream`;
      await die(stage, scene, { dieAt: number, torn: verb === "create" });
      stage.ageTemps();
      const { exit } = await stage.act({ distiller: listener, later: true });
      expect(exit, where).toBe(0);
      const wanted = sideOf(stage, scene) === "after" ? scene.wanted : kept;
      if (wanted === kept) back++;
      expect({ ...resultOf(stage), foreign: null, stamp: null }, where).toEqual({
        ...wanted,
        foreign: null,
        stamp: null,
      });
      expect(undoneIn(stage).includes(run), where).toBe(wanted !== kept);
      expect(await unrecorded(stage), where).toEqual([]);
    }
    console.log(`undo, then a dream: ${points.length} deaths, ${back} found the run still standing`);
    expect(back).toBeGreaterThan(0);
  });
});
