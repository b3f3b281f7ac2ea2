/**
 * Random whole dreams that die at random verbs. Beside the store that dies lives a twin that is left alone; after every healing the two
 * must not be told apart. Each death starts from the same moment of the same life.
 */
import { nodeFiles } from "../../src/base/files.ts";
import { faultyFiles } from "../support/faulty-files.ts";
import { HOUR } from "../support/home.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { type Known, nothingKnown, scribble, speak } from "./life.ts";
import { type Acting, deadPointers, makeStage, resultOf, type Stage, undoneIn, unrecorded } from "./stage.ts";

export interface Tally {
  kills: number;
  second: number;
  dreams: number;
  undos: number;
  lives: number;
  /** Kills that left memory neither as before nor as after, until the next start. */
  between: number;
  /** Restarts that came too early: a lock directory without a record stands for a minute. */
  waits: number;
}

const STEPS = 8;
const KILLS_PER_STEP = 10;

type Work = (stage: Stage, acting: Acting) => Promise<unknown>;

/** The same store elsewhere: paths, inodes and run ids are its own. */
function comparable(stage: Stage): string {
  const { stamp, ...result } = resultOf(stage);
  const text = JSON.stringify(result).replaceAll(stage.root, "");
  // An undo writes files at the system's time, and a note that it kept is then as old as they are.
  return text.replace(/"(?:dev|ino)":\d+/g, '"":0').replace(/"(?:fingerprint|since)":"[^"]*"/g, '""');
}

interface Life {
  readonly chance: Chance;
  readonly stage: Stage;
  readonly twin: Stage;
  readonly known: Known;
  /** Ids of the runs that changed something and still stand, in both stores. */
  readonly runs: { stage: string; twin: string }[];
}

/** What is done next, in both stores alike. */
function nextWork({ chance, runs }: Life): { kind: "dream" | "undo"; stage: Work; twin: Work } {
  const last = runs.at(-1);
  if (last && chance.is(0.2)) {
    return {
      kind: "undo",
      stage: (on, acting) => on.takeBack(last.stage, acting),
      twin: (on, acting) => on.takeBack(last.twin, acting),
    };
  }
  const dream: Work = (on, acting) => on.act(acting);
  return { kind: "dream", stage: dream, twin: dream };
}

const isHeld = (ended: unknown) =>
  typeof ended === "object" && ended !== null && ("held" in ended || ("exit" in ended && ended.exit === 4));

class Found extends Error {}

/** One death, perhaps a second one in what follows, and the healing. @throws Found with what is wrong */
async function killOnce(
  life: Life,
  work: Work,
  wanted: { before: string; after: string; verbs: number },
  tally: Tally,
): Promise<void> {
  const { chance, stage } = life;
  stage.reset();
  const faults = { dieAt: 1 + chance.below(wanted.verbs), torn: chance.is(0.5) };
  const where = JSON.stringify(faults);
  const files = faultyFiles(nodeFiles, faults);
  if ((await stage.dying(files, () => work(stage, { files }))) !== "death") return;
  tally.kills++;
  const pointers = deadPointers(stage);
  if (pointers.length > 0) throw new Found(`${where}: ${pointers.join(", ")}`);
  const texts = JSON.stringify(resultOf(stage).texts);
  if (texts !== wanted.before && texts !== wanted.after) tally.between++;
  stage.ageTemps();
  if (chance.is(0.2)) {
    const again = faultyFiles(nodeFiles, { dieAt: 1 + chance.below(wanted.verbs), torn: chance.is(0.5) });
    if ((await stage.dying(again, () => work(stage, { files: again, later: true }))) === "death") tally.second++;
    stage.ageTemps();
  }
  if (isHeld(await work(stage, {}))) {
    tally.waits++;
    await work(stage, { later: true });
  }
  const problems = await differences(life, where);
  if (problems) throw new Found(problems);
}

async function differences({ stage, twin }: Life, where: string): Promise<string | null> {
  const [mine, other] = [comparable(stage), comparable(twin)];
  if (mine !== other) return `${where}: not as the twin\n${firstDifference(mine, other)}`;
  const lost = await unrecorded(stage);
  if (lost.length > 0) return `${where}: not in history: ${lost.join(", ")}`;
  return undoneIn(stage).length > 0 === undoneIn(twin).length > 0 ? null : `${where}: undone here, not there`;
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `  here:  ${a.slice(Math.max(0, at - 150), at + 250)}\n  there: ${b.slice(Math.max(0, at - 150), at + 250)}`;
}

const idOf = (ended: unknown) => (ended as { report?: { id: string; outcome: string } }).report ?? null;

async function step(life: Life, serial: number, tally: Tally, limit: number): Promise<void> {
  const { chance, stage, twin, runs } = life;
  const both = [stage, twin];
  for (const one of both) one.clock.move(26 * HOUR);
  if (chance.is(0.3)) scribble(both, chance, serial);
  speak(both, life, { name: `s${serial}`, minutesAgo: 90 });
  if (chance.is(0.3)) speak(both, life, { name: `t${serial}`, minutesAgo: 60 });
  stage.keep();
  const work = nextWork(life);
  const before = JSON.stringify(resultOf(stage).texts);
  const there = await work.twin(twin, {});
  const probe = faultyFiles(nodeFiles);
  const here = await work.stage(stage, { files: probe });
  const undisturbed = await differences(life, "undisturbed");
  if (undisturbed) throw new Found(undisturbed);
  tally[work.kind === "dream" ? "dreams" : "undos"]++;
  const wanted = { before, after: JSON.stringify(resultOf(stage).texts), verbs: probe.calls.length };
  for (let i = 0; i < KILLS_PER_STEP && tally.kills < limit; i++) await killOnce(life, work.stage, wanted, tally);
  stage.reset();
  const last = idOf(await work.stage(stage, {})) ?? idOf(here);
  if (work.kind === "undo") runs.pop();
  else if (last?.outcome === "done") runs.push({ stage: last.id, twin: idOf(there)?.id ?? "" });
}

/** Lives until `limit` kills are done. @throws Error naming seed and life at the first thing amiss */
export async function randomKills(seed: number, limit: number, progress: (tally: Tally) => void): Promise<Tally> {
  const tally: Tally = { kills: 0, second: 0, dreams: 0, undos: 0, lives: 0, between: 0, waits: 0 };
  while (tally.kills < limit) {
    const life: Life = {
      chance: chanceOf(seed * 1_000_003 + tally.lives),
      stage: makeStage(),
      twin: makeStage(),
      known: nothingKnown(),
      runs: [],
    };
    try {
      for (let i = 0; i < STEPS && tally.kills < limit; i++) await step(life, i, tally, limit);
    } catch (error) {
      throw new Error(
        `seed ${seed}, life ${tally.lives}, after ${tally.kills} kills: ${error instanceof Error ? (error instanceof Found ? error.message : error.stack) : String(error)}`,
      );
    } finally {
      for (const one of [life.stage, life.twin]) one.remove();
    }
    tally.lives++;
    progress(tally);
  }
  return tally;
}
