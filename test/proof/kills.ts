/** One death: a dream or an undo dies at a verb, a new process starts, and everything must be as if nobody had died. */
import { expect } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { isRecord } from "../../src/base/json.ts";
import { type Call, type Faults, faultyFiles } from "../support/faulty-files.ts";
import { sample } from "./settings.ts";
import { type Acting, faultsOf, resultOf, type Stage, textsOf, unrecorded } from "./stage.ts";

export type Result = ReturnType<typeof resultOf>;
type Texts = Readonly<Record<string, string>>;

type Work = (stage: Stage, acting: Acting) => Promise<unknown>;

/** Work of one process over a stage, and what it leads to when nothing disturbs it. */
export interface Scene {
  readonly name: string;
  readonly work: Work;
  /** What a person does after the death. */
  readonly again: Work;
  readonly before: { readonly texts: Texts; readonly stamp: Result["stamp"] };
  readonly wanted: Result;
}

export async function sceneOf(stage: Stage, name: string, work: Work, again: Work = work): Promise<Scene> {
  stage.reset();
  const before = { texts: textsOf(stage), stamp: resultOf(stage).stamp };
  await work(stage, {});
  const wanted = resultOf(stage);
  stage.reset();
  return { name, work, again, before, wanted };
}

const WRITING = new Set<Call["verb"]>([
  "create",
  "scratch",
  "append",
  "rename",
  "link",
  "unlink",
  "mkdir",
  "rmdir",
  "utimes",
  "syncDir",
  "chmod",
]);

export const isWriting = ({ verb }: Call): boolean => WRITING.has(verb);

/** Verbs before which the disk differs: a sync changes nothing that a later start could see, so dying after it is dying before it. */
export function moments(calls: readonly Call[]): Call[] {
  const writing = calls.filter(isWriting);
  return writing.filter((_, i) => writing[i - 1]?.verb !== "syncDir");
}

/** Every verb of the work when it is left alone; the stage is put back afterwards. */
export async function callsOf(stage: Stage, { work }: Scene): Promise<readonly Call[]> {
  stage.reset();
  const files = faultyFiles(nodeFiles);
  await work(stage, { files });
  stage.reset();
  return files.calls;
}

/** Puts the stage back and lets a process die in the work. False when it lived. */
export async function die(stage: Stage, scene: Pick<Scene, "work">, faults: Faults): Promise<boolean> {
  stage.reset();
  const files = faultyFiles(nodeFiles, faults);
  return (await stage.dying(files, () => scene.work(stage, { files }))) === "death";
}

/** In the very moment of a death every file is whole, and the index leads only to files that are there. */
export function expectWhole(stage: Stage, scene: Scene, where: string): void {
  expect(faultsOf(stage, [scene.before.texts, scene.wanted.texts]), where).toEqual([]);
}

/**
 * A new process does what a person would do; then nothing tells that there was a death.
 * @returns true when the first try came too early: a lock directory without a record stands for a minute
 */
export async function expectHealed(stage: Stage, scene: Scene, where: string): Promise<boolean> {
  stage.ageTemps();
  const waited = isHeld(await scene.again(stage, {}));
  if (waited) await scene.again(stage, { later: true });
  const { stamp, ...result } = resultOf(stage);
  const { stamp: wanted, ...rest } = scene.wanted;
  expect(result, where).toEqual(rest);
  // A death between the last place and the stamp rolls the stamp back, and the next dream finds nothing new to move it for.
  expect([wanted, scene.before.stamp], where).toContainEqual(stamp);
  expect(await unrecorded(stage), where).toEqual([]);
  return waited;
}

/** A death in the work, and another at every moment of what comes after it; each time a third process finds nothing amiss. */
export async function dieTwice(stage: Stage, scene: Scene, faults: Faults): Promise<number> {
  await die(stage, scene, faults);
  stage.ageTemps();
  const probe = faultyFiles(nodeFiles);
  await scene.again(stage, { files: probe, later: true });
  let deaths = 0;
  for (const { number, verb } of sample(moments(probe.calls), 3)) {
    const where = `${scene.name}: ${JSON.stringify(faults)}, then ${number} ${verb}`;
    await die(stage, scene, faults);
    stage.ageTemps();
    const files = faultyFiles(nodeFiles, { dieAt: number, torn: verb === "create" });
    expect(await stage.dying(files, () => scene.again(stage, { files, later: true })), where).toBe("death");
    deaths++;
    expectWhole(stage, scene, where);
    await expectHealed(stage, scene, where);
  }
  return deaths;
}

const isHeld = (ended: unknown) => isRecord(ended) && ("held" in ended || ended.exit === 4);

export const sideOf = (stage: Stage, scene: Scene): "before" | "after" | "between" => {
  const texts = JSON.stringify(textsOf(stage));
  if (texts === JSON.stringify(scene.before.texts)) return "before";
  return texts === JSON.stringify(scene.wanted.texts) ? "after" : "between";
};
