/** The built program, killed by SIGKILL at random moments of real dreams and undos. Beside it a twin home, in which nobody is killed. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { talk, transcript } from "../support/home.ts";
import { chanceOf } from "./chance.ts";
import { nothingKnown, saying } from "./life.ts";

export interface RealJob {
  readonly seed: number;
  readonly limit: number;
  /** Where the program is built, with node_modules beside it. */
  readonly folder: string;
  readonly root: string;
}

export interface RealTally {
  /** Processes that were still running when the signal came. */
  kills: number;
  /** Processes that had ended before it. */
  early: number;
  undos: number;
  /** Restarts that found a lock directory without a record, which stands for a minute. */
  waits: number;
}

interface House {
  readonly home: string;
  readonly memory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly program: string;
}

function houseOf(folder: string, name: string): House {
  const home = join(folder, name);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(join(home, "sessions"), { recursive: true });
  const env = { PATH: process.env.PATH ?? "", HOME: home, TZ: "UTC" };
  return { home, memory: join(home, "memory"), env, program: join(folder, "dist", "memd.js") };
}

const named = ({ home, memory }: House) => ["--memory", memory, "--sessions", join(home, "sessions"), "--json"];

function run(house: House, args: readonly string[]): { status: number | null; value: unknown; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [house.program, ...args, ...named(house)], {
    env: house.env,
    cwd: house.home,
    encoding: "utf8",
  });
  return { status, value: stdout === "" ? null : JSON.parse(stdout), stderr };
}

/** Starts the program and kills it after some milliseconds. @returns false when it had ended before */
async function kill(house: House, args: readonly string[], after: number): Promise<boolean> {
  const child = spawn(process.execPath, [house.program, ...args, ...named(house)], {
    env: house.env,
    cwd: house.home,
    stdio: "ignore",
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), after);
  await once(child, "exit");
  clearTimeout(timer);
  return child.signalCode === "SIGKILL";
}

/** Until it goes through. A lock directory that names nobody is given the age at which it counts as left. */
function heal(house: House, args: readonly string[], tally: RealTally): void {
  for (let tries = 0; tries < 3; tries++) {
    const { status, stderr } = run(house, args);
    if (status === 0) return;
    if (status !== 4) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
    tally.waits++;
    const old = new Date(Date.now() - 120_000);
    utimesSync(join(house.memory, ".memd", "lease.lock"), old, old);
  }
  throw new Error("still held after three tries");
}

/** Texts of the memory; times of writing are those of each house. */
function textsIn({ memory }: House): string {
  const names = existsSync(memory)
    ? readdirSync(memory)
        .filter((name) => name.endsWith(".md"))
        .sort()
    : [];
  const texts = names.map((name) => `== ${name}\n${readFileSync(join(memory, name), "utf8")}`);
  return texts.join("").replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}

function linesOf(path: string): string[] {
  return existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
}

/** What lies about in the memory directory and must not. */
function litterIn({ memory, home }: House): string[] {
  const all = existsSync(memory) ? readdirSync(memory, { recursive: true }).map(String) : [];
  const litter = all.filter((name) => /memd-tmp|lease|journal\/.|stamp\.prior/.test(name));
  const statements = linesOf(join(memory, ".memd", "evidence.jsonl")).map((line) =>
    JSON.stringify({ ...JSON.parse(line), run: "", at: "" }),
  );
  const double = statements.filter((line, i) => statements.indexOf(line) !== i);
  const state = join(home, ".local", "state", "memd", "stores");
  const ahead = existsSync(state)
    ? readdirSync(state, { recursive: true })
        .map(String)
        .filter((name) => name.includes("cursors-after"))
    : [];
  return [...litter, ...double, ...ahead];
}

interface Listed {
  readonly id: string;
  readonly cause: string;
  readonly outcome: string;
  readonly files: {
    readonly created: readonly string[];
    readonly updated: readonly string[];
    readonly archived: readonly string[];
  };
}

/** The latest dream that changed something and stands. */
function lastStanding(house: House): string | null {
  const { runs } = run(house, ["history", "--limit", "1000"]).value as { runs: readonly Listed[] };
  const changed = runs.filter(
    ({ cause, outcome, files }) =>
      cause !== "undo" && outcome === "done" && files.created.length + files.updated.length > 0,
  );
  return (
    changed
      .map(({ id }) => id)
      .sort()
      .at(-1) ?? null
  );
}

async function build(job: RealJob): Promise<void> {
  const { buildAll } = await import(pathToFileURL(join(job.root, "scripts", "build.mjs")).href);
  await buildAll(join(job.folder, "dist"));
  writeFileSync(join(job.folder, "package.json"), '{ "type": "module" }\n');
}

/** @throws Error naming seed and kill at the first thing amiss */
export async function realKills(job: RealJob): Promise<RealTally> {
  await build(job);
  const chance = chanceOf(job.seed);
  const tally: RealTally = { kills: 0, early: 0, undos: 0, waits: 0 };
  const [mine, twin] = [houseOf(job.folder, "mine"), houseOf(job.folder, "twin")];
  let known = nothingKnown();
  for (let i = 0; tally.kills < job.limit; i++) {
    const where = `seed ${job.seed}, kill ${tally.kills}, round ${i}`;
    // A store that has grown large makes every round longer and none of them another one.
    if (i % 25 === 0) {
      for (const one of [mine, twin]) houseOf(job.folder, one === mine ? "mine" : "twin");
      known = nothingKnown();
    }
    const undo = chance.is(0.2) ? lastStanding(mine) : null;
    const there = undo ? lastStanding(twin) : null;
    const said = undo ? [] : talk(saying(chance, known), Date.now() - 3_600_000);
    if (!undo)
      for (const { home } of [mine, twin])
        writeFileSync(join(home, "sessions", `s${i}.jsonl`), transcript(`s${i}`, said));
    const begin = performance.now();
    const args = (id: string | null) => (id ? ["undo", id] : ["dream", "--now"]);
    const calm = run(twin, args(there));
    if (calm.status !== 0) throw new Error(`${where}: the twin ended with ${calm.status}: ${calm.stderr}`);
    const took = performance.now() - begin;
    if (await kill(mine, args(undo), chance.below(Math.ceil(took * 1.1)))) tally.kills++;
    else tally.early++;
    if (undo) tally.undos++;
    heal(mine, args(undo), tally);
    const litter = litterIn(mine);
    if (litter.length > 0) throw new Error(`${where}: left behind: ${litter.join(", ")}`);
    if (textsIn(mine) !== textsIn(twin))
      throw new Error(`${where}: not as the twin\n${textsIn(mine)}\n---- there\n${textsIn(twin)}`);
  }
  return tally;
}
