/** Whole dreams on a failing disk: whichever verb fails, the error is typed, nothing is lost, and the next dream makes good. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { classify, EXIT, MemdError } from "../../src/base/errors.ts";
import { nodeFiles } from "../../src/base/files.ts";
import { type Call, type Faults, faultyFiles } from "../support/faulty-files.ts";
import { callsOf, expectHealed, expectWhole, isWriting, type Scene, sceneOf } from "./kills.ts";
import { listener, prepareStore } from "./scenes.ts";
import { EVERY, PATIENCE, sample } from "./settings.ts";
import { makeStage, resultOf, type Stage } from "./stage.ts";

/** What a person is told, by system error: code and exit. */
const TOLD: Readonly<Record<string, readonly [code: string, exit: number]>> = {
  ENOSPC: ["disk-full", EXIT.unavailable],
  EIO: ["io-error", EXIT.unavailable],
  EACCES: ["no-permission", EXIT.misconfigured],
  EROFS: ["read-only", EXIT.misconfigured],
};
const CODES = Object.keys(TOLD);

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

interface Told {
  readonly outcome: string;
  readonly code: string | null;
  readonly hint: string | null;
  readonly exit: number;
}

/** One dream on the failing disk, told as the command line tells it: what a step could not classify is classified at the door. */
async function dreamOn(faults: Faults): Promise<Told> {
  stage.reset();
  try {
    const { report, exit } = await stage.act({ files: faultyFiles(nodeFiles, faults), distiller: listener });
    return { outcome: report.outcome, code: report.code, hint: report.hint, exit };
  } catch (error) {
    const { code, hint, family } = classify(error, "dream");
    return { outcome: error instanceof MemdError ? "thrown" : "thrown raw", code, hint, exit: EXIT[family] };
  }
}

/** Told truly: by an error of its own kind, or, where the dream could do without, by a condition or by nothing being amiss. */
function expectTold(told: Told, code: string, where: string): void {
  const [word, exit] = TOLD[code] ?? ["", 0];
  if (told.exit !== 0) {
    expect([word, "file-not-readable"], where).toContain(told.code);
    expect({ exit: told.exit, hint: told.hint }, where).toEqual({ exit, hint: expect.stringMatching(/\w/) });
    return;
  }
  const conditions = stage.world().state.current().conditions.length;
  const asWanted = JSON.stringify(resultOf(stage).texts) === JSON.stringify(scene.wanted.texts);
  expect(asWanted || conditions > 0, where).toBe(true);
}

/** A failed run leaves the stamp as it was; where even that failed, the record of its holder is there to put it right. */
function expectRolledBack(told: Told, where: string): void {
  const { stamp, left } = resultOf(stage);
  if (told.outcome !== "failed" || left.some((path) => path.includes("lease"))) return;
  expect([scene.before.stamp], where).toContainEqual(stamp);
}

async function failAt(
  points: readonly Call[],
  faults: Omit<Faults, "failAt" | "code">,
  codesOf: (index: number) => readonly string[],
) {
  const seen: Record<string, number> = {};
  for (const [index, { number, verb, path }] of points.entries()) {
    for (const code of codesOf(index)) {
      const where = `${number} ${verb} ${path.replace(stage.root, "")}: ${code} ${JSON.stringify(faults)}`;
      const told = await dreamOn({ ...faults, failAt: number, code });
      const word = `${told.outcome} ${told.exit}`;
      seen[word] = (seen[word] ?? 0) + 1;
      expectTold(told, code, where);
      expectRolledBack(told, where);
      expectWhole(stage, scene, where);
      await expectHealed(stage, scene, where);
    }
  }
  return seen;
}

describe("a dream whose disk fails once", { timeout: PATIENCE }, () => {
  it("at any verb that writes says what to do, loses nothing, and is made good by the next one", async () => {
    const points = calls.filter(isWriting);
    const seen = await failAt(points, { torn: true }, (index) =>
      EVERY ? CODES : [CODES[index % CODES.length] ?? "EIO"],
    );
    console.log(`${points.length} writing verbs failed`, seen);
  });

  it("at any verb that reads does so too", async () => {
    const points = sample(
      calls.filter((call) => !isWriting(call)),
      4,
    );
    const seen = await failAt(points, {}, (index) => (EVERY ? CODES : [CODES[index % CODES.length] ?? "EIO"]));
    console.log(`${points.length} reading verbs failed`, seen);
  });
});

describe("a dream whose disk stays full, or read-only", { timeout: PATIENCE }, () => {
  it("from any verb on takes back what it can, and the rest is taken back once there is room", async () => {
    const points = sample(calls.filter(isWriting), 3);
    const seen = await failAt(points, { persistent: true }, (index) =>
      EVERY ? CODES : [index % 2 === 0 ? "ENOSPC" : "EROFS"],
    );
    console.log(`${points.length} times full from a writing verb on`, seen);
  });
});
