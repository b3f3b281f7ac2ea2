/** The built daemon in real time: fifty stores in which people talk all the while. Memory and open handles must stay where they are. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DAY, talk, transcript } from "../support/home.ts";

const STORES = 50;
/** Dreams follow each other as fast as a minute allows, so that half an hour holds months of them. */
const CONFIG = `
discover: false
person: { enabled: false }
gates: { minHours: 0, minSessions: 2, scanMinutes: 0, backlogHours: 0 }
daemon: { debounceSeconds: 1, debounceMaxSeconds: 5 }
`;

export interface Sample {
  readonly minute: number;
  readonly megabytes: number;
  readonly handles: number;
  readonly children: number;
  readonly dreams: number;
}

export interface SoakPlan {
  readonly folder: string;
  readonly memd: string;
  readonly minutes: number;
  readonly progress: (sample: Sample) => void;
}

/** @throws Error when the daemon ends, or holds more at the end than after its warm-up */
export async function soak({ folder, memd, minutes, progress }: SoakPlan): Promise<Sample> {
  const home = join(folder, "soak");
  const stores = Array.from({ length: STORES }, (_, i) => join(home, `p${i}`));
  writeHome(home, stores);
  const env = { PATH: process.env.PATH, HOME: home, TZ: "UTC" };
  const child = spawn(process.execPath, [memd, "daemon"], { env, cwd: home, stdio: "ignore" });
  const ended = once(child, "exit");
  const samples: Sample[] = [];
  const start = performance.now();
  try {
    for (let step = 0; performance.now() - start < minutes * 60_000; step++) {
      say(stores[step % STORES] ?? home, step);
      await wait(1_000);
      if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}: ${lastOf(home)}`);
      if (step % 30 !== 29) continue;
      const sample = sampleOf(child.pid ?? 0, home, (performance.now() - start) / 60_000);
      samples.push(sample);
      progress(sample);
    }
    expectFlat(samples);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
  if (child.exitCode !== 0) throw new Error(`SIGTERM ended it with ${child.exitCode}`);
  const last = samples.at(-1);
  if (last === undefined || last.dreams < STORES / 2) throw new Error(`only ${last?.dreams} dreams`);
  return last;
}

function writeHome(home: string, stores: readonly string[]): void {
  const listed = stores.map(
    (store, i) => `  - { name: p${i}, memory: ${store}/memory, sessions: [${store}/sessions] }`,
  );
  mkdirSync(join(home, ".config", "memd"), { recursive: true });
  writeFileSync(join(home, ".config", "memd", "config.yaml"), `${CONFIG}stores:\n${listed.join("\n")}\n`);
  for (const store of stores) mkdirSync(join(store, "sessions"), { recursive: true });
}

/** Two new sessions, and a line more in one that goes on. */
function say(store: string, step: number): void {
  const at = Date.now() - 60_000;
  const sessions = join(store, "sessions");
  for (const part of ["a", "b"]) {
    const name = `s${step}${part}`;
    const said = talk([`Remember: the ${name} service is owned by team number ${step}.`], at);
    writeFileSync(join(sessions, `${name}.jsonl`), transcript(name, said));
  }
  const more = transcript(`live${step}`, talk([`please look at module ${step} next`], at - DAY));
  appendFileSync(join(sessions, "live.jsonl"), more);
}

function sampleOf(pid: number, home: string, minute: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter((id) => id !== "");
  const history = readFileSync(join(home, ".local", "state", "memd", "logs", "memd.log"), "utf8");
  return {
    minute: Number(minute.toFixed(1)),
    megabytes: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    children: children.length,
    dreams: history.split('"msg":"dream done"').length - 1,
  };
}

function lastOf(home: string): string {
  return (
    readFileSync(join(home, ".local", "state", "memd", "logs", "memd.log"), "utf8")
      .trimEnd()
      .split("\n")
      .at(-1) ?? ""
  );
}

/** A tenth above the warm-up is the garbage of the moment; a leak of a megabyte per hundred dreams would show. */
function expectFlat(samples: readonly Sample[]): void {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const most = (part: readonly Sample[], of: "megabytes" | "handles") => Math.max(...part.map((sample) => sample[of]));
  const [warm, late] = [samples.slice(0, 2 * third), samples.slice(-third)];
  for (const of of ["megabytes", "handles"] as const) {
    const limit = most(warm, of) * (of === "megabytes" ? 1.1 : 1) + (of === "handles" ? 4 : 0);
    if (most(late, of) > limit) throw new Error(`${of} grew: ${JSON.stringify(samples)}`);
  }
  if (samples.some(({ children }) => children > 1)) throw new Error(`more than one child: ${JSON.stringify(samples)}`);
}
