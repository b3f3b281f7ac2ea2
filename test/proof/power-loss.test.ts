/** Whole dreams and undos whose power fails: only what was synced is certain, and that is enough. */
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { faultyFiles } from "../support/faulty-files.ts";
import { START, talk } from "../support/home.ts";
import { chanceOf } from "./chance.ts";
import { callsOf, expectWhole, moments, type Scene, sceneOf, sideOf } from "./kills.ts";
import { powerFiles } from "./power.ts";
import { listener, prepareStore } from "./scenes.ts";
import { EVERY, PATIENCE } from "./settings.ts";
import { DAY, makeStage, resultOf, type Stage, unrecorded } from "./stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = makeStage();
});
afterEach(() => stage.remove());

/** Beside the failure that loses everything unsynced, this many that lose some of it. */
const TRIES = EVERY ? 20 : 1;

async function failAtEvery(scene: Scene) {
  const points = moments(await callsOf(stage, scene));
  const sides = { before: 0, between: 0, after: 0 };
  for (const { number, verb } of points) {
    for (let n = 0; n <= TRIES; n++) {
      const where = `${scene.name}: power fails at ${number} ${verb}, try ${n}`;
      stage.reset();
      const power = powerFiles([stage.memory, join(stage.root, "state")]);
      const files = faultyFiles(power, { dieAt: number });
      expect(await stage.dying(files, () => scene.work(stage, { files })), where).toBe("death");
      power.fail(chanceOf(number * 31 + n), n === 0 ? "none" : "any");
      sides[sideOf(stage, scene)]++;
      expectWhole(stage, scene, where);
      stage.ageTemps();
      await scene.again(stage, { later: true });
      // The stamp may have moved before the power failed; places may be older than the memory: words are read again and refused.
      const { stamp: _, places: __, ...result } = resultOf(stage);
      const { stamp: ___, places: ____, ...wanted } = scene.wanted;
      expect(result, where).toEqual(wanted);
      expect(await unrecorded(stage), where).toEqual([]);
    }
  }
  return { points: points.length, failures: points.length * (TRIES + 1), ...sides };
}

describe("a power failure", { timeout: PATIENCE }, () => {
  it("in the very first dream, which makes every folder, leaves nothing behind that the next one trips over", async () => {
    stage.session(
      "first",
      talk(
        ["Remember: the gateway listens on port 8443.", "Always write commit subjects in the imperative."],
        START - DAY,
      ),
    );
    stage.keep();
    const scene = await sceneOf(stage, "first dream", (on, acting) => on.act(acting));
    console.log("first dream:", await failAtEvery(scene));
  });

  it("in a dream leaves every file whole, and the next dream ends where nothing had failed", async () => {
    await prepareStore(stage);
    const scene = await sceneOf(stage, "dream", (on, acting) => on.act({ ...acting, distiller: listener }));
    console.log("dream:", await failAtEvery(scene));
  });

  it("in an undo does too", async () => {
    await prepareStore(stage);
    const { report } = await stage.act({ distiller: listener });
    stage.clock.move(60_000);
    stage.keep();
    const scene = await sceneOf(stage, "undo", (on, acting) => on.takeBack(report.id, acting));
    console.log("undo:", await failAtEvery(scene));
  });
});
