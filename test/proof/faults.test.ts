/** Whole dreams on a failing disk: whichever verb fails, the error is typed, nothing is lost, and the next dream makes good. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT, MemdError } from "../../src/base/errors.ts";
import { nodeFiles } from "../../src/base/files.ts";
import { type Call, type Faults, faultyFiles } from "../support/faulty-files.ts";
import { callsOf, expectHealed, expectWhole, moments, type Scene, sceneOf } from "./kills.ts";
import { listener, prepareStore } from "./scenes.ts";
import { makeStage, type Stage } from "./stage.ts";

let stage: Stage;
let scene: Scene;
let calls: readonly Call[];
beforeAll(async () => {
  stage = makeStage();
  await prepareStore(stage);
  scene = await sceneOf(stage, "dream", (on, acting) => on.act({ ...acting, distiller: listener }));
  calls = await callsOf(stage, scene);
});
afterAll(() => stage.remove());

describe("x", { timeout: 1e7 }, () => {
  it("y", async () => {
    const seen: Record<string, number> = {};
    const bad: string[] = [];
    for (const { number, verb, path } of calls) {
      for (const code of ["ENOSPC", "EACCES"]) {
        stage.reset();
        const files = faultyFiles(nodeFiles, { failAt: number, code });
        const where = `${number} ${verb} ${path.replace(stage.root, "")} ${code}`;
        let word: string;
        try {
          const { report, exit } = await stage.act({ files, distiller: listener });
          word = `${report.outcome} ${report.code} ${exit}`;
        } catch (error) {
          word = `THROWN ${error instanceof MemdError ? error.code : error}`.slice(0, 60);
          bad.push(`${where}: ${word}`);
        }
        if (word.includes("bug")) bad.push(`${where}: ${word}`);
        seen[word] = (seen[word] ?? 0) + 1;
        try {
          expectWhole(stage, scene, where);
          await expectHealed(stage, scene, where);
        } catch (error) {
          bad.push(`${where}: ${word}: ${error instanceof Error ? error.message.slice(0, 3000) : error}`);
        }
      }
    }
    console.log(seen);
    console.log(bad.join("\n"));
  });
});
